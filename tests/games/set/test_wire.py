"""What is no state or action of SET at all, and how both are written."""

from __future__ import annotations

from typing import Any

import pytest

from splendor_api.games.set.actions import ACTIONS, Call, Forfeit, NoSet, Resign
from splendor_api.games.set.events import EVENTS
from splendor_api.games.set.observe import observe
from splendor_api.games.set.options import OPTIONS
from splendor_api.games.set.state import State
from splendor_api.games.set.wire import ACTION_SCHEMAS
from tests.games.set.table import (
    AGREED,
    NEEDING,
    SET,
    Json,
    after,
    claim,
    dealt,
    laid,
    last,
    needing_cards,
    step,
    without_deck,
)
from tests.strategies.playing import as_json, read_state

TWELVE = range(1, 13)


def written(state: State) -> Json:
    """Return a state as another program reads it."""
    data: Json = as_json(SET.wire.dump_state(state))
    return data


def faults(field: Any, data: object) -> list[tuple[str, str]]:
    """Return code and pointer of everything that is wrong with the shape."""
    found: list[Any] = []
    field.read(data, found)
    return [(fault.code.name, fault.pointer) for fault in found]


def state_faults(**members: object) -> list[tuple[str, str]]:
    return faults(SET.wire.state, written(dealt()) | members)


def player_faults(**members: object) -> list[tuple[str, str]]:
    data = written(dealt())
    data["players"][1] |= members
    return faults(SET.wire.state, data)


@pytest.mark.parametrize("name", list(written(dealt())))
def test_every_member_of_a_state_is_required(name: str) -> None:
    data = {key: value for key, value in written(dealt()).items() if key != name}
    assert faults(SET.wire.state, data) == [("required", f"/{name}")]


def test_no_other_member_is_taken() -> None:
    assert state_faults(winner=0) == [("unknown_field", "/winner")]


@pytest.mark.parametrize(
    ("member", "value", "code"),
    [
        ("game", "other", "not_one_of"),
        ("format", 2, "not_one_of"),
        ("turn", -1, "out_of_range"),
        ("turn", 1_000_001, "out_of_range"),
        ("turn", True, "wrong_type"),
        ("to_act", 20, "out_of_range"),
        ("to_act", "0", "wrong_type"),
        ("phase", "claimed", "not_one_of"),
        ("table", {}, "wrong_type"),
        ("table", [None] * 82, "wrong_length"),
        ("deck", {"count": 69}, "wrong_type"),
        ("deck", [1] * 82, "wrong_length"),
        ("no_set", None, "wrong_type"),
        ("no_set", [0] * 21, "wrong_length"),
        ("players", [], "wrong_length"),
        ("players", {}, "wrong_type"),
        ("outcome", 0, "wrong_type"),
        ("ruleset", "publisher", "wrong_type"),
    ],
)
def test_a_member_of_the_wrong_kind(member: str, value: object, code: str) -> None:
    assert (code, f"/{member}") in state_faults(**{member: value})


def test_a_deck_as_a_count_is_seen_and_not_taken() -> None:
    seen = written(observe(dealt(), None))
    assert seen["deck"] == {"count": 69}
    assert faults(SET.wire.state, seen) == [("wrong_type", "/deck")]


def test_cards_are_named_where_they_are_wrong() -> None:
    assert state_faults(table=[0, None, 82, "7"]) == [
        ("out_of_range", "/table/0"),
        ("out_of_range", "/table/2"),
        ("wrong_type", "/table/3"),
    ]
    assert state_faults(deck=[82]) == [("out_of_range", "/deck/0")]


def test_t4_one_to_twenty_players() -> None:
    player = written(dealt())["players"][0]
    assert state_faults(players=[player] * 21) == [("wrong_length", "/players")]
    assert state_faults(players=[player] * 20) == []
    assert state_faults(players=[player]) == []


