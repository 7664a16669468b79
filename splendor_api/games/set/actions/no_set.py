"""Say that there is no set (T36 to T39)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from splendor_api.games.set.actions.effect import Effect
from splendor_api.games.set.components import CERTAIN
from splendor_api.games.set.events import NoSetSaid
from splendor_api.games.set.state import State, cards_on
from splendor_api.games.set.violations import NO_SET_OFF, NO_SET_REPEATED, SET_CERTAIN
from splendor_api.games.violations import WRONG_PHASE, Violation


@dataclass(frozen=True, slots=True)
class NoSet:
    """The seat that sees none."""

    type: ClassVar[str] = "no_set"
    seat: int


def violations(state: State, action: NoSet) -> Iterator[Violation]:
    """Yield what forbids a seat that may act to say so."""
    options = state.options
    if state.phase != "open":
        yield WRONG_PHASE.at("/type", phase=state.phase, expected="open")
        return
    if options.extra_cards != "agreed" or (state.is_solo and options.solo_no_set == "lose"):
        yield NO_SET_OFF.at("/type")
        return
    if action.seat in state.no_set:
        yield NO_SET_REPEATED.at("/seat")
    cards = len(cards_on(state.table))
    if cards >= CERTAIN[options.deck]:
        yield SET_CERTAIN.at("/type", cards=cards)


def effect(state: State, action: NoSet) -> Effect:
    """Note the saying; what follows from it, `play` sees to."""
    return Effect(state._replace(no_set=(*state.no_set, action.seat)), (NoSetSaid(action.seat),))
