from __future__ import annotations

from splendor_api.games.set.actions import Resign
from splendor_api.games.set.events import Resigned
from tests.games.set.table import SET, after, codes, dealt, everything, right, step


def test_any_seat_may_resign_at_any_time_but_after_the_end() -> None:
    state = dealt(3)
    assert step(state, Resign(2)).events == (Resigned(2, timeout=False),)
    over = after(state, Resign(0), Resign(1))
    assert codes(over, Resign(2)) == ["game_over"]


def test_a_seat_resigns_once_and_does_nothing_after_that() -> None:
    state = after(dealt(3), Resign(1, timeout=True))
    for action in everything(1, *right(state).cards):
        assert codes(state, action) == ["wrong_seat"]
    assert SET.rules.seats_left(state) == (0, 2)
    assert SET.rules.acting(state) == (0, 2)


def test_the_last_seat_wins_whatever_its_score() -> None:
    state = dealt(3)
    state = after(state, right(state, 0))
    state = after(state, Resign(0), Resign(2))
    assert state.outcome is not None
    assert (state.outcome.reason, state.outcome.winners) == ("resigned", (1,))
    ranked = [(each.seat, each.rank, each.score) for each in state.outcome.ranking]
    assert ranked == [(1, 1, 0), (0, 2, 1), (2, 3, 0)]


def test_a_seat_alone_that_resigns_wins_nothing() -> None:
    state = after(dealt(1), Resign(0))
    assert state.outcome is not None
    assert (state.outcome.reason, state.outcome.winners) == ("resigned", ())


def test_what_is_asked_for_by_whoever_ends_a_game() -> None:
    assert SET.rules.resign(1, True) == Resign(1, timeout=True)
