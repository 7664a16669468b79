"""Counts: by labels of few values, in Prometheus' format. Several processes: `tests/launch`."""

from prometheus_client.parser import text_string_to_metric_families

from splendor_api.telemetry import metrics


def _value(name: str, **labels: str) -> float:
    """Return one sample of what is rendered; 0 if there is none yet."""
    body, kind = metrics.render()
    assert kind.startswith("text/plain; ")
    for family in text_string_to_metric_families(body.decode()):
        for sample in family.samples:
            if sample.name == name and sample.labels == labels:
                return sample.value
    return 0.0


def test_a_request_is_counted_and_timed() -> None:
    labels = {"operation": "apply_action", "method": "POST", "status": "422"}
    before = _value("splendor_requests_total", **labels)
    quick = _value("splendor_request_seconds_bucket", operation="apply_action", le="0.002")
    metrics.observe_request("apply_action", "POST", 422, 0.0015)
    metrics.observe_request("apply_action", "POST", 422, 0.0025)
    assert _value("splendor_requests_total", **labels) == before + 2
    assert (
        _value("splendor_request_seconds_bucket", operation="apply_action", le="0.002") == quick + 1
    )
    assert _value("splendor_request_seconds_sum", operation="apply_action") >= 0.004


def test_a_method_that_a_client_made_up_is_no_label() -> None:
    before = _value("splendor_requests_total", operation="x", method="other", status="405")
    metrics.observe_request("x", "BREW", 405, 0.0)
    metrics.observe_request("x", "MELT", 405, 0.0)
    after = _value("splendor_requests_total", operation="x", method="other", status="405")
    assert after == before + 2


def test_a_violation_is_counted_by_game_and_code() -> None:
    before = _value("splendor_violations_total", game="splendor", code="too_few_colors")
    metrics.count_violation("splendor", "too_few_colors")
    after = _value("splendor_violations_total", game="splendor", code="too_few_colors")
    assert after == before + 1
