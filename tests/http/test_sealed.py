"""Sealed states over HTTP: played blind, shown to whom they belong, told in full at the end."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from splendor_api.app import SEAL_KEYS, create_app, started
from splendor_api.games.registry import GAMES, Entry
from splendor_api.games.shuffle import stream
from splendor_api.http.operations import Served
from splendor_api.sealing import box, key_file
from splendor_api.sealing.keys import master_text
from splendor_api.settings import Secret, Settings, SettingsError
from splendor_api.telemetry import logs
from splendor_api.wire import json_text
from splendor_api.wire.bodies import StateField
from splendor_api.wire.requests import LONGEST_SEAL, LONGEST_SEAT_KEY, SEAL, Sealed
from tests.contract.validation import WatchedClient
from tests.http.conftest import problem_of
from tests.strategies.habits import HABITS
from tests.strategies.playing import Manner, as_json, pick, play, read_state
from tests.strategies.profiles import tries
from tests.strategies.states import manners, options

Json = dict[str, Any]

JSON = "application/json"
SEED = "a seed that nobody guesses"
OLD, NEW = (master_text(bytes((number,)), bytes((number,)) * 32) for number in (1, 2))
LONGEST = 60  # actions of a game that is played twice


def post(client: FlaskClient, path: str, body: object) -> TestResponse:
    """Return the answer to a request with a body of JSON."""
    return client.post(path, data=json_text.write(body), content_type=JSON)


@dataclass
class Table:
    """A sealed game in the hands of its players: the newest state, and everybody's key."""

    client: FlaskClient
    entry: Entry
    dealt: Json

    def __post_init__(self) -> None:
        self.state: Json = self.dealt["state"]
        self.keys: list[str] = self.dealt["seat_keys"]

    @classmethod
    def of(cls, client: FlaskClient, entry: Entry, **others: Any) -> Table:
        """Deal for two, unless it is said otherwise."""
        body = {"seats": 2, "secrecy": "sealed", **others}
        answered = post(client, f"/v1/games/{entry.rules.name}/deal", body)
        assert answered.status_code == 200, answered.text
        return cls(client, entry, answered.get_json())

    def ask(self, call: str, **body: Any) -> TestResponse:
        """Return the answer to a call on the newest state, unless another is given."""
        path = f"/v1/games/{self.entry.rules.name}/{call}"
        return post(self.client, path, {"state": self.state, **body})

    def told(self, call: str, **body: Any) -> Json:
        """Return what is answered to a call that must be granted."""
        answered = self.ask(call, **body)
        assert answered.status_code == 200, answered.text
        told: Json = answered.get_json()
        return told

    def act(self, seat: int, action: Json) -> Json:
        """Act with the seat's key, and go on from there."""
        told = self.told("apply", action=action, seat_key=self.keys[seat])
        self.state = told["state"]
        return told

    def choice(self) -> tuple[int, Json]:
        """Return a seat that may act now, and its first choice."""
        actions = self.told("legal-actions", seat_key=self.keys[self.state["to_act"] or 0])
        action: Json = actions["actions"][0]["action"]
        return self.state["to_act"] or 0, action


@pytest.fixture(params=tuple(GAMES.values()), ids=tuple(GAMES), scope="module")
def entry(request: pytest.FixtureRequest) -> Entry:
    game: Entry = request.param
    return game


@pytest.fixture
def table(client: FlaskClient, entry: Entry) -> Table:
    return Table.of(client, entry)


def without_seal(state: Json) -> Json:
    return {name: member for name, member in state.items() if name != SEAL}


def events_of(entry: Entry, state: Any, action: Any, seat: int | None) -> tuple[Any, list[Json]]:
    """Return the state after an action of an open game, and what a seat sees happen."""
    step = entry.rules.apply(state, action)
    events = entry.rules.observe_step(step, seat)
    return step.state, as_json([entry.wire.dump_event(event) for event in events])


def seen(entry: Entry, state: Any, seat: int | None) -> Json:
    data: Json = as_json(entry.wire.dump_state(entry.rules.observe(state, seat)))
    return data


