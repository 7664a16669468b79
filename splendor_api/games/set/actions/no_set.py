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
    if state.phase != "open":
        yield WRONG_PHASE.at("/type", phase=state.phase, expected="open")
        return
    if is_off(state):
        yield NO_SET_OFF.at("/type")
        return
    if action.seat in state.no_set:
        yield NO_SET_REPEATED.at("/seat")
    if is_certain(state):
        yield SET_CERTAIN.at("/type", cards=len(cards_on(state.table)))


def is_off(state: State) -> bool:
    """Return whether nobody needs to say so in this game (T32, T40)."""
    return state.options.extra_cards != "agreed" or state.is_lost_without_set


def is_certain(state: State) -> bool:
    """Return whether the number of cards alone proves a set (T38)."""
    return len(cards_on(state.table)) >= CERTAIN[state.options.deck]


def effect(state: State, action: NoSet) -> Effect:
    """Note the saying; what follows from it, the table settles."""
    return Effect(state._replace(no_set=(*state.no_set, action.seat)), (NoSetSaid(action.seat),))
