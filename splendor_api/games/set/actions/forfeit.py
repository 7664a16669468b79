"""Give a call up: no set to show, or too much time taken (T19, T24)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from splendor_api.games.set.actions.effect import Effect, decided
from splendor_api.games.set.events import CallForfeited
from splendor_api.games.set.state import State, with_player
from splendor_api.games.set.violations import CALLS_OFF, NOT_CALLED
from splendor_api.games.violations import Violation


@dataclass(frozen=True, slots=True)
class Forfeit:
    """The seat that has called."""

    type: ClassVar[str] = "forfeit"
    seat: int


def violations(state: State, _: Forfeit) -> Iterator[Violation]:
    """Yield what forbids a seat that may act to forfeit (T22)."""
    if state.options.caller_window == "none":
        yield CALLS_OFF.at("/type")
    elif state.phase != "called":
        yield NOT_CALLED.at("/type")


def effect(state: State, action: Forfeit) -> Effect:
    """Take the penalty and free the cards."""
    player = state.players[action.seat]
    failed = player._replace(failed=player.failed + 1, score=player.score - state.options.penalty)
    return Effect(with_player(decided(state), action.seat, failed), (CallForfeited(action.seat),))
