"""Every hostile body of `cases/bad_json.json`, as it is sent to the service."""

from __future__ import annotations

import re
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from splendor_api.wire import json_text

CASES: Any = json_text.read(
    (Path(__file__).parents[1] / "cases" / "bad_json.json").read_bytes(), max_depth=64
)


@pytest.fixture(scope="module")
def fresh(client: FlaskClient) -> bytes:
    """Return the JSON text of a fresh state of two seats, with card 90 in the market."""
    answer = client.post("/v1/games/splendor/deal", json={"seats": 2, "seed": "bad-json-5"})
    return json_text.write(answer.get_json()["state"])


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["name"])
def test_a_body_gets_the_status_it_must(
    client: FlaskClient, fresh: bytes, case: dict[str, Any]
) -> None:
    response = client.post(
        case["path"], data=_body(case, _changed(fresh, case)), headers=_headers(case)
    )
    assert response.status_code == case["expect_status"], response.text[:500]
    if response.status_code < 400:
        return
    assert response.content_type == "application/problem+json"
    assert len(response.data) <= 16 * 1024
    document = json_text.read(response.data)
    assert isinstance(document, dict)
    assert document["status"] == case["expect_status"]
    assert "Traceback" not in response.data.decode()
    told = {violation["code"] for violation in document.get("violations", ())}
    for alternatives in _expected(case):
        assert told & alternatives


def test_the_cases_that_the_rules_refuse_name_their_codes() -> None:
    refused = [case for case in CASES["cases"] if case["expect_status"] == 422]
    assert refused
    assert all(_expected(case) for case in refused)


def _expected(case: dict[str, Any]) -> list[set[str]]:
    """Return the codes in a refused case's reason: one of each set must be told."""
    if case["expect_status"] != 422:
        return []
    said = case["why"].partition(":")[0]
    codes = re.findall(r"[a-z]+(?:_[a-z]+)+", said)
    return [set(codes)] if " or " in said else [{code} for code in codes]


def _changed(fresh: bytes, case: dict[str, Any]) -> bytes:
    state: Any = json_text.read(fresh)
    for pointer, value in case.get("state_set", {}).items():
        *parents, last = pointer.split("/")[1:]
        place = state
        for step in parents:
            place = place[int(step) if isinstance(place, list) else step]
        place[int(last) if isinstance(place, list) else last] = value
    return _written(state)


def _written(value: object) -> bytes:
    """Return JSON of any value, integers beyond 64 bits included."""
    if isinstance(value, dict):
        members = (_written(name) + b":" + _written(value[name]) for name in value)
        return b"{" + b",".join(members) + b"}"
    if isinstance(value, list):
        return b"[" + b",".join(map(_written, value)) + b"]"
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value).encode()
    return json_text.write(value)


def _body(case: dict[str, Any], state: bytes) -> bytes:
    if "body_base64" in case:
        return b64decode(case["body_base64"])
    if "body_repeat" in case:
        body = b"".join(text.encode() * times for text, times in case["body_repeat"])
    else:
        body = case["body"].encode()
    return body.replace(b"@STATE@", state)


def _headers(case: dict[str, Any]) -> dict[str, str]:
    headers = case.get("headers", {"Content-Type": "application/json"})
    return {name: value for name, value in headers.items() if value is not None}
