from __future__ import annotations

import pytest

from splendor_api.games.set.actions import Call, Forfeit
from splendor_api.games.set.events import CallForfeited
from tests.games.set.table import SET, after, codes, dealt, step


@pytest.mark.parametrize("penalty", range(4))
def test_t19_t24_a_forfeited_call_costs_the_penalty(penalty: int) -> None:
    called = after(dealt(2, penalty=penalty), Call(1))
    made = step(called, Forfeit(1))
    assert made.events == (CallForfeited(1),)
    assert made.state.players[1] == ((), 1, -penalty, False)
    assert (made.state.phase, made.state.to_act, made.state.turn) == ("open", None, 1)
    assert made.state.table == called.table


def test_t19_only_the_caller_can_forfeit() -> None:
    state = dealt(2)
    assert codes(state, Forfeit(0)) == ["not_called"]
    assert codes(after(state, Call(0)), Forfeit(1)) == ["wrong_seat"]


def test_t19_what_takes_too_long_is_forfeited() -> None:
    called = after(dealt(2), Call(1))
    assert SET.rules.overdue(called) == Forfeit(1)
    assert SET.rules.time_limit == "call_seconds"
