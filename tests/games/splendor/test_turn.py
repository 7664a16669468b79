from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from splendor_api.games.splendor import turn
from splendor_api.games.splendor.actions import ACTIONS, Buy, Pass, Resign, TakeDifferent
from splendor_api.games.splendor.state import State
from splendor_api.games.splendor.tokens import Color
from tests.games.splendor.table import (
    RICH,
    SPLENDOR,
    after,
    broken,
    buy,
    choose,
    codes,
    counted,
    dealt,
    draw,
    give,
    kinds,
    listed,
    only,
    pair,
    passing,
    played,
    reached,
    reserve,
    resign,
    take,
    tell,
)
from tests.strategies.playing import read_action

WITHOUT_SEAT = [
    take("white", "blue", "green"),
    pair("red"),
    draw(1),
    reserve(22),
    passing(),
]


def emptied() -> State:
    """Return a state whose deck of level 3 is empty and whose row is full."""
    return reached(
        lambda state: (
            state.phase == "main"
            and state.decks[2] == ()
            and None not in state.market[2]
            and len(state.player.reserved) < 10
        ),
        liked=("reserve",),
        firmness=8,
        seats=4,
        reserve_limit=10,
    )


def test_s12_the_turn_passes_clockwise() -> None:
    state = dealt(3, passing="always")
    seats = []
    for _ in range(7):
        seats.append(state.to_act)
        state = after(state, passing())
    assert seats == [0, 1, 2, 0, 1, 2, 0]


def test_s13_a_turn_is_exactly_one_of_four_actions() -> None:
    assert {action.type for action in listed(dealt())} == {
        "take_different",
        "take_same",
        "reserve",
    }
    state = reached(lambda state: state.phase == "main" and bool(listed(state, "buy")))
    assert {action.type for action in listed(state)} <= {
        "take_different",
        "take_same",
        "reserve",
        "buy",
    }
    for action in listed(state):
        later = after(state, action)
        assert later.turn == state.turn + 1 or later.phase in ("return_tokens", "choose_noble")


@pytest.mark.parametrize("action", WITHOUT_SEAT, ids=lambda action: action.type)
def test_s14_only_the_seat_to_act_may_act(action: Any) -> None:
    state = dealt(passing="always")
    data = SPLENDOR.wire.dump_action(action)
    assert after(state, read_action(SPLENDOR, data | {"seat": 0})) == after(state, action)
    assert only(state, read_action(SPLENDOR, data | {"seat": 1})) == (
        "wrong_seat",
        "/seat",
        {"seat": 1, "to_act": 0},
    )


def test_s14_nor_a_seat_that_is_not_there() -> None:
    assert only(dealt(2), pair("red", seat=3)) == ("wrong_seat", "/seat", {"seat": 3, "to_act": 0})


def test_s14_after_the_end_nobody_may() -> None:
    state = after(dealt(2), resign(0))
    assert only(state, pair("red", seat=1)) == ("game_over", "", {})
    assert SPLENDOR.rules.acting(state) == ()


def test_s14_a_wrong_seat_stands_alone() -> None:
    assert codes(dealt(), give({"white": 1}, seat=1)) == ["wrong_seat"]
    assert codes(dealt(), take("white", seat=1)) == ["wrong_seat"]


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (give({"white": 1}), "return_tokens"),
        (choose(1), "choose_noble"),
        (tell(1, 0, 1), "reveal"),
    ],
)
def test_s15_each_action_has_its_phase(action: Any, expected: str) -> None:
    assert only(dealt(), action) == (
        "wrong_phase",
        "/type",
        {"phase": "main", "expected": expected},
    )


@pytest.mark.parametrize("action", WITHOUT_SEAT, ids=lambda action: action.type)
def test_s15_what_is_owed_comes_first(action: Any) -> None:
    state = after(dealt(token_limit=3, passing="always"), take("white", "blue", "green"))
    state = after(state, passing(), draw(1))
    assert only(state, action) == (
        "wrong_phase",
        "/type",
        {"phase": "return_tokens", "expected": "main"},
    )


def test_s15_a_wrong_phase_stands_alone() -> None:
    assert codes(dealt(), choose(10)) == ["wrong_phase"]


def test_s15_the_order_of_a_turn() -> None:
    state = reached(
        lambda state: (
            state.phase == "main"
            and any(kinds(state, each)[-1] == "noble_owed" for each in listed(state, "buy"))
        ),
        nobles_revealed=10,
        target_prestige=50,
        **RICH,
    )
    action = next(each for each in listed(state, "buy") if kinds(state, each)[-1] == "noble_owed")
    told = kinds(state, action)
    assert told in (["card_bought", "card_revealed", "noble_owed"], ["card_bought", "noble_owed"])


