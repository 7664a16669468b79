"""Idempotency keys used again: for the same, for another, by others, after the end (P13)."""

from pathlib import Path

import pytest

from tests.faults.clients import Client, Table, bearer
from tests.faults.history import Json
from tests.faults.redis_server import redis_server
from tests.faults.service import serving
from tests.faults.waiting import until

WHITE: Json = {"type": "take_different", "colors": ["white", "blue", "green"]}
RED: Json = {"type": "take_different", "colors": ["white", "blue", "red"]}
KEY = "the-same-key"
CREATION_KEY = "a-key-of-22-characters-or-more"


@pytest.fixture
def table(client: Client) -> Table:
    return Table.laid(client)


def _send(
    table: Table, action: dict[str, object], key: str = KEY, **fields: str
) -> tuple[int, str]:
    """Act with a key; return the status and what the answer says of itself."""
    request = table.request(action, key)
    headers = request["headers"] | fields
    answer = table.client.http.post(request["path"], headers=headers, json=request["json"])
    if answer.status_code == 200:
        return 200, answer.headers.get("Idempotency-Replayed", "first")
    return answer.status_code, answer.json()["code"]


def test_another_body_is_refused_and_changes_nothing(table: Table) -> None:
    assert _send(table, WHITE) == (200, "first")
    assert _send(table, RED) == (409, "key_reused")
    assert _send(table, WHITE) == (200, "true")
    assert len(table.history()) == 2


def test_the_same_body_may_be_spelt_otherwise(table: Table) -> None:
    assert _send(table, WHITE) == (200, "first")
    headers = table.request(WHITE, KEY)["headers"] | {"Content-Type": "application/json"}
    spelt = b'{ "action" : {"colors":["white","blue","green"], "type":"take_different"} }'
    answer = table.client.http.post(f"{table.path}/actions", headers=headers, content=spelt)
    assert (answer.status_code, answer.headers["Idempotency-Replayed"]) == (200, "true")


def test_quoted_and_bare_are_one_key(table: Table) -> None:
    assert _send(table, WHITE, f'"{KEY}"') == (200, "first")
    assert _send(table, WHITE, KEY) == (200, "true")


def test_another_seat_has_keys_of_its_own(table: Table) -> None:
    request = table.request(WHITE, KEY)
    first = table.client.http.post(
        request["path"], headers=request["headers"], json=request["json"]
    )
    table.take(first.json())
    assert _send(table, RED) == (200, "first")
    assert len(table.history()) == 3


def test_another_session_has_keys_of_its_own(table: Table, client: Client) -> None:
    assert _send(table, WHITE) == (200, "first")
    assert _send(Table.laid(client), RED) == (200, "first")


def test_another_operation_is_another_request(table: Table) -> None:
    assert _send(table, WHITE) == (200, "first")
    answer = table.client.http.post(
        f"{table.path}/undo",
        headers=table.request(WHITE, KEY)["headers"],
        json={"do": "propose"},
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "key_reused")


def test_refusals_are_not_kept(table: Table) -> None:
    stale = {"If-Match": '"1.AAAAAAAAAAA"'}
    assert _send(table, WHITE, **stale) == (412, "stale_version")
    assert _send(table, WHITE | {"colors": ["white", "white"]})[0] in (400, 422)
    assert _send(table, WHITE) == (200, "first")


@pytest.mark.parametrize("key", ["", '"', "k" * 129, "a key", "schlüssel"])
def test_what_is_no_key_is_refused(table: Table, key: str) -> None:
    headers = [(name, value) for name, value in table.request(WHITE)["headers"].items()]
    headers.append(("Idempotency-Key", key.encode()))
    answer = table.client.http.post(
        f"{table.path}/actions", headers=headers, json={"action": WHITE}
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert len(table.history()) == 1


def test_a_creation_is_repeated_with_its_tokens(client: Client) -> None:
    sent = {"game": "splendor", "seats": 2}
    answers = [
        client.http.post("/v1/sessions", json=sent, headers={"Idempotency-Key": CREATION_KEY})
        for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].content == answers[1].content
    assert answers[1].headers["Idempotency-Replayed"] == "true"
    other = client.http.post(
        "/v1/sessions", json=sent | {"seats": 3}, headers={"Idempotency-Key": CREATION_KEY}
    )
    assert (other.status_code, other.json()["code"]) == (409, "key_reused")


def test_after_the_end_of_the_session_a_key_is_of_no_use(tmp_path: Path) -> None:
    with (
        redis_server(tmp_path / "redis") as redis,
        serving(tmp_path, REDIS_URL=redis.url) as service,
        Client(service.url) as client,
    ):
        table = Table.laid(client)
        assert _send(table, WHITE) == (200, "first")
        with redis.client() as direct:
            for key in direct.scan_iter("*:session"):
                direct.pexpire(key, 1)
            until(lambda: not list(direct.scan_iter("*:session")))
        assert _send(table, WHITE) == (410, "expired")
        gone = client.http.get(table.path, headers=bearer(table.tokens[0]))
        assert gone.status_code == 410
