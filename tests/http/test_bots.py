"""Seats that opponents have: who plays them, when, how often, and what they are told."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from math import ceil
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from splendor_api.app import FEED, SEARCHERS, create_app
from splendor_api.games.opponents import LEVELS
from splendor_api.games.registry import GAMES
from splendor_api.games.set.opponents import PACES
from splendor_api.opponents.searchers import Searchers
from splendor_api.sessions import bots, keeping
from splendor_api.sessions.connection import opener
from splendor_api.sessions.store import Keys
from splendor_api.settings import Settings
from tests.contract.validation import WatchedClient
from tests.http.conftest import problem_of
from tests.http.sitting import TAKE, Json, LaterStore, Sitting, asked, events_of, opened
from tests.strategies.playing import read_state

RACERS = 6
SLOWEST = max(pace.most for pace in PACES.values())


@pytest.fixture(scope="module")
def store(redis_url: str) -> LaterStore:
    """Return a store whose clock can be put forward."""
    return LaterStore(opener(redis_url))


@pytest.fixture(scope="module")
def app(store: LaterStore) -> Iterator[Flask]:
    """Return a service of which nobody else makes the searchers work."""
    made = create_app(Settings(), store=store)
    made.test_client_class = WatchedClient
    yield made
    made.extensions[FEED].close()
    made.extensions[SEARCHERS].close()


@pytest.fixture(scope="module")
def client(app: Flask) -> FlaskClient:
    """Return a client of that service."""
    return app.test_client()


@pytest.fixture
def ahead(store: LaterStore) -> Iterator[LaterStore]:
    """Put the store's clock back after the test."""
    yield store
    store.ahead_ms = 0


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let searches take next to no time."""
    monkeypatch.setattr(bots, "MOST_PLAYOUTS", 20)


def history(sitting: Sitting) -> list[tuple[str, int | None]]:
    """Return kind and seat of each version after the first."""
    steps: list[Json] = sitting.ask("GET", "/actions").get_json()["steps"]
    return [(step["kind"], step["seat"]) for step in steps[1:]]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.usefixtures("quick")
def test_an_opponent_answers_by_the_next_request(client: FlaskClient, level: str) -> None:
    sitting = opened(client, bots={"1": level})
    assert sitting.acted(TAKE)["to_act"] == 1
    seen = sitting.seen()
    assert (seen["to_act"], seen["state"]["turn"]) == (0, 2)
    assert history(sitting) == [("action", 0), ("action", 1)]


def test_an_opponent_that_is_first_has_acted_when_somebody_looks(client: FlaskClient) -> None:
    sitting = opened(client, 3, bots={"0": "greedy", "1": "random"})
    assert sitting.seen()["to_act"] == 2
    assert history(sitting) == [("action", 0), ("action", 1)]


def test_a_session_tells_who_is_an_opponent(client: FlaskClient) -> None:
    sitting = opened(client, bots={"1": "strong"})
    told = sitting.made.get_json()
    assert [token is None for token in told["seat_tokens"]] == [False, True]
    assert [seat.get("bot") for seat in sitting.seen()["seats"]] == [None, "strong"]
    assert [seat["taken"] for seat in sitting.seen()["seats"]] == [True, True]
    assert "bot" not in str(asked(client, "POST", "/v1/sessions", {}).get_json()["violations"])


def test_a_whole_game_against_an_opponent_ends_and_can_be_replayed(client: FlaskClient) -> None:
    sitting = opened(client, bots={"1": "greedy"}, options={"target_prestige": 3})
    while (seen := sitting.seen(sitting.seats[0]))["outcome"] is None:
        body = {"state": seen["state"], "level": "greedy", "seat": 0}
        told = asked(client, "POST", "/v1/games/splendor/suggest", body).get_json()
        sitting.acted(told["action"])
    record = sitting.ask("GET", "/record").get_json()
    assert record["bots"] == {"1": "greedy"}
    again = asked(client, "POST", "/v1/games/splendor/replay", {"record": record})
    assert again.get_json()["outcome"] == seen["outcome"]


def test_opponents_alone_play_on_as_long_as_somebody_watches(client: FlaskClient) -> None:
    sitting = opened(client, bots={"0": "greedy", "1": "greedy"}, options={"target_prestige": 3})
    looks = 1
    while (seen := sitting.seen())["outcome"] is None:
        looks += 1
    assert seen["outcome"]["winners"]
    assert looks == ceil(len(history(sitting)) / keeping.MOST_DUE)


def test_a_stream_tells_what_opponents_do_without_another_request(client: FlaskClient) -> None:
    """It wakes when an opponent is due, does what that does, and tells it like anything else."""
    options = {"target_prestige": 3}
    sitting = opened(client, bots={"0": "greedy", "1": "greedy"}, options=options)
    stream = sitting.ask("GET", "/events", token=sitting.host)
    told = list(events_of(stream.text))
    assert [name for name, _, _ in told[:1]] == ["snapshot"]
    assert told[-1][2] == {"reason": "over"}
    steps = [data for name, _, data in told if name == "step"]
    assert len(steps) >= len(history(sitting)) - keeping.MOST_DUE
    assert {step["seat"] for step in steps} == {0, 1}


def test_of_many_who_come_one_does_what_is_due(client: FlaskClient) -> None:
    with ThreadPoolExecutor(RACERS) as pool:
        for _ in range(5):
            sitting = opened(client, bots={"1": "greedy"})
            sitting.acted(TAKE)
            barrier = Barrier(RACERS)

            def look(_: int, sitting: Sitting = sitting, barrier: Barrier = barrier) -> Json:
                barrier.wait(10)
                return sitting.seen()

            versions = {seen["version"] for seen in pool.map(look, range(RACERS))}
            assert len(versions) == 1
            assert history(sitting) == [("action", 0), ("action", 1)]


@pytest.mark.usefixtures("quick")
def test_of_many_who_come_one_searches_and_nobody_waits(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes while somebody searches is told what there is."""
    sitting = opened(client, bots={"1": "strong"})
    sitting.acted(TAKE)
    asking: list[Json] = []
    ask = Searchers.ask

    def look_meanwhile(self: Searchers, *arguments: Any, **bounds: Any) -> Any:
        asking.append(sitting.seen())
        return ask(self, *arguments, **bounds)

    monkeypatch.setattr(Searchers, "ask", look_meanwhile)
    assert sitting.seen()["to_act"] == 0
    assert [seen["to_act"] for seen in asking] == [1]