def test_s15_the_return_comes_before_the_noble() -> None:
    state = reached(
        lambda state: (
            state.phase == "return_tokens"
            and any("noble_visited" in kinds(state, each) for each in listed(state)[:1])
        ),
        firmness=4,
        gems_per_color=20,
        token_limit=8,
        nobles_revealed=10,
        target_prestige=50,
    )
    assert kinds(state, listed(state)[0])[:2] == ["tokens_returned", "noble_visited"]


def test_s16_a_card_is_replaced_at_once_in_its_slot() -> None:
    for before, later in pairwise(played(seats=3, steps=100)):
        for level in range(3):
            slots = [
                slot for slot in range(4) if before.market[level][slot] != later.market[level][slot]
            ]
            assert len(slots) <= 1
            deck = before.decks[level]
            assert not isinstance(deck, int)
            if slots and deck:
                assert later.market[level][slots[0]] == deck[-1]


def test_s17_an_empty_deck_leaves_the_slot_empty() -> None:
    state = emptied()
    row = state.market[2]
    (card, *others) = row
    assert isinstance(card, int)
    later = after(state, reserve(card))
    assert later.market[2] == (None, *others)
    assert kinds(state, reserve(card))[:2] == ["card_reserved", "card_revealed"]


def test_s17_for_good() -> None:
    gone: set[tuple[int, int]] = set()
    states = played(("reserve", "buy"), seats=4, reserve_limit=10, steps=250, **RICH)
    for state in states:
        empty = {
            (level, slot)
            for level in range(3)
            for slot in range(4)
            if state.market[level][slot] is None
        }
        assert gone <= empty
        gone = empty
    assert gone


def test_s17_cards_never_move_from_slot_to_slot() -> None:
    places: dict[int, tuple[int, int]] = {}
    for state in played(seats=4, steps=200):
        for level, row in enumerate(state.market):
            for slot, card in enumerate(row):
                if isinstance(card, int):
                    assert places.setdefault(card, (level, slot)) == (level, slot)


def test_s18_the_replacement_is_seen_before_the_return() -> None:
    state = after(dealt(token_limit=3, passing="always"), take("white", "blue", "green"))
    owing = after(state, passing(), reserve(22))
    assert owing.phase == "return_tokens"
    assert owing.market[0][1] == 32


def test_s18_and_before_the_noble() -> None:
    state = reached(
        lambda state: state.phase == "choose_noble" and None not in state.market[0],
        nobles_revealed=10,
        **RICH,
    )
    assert len([card for row in state.market for card in row if card]) == 12


def test_s19_to_s21_the_turn_of_one_who_passes_ends() -> None:
    state = dealt(passing="always")
    assert after(state, passing())._replace(turn=0, to_act=0) == state


# Normal spelling: of two actions that lead to the same state, the same.


def test_normal_sorts_colors_and_leaves_the_seat_out() -> None:
    action = take("red", "white", "black", seat=0)
    assert turn.normal(dealt(), action) == take("white", "red", "black")


def test_normal_writes_the_payment_out() -> None:
    state = reached(lambda state: state.phase == "main" and bool(listed(state, "buy")))
    card = listed(state, "buy")[0].card
    spelled = turn.normal(state, buy(card))
    assert isinstance(spelled, Buy)
    assert spelled.payment is not None
    assert after(state, spelled) == after(state, buy(card))


def test_normal_leaves_out_a_noble_that_comes_by_itself() -> None:
    state = reached(
        lambda state: (
            state.phase == "main"
            and any("noble_visited" in kinds(state, each) for each in listed(state, "buy"))
        ),
        **RICH,
    )
    action = next(each for each in listed(state, "buy") if "noble_visited" in kinds(state, each))
    later = after(state, action)
    noble = later.players[state.seat].nobles[-1]
    assert turn.normal(state, buy(action.card, noble=noble)) == turn.normal(state, action)


def test_normal_keeps_a_choice() -> None:
    state = reached(lambda state: state.phase == "choose_noble", nobles_revealed=10, **RICH)
    for action in listed(state):
        assert turn.normal(state, action) == action
    assert turn.normal(state, resign(1)) == Resign(1)
    told = after(counted(dealt()), reserve(22))
    assert turn.normal(told, tell(1, 1, 32, seat=0)) == tell(1, 1, 32)


# Previews: what an interface shows beside a choice.


