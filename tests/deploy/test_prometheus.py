"""Alerts and the board: Prometheus reads every expression, and the service has every metric."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import yaml
from prometheus_client.parser import text_string_to_metric_families

from splendor_api.http.table import OPERATIONS
from splendor_api.launch.worker import UNREAD
from splendor_api.settings import Settings
from splendor_api.telemetry import metrics
from tests.deploy.files import DEPLOY, ROOT, read, run

NAME = re.compile(r"\b(splendor_[a-z_]+)")
OPERATION = re.compile(r'operation(?:=|!=|!~|=~)"([^"]+)"')
VARIABLES = {"$__rate_interval": "5m", "$__range": "3h", "$instance": ".*"}


def _rules() -> list[Any]:
    (group,) = yaml.safe_load(read("prometheus/alerts.yml"))["groups"]
    rules: list[Any] = group["rules"]
    return rules


def _board() -> Any:
    return orjson.loads(read("grafana/splendor-api.json"))


def _expressions() -> Iterator[str]:
    yield from (rule["expr"] for rule in _rules())
    for panel in _board()["panels"]:
        yield from (target["expr"] for target in panel["targets"])


def test_prometheus_takes_its_files() -> None:
    said = run("promtool", "check", "config", DEPLOY / "prometheus" / "prometheus.yml")
    assert f"SUCCESS: {len(_rules())} rules found" in said


def test_each_alert_is_raised_by_what_it_is_for() -> None:
    said = run("promtool", "test", "rules", DEPLOY / "prometheus" / "alerts_test.yml")
    assert "SUCCESS" in said
    tested = read("prometheus/alerts_test.yml")
    for rule in _rules():
        assert re.search(rf"alertname: {rule['alert']}\n *exp_alerts", tested), rule["alert"]
        assert re.search(rf"alertname: {rule['alert']}}}", tested), rule["alert"]


def test_each_alert_leads_to_a_row_of_the_incident_table() -> None:
    page = (ROOT / "docs" / "operations.md").read_text("utf-8")
    rows = set(re.findall(r"^\| ([^|]+) \|", page, re.MULTILINE))
    for rule in _rules():
        assert rule["annotations"]["incident"] in {row.lower() for row in rows}


def test_prometheus_reads_every_expression_of_the_board(tmp_path: Path) -> None:
    rules = []
    for place, expression in enumerate(_expressions()):
        for variable, value in VARIABLES.items():
            expression = expression.replace(variable, value)  # noqa: PLW2901 - bit by bit
        rules.append({"record": f"panel:{place}", "expr": expression})
    path = tmp_path / "rules.yml"
    path.write_bytes(orjson.dumps({"groups": [{"name": "board", "rules": rules}]}))
    assert f"{len(rules)} rules found" in run("promtool", "check", "rules", path)


def test_every_metric_named_is_one_of_the_service() -> None:
    rendered, _ = metrics.render()
    known = {family.name for family in text_string_to_metric_families(rendered.decode())}
    named = {name for each in _expressions() for name in NAME.findall(each)}
    assert len(named) > 5
    for name in named:
        assert re.sub(r"_(total|bucket)$", "", name) in known, name


def test_every_operation_named_is_one_of_the_service() -> None:
    known = {operation.operation_id for operation in OPERATIONS} | {UNREAD}
    named = {
        name
        for each in _expressions()
        for some in OPERATION.findall(each)
        for name in some.split("|")
    }
    assert {"act", "stream_events"} <= named <= known


def test_an_alert_of_streams_knows_how_many_there_may_be() -> None:
    places = Settings().web_concurrency * Settings().threads // 2
    (rule,) = (rule for rule in _rules() if rule["alert"] == "StreamsCrowded")
    assert f"of {places} places" in rule["annotations"]["summary"]
    assert int(rule["expr"].rpartition(" ")[2]) < places


def test_no_two_panels_are_in_one_place() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in _board()["panels"]:
        at = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert not cells & taken, panel["title"]
        assert at["x"] + at["w"] <= 24, panel["title"]
        taken |= cells
    ids = [panel["id"] for panel in _board()["panels"]]
    assert len(set(ids)) == len(ids)