@settings(max_examples=tries(6, 100))
@given(data=st.data())
def test_sealed_and_open_play_are_the_same_to_look_at(
    app: Flask, entry: Entry, data: st.DataObject
) -> None:
    rules, client = entry.rules, FlaskClient(app)
    seats = data.draw(st.sampled_from(rules.seats[:4]))
    ruleset, given_options = (
        data.draw(st.sampled_from(tuple(rules.rulesets))),
        data.draw(options(entry)),
    )
    manner, numbers = data.draw(manners(entry)), stream(data.draw(st.text(max_size=3)), "play")
    is_locked = data.draw(st.booleans())
    chosen = {"ruleset": ruleset, "options": given_options, "seed": SEED}
    state = rules.deal(seats, ruleset, given_options, SEED)
    table = Table.of(client, entry, seats=seats, lock_seats=is_locked, **chosen)
    assert without_seal(table.state) == seen(entry, state, None)
    for _ in range(LONGEST):
        if rules.outcome(state) is not None:
            break
        action = pick(entry, state, manner, numbers)
        acting = rules.seat_of(state, action)
        assert acting is not None
        after, events = events_of(entry, state, action, None)
        told = table.act(acting, as_json(entry.wire.dump_action(action)))
        is_left = rules.outcome(after) is not None and len(rules.seats_left(after)) < min(2, seats)
        if is_left and is_locked:
            assert SEAL in table.state
            assert "cards_shown" not in {event["type"] for event in told["events"]}
        else:
            assert without_seal(table.state) == seen(entry, after, None)
            assert told["events"] == events
        for seat in range(seats if rules.outcome(after) is None else 0):
            shown = table.told("observe", seat=seat, seat_key=table.keys[seat])
            assert shown["state"] == seen(entry, after, seat)
        state = after


def test_whole_games_end_in_the_open(app: Flask, entry: Entry) -> None:
    rules, client = entry.rules, FlaskClient(app)
    table = Table.of(client, entry, ruleset="publisher")
    state = _whole(app, table)
    numbers, lengths = stream("whole", "play"), set()
    while rules.outcome(state) is None:
        lengths.add(len(table.state[SEAL]))
        action = pick(entry, state, Manner(liked=("buy", "claim"), firmness=8), numbers)
        acting = rules.seat_of(state, action)
        assert acting is not None
        state, events = events_of(entry, state, action, None)
        told = table.act(acting, as_json(entry.wire.dump_action(action)))
        assert told["events"] == events
    assert len(lengths) == 1
    assert SEAL not in table.state
    assert table.state == as_json(entry.wire.dump_state(state))
    assert told["outcome"] == table.state["outcome"]
    assert [event["type"] for event in told["events"]].count("game_over") == 1
    committed = sha256(f"{told['nonce']}:{told['seed']}".encode()).hexdigest()
    assert committed == table.dealt["commitment"]
    dealt = rules.deal(2, "publisher", {}, told["seed"])
    assert without_seal(table.dealt["state"]) == seen(entry, dealt, None)


def _whole(app: Flask, table: Table) -> Any:
    """Return a table's state with nothing hidden, which only the service can tell."""
    brought = StateField(table.entry.wire, required=True).read(table.state, [])
    assert isinstance(brought, Sealed)
    opened = _served(app, table.entry).seals.open(brought)
    assert not isinstance(opened, str)
    return opened.state


def _served(app: Flask, entry: Entry) -> Served:
    """Return the game as a service has it."""
    return Served.of(entry, app.extensions[SEAL_KEYS])


def test_a_deal_shows_neither_seed_nor_deck(table: Table) -> None:
    assert table.dealt.keys() == {"state", "seat_keys", "commitment", "seed_source"}
    assert table.dealt["seed_source"] == "service"
    assert len(table.keys) == 2
    decks = table.state.get("decks") or {"": table.state["deck"]}
    assert all(deck.keys() == {"count"} for deck in decks.values())