def test_the_preview_of_a_take() -> None:
    assert turn.preview(dealt(token_limit=3), take("white", "blue", "green")) == {
        "tokens_after": {"white": 1, "blue": 1, "green": 1, "red": 0, "black": 0, "gold": 0},
        "must_return": 0,
        "nobles": [],
    }


def test_the_preview_of_a_take_above_the_limit() -> None:
    state = after(dealt(token_limit=3), take("white", "blue", "green"), pair("red"))
    seen = turn.preview(state, take("white", "blue", "red", back={"white": 2}))
    assert seen["must_return"] == 3
    assert seen["tokens_after"] == {
        "white": 0,
        "blue": 2,
        "green": 1,
        "red": 1,
        "black": 0,
        "gold": 0,
    }


def test_the_preview_of_a_reserve() -> None:
    seen: Any = turn.preview(dealt(), draw(1))
    assert seen["tokens_after"]["gold"] == 1


def test_the_preview_of_a_return() -> None:
    state = after(dealt(token_limit=3, passing="always"), take("white", "blue", "green"))
    state = after(state, passing(), draw(1))
    seen: Any = turn.preview(state, give({"gold": 1}))
    assert seen["tokens_after"]["gold"] == 0
    assert seen["must_return"] == 1


def test_the_preview_of_a_purchase() -> None:
    state = after(dealt(passing="always"), take("white", "blue", "red"), passing(), pair("black"))
    seen = turn.preview(after(state, passing()), buy(20))
    assert seen == {
        "payment": {"white": 1, "blue": 1, "green": 0, "red": 1, "black": 1, "gold": 0},
        "bonus": "green",
        "prestige": 0,
        "nobles": [],
    }


def test_the_preview_names_the_nobles_that_could_come() -> None:
    state = reached(lambda state: state.phase == "choose_noble", nobles_revealed=10, **RICH)
    nobles = [action.noble for action in listed(state)]
    for action in listed(state):
        assert turn.preview(state, action) == {"nobles": nobles}
    assert turn.preview(dealt(passing="always"), passing()) == {"nobles": []}


# What an interface shows, if only disabled.


def test_what_is_shown_is_in_order() -> None:
    shown = list(turn.shown(dealt(), None))
    assert shown[:10] == listed(dealt(), "take_different")
    assert [each.type for each in shown[10:15]] == ["take_same"] * 5
    assert shown[15:18] == [draw(1), draw(2), draw(3)]
    assert shown[18:20] == [reserve(16), buy(16)]
    assert shown[-1] == Pass()
    assert len(shown) == 10 + 5 + 3 + 2 * 12 + 1


def test_nothing_is_shown_to_a_seat_that_is_not_to_act() -> None:
    assert list(turn.shown(dealt(), 1)) == []
    assert list(turn.shown(after(dealt(), resign(0)), None)) == []
    assert list(turn.shown(dealt(), 0)) == list(turn.shown(dealt(), None))


def test_nothing_is_listed_for_a_seat_that_is_not_to_act() -> None:
    assert turn.choices(dealt(), 1) == []
    assert list(turn.turns(dealt(), 1)) == []
    assert turn.choices(dealt(), 0) == turn.choices(dealt(), None)


def test_the_seat_of_an_action() -> None:
    assert turn.seat_of(dealt(), pair("red")) == 0
    assert turn.seat_of(dealt(), pair("red", seat=1)) == 1
    assert turn.seat_of(dealt(), resign(1)) == 1
    assert turn.seat_of(after(dealt(), resign(0)), pair("red")) is None


def test_every_type_of_action_has_its_line() -> None:
    assert [kind.type for kind in ACTIONS] == [
        "take_different",
        "take_same",
        "reserve",
        "buy",
        "pass",
        "resign",
        "return_tokens",
        "choose_noble",
        "reveal",
    ]


def test_the_choices_are_in_the_order_of_the_types() -> None:
    order = [kind.type for kind in ACTIONS]
    for state in played(seats=3, steps=60, passing="always"):
        places = [order.index(action.type) for action in listed(state)]
        assert places == sorted(places)


def test_an_opening_is_no_turn() -> None:
    assert turn.is_opening(dealt())
    for action in (pair("red"), draw(1)):
        assert not turn.is_opening(after(dealt(), action)._replace(turn=0))


def test_a_turn_with_everything_is_legal() -> None:
    state = after(dealt(token_limit=3, passing="always"), take("white", "blue", "green"))
    state = after(state, passing())
    action = TakeDifferent((Color.WHITE, Color.BLUE, Color.RED), (1, 1, 1, 0, 0, 0), None, 0)
    assert broken(state, action) == []
