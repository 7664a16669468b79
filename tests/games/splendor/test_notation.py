"""The spelling of every action of Splendor."""

from __future__ import annotations

import pytest

from splendor_api.games.notation import NotationError, read_action
from splendor_api.games.splendor.actions import (
    ACTIONS,
    Action,
    Buy,
    ChooseNoble,
    Pass,
    Reserve,
    Resign,
    ReturnTokens,
    Reveal,
    TakeDifferent,
    TakeSame,
)
from splendor_api.games.splendor.notation import SPLENDOR_NOTATION
from splendor_api.games.splendor.tokens import Color

WHITE, BLUE, GREEN, RED, BLACK, GOLD = Color

SPELLINGS: dict[str, Action] = {
    "+wug": TakeDifferent((WHITE, BLUE, GREEN)),
    "+gw": TakeDifferent((GREEN, WHITE)),
    "+ww": TakeDifferent((WHITE, WHITE)),
    "+wug-2rk": TakeDifferent((WHITE, BLUE, GREEN), (0, 0, 0, 2, 1, 0)),
    "+wug-oN3": TakeDifferent((WHITE, BLUE, GREEN), (0, 0, 0, 0, 0, 1), 3),
    "+wug-0": TakeDifferent((WHITE, BLUE, GREEN), (0, 0, 0, 0, 0, 0)),
    "1:+k": TakeDifferent((BLACK,), seat=1),
    "+2r": TakeSame(RED),
    "+2r-w2r": TakeSame(RED, (1, 0, 0, 2, 0, 0)),
    "R44": Reserve(card=44),
    "R44-u": Reserve(card=44, returned=(0, 1, 0, 0, 0, 0)),
    "R?2": Reserve(level=2),
    "3:R?2-oN10": Reserve(level=2, returned=(0, 0, 0, 0, 0, 1), noble=10, seat=3),
    "B17": Buy(17),
    "B17(2wk)": Buy(17, (2, 0, 0, 0, 1, 0)),
    "B17(0)": Buy(17, (0, 0, 0, 0, 0, 0)),
    "B17(12wo)N3": Buy(17, (12, 0, 0, 0, 0, 1), 3),
    "B90N1": Buy(90, noble=1),
    "P": Pass(),
    "2:PN4": Pass(4, 2),
    "-2rk": ReturnTokens((0, 0, 0, 2, 1, 0)),
    "-oN2": ReturnTokens((0, 0, 0, 0, 0, 1), 2),
    "N7": ChooseNoble(7),
    "V2.0=44": Reveal(2, 0, 44),
    "0:X": Resign(0),
    "3:X!": Resign(3, timeout=True),
}


@pytest.mark.parametrize(("text", "action"), SPELLINGS.items())
def test_an_action_has_one_spelling(text: str, action: Action) -> None:
    assert SPLENDOR_NOTATION.write(action) == text
    assert read_action(SPLENDOR_NOTATION, text) == action


def test_every_type_of_action_has_a_spelling() -> None:
    assert {action.type for action in SPELLINGS.values()} == {kind.type for kind in ACTIONS}


@pytest.mark.parametrize(
    ("text", "spelling"),
    [("-1r1k", "-rk"), ("-kr", "-rk"), ("B3(k2w)", "B3(2wk)"), (" +wug\n", "+wug")],
)
def test_other_spellings_are_read(text: str, spelling: str) -> None:
    assert SPLENDOR_NOTATION.write(read_action(SPLENDOR_NOTATION, text)) == spelling


@pytest.mark.parametrize(
    ("text", "position", "expected", "found"),
    [
        ("", 0, ('"+"', '"R"', '"B"', '"-"', '"N"', '"V"', '"P"', '"X"'), None),
        ("wug", 0, None, "wug"),
        ("+", 1, ("gem",), None),
        ("+o", 1, ("gem",), "o"),
        ("+2", 2, ("gem",), None),
        ("+wugrkw", 6, ("end",), "w"),
        ("+wx", 2, ("end",), "x"),
        ("R91", 1, ("card 1..90",), "91"),
        ("R0", 1, ("card 1..90",), "0"),
        ("R?4", 2, ("level 1..3",), "4"),
        ("B", 1, ("card 1..90",), None),
        ("B1234567890123", 1, ("card 1..90",), "1234567890123"),
        ("B17(2w", 6, ('")"',), None),
        ("B17()", 4, ("color",), ")"),
        ("-ww", 2, ("color",), "w"),
        ("-0w", 2, ("end",), "w"),
        ("-101w", 1, ("count 1..100",), "101w"),
        ("-2", 2, ("color",), None),
        ("PN11", 2, ("noble 1..10",), "11"),
        ("V1.4=3", 3, ("slot 0..3",), "4=3"),
        ("V1-4", 2, ('"."',), "-4"),
        ("4:P", 0, ("seat 0..3",), "4:P"),
        ("1+wug", 1, ('":"',), "+wug"),
        ("X", 0, ("seat",), "X"),
        ("0:X!!", 4, ("end",), "!"),
        ("٣:P", 0, None, "٣:P"),
    ],
)
def test_a_misspelling_is_found_where_it_is(
    text: str, position: int, expected: tuple[str, ...] | None, found: str | None
) -> None:
    with pytest.raises(NotationError) as refused:
        read_action(SPLENDOR_NOTATION, text)
    error = refused.value
    assert (error.position, error.found) == (position, found)
    assert error.expected
    assert expected is None or error.expected == expected