@pytest.mark.parametrize("length", [1, 21])
def test_a_seed_that_can_be_guessed_is_refused(
    client: FlaskClient, entry: Entry, length: int
) -> None:
    path = f"/v1/games/{entry.rules.name}/deal"
    refused = post(client, path, {"seats": 2, "secrecy": "sealed", "seed": "x" * length})
    (fault,) = problem_of(refused, 400, "invalid_request")["violations"]
    assert (fault["code"], fault["pointer"]) == ("wrong_length", "/seed")


def test_without_its_key_nobody_acts_for_a_locked_seat(table: Table) -> None:
    seat, action = table.choice()
    wrong = [table.keys[1 - seat], "no key", "é" * LONGEST_SEAT_KEY, "A" * 43]
    for call in ("apply", "check"):
        problem_of(table.ask(call, action=action), 403, "forbidden")
        for key in wrong:
            problem_of(table.ask(call, action=action, seat_key=key), 403, "forbidden")
        other = {"action": action, "seat": 1 - seat, "seat_key": table.keys[1 - seat]}
        problem_of(table.ask(call, **other), 403, "forbidden")
    shown: tuple[Json, ...] = ({}, *({"seat_key": key} for key in wrong[1:]))
    for each in shown:
        problem_of(table.ask("legal-actions", **each), 403, "forbidden")
        problem_of(table.ask("observe", seat=seat, **each), 403, "forbidden")
    problem_of(table.ask("observe", seat=1 - seat, seat_key=table.keys[seat]), 403, "forbidden")
    problem_of(table.ask("replay", actions=[action]), 403, "forbidden")
    for keys in (table.keys[:1], table.keys[::-1], [*table.keys, table.keys[0]]):
        problem_of(table.ask("replay", actions=[action], seat_keys=keys), 403, "forbidden")
    table.act(seat, action)


def test_a_key_opens_one_seat_of_one_deal(client: FlaskClient, entry: Entry) -> None:
    tables = [Table.of(client, entry) for _ in range(2)]
    for shown, asked in product(range(2), repeat=2):
        for holder, seat in product(range(2), repeat=2):
            key = tables[shown].keys[holder]
            answered = tables[asked].ask("observe", seat=seat, seat_key=key)
            is_own = (shown, holder) == (asked, seat)
            assert answered.status_code == (200 if is_own else 403)


def test_of_an_unlocked_deal_a_key_shows_more_and_none_is_asked_to_act(
    client: FlaskClient, entry: Entry
) -> None:
    table = Table.of(client, entry, lock_seats=False)
    listed = table.told("legal-actions")["actions"]
    action = listed[0]["action"]
    assert table.told("check", action=action)["legal"]
    told = table.told("apply", action=action)
    assert SEAL in told["state"]
    assert SEAL in table.told("replay", actions=[action])["state"]
    problem_of(table.ask("apply", action=action, seat_key="no key"), 403, "forbidden")
    problem_of(table.ask("observe", seat=0), 403, "forbidden")
    assert table.told("observe", seat=0, seat_key=table.keys[0])
    assert table.told("observe", seat=None)["state"] == without_seal(table.state)


def test_an_unlocked_deal_never_shows_its_seed(client: FlaskClient, entry: Entry) -> None:
    table = Table.of(client, entry, lock_seats=False, seed=SEED)
    resign = {"type": "resign", "seat": 0}
    applied = table.ask("apply", action=resign)
    replayed = table.ask("replay", actions=[resign], seat_keys=table.keys)
    for answered in (applied, replayed):
        told = answered.get_json()
        assert told["outcome"]["reason"] == "resigned"
        assert told["state"].keys() == without_seal(table.state).keys()
        assert not {"seed", "nonce"} & told.keys()
        assert SEED not in answered.text