@pytest.mark.parametrize("name", ["sets", "failed", "score"])
def test_every_member_of_a_player_is_required(name: str) -> None:
    data = written(dealt())
    del data["players"][1][name]
    assert faults(SET.wire.state, data) == [("required", f"/players/1/{name}")]


def test_a_player_is_what_it_says() -> None:
    assert player_faults(sets=[[1, 2]]) == [("wrong_length", "/players/1/sets/0")]
    assert player_faults(sets=[[1, 2, 82]]) == [("out_of_range", "/players/1/sets/0/2")]
    assert player_faults(sets=[[1, 2, 3]] * 28) == [("wrong_length", "/players/1/sets")]
    assert player_faults(failed=-1) == [("out_of_range", "/players/1/failed")]
    assert player_faults(score=28) == [("out_of_range", "/players/1/score")]
    assert player_faults(resigned=1) == [("wrong_type", "/players/1/resigned")]
    assert player_faults(cards=[]) == [("unknown_field", "/players/1/cards")]


def test_a_player_resigns_only_where_it_says_so() -> None:
    data = written(dealt())
    for player in data["players"]:
        del player["resigned"]
    assert read_state(SET, data) == dealt()


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_option_is_spelled_out_and_within_its_values(option: Any) -> None:
    pointer = f"/ruleset/options/{option.name}"
    data = written(dealt())
    data["ruleset"]["options"][option.name] = "other"
    ((code, where),) = faults(SET.wire.state, data)
    assert (code in ("not_one_of", "wrong_type"), where) == (True, pointer)
    del data["ruleset"]["options"][option.name]
    assert faults(SET.wire.state, data) == [("required", pointer)]


@pytest.mark.parametrize("size", [8, 10, 18])
def test_t5_a_table_has_one_of_three_sizes(size: int) -> None:
    data = written(dealt())
    data["ruleset"]["options"]["table_size"] = size
    assert faults(SET.wire.state, data) == [("not_one_of", "/ruleset/options/table_size")]


def test_an_option_of_another_game_is_none() -> None:
    data = written(dealt())
    data["ruleset"] |= {"name": "house"}
    data["ruleset"]["options"]["target_prestige"] = 15
    assert faults(SET.wire.state, data) == [
        ("not_one_of", "/ruleset/name"),
        ("unknown_field", "/ruleset/options/target_prestige"),
    ]


def test_an_outcome_is_whole() -> None:
    outcome = written(last(dealt()))["outcome"]
    assert state_faults(outcome=outcome | {"reason": "boredom"}) == [
        ("not_one_of", "/outcome/reason")
    ]
    assert state_faults(outcome=outcome | {"winners": []}) == []
    ranking = [outcome["ranking"][0], {"seat": 20, "rank": 0, "score": 28}]
    assert state_faults(outcome=outcome | {"ranking": ranking}) == [
        ("out_of_range", "/outcome/ranking/1/seat"),
        ("out_of_range", "/outcome/ranking/1/rank"),
        ("out_of_range", "/outcome/ranking/1/score"),
    ]


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ({}, [("required", "/type")]),
        ({"type": "point"}, [("not_one_of", "/type")]),
        ({"type": "call"}, [("required", "/seat")]),
        ({"type": "call", "seat": 20}, [("out_of_range", "/seat")]),
        ({"type": "call", "seat": None}, [("wrong_type", "/seat")]),
        ({"type": "call", "seat": 0, "cards": [1, 2, 3]}, [("unknown_field", "/cards")]),
        ({"type": "claim", "seat": 0}, [("required", "/cards")]),
        ({"type": "claim", "seat": 0, "cards": [1, 2]}, [("wrong_length", "/cards")]),
        ({"type": "claim", "seat": 0, "cards": [1, 2, 3, 4]}, [("wrong_length", "/cards")]),
        ({"type": "claim", "seat": 0, "cards": [0, 1, 82]}, None),
        ({"type": "claim", "seat": 0, "cards": "123"}, [("wrong_type", "/cards")]),
        ({"type": "forfeit"}, [("required", "/seat")]),
        ({"type": "no_set"}, [("required", "/seat")]),
        ({"type": "resign"}, [("required", "/seat")]),
        ({"type": "resign", "seat": 0, "timeout": 1}, [("wrong_type", "/timeout")]),
    ],
)
def test_what_is_no_action(action: Json, expected: list[tuple[str, str]] | None) -> None:
    beyond = [("out_of_range", "/cards/0"), ("out_of_range", "/cards/2")]
    assert faults(SET.wire.action, action) == (beyond if expected is None else expected)


