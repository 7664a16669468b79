from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from splendor_api.games.splendor.state import State
from tests.games.splendor.table import (
    SPLENDOR,
    TAKING,
    after,
    codes,
    dealt,
    draw,
    events,
    give,
    is_legal,
    kinds,
    listed,
    only,
    pair,
    passing,
    played,
    reached,
    take,
)


def full(**options: Any) -> State:
    """Return a state whose seat 0 is to act with ten tokens."""
    options = {"gems_per_color": 9, "passing": "always", **options}
    state = after(dealt(**options), take("white", "black", "red"), passing())
    for color in ("white", "black"):
        state = after(state, pair(color), passing())
    state = after(state, take("red", "blue", "green"), passing())
    assert state.player.tokens == (3, 1, 1, 2, 3, 0)
    return state


def owing(**options: Any) -> State:
    """Return the state after a take of three by a seat that holds ten."""
    return after(full(**options), take("white", "blue", "red"))


def test_s55_ten_tokens_are_no_surplus() -> None:
    assert sum(full().player.tokens) == 10
    assert full().phase == "main"


def test_s55_gold_counts() -> None:
    state = after(full(), draw(1))
    assert (state.phase, state.drawn) == ("return_tokens", (0, 0, 0, 0, 0, 1))
    assert events(full(), draw(1))[-1] == {"type": "return_owed", "seat": 0, "count": 1}


def test_s55_bonuses_are_no_tokens() -> None:
    state = reached(
        lambda state: (
            state.phase == "main"
            and sum(state.player.tokens) > 7
            and sum(state.player.tokens) + sum(state.player.bonuses) > 10
        ),
        gems_per_color=9,
    )
    gems = [action for action in listed(state, "take_different") if len(action.colors) == 3]
    surplus = sum(state.player.tokens) + 3 - 10
    assert events(state, gems[0])[-1]["count"] == surplus


@pytest.mark.parametrize("limit", [3, 9, 12])
def test_s55_the_limit_may_be_another(limit: int) -> None:
    state = reached(
        lambda state: state.phase == "return_tokens",
        liked=TAKING,
        gems_per_color=9,
        token_limit=limit,
    )
    later = after(state, listed(state)[0])
    assert sum(later.players[state.seat].tokens) == limit


def test_s56_exactly_the_surplus_goes_back() -> None:
    state = owing()
    assert sum(after(state, give({"white": 3})).players[0].tokens) == 10
    for count in (0, 1, 2, 4):
        assert only(state, give({"white": count})) == (
            "return_wrong_count",
            "/tokens",
            {"required": 3, "returned": count},
        )


def test_s56_also_at_once() -> None:
    action = take("white", "blue", "red", back={"white": 2})
    assert only(full(), action) == (
        "return_wrong_count",
        "/return",
        {"required": 3, "returned": 2},
    )


def test_s56_an_empty_return_counts_as_given() -> None:
    assert codes(full(), take("white", "blue", "red", back={})) == ["return_wrong_count"]


def test_s57_any_tokens_may_go_back() -> None:
    action = take("white", "blue", "red", back={"black": 3})
    assert after(full(), action).players[0].tokens == (4, 2, 1, 3, 0, 0)


def test_s57_gold_among_them() -> None:
    state = after(full(), draw(1, back={"gold": 1}))
    assert state.players[0].tokens == (3, 1, 1, 2, 3, 0)
    kept = after(full(), draw(1, back={"black": 1}))
    assert kept.players[0].tokens == (3, 1, 1, 2, 2, 1)


def test_s57_no_more_than_are_held() -> None:
    action = take("white", "blue", "red", back={"green": 2, "gold": 1})
    assert codes(full(), action) == ["return_not_owned", "return_not_owned"]
    assert only(owing(), give({"green": 2, "white": 1})) == (
        "return_not_owned",
        "/tokens/green",
        {"color": "green", "returned": 2, "owned": 1},
    )


def test_s57_the_drawn_ones_are_held() -> None:
    state = after(full(), take("white", "blue", "green", back={"blue": 2, "green": 1}))
    assert state.players[0].tokens == (4, 0, 1, 2, 3, 0)


def test_s57_drawn_only_what_was_drawn() -> None:
    state = full(returns="drawn")
    assert only(state, take("white", "blue", "red", back={"white": 2, "blue": 1})) == (
        "return_not_drawn",
        "/return/white",
        {"color": "white"},
    )
    assert is_legal(state, take("white", "blue", "red", back={"white": 1, "blue": 1, "red": 1}))


