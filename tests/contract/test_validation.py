"""The check in the test client finds what it is there to find."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from splendor_api.contract import examples
from splendor_api.wire import json_text
from tests.contract.validation import PROBLEM, ContractError, Exchange, WatchedClient, contract

REQUEST = json_text.write({"seats": 2, "seed": "splendor"})
SHOWN: dict[str, Any] = contract().data["components"]["examples"]

GOOD = Exchange(
    method="POST",
    path="/v1/games/splendor/deal",
    media_type="application/json",
    body=REQUEST,
    status=200,
    headers={
        "x-request-id": "abc",
        "cache-control": "no-store",
        "content-type": "application/json",
    },
    answer=json_text.write(SHOWN["deal_answer"]["value"]),
)


def _problem(status: int, code: str, /, **others: Any) -> Exchange:
    """Return the same request, answered with a problem."""
    problem = {
        "type": f"/problems/{code}",
        "title": "A title",
        "status": status,
        "detail": "A sentence.",
        "code": code,
        "instance": "urn:request:abc",
        **others,
    }
    headers = {**GOOD.headers, "content-type": PROBLEM}
    return replace(GOOD, status=status, headers=headers, answer=json_text.write(problem))


def _answer(**members: Any) -> bytes:
    return json_text.write({**SHOWN["deal_answer"]["value"], **members})


def _state(**members: Any) -> dict[str, Any]:
    return {**SHOWN["deal_answer"]["value"]["state"], **members}


def _without(header: str) -> dict[str, str]:
    return {name: value for name, value in GOOD.headers.items() if name != header}


def test_a_good_exchange_passes() -> None:
    contract().hold(GOOD)


@pytest.mark.parametrize(
    "exchange",
    [
        _problem(404, "not_found"),
        _problem(413, "too_large"),
        _problem(431, "headers_too_large"),
        _problem(400, "invalid_request"),
        replace(_problem(404, "not_found"), path="/nowhere"),
        replace(
            _problem(405, "method_not_allowed"),
            method="PUT",
            headers={
                **GOOD.headers,
                "content-type": PROBLEM,
                "allow": "OPTIONS, POST",
            },
        ),
    ],
    ids=str,
)
def test_a_documented_problem_passes(exchange: Exchange) -> None:
    contract().hold(exchange)


@pytest.mark.parametrize(
    ("exchange", "says"),
    [
        (replace(GOOD, status=201), "the status 201"),
        (replace(GOOD, status=500), "has failed"),
        (replace(GOOD, path="/v1/games/splendor/shuffle"), "the status 200"),
        (replace(GOOD, path="/v1/games/tarot/deal"), "game: 'tarot'"),
        (replace(GOOD, method="PUT"), "the status 200"),
        (replace(GOOD, headers=_without("x-request-id")), "X-Request-Id is missing"),
        (replace(GOOD, headers=_without("cache-control")), "Cache-Control is missing"),
        (replace(GOOD, headers=GOOD.headers | {"cache-control": "public"}), "not as documented"),
        (replace(GOOD, headers=GOOD.headers | {"content-type": "text/html"}), "media type"),
        (replace(GOOD, media_type="text/plain"), "a body of text/plain was taken"),
        (replace(GOOD, body=b'{"seats": 2, "x": 1}'), "against the schema"),
        (replace(GOOD, body=b'{"seats": 5}'), "against the schema"),
        (replace(GOOD, answer=_answer(extra=1)), "extra"),
        (replace(GOOD, answer=_answer(seed=7)), "/seed"),
        (replace(GOOD, answer=_answer(state=_state(turn=0.0))), "/state/turn: a float"),
        (replace(GOOD, answer=_answer(state=_state(bank={}))), "white"),
        (replace(GOOD, answer=_answer(state=_state(phase="auction"))), "/state/phase"),
        (_problem(422, "illegal_action"), "the status 422"),
        (_problem(405, "method_not_allowed"), "the status 405"),
        (_problem(404, "not_found", extra=1), "extra"),
        (_problem(404, "lost"), "/code"),
        (_problem(404, "not_found", status=400), "/status"),
        (_problem(404, "not_found", instance="urn:request:other"), "/instance"),
        (replace(_problem(405, "method_not_allowed"), method="PUT"), "Allow is ''"),
        (replace(GOOD, method="OPTIONS", status=204), "Allow is ''"),
        (replace(GOOD, method="OPTIONS"), "OPTIONS is answered with 200"),
    ],
    ids=str,
)
def test_what_is_not_documented_fails(exchange: Exchange, says: str) -> None:
    with pytest.raises(ContractError, match=says.replace("(", "\\(")):
        contract().hold(exchange)


def test_an_answer_without_content_has_none() -> None:
    unchanged = Exchange(
        "GET",
        "/v1/games",
        "",
        b"",
        304,
        {"x-request-id": "abc", "cache-control": "no-cache", "etag": '"x"'},
        b"",
    )
    contract().hold(unchanged)
    with pytest.raises(ContractError, match="there is a body"):
        contract().hold(replace(unchanged, answer=b"{}"))


def test_the_client_of_the_tests_is_watched(client: FlaskClient) -> None:
    assert isinstance(client, WatchedClient)


@pytest.mark.parametrize("exchange", examples.exchanges(), ids=lambda each: each.name)
def test_the_examples_pass_through_the_client(
    client: FlaskClient, exchange: examples.Exchange
) -> None:
    body = exchange.body
    sent = body.encode() if isinstance(body, str) else json_text.write(body)
    response = client.open(
        exchange.path,
        method=exchange.method,
        data=None if body is None else sent,
        headers={"Content-Type": "application/json", **(exchange.headers or {})},
    )
    assert response.status_code < 500
