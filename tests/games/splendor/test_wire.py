"""What is no state or action of Splendor at all, and how both are written."""

from __future__ import annotations

from typing import Any

import pytest

from splendor_api.games.splendor.actions import ACTIONS
from splendor_api.games.splendor.events import EVENTS
from splendor_api.games.splendor.options import OPTIONS
from splendor_api.games.splendor.wire import ACTION_SCHEMAS
from tests.games.splendor.table import (
    SPLENDOR,
    Json,
    after,
    buy,
    choose,
    counted,
    dealt,
    draw,
    events,
    face_down,
    give,
    listed,
    loaded,
    pair,
    passing,
    played,
    reserve,
    resign,
    take,
    tell,
    written,
)
from tests.strategies.playing import as_json

TOKENS = {"white": 0, "blue": 0, "green": 0, "red": 0, "black": 0, "gold": 0}


def faults(field: Any, data: object) -> list[tuple[str, str]]:
    """Return code and pointer of everything that is wrong with the shape."""
    found: list[Any] = []
    field.read(data, found)
    return [(fault.code.name, fault.pointer) for fault in found]


def state_faults(**members: object) -> list[tuple[str, str]]:
    return faults(SPLENDOR.wire.state, written(dealt()) | members)


def player_faults(**members: object) -> list[tuple[str, str]]:
    data = written(dealt())
    data["players"][1] |= members
    return faults(SPLENDOR.wire.state, data)


def action_faults(**members: object) -> list[tuple[str, str]]:
    return faults(SPLENDOR.wire.action, members)


def without(name: str) -> Json:
    return {key: value for key, value in written(dealt()).items() if key != name}


@pytest.mark.parametrize("name", list(written(dealt())))
def test_every_member_of_a_state_is_required(name: str) -> None:
    assert faults(SPLENDOR.wire.state, without(name)) == [("required", f"/{name}")]


def test_no_other_member_is_taken() -> None:
    assert state_faults(winner=0) == [("unknown_field", "/winner")]


@pytest.mark.parametrize(
    ("member", "value", "code"),
    [
        ("game", "set", "not_one_of"),
        ("format", 2, "not_one_of"),
        ("turn", -1, "out_of_range"),
        ("turn", 1_000_001, "out_of_range"),
        ("turn", 1.0, "wrong_type"),
        ("turn", True, "wrong_type"),
        ("to_act", 4, "out_of_range"),
        ("to_act", "0", "wrong_type"),
        ("phase", "buy", "not_one_of"),
        ("final_round", 0, "wrong_type"),
        ("bank", [], "wrong_type"),
        ("bank", None, "wrong_type"),
        ("market", [], "wrong_type"),
        ("decks", [], "wrong_type"),
        ("nobles", {}, "wrong_type"),
        ("players", {}, "wrong_type"),
        ("players", [], "wrong_length"),
        ("drawn", 0, "wrong_type"),
        ("outcome", 0, "wrong_type"),
        ("ruleset", "publisher", "wrong_type"),
    ],
)
def test_a_member_of_the_wrong_kind(member: str, value: object, code: str) -> None:
    assert (code, f"/{member}") in state_faults(**{member: value})


def test_whole_things_are_named_where_they_are_wrong() -> None:
    assert state_faults(bank={"purple": 1, "red": -1, "gold": 101}) == [
        ("out_of_range", "/bank/red"),
        ("out_of_range", "/bank/gold"),
        ("unknown_field", "/bank/purple"),
    ]
    assert state_faults(nobles=[0, 11, 1]) == [
        ("out_of_range", "/nobles/0"),
        ("out_of_range", "/nobles/1"),
    ]


def test_a_color_that_is_left_out_is_none() -> None:
    data = written(dealt(gold_tokens=0))
    del data["bank"]["gold"]
    assert loaded(data) == dealt(gold_tokens=0)
    assert written(loaded(data))["bank"]["gold"] == 0


def test_the_market_has_three_rows_of_four() -> None:
    market = written(dealt())["market"]
    assert state_faults(market=market | {"4": []}) == [("unknown_field", "/market/4")]
    assert state_faults(market={"1": market["1"], "2": market["2"]}) == [("required", "/market/3")]
    assert state_faults(market=market | {"2": [1, 2, 3]}) == [("wrong_length", "/market/2")]
    assert state_faults(market=market | {"2": [0, "face", None, 91]}) == [
        ("out_of_range", "/market/2/0"),
        ("not_one_of", "/market/2/1"),
        ("out_of_range", "/market/2/3"),
    ]


