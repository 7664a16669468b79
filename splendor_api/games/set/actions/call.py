"""Call, and have the cards to oneself (T13 to T15, T18)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from splendor_api.games.set.actions.effect import Effect
from splendor_api.games.set.events import SetCalled
from splendor_api.games.set.state import State
from splendor_api.games.set.violations import CALLS_OFF
from splendor_api.games.violations import WRONG_PHASE, Violation


@dataclass(frozen=True, slots=True)
class Call:
    """The seat that calls."""

    type: ClassVar[str] = "call"
    seat: int


def violations(state: State, _: Call) -> Iterator[Violation]:
    """Yield what forbids a seat that may act to call."""
    if state.options.caller_window == "none":
        yield CALLS_OFF.at("/type")
    elif state.phase != "open":
        yield WRONG_PHASE.at("/type", phase=state.phase, expected="open")


def effect(state: State, action: Call) -> Effect:
    """Give the seat control."""
    called = state._replace(phase="called", to_act=action.seat)
    return Effect(called, (SetCalled(action.seat),))
