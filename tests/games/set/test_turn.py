"""Who may do what, and what is listed of it (T13 to T22, T47)."""

from __future__ import annotations

from math import comb
from typing import Any

import pytest

from splendor_api.games import referee
from splendor_api.games.set.actions import Action, Call, Claim, Forfeit, NoSet, Resign
from tests.games.set.table import (
    AGREED,
    SET,
    after,
    claim,
    codes,
    dealt,
    everything,
    kinds,
    laid,
    last,
    right,
)

TWELVE = range(1, 13)
THREES = comb(12, 3)


def choices(**options: Any) -> list[Action]:
    return list(SET.rules.choices(dealt(2, **options), None))


def listed(
    state: Any, seat: int | None, *, illegal: bool = False
) -> list[tuple[Action, list[str]]]:
    """Return the choices, with the codes of what forbids them."""
    found = referee.legal_actions(SET.rules, state, seat, include_illegal=illegal)
    assert not isinstance(found, referee.Refusal)
    return [(each.action, [broken.code.name for broken in each.violations]) for each in found]


def test_t13_while_nobody_has_called_every_seat_may_act() -> None:
    state = dealt(3)
    assert SET.rules.acting(state) == (0, 1, 2)
    assert SET.rules.to_act(state) is None


def test_t14_then_only_the_caller_may() -> None:
    state = after(dealt(3), Call(1))
    assert SET.rules.acting(state) == (1,)
    assert SET.rules.to_act(state) == 1


def test_t22_at_the_end_nobody_may() -> None:
    end = last(dealt(3))
    assert SET.rules.acting(end) == ()
    assert SET.rules.to_act(end) is None
    assert listed(end, None, illegal=True) == []
    for action in everything(0, 1, 2, 3):
        assert codes(end, action) == ["game_over"]


def test_t22_what_is_illegal_changes_nothing() -> None:
    state = after(dealt(3), Call(1))
    for action in (*everything(0, 1, 2, 3)[:-1], Call(1), NoSet(1), claim(1, 1, 1, 2), Resign(9)):
        assert isinstance(referee.apply(SET.rules, state, action), referee.Refusal)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [Call(0), Call(1)]),
        ({"caller_window": "none"}, []),
        (AGREED, [Call(0), NoSet(0), Call(1), NoSet(1)]),
        ({**AGREED, "caller_window": "none"}, [NoSet(0), NoSet(1)]),
    ],
)
def test_t18_t36_the_choices_follow_the_options(options: Any, expected: list[Action]) -> None:
    assert choices(**options) == expected


def test_t15_the_choices_of_a_caller() -> None:
    state = after(laid(TWELVE, **AGREED), Call(1))
    assert listed(state, None) == [(Forfeit(1), [])]
    assert listed(state, 0) == []
    assert len(list(SET.rules.turns(state, None))) == 1 + THREES


def test_t21_the_turns_have_every_three_cards_for_every_seat() -> None:
    state = dealt(3)
    turns = list(SET.rules.turns(state, None))
    assert len(turns) == 3 * (1 + THREES)
    assert len(set(turns)) == len(turns)
    assert list(SET.rules.turns(state, 2)) == [turn for turn in turns if turn.seat == 2]


def test_t18_without_a_window_the_turns_are_claims_alone() -> None:
    turns = list(SET.rules.turns(dealt(2, caller_window="none"), 1))
    assert len(turns) == THREES
    assert all(isinstance(turn, Claim) for turn in turns)


def test_what_is_shown_disabled_says_why() -> None:
    assert listed(after(dealt(2), Call(1)), None, illegal=True) == [
        (Forfeit(1), []),
        (Call(0), ["wrong_seat"]),
        (Forfeit(0), ["wrong_seat"]),
        (NoSet(0), ["wrong_seat"]),
        (Call(1), ["wrong_phase"]),
        (NoSet(1), ["wrong_phase"]),
    ]
    assert listed(dealt(2), 0, illegal=True) == [
        (Call(0), []),
        (Forfeit(0), ["not_called"]),
        (NoSet(0), ["no_set_off"]),
    ]


def test_t24_a_preview_says_what_is_at_risk() -> None:
    state = dealt(2, penalty=3)
    for action in (Call(0), right(state)):
        assert SET.rules.preview(state, action) == {"penalty": 3}


def test_t36_a_preview_says_who_else_must_say_so() -> None:
    state = after(laid(TWELVE, seats=4, **AGREED), NoSet(1), Resign(3))
    assert SET.rules.preview(state, NoSet(0)) == {"penalty": 0, "waiting_for": [2]}


def test_t12_cards_have_one_spelling() -> None:
    state = dealt()
    assert SET.rules.normal(state, claim(1, 9, 3, 5)) == claim(1, 3, 5, 9)
    assert SET.rules.normal(state, Call(1)) == Call(1)


def test_t19_what_is_overdue_is_a_call() -> None:
    called = after(dealt(), Call(1))
    assert SET.rules.overdue(called) == Forfeit(1)
    assert kinds(called, SET.rules.overdue(called)) == ["call_forfeited"]
    with pytest.raises(AssertionError, match="called"):
        SET.rules.overdue(dealt())


def test_t20_of_actions_in_a_row_the_first_counts() -> None:
    state = dealt(4)
    verdict = referee.replay(SET.rules, state, [Call(2), Call(0)])
    assert isinstance(verdict, referee.Refusal)
    assert verdict.index == 1
    assert [violation.code.name for violation in verdict.violations] == ["wrong_seat"]
