"""SET in sessions: calls that come together, calls that outlive their time, over a real Redis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Barrier
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from splendor_api.app import create_app
from splendor_api.games.registry import GAMES
from splendor_api.games.set.components import sets_among, third_card
from splendor_api.sessions import creation, play, watching
from splendor_api.sessions.connection import opener
from splendor_api.sessions.exchange import Denial, Told
from splendor_api.sessions.keeping import Keeping
from splendor_api.sessions.tokens import Bearer
from splendor_api.settings import Settings
from splendor_api.wire import json_text
from splendor_api.wire.requests import Creation
from tests.contract.validation import WatchedClient
from tests.http.conftest import problem_of
from tests.http.sitting import LaterStore
from tests.strategies.profiles import tries

Json = dict[str, Any]

JSON = "application/json"
ILLEGAL = "illegal_action"
CALL_SECONDS = 5
WRONG = [1, 2, 4]
CALLERS = 16
ROUNDS = tries(40, 500)


@pytest.fixture(scope="module")
def store(redis_url: str) -> Iterator[LaterStore]:
    store = LaterStore(opener(redis_url))
    yield store
    store.client.close()


@pytest.fixture(autouse=True)
def present(store: LaterStore) -> None:
    """Put the clock right again."""
    store.ahead_ms = 0


@pytest.fixture(scope="module")
def kept(store: LaterStore) -> FlaskClient:
    """Return a client of a service that keeps sessions, held against its document."""
    service = create_app(Settings(rate_limit_sessions=0, rate_limit_requests=0), store=store)
    service.test_client_class = WatchedClient
    return service.test_client()


@dataclass
class Table:
    """A session, and everybody at it."""

    client: FlaskClient
    id: str
    host: str
    seats: tuple[str, ...]

    def ask(
        self,
        method: str,
        path: str = "",
        body: object = None,
        token: str | None = None,
        **fields: str,
    ) -> TestResponse:
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        sent: Mapping[str, Any] = (
            {} if body is None else {"data": json_text.write(body), "content_type": JSON}
        )
        return self.client.open(
            f"/v1/sessions/{self.id}{path}", method=method, headers=headers, **sent
        )

    def act(self, seat: int, kind: str, **others: Any) -> TestResponse:
        """Act for a seat, which the token tells."""
        fields = {name: others.pop(name) for name in ("If_Match",) if name in others}
        body = {"action": {"type": kind, **others}}
        return self.ask("POST", "/actions", body, self.seats[seat], **fields)

    def seen(self, seat: int | None = None) -> Json:
        """Return what a seat, or a spectator, sees."""
        token = None if seat is None else self.seats[seat]
        observed: Json = self.ask("GET", token=token).get_json()
        return observed

    def right(self) -> list[int]:
        """Return a set of the table, as a player finds it."""
        return list(next(sets_among(self.cards())))

    def wrong(self) -> list[int]:
        """Return three cards that are none."""
        first, second, *others = self.cards()
        return [first, second, next(each for each in others if each != third_card(first, second))]

    def cards(self) -> list[int]:
        """Return the cards on the table."""
        return [card for card in self.seen()["state"]["table"] if card is not None]


def opened(client: FlaskClient, seats: int = 4, **others: Any) -> Table:
    """Return a new session."""
    body = {"game": "set", "seats": seats, **others}
    made = client.post("/v1/sessions", data=json_text.write(body), content_type=JSON)
    assert made.status_code == 201, made.text
    told = made.get_json()
    return Table(client, told["id"], told["host_token"], tuple(told["seat_tokens"]))


def test_nobody_must_act_until_somebody_has_called(kept: FlaskClient) -> None:
    table = opened(kept, call_seconds=CALL_SECONDS)
    seen = table.seen(0)
    assert (seen["to_act"], seen["deadline_ms"], seen["outcome"]) == (None, None, None)
    assert table.seen(2)["state"] == table.seen()["state"]
    assert seen["state"]["deck"] == {"count": 81 - len(table.cards())}


def test_t14_a_call_gives_control_and_begins_a_time(kept: FlaskClient) -> None:
    table = opened(kept, call_seconds=CALL_SECONDS)
    called = table.act(2, "call")
    assert called.status_code == 200
    assert called.get_json()["events"] == [{"type": "set_called", "seat": 2}]
    seen = table.seen()
    assert (seen["to_act"], seen["state"]["phase"]) == (2, "called")
    assert seen["deadline_ms"] is not None


@pytest.mark.parametrize("kind", ["call", "claim", "forfeit"])
def test_t20_whoever_is_later_is_told_so(kept: FlaskClient, kind: str) -> None:
    table = opened(kept)
    cards = {"cards": table.right()} if kind == "claim" else {}
    assert table.act(1, "call").status_code == 200
    problem = problem_of(table.act(0, kind, **cards), 409, "claim_late")
    assert problem["violations"][0]["code"] == "wrong_seat"
    assert problem["violations"][0]["params"] == {"seat": 0, "to_act": 1}
    assert table.act(1, "claim", cards=table.wrong()).status_code == 200
    assert table.act(0, "call").status_code == 200


def test_a_version_may_be_named_and_must_be_the_present_one_then(kept: FlaskClient) -> None:
    table = opened(kept)
    version = table.seen()["version"]
    assert table.act(1, "call").status_code == 200
    problem_of(table.act(0, "call", If_Match=f'"{version}"'), 412, "stale_version")
    problem_of(table.act(1, "forfeit", If_Match=f'"{version}"'), 412, "stale_version")
    now = table.seen()["version"]
    assert table.act(1, "forfeit", If_Match=f'"{now}"').status_code == 200


def test_t21_a_wrong_claim_is_no_error(kept: FlaskClient) -> None:
    table = opened(kept)
    answered = table.act(3, "claim", cards=table.wrong())
    assert answered.status_code == 200
    assert answered.get_json()["events"][0]["type"] == "set_rejected"
    assert [each["score"] for each in table.seen()["state"]["players"]] == [0, 0, 0, -1]


def test_t22_what_cannot_be_done_is_refused(kept: FlaskClient) -> None:
    table = opened(kept)
    first, second, *_ = table.cards()
    problem = problem_of(table.act(0, "claim", cards=[first, second, second]), 422, ILLEGAL)
    assert [each["code"] for each in problem["violations"]] == ["duplicate_card"]
    problem_of(table.act(0, "claim", cards=[first, second]), 400, "invalid_request")
    problem_of(table.act(0, "no_set"), 422, ILLEGAL)
    other = {"action": {"type": "call", "seat": 1}}
    problem_of(table.ask("POST", "/actions", other, table.seats[0]), 403, "forbidden")


def test_t22_a_seat_that_has_left_is_not_told_that_it_is_late(kept: FlaskClient) -> None:
    table = opened(kept)
    assert table.act(0, "resign").status_code == 200
    assert table.act(1, "call").status_code == 200
    problem_of(table.act(0, "call"), 422, ILLEGAL)


def test_t47_the_choices_of_a_seat_do_not_say_where_a_set_is(kept: FlaskClient) -> None:
    table = opened(kept)
    path = "/legal-actions"
    listed = table.ask("GET", path, token=table.seats[1]).get_json()["actions"]
    assert [each["action"] for each in listed] == [{"type": "call", "seat": 1}]
    turns = table.ask("GET", f"{path}?detail=turns", token=table.seats[1]).get_json()["actions"]
    size = len(table.cards())
    assert len(turns) == 1 + size * (size - 1) * (size - 2) // 6
    assert len({str(each["preview"]) for each in turns[1:]}) == 1


def test_t19_a_call_that_outlives_its_time_is_forfeited(
    kept: FlaskClient, store: LaterStore
) -> None:
    table = opened(kept, call_seconds=CALL_SECONDS)
    table.act(2, "call")
    store.ahead_ms = CALL_SECONDS * 1000 - 500
    assert table.seen()["to_act"] == 2
    store.ahead_ms = CALL_SECONDS * 1000
    seen = table.seen()
    assert (seen["to_act"], seen["deadline_ms"], seen["state"]["phase"]) == (None, None, "open")
    player = seen["state"]["players"][2]
    assert (player["failed"], player["score"]) == (1, -1)
    (*_, forfeit) = table.ask("GET", "/actions").get_json()["steps"]
    assert (forfeit["kind"], forfeit["seat"]) == ("action", 2)
    assert forfeit["events"] == [{"type": "call_forfeited", "seat": 2}]


def requests_after_the_end() -> Mapping[str, Any]:
    """Return requests of whom it may be, each of which sees a call forfeited."""
    return {
        "a call of another": lambda table: table.act(0, "call"),
        "a claim of another": lambda table: table.act(1, "claim", cards=WRONG),
        "the history": lambda table: table.ask("GET", "/actions"),
        "the record": lambda table: table.ask("GET", "/record"),
        "the host": lambda table: table.ask("PATCH", "", {"spectators": True}, table.host),
        "a list": lambda table: table.ask("GET", "/legal-actions", token=table.seats[3]),
    }


@pytest.mark.parametrize("name", requests_after_the_end())
def test_t19_whoever_comes_next_finds_it_forfeited(
    kept: FlaskClient, store: LaterStore, name: str
) -> None:
    table = opened(kept, call_seconds=CALL_SECONDS)
    table.act(2, "call")
    store.ahead_ms = CALL_SECONDS * 1000
    answered = requests_after_the_end()[name](table)
    assert answered.status_code in (200, 422)  # three cards that may not lie there
    store.ahead_ms = 0
    assert table.seen()["state"]["players"][2]["failed"] == 1


def test_t19_a_claim_that_comes_too_late_is_a_new_one(kept: FlaskClient, store: LaterStore) -> None:
    table = opened(kept, call_seconds=CALL_SECONDS)
    cards = table.right()
    version = table.act(2, "call").get_json()["version"]
    store.ahead_ms = CALL_SECONDS * 1000
    late = table.act(2, "claim", cards=cards, If_Match=f'"{version}"')
    problem_of(late, 412, "stale_version")
    assert table.act(2, "claim", cards=cards).status_code == 200
    player = table.seen()["state"]["players"][2]
    assert (len(player["sets"]), player["failed"], player["score"]) == (1, 1, 0)


def test_t19_the_time_of_a_call_runs_on_whatever_others_do(kept: FlaskClient) -> None:
    table = opened(kept, call_seconds=CALL_SECONDS)
    table.act(2, "call")
    due = table.seen()["deadline_ms"]
    assert table.act(0, "resign").status_code == 200
    assert table.seen()["deadline_ms"] == due
    steps = table.ask("GET", "/actions").get_json()["steps"]
    assert [step["deadline_ms"] for step in steps] == [None, due, due]


def test_without_a_limit_a_call_lasts(kept: FlaskClient, store: LaterStore) -> None:
    table = opened(kept)
    table.act(2, "call")
    store.ahead_ms = 3_000_000
    seen = table.seen()
    assert (seen["to_act"], seen["deadline_ms"]) == (2, None)


def test_the_word_for_the_limit_is_the_games_own(kept: FlaskClient) -> None:
    body = {"game": "set", "seats": 4, "turn_seconds": 60}
    refused = kept.post("/v1/sessions", data=json_text.write(body), content_type=JSON)
    problem = problem_of(refused, 400, "invalid_request")
    assert problem["violations"][0]["pointer"] == "/turn_seconds"


def test_only_what_a_seat_did_itself_is_taken_back(kept: FlaskClient) -> None:
    table = opened(kept, 2, ruleset="publisher")
    assert table.act(1, "no_set").status_code == 200
    assert table.act(0, "call").status_code == 200
    assert table.act(0, "claim", cards=table.wrong()).status_code == 200
    table.ask("POST", "/undo", {"do": "propose"}, table.seats[0])
    undone = table.ask("POST", "/undo", {"do": "accept"}, table.seats[1]).get_json()
    state = undone["state"]
    assert (state["phase"], state["no_set"], state["turn"]) == ("open", [1], 0)
    assert [each["score"] for each in state["players"]] == [0, 0]


def test_a_whole_game_alone_can_be_replayed(kept: FlaskClient) -> None:
    table = opened(kept, 1, options={"deck": "quick"})
    while table.seen()["outcome"] is None:
        assert table.act(0, "claim", cards=table.right()).status_code == 200
    seen = table.seen()
    assert seen["outcome"]["reason"] == "no_set_left"
    record = table.ask("GET", "/record").get_json()
    assert (record["complete"], record["seed"], record["nonce"]) == (
        True,
        seen["seed"],
        seen["nonce"],
    )
    replayed = kept.post(
        "/v1/games/set/replay", data=json_text.write({"record": record}), content_type=JSON
    )
    assert replayed.get_json()["state"] == seen["state"]
    problem_of(table.act(0, "call"), 422, ILLEGAL)


def test_t20_of_calls_that_come_together_exactly_one_gets_control(store: LaterStore) -> None:
    """Sixteen seats call at the same moment, 500 times; the one that got control gives it up."""
    keeping = Keeping(GAMES, store, 3_600_000)
    made = creation.create(keeping, Creation("set", CALLERS), None)
    assert isinstance(made, Told)
    session_id: str = made.body["id"]
    bearers = [Bearer.of(token) for token in made.body["seat_tokens"]]
    together = Barrier(CALLERS)

    def call(bearer: Bearer) -> Told | Denial:
        together.wait()
        return play.act(keeping, session_id, bearer, {"type": "call"}, None, None)

    winners = set()
    with ThreadPoolExecutor(CALLERS) as pool:
        for _ in range(ROUNDS):
            answers = list(pool.map(call, bearers))
            (first,) = (seat for seat, each in enumerate(answers) if isinstance(each, Told))
            late = [each.code for each in answers if isinstance(each, Denial)]
            assert late == ["claim_late"] * (CALLERS - 1)
            forfeited = play.act(
                keeping, session_id, bearers[first], {"type": "forfeit"}, None, None
            )
            assert isinstance(forfeited, Told)
            winners.add(first)
    observed = watching.observe(keeping, session_id, bearers[0])
    assert isinstance(observed, Told)
    assert observed.body["state"]["turn"] == ROUNDS
    assert len(winners) > 1