def test_who_leaves_learns_nothing_by_it(table: Table) -> None:
    """A seat could resign in a copy, look, and go back."""
    before = table.state
    resign = {"type": "resign", "seat": 0}
    told = table.act(0, resign)
    assert told["outcome"]["winners"] == [1]
    assert [event["type"] for event in told["events"]] == ["resigned", "game_over"]
    assert not {"seed", "nonce"} & told.keys()
    assert len(table.state[SEAL]) == len(before[SEAL])
    for seat, key in enumerate(table.keys):
        shown = table.told("observe", seat=seat, seat_key=key)["state"]
        assert shown == without_seal(table.state)
        assert table.told("legal-actions", seat_key=key, include_illegal=True)["actions"] == []
    assert table.told("observe", seat=None)["state"] == without_seal(table.state)
    assert table.told("audit") == {"findings": []}
    problem_of(table.ask("apply", action=resign, seat_key=table.keys[0]), 422, "illegal_action")
    problem_of(table.ask("replay", actions=[]), 403, "forbidden")
    for state, actions in ((table.state, []), (before, [resign])):
        table.state = state
        agreed = table.told("replay", actions=actions, seat_keys=table.keys)
        assert SEAL not in agreed["state"]
        committed = sha256(f"{agreed['nonce']}:{agreed['seed']}".encode()).hexdigest()
        assert committed == table.dealt["commitment"]


def test_an_older_state_can_be_gone_back_to(table: Table) -> None:
    """What a service that stores nothing cannot prevent; `docs/sealing.md` says so."""
    before = table.state
    seat, action = table.choice()
    first = table.act(seat, action)
    table.state = before
    again = table.act(seat, action)
    assert without_seal(again["state"]) == without_seal(first["state"])
    assert again["state"][SEAL] != first["state"][SEAL]


def test_a_replay_is_what_was_applied(table: Table) -> None:
    first = table.state
    actions, events = [], []
    for _ in range(6):
        seat, action = table.choice()
        actions.append(action)
        events += table.act(seat, action)["events"]
    last, table.state = table.state, first
    told = table.told("replay", actions=actions, seat_keys=table.keys)
    assert without_seal(told["state"]) == without_seal(last)
    assert told["events"] == events
    assert table.told("replay", actions=[], seat_keys=table.keys)["events"] == []


def test_an_open_state_needs_no_key(client: FlaskClient, entry: Entry) -> None:
    path = f"/v1/games/{entry.rules.name}"
    state = post(client, f"{path}/deal", {"seats": 2}).get_json()["state"]
    shown = post(client, f"{path}/observe", {"state": state, "seat": 1, "seat_key": "any"})
    assert shown.status_code == 200
    assert read_state(entry, state)


def test_a_batch_takes_sealed_states(table: Table) -> None:
    seat, action = table.choice()
    game, key = table.entry.rules.name, table.keys[seat]
    bodies: dict[str, Json] = {
        "apply": {"action": action, "seat_key": key},
        "check": {"action": action, "seat_key": key},
        "legal-actions": {"seat_key": key},
        "observe": {"seat": seat, "seat_key": key},
        "audit": {},
        "replay": {"actions": [action], "seat_keys": table.keys},
    }
    items = [
        {"game": game, "call": call, "body": {"state": table.state, **body}}
        for call, body in bodies.items()
    ]
    without_key = {"state": table.state, "action": action}
    broken = {"state": {**table.state, SEAL: "A" * 451}}
    items += [
        {"game": game, "call": "apply", "body": without_key},
        {"game": game, "call": "audit", "body": broken},
    ]
    answered = post(table.client, "/v1/batch", {"items": items}).get_json()["items"]
    assert [item["status"] for item in answered] == [200] * len(bodies) + [403, 422]
    for call, item in zip(bodies, answered, strict=False):
        alone = table.told(call, **bodies[call])
        if call in ("apply", "replay"):
            assert without_seal(item["body"]["state"]) == without_seal(alone["state"])
        else:
            assert item["body"] == alone


def _spoilt(state: Json) -> Iterator[Json]:
    """Yield a sealed state in which something is another."""
    seal = state[SEAL]
    middle = len(seal) // 2
    other = "A" if seal[middle] != "A" else "B"
    yield {**state, SEAL: seal[:middle] + other + seal[middle + 1 :]}
    yield {**state, SEAL: f"{seal}="}
    yield {**state, SEAL: "x"}
    yield {**state, SEAL: "é" * 100}
    yield {**state, SEAL: "A" * LONGEST_SEAL}
    yield {**state, "turn": state["turn"] + 1}
    count = state.get("deck") or state["decks"]["1"]
    count["count"] -= 1
    yield state


