"""Log lines: listed fields only, and no text of an exception."""

import logging
from collections.abc import Iterator

import orjson
import pytest

from splendor_api.telemetry import logs


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    """Put the handlers back that these tests replace."""
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = before


def _request(**others: object) -> None:
    logs.request(
        request_id="r-1",
        method="POST",
        route="/v1/games/{game}/apply",
        operation="apply_action",
        status=200,
        duration_ms=1.23456,
        bytes_in=1400,
        bytes_out=1600,
        **others,
    )


def _break() -> None:
    raise KeyError("canary-card-58")


def test_a_request_is_one_line_of_json_with_listed_fields(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.configure("info", "json")
    _request(game="splendor")
    line = orjson.loads(capsys.readouterr().err)
    assert line.pop("time").endswith("Z")
    assert line == {
        "level": "info",
        "event": "request",
        "request_id": "r-1",
        "method": "POST",
        "route": "/v1/games/{game}/apply",
        "operation": "apply_action",
        "status": 200,
        "duration_ms": 1.235,
        "bytes_in": 1400,
        "bytes_out": 1600,
        "game": "splendor",
    }


@pytest.mark.parametrize("field", ["body", "token", "seed", "query", "path", "authorization"])
def test_a_field_that_is_not_listed_raises(field: str) -> None:
    logs.configure("info", "json")
    with pytest.raises(ValueError, match=field):
        _request(**{field: "canary"})
    with pytest.raises(ValueError, match=field):
        logs.event("anything", **{field: "canary"})


def test_a_level_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("warning", "json")
    _request()
    logs.event("quiet")
    logs.event("loud", level="warning")
    assert orjson.loads(capsys.readouterr().err)["event"] == "loud"


def test_an_exception_is_told_by_type_and_places(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info", "json")
    with pytest.raises(KeyError) as raised:
        _break()
    logs.failure(raised.value, request_id="r-1")
    text = capsys.readouterr().err
    assert "canary" not in text
    line = orjson.loads(text)
    assert (line["level"], line["event"], line["error"]) == ("error", "failure", "KeyError")
    assert line["places"][-1].startswith("tests/telemetry/test_logs.py:")
    assert line["places"][-1].endswith(" _break")


def test_values_in_lines_of_other_libraries_are_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.configure("info", "json")
    logging.getLogger("some.library").warning("got %s", "canary")
    logging.getLogger("gunicorn.error").warning("worker %s ended", 17)
    first, second = (orjson.loads(line) for line in capsys.readouterr().err.splitlines())
    assert (first["event"], first["logger"]) == ("got %s", "some.library")
    assert (second["event"], second["logger"]) == ("worker 17 ended", "gunicorn.error")


@pytest.mark.parametrize(("level", "lines"), [("info", 0), ("debug", 1)])
def test_gunicorn_tells_of_itself_only_when_asked(
    level: str, lines: int, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure(level, "text")
    logging.getLogger("gunicorn.error").info("booting")
    assert capsys.readouterr().err.count("booting") == lines


def test_a_line_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info", "text")
    _request()
    logs.event("started", pid=17)
    first, second = capsys.readouterr().err.splitlines()
    assert first[8:].startswith(" info    request request_id=r-1 method=POST route=/v1/games/")
    assert second[8:] == " info    started pid=17"
