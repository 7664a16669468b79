"""The spelling of every action of SET."""

from __future__ import annotations

import pytest

from splendor_api.games.notation import NotationError, read_action
from splendor_api.games.set.actions import ACTIONS, Action, Call, Claim, Forfeit, NoSet, Resign
from splendor_api.games.set.notation import SET_NOTATION

SPELLINGS: dict[str, Action] = {
    "0:C": Call(0),
    "2:S81.14.7": Claim(2, (81, 14, 7)),
    "1:S5.5.5": Claim(1, (5, 5, 5)),
    "0:F": Forfeit(0),
    "19:N": NoSet(19),
    "3:X": Resign(3),
    "3:X!": Resign(3, timeout=True),
}


@pytest.mark.parametrize(("text", "action"), SPELLINGS.items())
def test_an_action_has_one_spelling(text: str, action: Action) -> None:
    assert SET_NOTATION.write(action) == text
    assert read_action(SET_NOTATION, text) == action


def test_every_type_of_action_has_a_spelling() -> None:
    assert {action.type for action in SPELLINGS.values()} == {kind.type for kind in ACTIONS}


@pytest.mark.parametrize(
    ("text", "position", "expected", "found"),
    [
        ("C", 0, ("seat 0..19",), "C"),
        ("20:C", 0, ("seat 0..19",), "20:C"),
        ("0C", 1, ('":"',), "C"),
        ("0:", 2, ('"C"', '"S"', '"F"', '"N"', '"X"'), None),
        ("0:S", 3, ("card 1..81",), None),
        ("0:S82.1.2", 3, ("card 1..81",), "82.1.2"),
        ("0:S1.2", 6, ('"."',), None),
        ("0:S1.2.3.4", 8, ("end",), ".4"),
        ("0:C!", 3, ("end",), "!"),
    ],
)
def test_a_misspelling_is_found_where_it_is(
    text: str, position: int, expected: tuple[str, ...], found: str | None
) -> None:
    with pytest.raises(NotationError) as refused:
        read_action(SET_NOTATION, text)
    error = refused.value
    assert (error.position, error.expected, error.found) == (position, expected, found)
