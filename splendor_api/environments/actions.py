"""Every action of Splendor under a number of its own, the same in every state.

A number names a place, not a card: slot 2 of level 1 stays 27 whatever lies there. So an agent's
last layer has one output for each number, and a mask says which of them are legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from splendor_api.games.splendor import turn
from splendor_api.games.splendor.actions import (
    Action,
    Buy,
    ChooseNoble,
    Pass,
    Reserve,
    return_tokens,
    take_different,
    take_same,
)
from splendor_api.games.splendor.components import CARDS, LEVELS, NOBLES, SLOTS
from splendor_api.games.splendor.state import Player, State, place_of

HAND: Final = 3  # places of a hand that have numbers


class Group(NamedTuple):
    """Numbers of one type of action: from `first` on, so many, in an order that `what` tells."""

    type: str
    first: int
    size: int
    what: str


_RETURNS: Final = tuple(action for action in return_tokens.PLAIN.values() if any(action.returned))
_PLACES: Final = tuple((level, slot) for level in LEVELS for slot in range(SLOTS))


def _groups() -> Iterator[Group]:
    first = 0
    for type_, size, what in (
        ("take_different", len(take_different.CANDIDATES), "one colour, then two, then three"),
        ("take_same", len(take_same.CANDIDATES), "by colour"),
        ("reserve", len(_PLACES), "face up, by level, then by slot"),
        ("reserve", len(LEVELS), "the top of a deck, by level"),
        ("buy", len(_PLACES), "face up, by level, then by slot; paid with the fewest gold tokens"),
        ("buy", HAND, "from the hand, by place"),
        ("return_tokens", len(_RETURNS), "one token, then two, then three; by colours"),
        ("choose_noble", len(NOBLES), "by id"),
        ("pass", 1, ""),
    ):
        yield Group(type_, first, size, what)
        first += size


GROUPS: Final = tuple(_groups())
COUNT: Final = GROUPS[-1].first + GROUPS[-1].size

(
    _DIFFERENT,
    _SAME,
    _RESERVE,
    _DRAW,
    _BUY,
    _BUY_HELD,
    _RETURN,
    _NOBLE,
    _PASS,
) = (group.first for group in GROUPS)

_FIXED: Final[Mapping[Action, int]] = {
    **{action: _DIFFERENT + place for place, action in enumerate(take_different.CANDIDATES)},
    **{action: _SAME + place for place, action in enumerate(take_same.CANDIDATES)},
    **{Reserve(level=level): _DRAW + place for place, level in enumerate(LEVELS)},
    **{action: _RETURN + place for place, action in enumerate(_RETURNS)},
    **{ChooseNoble(noble): _NOBLE + place for place, noble in enumerate(sorted(NOBLES))},
    Pass(): _PASS,
}
"""The numbers of actions that name no card."""


def numbered(state: State) -> dict[int, Action]:
    """Return the choices of the seat to act by their numbers, ascending."""
    player = state.player
    numbers = {_number(state, player, action): action for action in turn.choices(state, None)}
    return dict(sorted(numbers.items()))


def _number(state: State, player: Player, action: Action) -> int:
    """Return the number of a choice of `player`, who is to act."""
    match action:
        case Reserve(card=int(card)):
            return _RESERVE + _place(state, card)
        case Buy(card=card):
            if place_of(state.market, card) is not None:
                return _BUY + _place(state, card)
            held = [each.card for each in player.reserved]
            return _BUY_HELD + held.index(card)
        case _:
            return _FIXED[action]


def _place(state: State, card: int) -> int:
    """Return the place of a face-up card among all slots."""
    level = CARDS[card].level
    return SLOTS * (level - 1) + state.market[level - 1].index(card)