def test_decks_are_all_lists_or_all_counts() -> None:
    decks = written(dealt())["decks"]
    assert state_faults(decks=decks | {"1": {"count": 36}}) == [("conflicting_fields", "/decks")]
    assert state_faults(decks=decks | {"1": {}}) == [("required", "/decks/1/count")]
    assert state_faults(decks=decks | {"1": {"count": -1}}) == [("out_of_range", "/decks/1/count")]
    assert state_faults(decks=decks | {"1": [91]}) == [("out_of_range", "/decks/1/0")]
    assert state_faults(decks=decks | {"1": 36}) == [("wrong_type", "/decks/1")]


def test_two_to_four_players() -> None:
    player = written(dealt())["players"][0]
    assert state_faults(players=[player]) == [("wrong_length", "/players")]
    assert state_faults(players=[player] * 5) == [("wrong_length", "/players")]
    assert state_faults(players=[player] * 4) == []


@pytest.mark.parametrize("name", ["tokens", "cards", "reserved", "nobles"])
def test_every_member_of_a_player_is_required(name: str) -> None:
    data = written(dealt())
    del data["players"][1][name]
    assert faults(SPLENDOR.wire.state, data) == [("required", f"/players/1/{name}")]


def test_a_player_resigns_only_where_it_says_so() -> None:
    data = written(dealt())
    for player in data["players"]:
        del player["resigned"]
    assert loaded(data) == dealt()
    assert player_faults(resigned=1) == [("wrong_type", "/players/1/resigned")]
    assert player_faults(score=1) == [("unknown_field", "/players/1/score")]


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        ({"hidden": True}, [("required", "")]),
        ({"card": 1}, [("required", "/hidden")]),
        ({"card": 1, "level": 1, "hidden": True}, [("conflicting_fields", "")]),
        ({"card": 91, "hidden": False}, [("out_of_range", "/card")]),
        ({"level": 4, "hidden": True}, [("out_of_range", "/level")]),
        ({"level": 1, "hidden": False}, [("not_one_of", "/hidden")]),
        ({"card": 1, "hidden": "no"}, [("wrong_type", "/hidden")]),
        (7, [("wrong_type", "")]),
    ],
)
def test_a_reserved_card_has_a_face_or_a_level(
    held: object, expected: list[tuple[str, str]]
) -> None:
    place = "/players/1/reserved/0"
    found = player_faults(reserved=[held])
    assert found[: len(expected)] == [(code, place + pointer) for code, pointer in expected]


def test_every_option_is_spelled_out() -> None:
    for option in OPTIONS:
        data = written(dealt())
        del data["ruleset"]["options"][option.name]
        pointer = f"/ruleset/options/{option.name}"
        assert faults(SPLENDOR.wire.state, data) == [("required", pointer)]


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_no_option_is_beyond_its_values(option: Any) -> None:
    data = written(dealt())
    beyond = option.values[-1] + 1 if isinstance(option.values, range) else "other"
    data["ruleset"]["options"][option.name] = beyond
    ((code, pointer),) = faults(SPLENDOR.wire.state, data)
    assert pointer == f"/ruleset/options/{option.name}"
    assert code in ("out_of_range", "not_one_of", "wrong_type")


def test_a_ruleset_is_one_of_two() -> None:
    data = written(dealt())
    data["ruleset"] |= {"name": "house", "extra": 1}
    assert set(faults(SPLENDOR.wire.state, data)) == {
        ("not_one_of", "/ruleset/name"),
        ("unknown_field", "/ruleset/extra"),
    }


