"""Many at once: of all that act on one version exactly one has acted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from splendor_api.app import create_app
from splendor_api.sessions.connection import opener
from splendor_api.settings import Settings
from tests.http.sitting import TAKE, Json, LaterStore, Sitting, asked, opened

RACERS = 16
ROUNDS = 12


@pytest.fixture(scope="module")
def store(redis_url: str) -> LaterStore:
    return LaterStore(opener(redis_url))


@pytest.fixture(scope="module")
def racing(store: LaterStore) -> FlaskClient:
    """Return a client of a service without limits of rate."""
    return create_app(Settings(), store=store).test_client()


@pytest.fixture(scope="module")
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(RACERS) as threads:
        yield threads


def together(pool: ThreadPoolExecutor, ask: Callable[[int], TestResponse]) -> list[TestResponse]:
    """Ask in as many threads as there are racers, at the same time."""
    barrier = Barrier(RACERS)

    def wait_and_ask(racer: int) -> TestResponse:
        barrier.wait(10)
        return ask(racer)

    return list(pool.map(wait_and_ask, range(RACERS)))


def statuses(answers: list[TestResponse]) -> Counter[int]:
    return Counter(answer.status_code for answer in answers)


def steps_of(sitting: Sitting) -> list[Json]:
    steps: list[Json] = sitting.ask("GET", "/actions").get_json()["steps"]
    return steps


def acting(
    sitting: Sitting, version: str, key: Callable[[int], str]
) -> Callable[[int], TestResponse]:
    """Return what does the same for the first seat, each racer under a key of its own or not."""

    def ask(racer: int) -> TestResponse:
        return sitting.act(TAKE, If_Match=version, Idempotency_Key=key(racer))

    return ask


def test_one_of_many_wins_a_version(racing: FlaskClient, pool: ThreadPoolExecutor) -> None:
    """16 clients race one version, one wins; the others are told that they are stale."""
    for _ in range(ROUNDS):
        sitting = opened(racing)
        answers = together(pool, acting(sitting, sitting.version(), lambda racer: f"k{racer}"))
        assert statuses(answers) == {200: 1, 412: RACERS - 1}
        (winner,) = [answer for answer in answers if answer.status_code == 200]
        assert [step["version"] for step in steps_of(sitting)[1:]] == [winner.get_json()["version"]]


def test_one_request_sent_many_times_is_done_once(
    racing: FlaskClient, pool: ThreadPoolExecutor
) -> None:
    """P13: one key, one body: one action, and the same bytes for everybody."""
    for _ in range(ROUNDS):
        sitting = opened(racing)
        answers = together(pool, acting(sitting, sitting.version(), lambda _: "key"))
        assert statuses(answers) == {200: RACERS}
        assert len({answer.data for answer in answers}) == 1
        replayed = [answer for answer in answers if "Idempotency-Replayed" in answer.headers]
        assert len(replayed) == RACERS - 1
        assert len(steps_of(sitting)) == 2


def test_a_key_for_many_bodies_is_good_for_one(
    racing: FlaskClient, pool: ThreadPoolExecutor
) -> None:
    """P13: one key, other bodies: one action, and a conflict for everybody else."""
    sitting = opened(racing)
    version = sitting.version()
    cards = [card for row in sitting.seen()["state"]["market"].values() for card in row]

    def ask(racer: int) -> TestResponse:
        body = {"action": {"type": "reserve", "card": cards[racer % len(cards)]}}
        return sitting.ask(
            "POST", "/actions", body, sitting.seats[0], If_Match=version, Idempotency_Key="key"
        )

    answers = together(pool, ask)
    assert statuses(answers)[409] >= RACERS - 2  # 16 racers, 12 cards: some send the same
    assert len(steps_of(sitting)) == 2


def test_seats_that_resign_together_all_have(racing: FlaskClient, pool: ThreadPoolExecutor) -> None:
    """A lost race without a version is judged again: nobody is told of it."""
    sitting = opened(racing, 4)

    def ask(racer: int) -> TestResponse:
        return sitting.ask("POST", f"/seats/{racer % 3}/resign", token=sitting.host)

    answers = together(pool, ask)
    assert statuses(answers) == {200: 3, 422: RACERS - 3}
    assert len(steps_of(sitting)) == 4


def test_what_is_overdue_is_done_once(
    racing: FlaskClient, pool: ThreadPoolExecutor, store: LaterStore
) -> None:
    """Whoever comes first after the deadline does it, and everybody sees it done."""
    sitting = opened(racing, 3, turn_seconds=60)
    store.ahead_ms = 61_000
    try:
        answers = together(pool, lambda _: sitting.ask("GET"))
    finally:
        store.ahead_ms = 0
    assert {answer.get_json()["to_act"] for answer in answers} == {1}
    (_, step) = steps_of(sitting)
    assert (step["kind"], step["seat"]) == ("action", 0)


def test_a_turn_that_takes_too_long_is_resigned(racing: FlaskClient, store: LaterStore) -> None:
    sitting = opened(racing, 2, turn_seconds=60)
    first = sitting.seen()["deadline_ms"]
    sitting.acted(TAKE)
    assert sitting.seen()["deadline_ms"] >= first
    store.ahead_ms = 59_000
    try:
        assert sitting.seen()["outcome"] is None
        store.ahead_ms = 61_000
        seen = sitting.seen()
        late = sitting.act({"type": "take_same", "color": "red"}, 1)
    finally:
        store.ahead_ms = 0
    assert seen["outcome"]["winners"] == [0]
    assert late.status_code == 422
    (*_, last) = steps_of(sitting)
    assert (last["kind"], last["seat"]) == ("action", 1)


@pytest.mark.parametrize("path", ["", "/actions", "/record", "/legal-actions"])
def test_any_request_does_what_is_overdue(
    racing: FlaskClient, store: LaterStore, path: str
) -> None:
    sitting = opened(racing, 2, turn_seconds=60)
    store.ahead_ms = 61_000
    try:
        assert sitting.ask("GET", path, token=sitting.seats[1]).status_code == 200
    finally:
        store.ahead_ms = 0
    assert sitting.seen()["outcome"]["winners"] == [1]


def test_a_stream_does_what_is_overdue_at_its_time(racing: FlaskClient, store: LaterStore) -> None:
    """An open stream needs no other request: it wakes at the deadline."""
    sitting = opened(racing, 2, turn_seconds=1)
    told = asked(racing, "GET", f"/v1/sessions/{sitting.id}/events").text
    assert told.count("event: step") == 1
    assert told.count("event: closed") == 1


def test_a_long_poll_sees_what_is_overdue_at_its_time(racing: FlaskClient) -> None:
    sitting = opened(racing, 2, turn_seconds=1)
    seen = sitting.ask("GET", f"?after={sitting.version()}&wait=20").get_json()
    assert seen["outcome"]["winners"] == [1]