def test_a_broken_seal_is_one_problem_wherever_it_comes(table: Table) -> None:
    _, action = table.choice()
    calls: dict[str, Json] = {
        "apply": {"action": action},
        "check": {"action": action},
        "legal-actions": {},
        "observe": {"seat": None},
        "audit": {},
        "replay": {"actions": []},
    }
    details = set()
    for state in _spoilt(as_json(table.state)):
        for call, body in calls.items():
            refused = table.ask(call, **{**body, "state": state})
            details.add(problem_of(refused, 422, "seal_broken")["detail"])
        creation = {"game": table.entry.rules.name, "state": state}
        refused = post(table.client, "/v1/sessions", creation)
        details.add(problem_of(refused, 422, "seal_broken")["detail"])
    assert len(details) == 1, "no hint at what is wrong"


def test_a_seal_that_is_too_long_is_not_even_tried(table: Table) -> None:
    refused = table.ask("audit", state={**table.state, SEAL: "A" * (LONGEST_SEAL + 1)})
    (fault,) = problem_of(refused, 400, "invalid_request")["violations"]
    assert (fault["code"], fault["pointer"]) == ("wrong_length", "/state/sealed")


def test_a_session_goes_on_from_a_sealed_state(table: Table) -> None:
    seat, action = table.choice()
    table.act(seat, action)
    creation = {"game": table.entry.rules.name, "state": table.state}
    problem_of(post(table.client, "/v1/sessions", creation), 403, "forbidden")
    for keys in (table.keys[::-1], table.keys[:1]):
        asked = {**creation, "seat_keys": keys}
        problem_of(post(table.client, "/v1/sessions", asked), 403, "forbidden")
    made = post(table.client, "/v1/sessions", {**creation, "seat_keys": table.keys})
    assert made.status_code == 201, made.text
    told = made.get_json()
    assert without_seal(table.state) == table.told("observe", seat=None)["state"]
    session = f"/v1/sessions/{told['id']}"
    watched = table.client.get(session).get_json()
    assert watched["state"] == without_seal(table.state)
    assert told["seed_source"] == "caller"


def test_seat_keys_belong_to_a_state(client: FlaskClient, entry: Entry) -> None:
    creation = {"game": entry.rules.name, "seats": 2, "seat_keys": ["any", "any"]}
    refused = post(client, "/v1/sessions", creation)
    (fault,) = problem_of(refused, 400, "invalid_request")["violations"]
    assert fault["params"]["fields"] == ["seats", "seat_keys"]


def _service(*keys: str, **others: Any) -> FlaskClient:
    app = create_app(Settings(seal_keys=tuple(map(Secret, keys)), **others))
    app.test_client_class = WatchedClient
    return app.test_client()


def test_keys_are_rotated_and_retired(entry: Entry) -> None:
    table = Table.of(_service(OLD), entry)
    seat, action = table.choice()
    table.client = _service(NEW, OLD)
    table.act(seat, action)
    assert table.choice()
    table.client = _service(NEW, "01:retired")
    problem = problem_of(table.ask("audit"), 422, "seal_key_retired")
    assert "does not use any more" in problem["detail"]
    fresh = Table.of(table.client, entry)
    assert fresh.choice()
    fresh.client = _service(NEW)
    assert fresh.choice()
    table.client = fresh.client
    problem_of(table.ask("audit"), 422, "seal_broken")


def test_where_no_key_can_be_kept_nothing_is_sealed(table: Table, tmp_path: Path) -> None:
    (tmp_path / key_file.NAME).write_text("no key\n", "ascii")
    keyless = _service(data_dir=tmp_path)
    path = f"/v1/games/{table.entry.rules.name}/deal"
    refused = post(keyless, path, {"seats": 2, "secrecy": "sealed"})
    (fault,) = problem_of(refused, 400, "invalid_request")["violations"]
    assert (fault["code"], fault["pointer"]) == ("not_one_of", "/secrecy")
    assert fault["params"] == {"value": "sealed", "allowed": ["open"]}
    assert post(keyless, path, {"seats": 2}).status_code == 200
    table.client = keyless
    problem_of(table.ask("audit"), 422, "seal_broken")


