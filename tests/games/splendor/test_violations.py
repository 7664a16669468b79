"""Every violation, provoked by one action."""

from __future__ import annotations

from typing import Any

import pytest

from splendor_api.games.splendor.actions import Action
from splendor_api.games.splendor.state import State
from splendor_api.games.splendor.violations import CODES, FINDINGS
from tests.games.splendor.table import (
    after,
    broken,
    buy,
    choose,
    counted,
    dealt,
    draw,
    give,
    pair,
    passing,
    reserve,
    resign,
    take,
    tell,
)


def able() -> State:
    """Return a state whose seat 0 can pay for card 20, with a gold more than it needs."""
    state = after(dealt(passing="always", gold_payment="needed_only"), take("white", "blue", "red"))
    return after(state, passing(), pair("black"), passing(), draw(2), passing())


def full(**options: Any) -> State:
    """Return a state whose seat 0 holds as many tokens as it may."""
    return after(dealt(token_limit=3, **options), take("white", "blue", "green"), pair("red"))


BREAKING: dict[str, tuple[State, Action]] = {
    "game_over": (after(dealt(), resign(0)), pair("red")),
    "wrong_seat": (dealt(), pair("red", seat=1)),
    "wrong_phase": (dealt(), choose(1)),
    "duplicate_color": (dealt(), take("red", "red", "blue")),
    "too_many_colors": (dealt(), take("white", "blue", "green", "red")),
    "too_few_colors": (dealt(), take("white", "blue")),
    "color_unavailable": (
        after(dealt(gems_per_color=1), take("white", "blue", "green")),
        take("white", "red"),
    ),
    "pile_too_small": (after(dealt(), pair("red")), pair("red")),
    "reserve_limit": (dealt(reserve_limit=0), draw(1)),
    "gold_unavailable": (
        after(dealt(gold_tokens=1, reserve_without_gold=False), draw(1)),
        draw(1),
    ),
    "card_not_available": (dealt(), buy(1)),
    "cannot_afford": (dealt(), buy(20)),
    "payment_not_owned": (
        able(),
        buy(20, payment={"white": 1, "blue": 1, "red": 1, "black": 1, "green": 1}),
    ),
    "payment_mismatch": (able(), buy(20, payment={})),
    "gold_not_needed": (able(), buy(20, payment={"white": 1, "blue": 1, "red": 1, "gold": 1})),
    "return_not_due": (dealt(), pair("red", back={})),
    "return_wrong_count": (full(), draw(1, back={})),
    "return_not_owned": (full(), draw(1, back={"black": 1})),
    "return_not_drawn": (full(returns="drawn"), draw(1, back={"white": 1})),
    "noble_not_eligible": (dealt(), pair("red", noble=1)),
    "noble_not_yet": (full(), draw(1, noble=1)),
    "pass_not_allowed": (dealt(), passing()),
    "reveal_not_owed": (after(counted(dealt()), reserve(22)), tell(2, 1, 70)),
    "card_not_possible": (after(counted(dealt()), reserve(22)), tell(1, 1, 22)),
}
ELSEWHERE = {"deck_empty"}
"""Provoked beside the action, in a state that takes a whole game to reach."""


@pytest.mark.parametrize("code", BREAKING)
def test_a_code_is_provoked(code: str) -> None:
    names = [violation.code.name for violation in broken(*BREAKING[code])]
    assert code in names


def test_every_code_is_provoked() -> None:
    assert [code.name for code in CODES if code.name not in ELSEWHERE] == list(BREAKING)


def test_a_sentence_names_what_happened() -> None:
    for state, action in BREAKING.values():
        for violation in broken(state, action):
            sentence = violation.code.says.format_map(violation.params)
            assert sentence.endswith(".")
            assert "{" not in violation.code.says.format_map(
                dict.fromkeys(violation.code.params, "")
            )


def test_every_code_says_when_it_occurs() -> None:
    for code in (*CODES, *FINDINGS):
        assert code.means.endswith(".")
        assert code.says.endswith(".")


def test_no_name_stands_twice() -> None:
    names = [code.name for code in (*CODES, *FINDINGS)]
    assert len(set(names)) == len(names)


def test_a_return_is_given_in_its_phase_too() -> None:
    state = after(full(), draw(1))
    assert [violation.pointer for violation in broken(state, give({}))] == ["/tokens"]
