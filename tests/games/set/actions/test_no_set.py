from __future__ import annotations

import pytest

from splendor_api.games.set.actions import Call, Forfeit, NoSet, Resign
from splendor_api.games.set.components import CERTAIN
from splendor_api.games.set.events import CardsDealt, NoSetSaid
from splendor_api.games.set.state import State
from tests.games.set.table import (
    AGREED,
    SET,
    after,
    broken,
    claim,
    codes,
    dealt,
    kinds,
    laid,
    right,
    step,
    without_deck,
    wrong,
)

TWELVE = range(1, 13)


def said(*seats: int, state: State | None = None) -> State:
    """Return a game of three in which these seats see no set."""
    state = laid(TWELVE, top=(50, 60, 70), seats=3, **AGREED) if state is None else state
    return after(state, *map(NoSet, seats))


def test_t36_one_seat_alone_changes_nothing_but_its_saying() -> None:
    state = said()
    made = step(state, NoSet(1))
    assert made.events == (NoSetSaid(1),)
    assert made.state == state._replace(no_set=(1,))


def test_t36_when_every_seat_has_said_so_three_cards_come_set_or_not() -> None:
    state = said(2, 0)
    made = step(state, NoSet(1))
    assert made.events == (NoSetSaid(1), CardsDealt((12, 13, 14), (50, 60, 70)))
    assert made.state.table == (*TWELVE, 50, 60, 70)
    assert made.state.no_set == ()


def test_t36_a_seat_alone_decides_alone() -> None:
    state = laid(TWELVE, seats=1, **AGREED)
    assert kinds(state, NoSet(0)) == ["no_set_said", "cards_dealt"]


def test_t36_t32_it_is_off_where_cards_come_by_themselves() -> None:
    assert codes(dealt(2), NoSet(0)) == ["no_set_off"]


def test_t37_it_is_open_only_while_nobody_has_called() -> None:
    called = after(said(), Call(0))
    assert codes(called, NoSet(0)) == ["wrong_phase"]
    assert codes(called, NoSet(1)) == ["wrong_seat"]


def test_t37_it_is_said_only_once() -> None:
    (told,) = broken(said(1), NoSet(1))
    assert (told.code.name, told.pointer) == ("no_set_repeated", "/action/seat")


def test_t37_it_costs_nothing_and_a_seat_may_still_call() -> None:
    state = said(1)
    assert state.players[1] == ((), 0, 0, False)
    assert state.turn == 0
    assert codes(state, Call(1)) == []
    assert codes(state, claim(1, 1, 2, 3)) == []


def test_t37_a_failed_call_leaves_the_sayings() -> None:
    state = said(0, 1)
    assert after(state, wrong(state, 0)).no_set == (0, 1)
    assert after(state, Call(0), Forfeit(0)).no_set == (0, 1)


def test_t37_cards_taken_void_them() -> None:
    state = said(0, 1)
    assert after(state, right(state, 0)).no_set == ()
    without = said(0, 1, state=without_deck(TWELVE, seats=3, **AGREED))
    taken = after(without, claim(2, 1, 2, 3))
    assert (taken.no_set, taken.phase) == ((), "open")


@pytest.mark.parametrize(
    ("deck", "size", "cards"),
    [("full", 15, 21), ("full", 12, 21), ("quick", 9, 12), ("quick", 12, 12)],
)
def test_t38_it_is_illegal_where_a_set_is_certain(deck: str, size: int, cards: int) -> None:
    state = dealt(2, deck=deck, table_size=size, **AGREED)
    while len(state.table) < cards:
        state = after(state, NoSet(0), NoSet(1))
    assert cards >= CERTAIN[deck]
    (told,) = broken(state, NoSet(0))
    assert (told.code.name, told.pointer, told.params) == (
        "set_certain",
        "/action/type",
        {"cards": cards},
    )
    assert SET.rules.choices(state, 0) == [Call(0)]


def test_t38_below_that_it_is_legal() -> None:
    assert codes(laid(range(1, 19), **AGREED), NoSet(0)) == []
    assert codes(dealt(2, deck="quick", table_size=9, **AGREED), NoSet(0)) == []


def test_t39_without_a_deck_it_ends_the_game() -> None:
    state = said(0, 2, state=without_deck(TWELVE, seats=3, **AGREED))
    made = step(state, NoSet(1))
    assert [event.type for event in made.events] == ["no_set_said", "game_over"]
    assert made.state.phase == "over"
    assert made.state.outcome is not None
    assert made.state.outcome.reason == "agreed"
    assert made.state.outcome.winners == (0,)
    assert made.state.no_set == (0, 2, 1)


def test_t40_a_seat_that_would_lose_does_not_say_so() -> None:
    state = laid(TWELVE, seats=1, solo_no_set="lose", **AGREED)
    assert codes(state, NoSet(0)) == ["no_set_off"]
    two = laid(TWELVE, seats=2, solo_no_set="lose", **AGREED)
    assert codes(two, NoSet(0)) == []


def test_a_seat_that_resigns_is_not_waited_for() -> None:
    state = said(0, 2)
    made = step(state, Resign(1))
    assert [event.type for event in made.events] == ["resigned", "cards_dealt"]
    assert made.state.no_set == ()


def test_a_seat_that_resigns_takes_its_saying_along() -> None:
    state = after(said(0), Resign(0))
    assert state.no_set == ()


def test_cards_wait_while_a_seat_has_called() -> None:
    state = after(said(0, 2), Call(0), Resign(1))
    assert (state.phase, state.no_set) == ("called", (0, 2))
    failed = step(state, wrong(state, 0))
    assert [event.type for event in failed.events] == ["set_rejected", "cards_dealt"]
    won = step(state, claim(0, 1, 2, 3))
    assert [event.type for event in won.events] == ["set_claimed", "cards_dealt"]
    assert len(won.state.table) == 12
