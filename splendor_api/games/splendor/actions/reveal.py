"""Tell which card lies in a slot, where decks are only counted: a game with cards on a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from splendor_api.games.splendor.actions.effect import Effect, unchanged
from splendor_api.games.splendor.components import CARDS, CARDS_OF_LEVEL, LEVELS
from splendor_api.games.splendor.events import CardRevealed, Place
from splendor_api.games.splendor.state import (
    State,
    cards_in_play,
    owed_reveals,
    with_slot,
)
from splendor_api.games.splendor.violations import CARD_NOT_POSSIBLE, REVEAL_NOT_OWED
from splendor_api.games.violations import Violation


@dataclass(frozen=True, slots=True)
class Reveal:
    """The card that now lies in a slot."""

    type: ClassVar[str] = "reveal"
    returned: ClassVar[None] = None
    noble: ClassVar[None] = None
    level: int
    slot: int
    card: int
    seat: int | None = None


def legal(state: State) -> list[Reveal]:
    """Return every card that could lie in every slot that owes one."""
    in_play = cards_in_play(state)
    possible = {level: sorted(CARDS_OF_LEVEL[level] - in_play) for level in LEVELS}
    return [
        Reveal(level, slot, card)
        for level, slot in owed_reveals(state.market)
        for card in possible[level]
    ]


def violations(state: State, action: Reveal) -> Iterator[Violation]:
    """Yield everything that forbids `action`; pointers start at the action."""
    if Place(action.level, action.slot) not in owed_reveals(state.market):
        yield REVEAL_NOT_OWED.at("/slot", level=action.level, slot=action.slot)
    if CARDS[action.card].level != action.level or action.card in cards_in_play(state):
        yield CARD_NOT_POSSIBLE.at("/card", card=action.card)


def effect(state: State, action: Reveal) -> Effect:
    """Lay the card into its slot; `action` must be legal."""
    place = Place(action.level, action.slot)
    told = CardRevealed(action.level, action.slot, action.card)
    return unchanged(state, told)._replace(market=with_slot(state.market, place, action.card))