def test_a_build_without_the_cipher_seals_nothing_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(box, "is_available", lambda: False)
    with pytest.raises(SettingsError, match="SEAL_KEYS: AES-256-GCM-SIV needs"):
        create_app(Settings(seal_keys=(Secret(NEW),)))
    assert started(Settings(data_dir=tmp_path)).extensions[SEAL_KEYS]() is None
    assert not (tmp_path / key_file.NAME).exists()


def test_a_service_that_starts_has_its_keys(tmp_path: Path) -> None:
    create_app(Settings(data_dir=tmp_path))
    assert not (tmp_path / key_file.NAME).exists(), "only when they are needed"
    first = started(Settings(data_dir=tmp_path))
    assert (tmp_path / key_file.NAME).exists()
    again = create_app(Settings(data_dir=tmp_path))
    assert again.extensions[SEAL_KEYS]() == first.extensions[SEAL_KEYS]()


@pytest.fixture
def logging_as_it_was() -> Iterator[None]:
    """Put the handlers back that a test replaces."""
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = before


@pytest.mark.usefixtures("logging_as_it_was")
def test_no_log_has_a_key_a_seed_or_a_seal(
    capsys: pytest.CaptureFixture[str], entry: Entry, tmp_path: Path
) -> None:
    logs.configure("debug", "json")
    app = started(Settings(data_dir=tmp_path))
    table = Table.of(FlaskClient(app), entry, seed=SEED)
    seat, action = table.choice()
    table.act(seat, action)
    problem_of(table.ask("apply", action=action, seat_key="a wrong canary"), 403, "forbidden")
    problem_of(table.ask("audit", state={**table.state, SEAL: "x"}), 422, "seal_broken")
    ended = table.told("replay", actions=[{"type": "resign", "seat": 0}], seat_keys=table.keys)
    written = "".join(capsys.readouterr())
    kept = (tmp_path / key_file.NAME).read_text("ascii").strip()
    key_id, _, secret = kept.partition(":")
    assert '"event":"seal key made"' in written
    assert key_id in written
    assert written.count('"event":"request"') >= 5
    secrets = [secret, SEED, ended["nonce"], *table.keys, "a wrong canary", table.state[SEAL]]
    for each in secrets:
        assert each not in written


@settings(max_examples=tries(15, 200))
@given(data=st.data())
def test_nothing_that_a_seat_may_ask_depends_on_what_it_does_not_see(
    app: Flask, entry: Entry, data: st.DataObject
) -> None:
    rules, habits = entry.rules, HABITS[entry.rules.name]
    served = _served(app, entry)
    seats = data.draw(st.sampled_from(rules.seats[:4]))
    dealt = rules.deal(seats, next(iter(rules.rulesets)), data.draw(options(entry)), SEED)
    played = play(entry, dealt, data.draw(manners(entry)), "any", data.draw(st.integers(0, 60)))
    state = played.last
    if rules.outcome(state) is not None:
        return
    seat = data.draw(st.integers(0, seats - 1))
    other = data.draw(habits.rearranged(state, seat))
    deal = served.seals.begin(SEED, is_locked=True)
    key = served.seals.seat_keys(deal, seats)[seat]
    action = data.draw(habits.actions(state)) | ({"seat": seat} if not rules.has_turns else {})
    answers = []
    for each in (state, other):
        table = Table(
            FlaskClient(app), entry, {"state": served.seals.seal(each, deal), "seat_keys": []}
        )
        listed = {"seat": seat, "seat_key": key, "include_illegal": True}
        told = (
            table.ask("legal-actions", **listed),
            table.ask("legal-actions", **listed, detail="turns"),
            table.ask("check", action=action, seat_key=key),
            table.ask("observe", seat=seat, seat_key=key),
            table.ask("observe", seat=None),
            table.ask("audit"),
        )
        answers.append([_plain(answered) for answered in told])
    assert answers[0] == answers[1]


def _plain(answered: TestResponse) -> Json:
    """Return an answer without the number of its request."""
    body: Json = answered.get_json()
    return {"status": answered.status_code, **body, "instance": None}
