"""Resign: a seat leaves the game; no rules text has it, every service needs it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from splendor_api.games.splendor.state import State
from splendor_api.games.violations import WRONG_SEAT, Violation


@dataclass(frozen=True, slots=True)
class Resign:
    """The seat that leaves; `timeout` if it was made to."""

    type: ClassVar[str] = "resign"
    seat: int
    timeout: bool = False


def violations(state: State, action: Resign) -> Iterator[Violation]:
    """Yield what forbids the seat to resign: it is not there, or not any more."""
    if action.seat >= len(state.players) or state.players[action.seat].resigned:
        yield WRONG_SEAT.at("/seat", seat=action.seat, to_act=state.to_act)
