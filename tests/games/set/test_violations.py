"""Every violation, provoked by one action."""

from __future__ import annotations

import pytest

from splendor_api.games.set.actions import Action, Call, Forfeit, NoSet
from splendor_api.games.set.state import State
from splendor_api.games.set.violations import CODES, FINDINGS
from tests.games.set.table import AGREED, after, broken, claim, codes, dealt, laid, last

TWELVE = range(1, 13)

BREAKING: dict[str, tuple[State, Action]] = {
    "game_over": (last(dealt()), Call(0)),
    "wrong_seat": (after(dealt(), Call(0)), Call(1)),
    "wrong_phase": (after(dealt(), Call(0)), Call(0)),
    "card_not_on_table": (laid(TWELVE), claim(0, 1, 2, 13)),
    "duplicate_card": (laid(TWELVE), claim(0, 1, 2, 2)),
    "not_called": (dealt(), Forfeit(0)),
    "calls_off": (dealt(caller_window="none"), Call(0)),
    "no_set_off": (dealt(), NoSet(0)),
    "no_set_repeated": (after(laid(TWELVE, **AGREED), NoSet(0)), NoSet(0)),
    "set_certain": (dealt(deck="quick", **AGREED), NoSet(0)),
}


@pytest.mark.parametrize("code", BREAKING)
def test_t22_a_code_is_provoked(code: str) -> None:
    assert codes(*BREAKING[code]) == [code]


def test_every_code_is_provoked() -> None:
    assert [code.name for code in CODES] == list(BREAKING)


def test_all_that_applies_is_reported_in_the_order_of_the_table() -> None:
    assert codes(laid(TWELVE), claim(0, 13, 5, 5)) == ["card_not_on_table", "duplicate_card"]
    assert [violation.pointer for violation in broken(laid(TWELVE), claim(0, 13, 14, 5))] == [
        "/action/cards/0",
        "/action/cards/1",
    ]


def test_what_the_end_and_the_seat_forbid_stands_alone() -> None:
    assert codes(last(dealt()), claim(9, 1, 1, 1)) == ["game_over"]
    assert codes(after(dealt(), Call(0)), claim(1, 1, 1, 1)) == ["wrong_seat"]
    off = dealt(caller_window="none")
    assert codes(off, Forfeit(0)) == ["calls_off"]
    assert codes(off, Forfeit(5)) == ["wrong_seat"]


def test_a_sentence_names_what_happened() -> None:
    for state, action in BREAKING.values():
        for violation in broken(state, action):
            sentence = violation.code.says.format_map(violation.params)
            assert sentence.endswith(".")
            assert "{" not in sentence


def test_every_code_says_when_it_occurs() -> None:
    for code in (*CODES, *FINDINGS):
        assert code.means.endswith(".")
        assert code.says.endswith(".")


def test_no_name_stands_twice() -> None:
    names = [code.name for code in (*CODES, *FINDINGS)]
    assert len(set(names)) == len(names)