@pytest.mark.usefixtures("quick")
def test_a_search_that_dies_with_its_worker_is_made_by_another(
    client: FlaskClient, store: LaterStore
) -> None:
    sitting = opened(client, bots={"1": "strong"})
    number = int(sitting.acted(TAKE)["version"].partition(".")[0])
    assert store.lease_search(sitting.id, number, keeping.SEARCH_LEASE_MS)
    assert sitting.seen()["to_act"] == 1
    name = f"{Keys.of(sitting.id).search}:{number}"
    left: Any = store.client.pttl(name)
    assert 0 < left <= keeping.SEARCH_LEASE_MS
    store.free_search(sitting.id, number)  # as the time does
    assert sitting.seen()["to_act"] == 0


@pytest.mark.usefixtures("quick")
def test_where_nobody_is_free_to_search_the_next_one_looks_again(
    client: FlaskClient, app: Flask
) -> None:
    sitting = opened(client, bots={"1": "strong"})
    sitting.acted(TAKE)
    with app.extensions[SEARCHERS].place():
        assert sitting.seen()["to_act"] == 1
    assert sitting.seen()["to_act"] == 0


def test_a_long_poll_waits_for_the_opponent_too(client: FlaskClient) -> None:
    sitting = opened(client, bots={"1": "greedy"})
    version = sitting.acted(TAKE)["version"]
    told = sitting.ask("GET", f"?after={version}&wait=10").get_json()
    assert (told["to_act"], told["state"]["turn"]) == (0, 2)


def test_taking_back_takes_the_answer_back_too(client: FlaskClient) -> None:
    """An opponent agrees to everything, and what it did since goes with the turn."""
    sitting = opened(client, bots={"1": "greedy"})
    first = sitting.seen(sitting.seats[0])["state"]
    sitting.acted(TAKE)
    assert sitting.seen()["to_act"] == 0
    told = sitting.undo("propose", 0)
    assert told.status_code == 200, told.text
    assert told.get_json()["state"] == first
    assert history(sitting)[-1] == ("undone", 0)
    problem_of(sitting.undo("propose", 0), 403, "forbidden")
    sitting.acted(TAKE)
    assert sitting.seen()["to_act"] == 0


def test_people_still_have_to_agree(client: FlaskClient) -> None:
    sitting = opened(client, 3, bots={"1": "greedy"})
    sitting.acted(TAKE)
    assert sitting.seen()["to_act"] == 2
    assert sitting.undo("propose", 0).get_json()["undo"]["by"] == 0
    assert sitting.undo("accept", 2).get_json()["state"]["turn"] == 0


def test_an_opponent_has_no_time_limit_and_people_have_theirs(
    client: FlaskClient, ahead: LaterStore
) -> None:
    """If it is late, that is for nobody having come by."""
    sitting = opened(client, 3, bots={"1": "greedy"}, turn_seconds=60)
    sitting.acted(TAKE)
    ahead.ahead_ms = 3_600_000
    seen = sitting.seen()
    assert [seat["resigned"] for seat in seen["seats"]] == [False, False, False]
    assert seen["to_act"] == 2
    left = seen["deadline_ms"] - ahead.now_ms() - ahead.ahead_ms
    assert 50_000 < left <= 60_000