@pytest.mark.parametrize(
    ("action", "data"),
    [
        (Call(3), {"type": "call", "seat": 3}),
        (claim(1, 9, 1, 5), {"type": "claim", "seat": 1, "cards": [9, 1, 5]}),
        (Forfeit(0), {"type": "forfeit", "seat": 0}),
        (NoSet(19), {"type": "no_set", "seat": 19}),
        (Resign(1, timeout=True), {"type": "resign", "seat": 1, "timeout": True}),
    ],
    ids=lambda value: getattr(value, "type", ""),
)
def test_how_an_action_is_written(action: Any, data: Json) -> None:
    assert as_json(SET.wire.dump_action(action)) == data


def test_every_action_has_its_schema() -> None:
    assert set(ACTION_SCHEMAS) == {kind.type for kind in ACTIONS}


def test_how_a_state_is_written() -> None:
    data = written(after(laid(TWELVE, won=[(1, (13, 14, 15))], **AGREED), NoSet(0), Call(1)))
    assert list(data) == [
        "game",
        "format",
        "ruleset",
        "turn",
        "phase",
        "to_act",
        "table",
        "deck",
        "no_set",
        "outcome",
        "players",
    ]
    assert (data["game"], data["format"]) == ("set", 1)
    assert list(data["ruleset"]["options"]) == [option.name for option in OPTIONS]
    assert (data["turn"], data["phase"], data["to_act"], data["no_set"]) == (1, "called", 1, [0])
    assert data["players"][1] == {
        "sets": [[13, 14, 15]],
        "failed": 0,
        "score": 1,
        "resigned": False,
    }
    gap = written(after(without_deck(TWELVE), claim(0, 1, 2, 3)))
    assert gap["table"] == [None, None, None, *range(4, 13)]


def test_how_events_are_written() -> None:
    assert told(after(dealt(), Call(1)), claim(1, 23, 6, 25)) == [
        {
            "type": "set_rejected",
            "seat": 1,
            "cards": [6, 23, 25],
            "features": ["shading", "color"],
        }
    ]
    shrunk = told(without_deck(range(1, 16)), claim(0, 4, 5, 6))
    assert shrunk[0] == {"type": "set_claimed", "seat": 0, "cards": [4, 5, 6]}
    assert shrunk[1]["moves"] == [
        {"card": 13, "from": 12, "to": 3},
        {"card": 14, "from": 13, "to": 4},
        {"card": 15, "from": 14, "to": 5},
    ]


def test_an_event_is_written_with_its_type_first() -> None:
    types = {kind.type for kind in EVENTS}
    seen = set()
    agreed = laid(TWELVE, **AGREED)
    for state, action in (
        (dealt(), Call(0)),
        (after(dealt(), Call(0)), Forfeit(0)),
        (laid(TWELVE), claim(0, 1, 2, 4)),
        (needing_cards(), claim(0, *NEEDING)),
        (without_deck(range(1, 16)), claim(0, 4, 5, 6)),
        (agreed, NoSet(0)),
        (dealt(), Resign(0)),
    ):
        made = step(state, action)
        for event in SET.rules.observe_step(made, None):
            data = as_json(SET.wire.dump_event(event))
            assert next(iter(data)) == "type"
            seen.add(data["type"])
    assert seen == types


def told(state: State, action: Any) -> list[Json]:
    """Return what happens, as another program reads it."""
    return [as_json(SET.wire.dump_event(event)) for event in step(state, action).events]
