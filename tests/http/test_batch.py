"""Many calls in one request."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from splendor_api.http import limits
from splendor_api.wire import json_text
from tests.http.conftest import Post, problem_of

State = dict[str, Any]


def _batch(client: FlaskClient, *items: object) -> TestResponse:
    return client.post(
        "/v1/batch", data=json_text.write({"items": items}), content_type="application/json"
    )


def _items(client: FlaskClient, *items: object) -> list[dict[str, Any]]:
    response = _batch(client, *items)
    assert response.status_code == 200, response.text
    answered: list[dict[str, Any]] = response.get_json()["items"]
    return answered


def _item(name: str, body: object) -> dict[str, object]:
    return {"game": "nim", "call": name, "body": body}


def test_each_item_is_answered_as_if_it_were_alone(
    nim: FlaskClient, call: Post, state: State
) -> None:
    bodies = {
        "deal": {"seats": 2, "seed": "abc"},
        "apply": {"state": state, "action": {"type": "take", "count": 9}},
        "check": {"state": state, "action": {"type": "take", "count": 9}},
        "legal-actions": {"state": state, "cursor": "x"},
        "replay": {"state": state, "actions": []},
        "observe": {"state": state},
        "audit": {"state": state},
    }
    answers = _items(nim, *(_item(name, body) for name, body in bodies.items()))
    for (name, body), answer in zip(bodies.items(), answers, strict=True):
        alone = call(name, body)
        assert answer["status"] == alone.status_code
        expected = alone.get_json()
        answer["body"].pop("instance", None)
        expected.pop("instance", None)
        assert answer["body"] == expected


def test_problems_of_items_name_the_request(nim: FlaskClient) -> None:
    response = _batch(nim, _item("deal", {}), _item("deal", None))
    request_id = response.headers["X-Request-Id"]
    instances = [item["body"]["instance"] for item in response.get_json()["items"]]
    assert instances == [f"urn:request:{request_id}"] * 2


def test_a_bug_in_one_item_is_the_failure_of_that_item(nim: FlaskClient, state: State) -> None:
    good = _item("apply", {"state": state, "action": {"type": "take", "count": 1}})
    broken = _item("apply", {"state": state, "action": {"type": "crash"}})
    answers = _items(nim, good, broken, good)
    assert [answer["status"] for answer in answers] == [200, 500, 200]
    assert answers[1]["body"]["code"] == "internal_error"
    assert "canary" not in str(answers)


def test_unknown_games_and_calls_are_not_found(nim: FlaskClient) -> None:
    answers = _items(
        nim,
        {"game": "whist", "call": "deal", "body": {}},
        _item("batch", {}),
        _item("Deal", {}),
    )
    assert [answer["body"]["code"] for answer in answers] == ["not_found"] * 3


def test_work_past_the_budget_is_refused_item_by_item(nim: FlaskClient, state: State) -> None:
    long = {"state": {**state, "stones": 0}, "actions": [{"type": "take", "count": 1}] * 1_000}
    replays = [_item("replay", long)] * 9
    fillers = [_item("legal-actions", {"state": state, "detail": "turns"})] * 50
    answers = _items(nim, *replays, *fillers, _item("audit", {"state": state}), _item("audit", {}))
    assert limits.WORK == 9 * 1_000 + 50 * limits.WORK_OF_TURNS
    assert [answer["status"] for answer in answers[-3:]] == [200, 413, 400]
    assert answers[-2]["body"]["code"] == "too_large"


def test_an_item_that_does_not_fit_leaves_room_for_smaller_ones(
    nim: FlaskClient, state: State
) -> None:
    long = {"state": {**state, "stones": 0}, "actions": [{"type": "take", "count": 1}] * 999}
    audit = _item("audit", {"state": state})
    answers = _items(nim, *([_item("replay", long)] * 11), audit)
    assert [answer["status"] for answer in answers] == [422] * 10 + [413, 200]


def test_t28_answers_past_their_room_are_refused_item_by_item(
    nim: FlaskClient, state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit, bad = _item("audit", {"state": state}), _item("audit", {})
    size = len(json_text.write({"findings": []}))
    monkeypatch.setattr(limits, "Budget", partial(limits.Budget, room=2 * size - 1))
    answers = _items(nim, audit, bad, audit, audit, bad)
    assert [answer["status"] for answer in answers] == [200, 400, 200, 413, 400]
    assert answers[3]["body"]["code"] == "too_large"
    assert "answers" in answers[3]["body"]["detail"]


def test_a_batch_of_the_wrong_shape_is_refused_whole(nim: FlaskClient) -> None:
    problem_of(_batch(nim), 400, "invalid_request")
    problem_of(_batch(nim, *[_item("deal", {})] * 1_001), 400, "invalid_request")
    document = problem_of(_batch(nim, {"game": "nim"}), 400, "invalid_request")
    assert {each["pointer"] for each in document["violations"]} == {
        "/items/0/call",
        "/items/0/body",
    }


def test_a_batch_may_be_larger_than_a_call(nim: FlaskClient, call: Post) -> None:
    padding = " " * 100_000
    text = b'{"items": [{"game": "nim", "call": "deal", "body": {"seats": 1}}]}'
    response = nim.post("/v1/batch", data=padding.encode() + text, content_type="application/json")
    assert response.status_code == 200
    alone = nim.post(
        "/v1/games/nim/deal", data=padding + '{"seats": 1}', content_type="application/json"
    )
    problem_of(alone, 413, "too_large")