def test_nobody_else_gets_the_seat_of_an_opponent(client: FlaskClient) -> None:
    sitting = opened(client, bots={"1": "greedy"})
    for method, path in (("POST", "join-link"), ("POST", "token"), ("DELETE", "token")):
        answered = sitting.ask(method, f"/seats/1/{path}", token=sitting.host)
        problem_of(answered, 403, "forbidden")


def test_a_host_may_take_an_opponent_out(client: FlaskClient) -> None:
    sitting = opened(client, bots={"1": "greedy"})
    told = sitting.ask("POST", "/seats/1/resign", token=sitting.host)
    assert told.get_json()["outcome"]["winners"] == [0]
    assert sitting.seen()["outcome"]


def test_an_opponent_must_have_a_seat_that_is_there(client: FlaskClient) -> None:
    body = {"game": "splendor", "seats": 2, "bots": {"2": "greedy"}}
    answered = asked(client, "POST", "/v1/sessions", body)
    (fault,) = problem_of(answered, 400, "invalid_request")["violations"]
    assert (fault["code"], fault["pointer"]) == ("out_of_range", "/bots/2")


@pytest.mark.parametrize("bots", [{"4": "greedy"}, {"1": "best"}, {"01": "greedy"}, ["greedy"]])
def test_opponents_are_named_by_seat_and_level(client: FlaskClient, bots: object) -> None:
    body = {"game": "splendor", "seats": 2, "bots": bots}
    problem_of(asked(client, "POST", "/v1/sessions", body), 400, "invalid_request")


def test_an_opponent_goes_on_from_a_state_but_not_on_a_real_table(client: FlaskClient) -> None:
    """Nobody could tell it which card comes up."""
    deal = {"seats": 2, "seed": "a"}
    state = asked(client, "POST", "/v1/games/splendor/deal", deal).get_json()["state"]
    sitting = opened(client, state=state, bots={"0": "greedy"})
    assert sitting.seen()["to_act"] == 1
    body = {"state": state, "seat": None}
    counted = asked(client, "POST", "/v1/games/splendor/observe", body).get_json()["state"]
    body = {"game": "splendor", "state": counted, "bots": {"0": "greedy"}}
    answered = asked(client, "POST", "/v1/sessions", body)
    (fault,) = problem_of(answered, 400, "invalid_request")["violations"]
    assert fault["code"] == "conflicting_fields"


def test_an_opponent_is_told_what_its_seat_sees(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T20: neither the decks nor another's hand reach whoever decides."""
    shown: list[Any] = []
    rules = GAMES["splendor"].rules
    action_of = bots.action_of

    def listening(game: Any, searchers: Any, due: Any, state: Any, seed: str) -> Any:
        shown.append((game.rules.observe(state, due.seat), state))
        return action_of(game, searchers, due, state, seed)

    monkeypatch.setattr(bots, "action_of", listening)
    sitting = opened(client, bots={"1": "greedy"})
    sitting.acted({"type": "reserve", "level": 1})
    sitting.seen()
    ((seen, state),) = shown
    assert seen == rules.observe(state, 1) != state
    told = sitting.seen(sitting.seats[0])["state"]["players"][1]
    assert read_state(GAMES["splendor"], state_of(sitting)).players[1].reserved == ()
    assert told["reserved"] == []


def state_of(sitting: Sitting) -> Json:
    """Return what a spectator sees."""
    state: Json = sitting.seen()["state"]
    return state


def test_in_set_an_opponent_takes_its_time(client: FlaskClient, ahead: LaterStore) -> None:
    """What it does comes when it has looked long enough, and not before."""
    sitting = opened(client, 2, game="set", bots={"1": "strong"})
    pace = PACES["strong"]
    assert history(sitting) == []
    ahead.ahead_ms = pace.least - 1_000
    sitting.seen()
    assert history(sitting) == []
    ahead.ahead_ms = pace.most
    assert sitting.seen()["state"]["players"][1]["score"] == 1
    assert history(sitting) == [("action", 1)]


def test_in_set_opponents_find_sets_until_there_are_none(
    client: FlaskClient, ahead: LaterStore
) -> None:
    levels = dict(zip("123", LEVELS, strict=True))
    sitting = opened(client, 4, game="set", bots=levels)
    while (seen := sitting.seen())["outcome"] is None:
        ahead.ahead_ms += SLOWEST
    assert len(history(sitting)) > 20
    assert sum(player["score"] for player in seen["state"]["players"][1:]) > 0


def test_in_set_nobody_acts_while_a_person_has_the_call(
    client: FlaskClient, ahead: LaterStore
) -> None:
    sitting = opened(client, 2, game="set", bots={"1": "strong"})
    sitting.act({"type": "call"})
    ahead.ahead_ms = 2 * SLOWEST
    assert sitting.seen()["to_act"] == 0
    assert history(sitting) == [("action", 0)]