def test_s57_drawn_gold_counts_as_drawn() -> None:
    state = after(full(returns="drawn"), draw(1))
    assert listed(state) == [give({"gold": 1})]
    assert codes(state, give({"white": 1})) == ["return_not_drawn"]


def test_s57_drawn_two_of_a_color() -> None:
    assert listed(after(full(returns="drawn"), pair("green"))) == [give({"green": 2})]


def test_s57_everything_that_is_wrong_is_told() -> None:
    assert codes(owing(returns="drawn"), give({"green": 2, "gold": 2})) == [
        "return_wrong_count",
        "return_not_owned",
        "return_not_owned",
        "return_not_drawn",
        "return_not_drawn",
    ]


def test_s58_nothing_goes_back_below_the_limit() -> None:
    for action in (
        take("white", "blue", "red", back={"white": 1}),
        pair("red", back={"red": 1}),
        draw(1, back={"gold": 1}),
        take("white", "blue", "red", back={}),
    ):
        assert only(dealt(), action) == ("return_not_due", "/return", {})


def test_s59_all_drawn_tokens_may_go_back() -> None:
    action = take("white", "blue", "red", back={"white": 1, "blue": 1, "red": 1})
    later = after(full(), action)
    assert later.players == full().players
    assert later.bank == full().bank
    assert later.turn == full().turn + 1


def test_s60_what_went_back_is_there_for_the_next_player() -> None:
    state = after(full(), take("white", "blue", "red", back={"black": 3}))
    assert state.bank[4] == 9
    assert is_legal(state, pair("black"))


@pytest.mark.parametrize("returns", ["any", "drawn"])
def test_s61_the_drawn_tokens_always_suffice(returns: str) -> None:
    states = played(TAKING, seats=3, returns=returns, token_limit=3, steps=200)
    owing_states = [state for state in states if state.phase == "return_tokens"]
    assert owing_states
    for state in owing_states:
        assert listed(state)
        assert state.drawn is not None
        assert sum(state.drawn) >= sum(state.player.tokens) - 3


def test_s61_buying_and_passing_never_call_for_a_return() -> None:
    for before, later in pairwise(played(seats=2, token_limit=8, steps=200)):
        if later.phase == "return_tokens":
            assert sum(later.player.tokens) > sum(before.player.tokens)
    assert after(full(), passing()).phase == "main"


def test_the_return_may_wait_for_its_phase() -> None:
    state = owing()
    assert (state.phase, state.to_act, state.turn) == ("return_tokens", 0, full().turn)
    assert state.drawn == (1, 1, 0, 1, 0, 0)
    later = after(state, give({"black": 3}))
    assert later == after(full(), take("white", "blue", "red", back={"black": 3}))
    assert later.drawn is None


def test_every_way_is_listed_once() -> None:
    ways, held = listed(owing()), owing().player.tokens
    assert {action.type for action in ways} == {"return_tokens"}
    assert len(set(ways)) == len(ways)
    assert all(sum(action.returned) == 3 for action in ways)
    assert all(back <= have for way in ways for back, have in zip(way.returned, held, strict=True))
    assert (ways[0], ways[-1]) == (give({"white": 3}), give({"black": 3}))
    assert held == (4, 2, 1, 3, 3, 0)
    # Three of five colours: 35 ways, without 3 blue, and without 2 green and any other or 3 green.
    assert len(ways) == 35 - 1 - 5


def test_every_whole_turn_is_listed() -> None:
    whole: list[Any] = list(SPLENDOR.rules.turns(full(), None))
    wanted: Any = take("white", "blue", "red")
    turns = [each for each in whole if getattr(each, "colors", None) == wanted.colors]
    assert {each.returned for each in turns} == {each.returned for each in listed(owing())}


def test_what_is_told() -> None:
    assert kinds(full(), take("white", "blue", "red")) == ["tokens_taken", "return_owed"]
    action = take("white", "blue", "red", back={"black": 3})
    assert kinds(full(), action) == ["tokens_taken", "tokens_returned", "turn_ended"]
    assert events(owing(), give({"black": 3}))[0] == {
        "type": "tokens_returned",
        "seat": 0,
        "tokens": {"white": 0, "blue": 0, "green": 0, "red": 0, "black": 3, "gold": 0},
    }
