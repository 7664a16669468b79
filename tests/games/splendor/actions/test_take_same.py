from __future__ import annotations

import pytest

from tests.games.splendor.table import (
    GEMS,
    after,
    codes,
    dealt,
    events,
    is_legal,
    listed,
    only,
    pair,
    take,
)


def test_s28_four_are_enough() -> None:
    state = after(dealt(gems_per_color=4), pair("green"))
    assert state.bank == (4, 4, 2, 4, 4, 5)
    assert state.players[0].tokens == (0, 0, 2, 0, 0, 0)
    assert state.to_act == 1


def test_s28_three_are_not() -> None:
    state = dealt(gems_per_color=3)
    assert listed(state, "take_same") == []
    assert only(state, pair("green")) == (
        "pile_too_small",
        "/color",
        {"color": "green", "available": 3, "required": 4},
    )


@pytest.mark.parametrize("minimum", [2, 3, 5])
def test_s28_the_minimum_may_be_another(minimum: int) -> None:
    enough = dealt(take_two_minimum=minimum, gems_per_color=minimum)
    assert is_legal(enough, pair("red"))
    too_few = dealt(take_two_minimum=minimum, gems_per_color=minimum - 1)
    assert codes(too_few, pair("red")) == ["pile_too_small"]


def test_s28_a_minimum_above_the_supply_is_never_met() -> None:
    assert listed(dealt(take_two_minimum=20), "take_same") == []


def test_s28_the_bank_before_the_taking_counts() -> None:
    state = after(dealt(gems_per_color=5), take("white", "blue", "green"))
    assert is_legal(state, pair("white"))
    assert codes(after(state, pair("white")), pair("white")) == ["pile_too_small"]


def test_s29_what_the_player_holds_does_not_matter() -> None:
    state = after(dealt(gems_per_color=7), pair("red"), take("white", "blue", "green"))
    assert state.player.tokens[3] == 2
    assert is_legal(state, pair("red"))


def test_s29_the_bank_must_hold_them_not_the_player() -> None:
    state = after(dealt(gems_per_color=5), pair("red"), take("white", "blue", "green"))
    assert only(state, pair("red"))[2] == {"color": "red", "available": 3, "required": 4}


def test_s30_exactly_two_are_taken() -> None:
    for color in GEMS:
        assert sum(after(dealt(), pair(color)).players[0].tokens) == 2


def test_s31_gold_is_not_among_the_choices() -> None:
    assert listed(dealt(gold_tokens=9), "take_same") == [pair(color) for color in GEMS]


def test_what_is_told() -> None:
    assert events(dealt(), pair("black")) == [
        {
            "type": "tokens_taken",
            "seat": 0,
            "tokens": {"white": 0, "blue": 0, "green": 0, "red": 0, "black": 2, "gold": 0},
        },
        {"type": "turn_ended", "seat": 0, "turn": 1},
    ]
