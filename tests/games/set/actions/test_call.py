from __future__ import annotations

import pytest

from splendor_api.games.set.actions import Call, Forfeit, NoSet, Resign
from splendor_api.games.set.events import SetCalled
from splendor_api.games.set.state import State
from tests.games.set.table import (
    AGREED,
    SET,
    after,
    codes,
    dealt,
    everything,
    right,
    step,
    wrong,
)

SEATS = range(3)


@pytest.fixture
def called() -> State:
    """Return a game in which seat 1 has called."""
    return after(dealt(3, **AGREED), Call(1))


@pytest.mark.parametrize("seat", SEATS)
def test_t13_while_nobody_has_called_any_seat_may(seat: int) -> None:
    state = dealt(3, **AGREED)
    assert SET.rules.acting(state) == (0, 1, 2)
    assert SET.rules.to_act(state) is None
    for action in (Call(seat), right(state, seat), NoSet(seat)):
        assert codes(state, action) == []


def test_t14_a_call_gives_control() -> None:
    state = dealt(3)
    made = step(state, Call(2))
    assert made.events == (SetCalled(2),)
    assert made.state == state._replace(phase="called", to_act=2)
    assert SET.rules.acting(made.state) == (2,)


@pytest.mark.parametrize("seat", [0, 2])
def test_t14_no_other_seat_may_do_anything(called: State, seat: int) -> None:
    *actions, resign = everything(seat, *right(called).cards)
    for action in actions:
        assert codes(called, action) == ["wrong_seat"]
    assert codes(called, resign) == []


def test_t15_the_caller_must_pick(called: State) -> None:
    assert codes(called, Call(1)) == ["wrong_phase"]
    assert codes(called, NoSet(1)) == ["wrong_phase"]
    assert codes(called, right(called, 1)) == []
    assert codes(called, Forfeit(1)) == []
    assert SET.rules.choices(called, None) == [Forfeit(1)]


def test_t16_one_set_is_picked_for_one_call(called: State) -> None:
    picked = after(called, right(called, 1))
    assert (picked.phase, picked.to_act, picked.turn) == ("open", None, 1)
    assert SET.rules.acting(picked) == (0, 1, 2)
    assert codes(picked, Forfeit(1)) == ["not_called"]


def test_t18_without_a_window_there_is_no_call() -> None:
    state = dealt(3, caller_window="none")
    assert codes(state, Call(0)) == ["calls_off"]
    assert codes(state, Forfeit(0)) == ["calls_off"]
    assert codes(state, right(state)) == []
    assert SET.rules.choices(state, None) == []
    assert SET.rules.acting(state) == (0, 1, 2)


def test_t20_later_calls_meet_what_the_first_one_left() -> None:
    state = after(dealt(3), Call(0))
    assert codes(state, Call(1)) == ["wrong_seat"]
    picked = after(state, wrong(state, 0))
    assert codes(picked, Call(1)) == []


def test_t25_the_same_seat_may_call_again(called: State) -> None:
    failed = after(called, wrong(called, 1))
    assert (failed.phase, failed.table) == ("open", called.table)
    assert after(failed, Call(1)).to_act == 1


def test_a_call_lapses_when_the_caller_resigns(called: State) -> None:
    left = after(called, Resign(1))
    assert (left.phase, left.to_act, left.turn) == ("open", None, 0)
    assert left.players[1] == (*called.players[1][:3], True)
    assert SET.rules.acting(left) == (0, 2)


def test_a_call_stands_when_another_seat_resigns(called: State) -> None:
    left = after(called, Resign(0))
    assert (left.phase, left.to_act) == ("called", 1)
    assert codes(left, right(left, 1)) == []


def test_a_call_ends_when_only_the_caller_is_left(called: State) -> None:
    left = after(called, Resign(0), Resign(2))
    assert (left.phase, left.to_act) == ("over", None)
    assert left.outcome is not None
    assert (left.outcome.reason, left.outcome.winners) == ("resigned", (1,))