def test_an_outcome_is_whole() -> None:
    outcome = written(after(dealt(), resign(0)))["outcome"]
    assert state_faults(outcome=outcome | {"reason": "boredom"}) == [
        ("not_one_of", "/outcome/reason")
    ]
    assert state_faults(outcome=outcome | {"winners": []}) == [("wrong_length", "/outcome/winners")]
    ranking = [outcome["ranking"][0], {"seat": 4, "rank": 0, "prestige": -1}]
    assert set(state_faults(outcome=outcome | {"ranking": ranking})) == {
        ("out_of_range", "/outcome/ranking/1/seat"),
        ("out_of_range", "/outcome/ranking/1/rank"),
        ("out_of_range", "/outcome/ranking/1/prestige"),
        ("required", "/outcome/ranking/1/cards"),
    }


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ({}, [("required", "/type")]),
        ({"type": "steal"}, [("not_one_of", "/type")]),
        ({"type": "take_different"}, [("required", "/colors")]),
        ({"type": "take_different", "colors": []}, [("wrong_length", "/colors")]),
        ({"type": "take_different", "colors": ["red"] * 6}, [("wrong_length", "/colors")]),
        ({"type": "take_different", "colors": ["gold"]}, [("not_one_of", "/colors/0")]),
        ({"type": "take_same"}, [("required", "/color")]),
        ({"type": "take_same", "color": "gold"}, [("not_one_of", "/color")]),
        ({"type": "take_same", "color": "red", "payment": {}}, [("unknown_field", "/payment")]),
        ({"type": "reserve"}, [("required", "")]),
        ({"type": "reserve", "card": 1, "level": 1}, [("conflicting_fields", "")]),
        ({"type": "reserve", "level": 0}, [("out_of_range", "/level")]),
        ({"type": "reserve", "card": 91}, [("out_of_range", "/card")]),
        ({"type": "buy"}, [("required", "/card")]),
        ({"type": "buy", "card": 0}, [("out_of_range", "/card")]),
        ({"type": "buy", "card": 1, "return": {}}, [("unknown_field", "/return")]),
        ({"type": "buy", "card": 1, "payment": {"red": -1}}, [("out_of_range", "/payment/red")]),
        ({"type": "pass", "return": {}}, [("unknown_field", "/return")]),
        ({"type": "pass", "noble": 11}, [("out_of_range", "/noble")]),
        ({"type": "pass", "seat": 4}, [("out_of_range", "/seat")]),
        ({"type": "resign"}, [("required", "/seat")]),
        ({"type": "resign", "seat": 0, "timeout": 1}, [("wrong_type", "/timeout")]),
        ({"type": "return_tokens"}, [("required", "/tokens")]),
        ({"type": "choose_noble"}, [("required", "/noble")]),
        ({"type": "choose_noble", "noble": 0}, [("out_of_range", "/noble")]),
        (
            {"type": "reveal"},
            [("required", "/level"), ("required", "/slot"), ("required", "/card")],
        ),
        ({"type": "reveal", "level": 1, "slot": 4, "card": 1}, [("out_of_range", "/slot")]),
    ],
)
def test_what_is_no_action(action: Json, expected: list[tuple[str, str]]) -> None:
    assert action_faults(**action) == expected


@pytest.mark.parametrize(
    ("action", "data"),
    [
        (
            take("red", "blue", back={"red": 1}, noble=3, seat=0),
            {
                "type": "take_different",
                "colors": ["red", "blue"],
                "return": TOKENS | {"red": 1},
                "noble": 3,
                "seat": 0,
            },
        ),
        (pair("black"), {"type": "take_same", "color": "black"}),
        (reserve(7), {"type": "reserve", "card": 7}),
        (draw(2), {"type": "reserve", "level": 2}),
        (
            buy(7, payment={"gold": 1}),
            {"type": "buy", "card": 7, "payment": TOKENS | {"gold": 1}},
        ),
        (passing(), {"type": "pass"}),
        (resign(1, timeout=True), {"type": "resign", "seat": 1, "timeout": True}),
        (give({"white": 2}), {"type": "return_tokens", "tokens": TOKENS | {"white": 2}}),
        (choose(5), {"type": "choose_noble", "noble": 5}),
        (tell(1, 2, 3), {"type": "reveal", "level": 1, "slot": 2, "card": 3}),
    ],
    ids=lambda value: getattr(value, "type", None),
)
def test_how_an_action_is_written(action: Any, data: Json) -> None:
    assert as_json(SPLENDOR.wire.dump_action(action)) == data


def test_every_action_has_its_schema() -> None:
    assert set(ACTION_SCHEMAS) == {kind.type for kind in ACTIONS}


def test_how_a_state_is_written() -> None:
    data = written(face_down(dealt(), (1, 0)))
    assert data["market"]["1"] == ["unknown", 22, 33, 20]
    assert data["decks"] == {"1": {"count": 36}, "2": {"count": 26}, "3": {"count": 16}}
    assert list(data) == [
        "game",
        "format",
        "ruleset",
        "turn",
        "to_act",
        "phase",
        "drawn",
        "final_round",
        "outcome",
        "bank",
        "market",
        "decks",
        "nobles",
        "players",
    ]
    assert (data["game"], data["format"]) == ("splendor", 1)


def test_options_are_written_in_their_order() -> None:
    names = [option.name for option in OPTIONS]
    assert list(written(dealt())["ruleset"]["options"]) == names


def test_a_hand_is_written_by_what_is_known() -> None:
    state = after(dealt(), draw(1), draw(1), reserve(22))
    assert written(state)["players"][0]["reserved"] == [
        {"card": 32, "hidden": True},
        {"card": 22, "hidden": False},
    ]
    assert written(counted(state))["players"][0]["reserved"] == [
        {"level": 1, "hidden": True},
        {"card": 22, "hidden": False},
    ]


def test_an_event_is_written_with_its_type_first() -> None:
    types = {kind.type for kind in EVENTS}
    for state in played(seats=3, nobles_revealed=10, passing="always", steps=120):
        for action in listed(state)[:1]:
            for event in events(state, action):
                assert next(iter(event)) == "type"
                assert event["type"] in types
