"""Pass (S19 to S21)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from splendor_api.games.splendor.actions import buy, reserve, take_different, take_same
from splendor_api.games.splendor.actions.effect import Effect, unchanged
from splendor_api.games.splendor.events import Passed
from splendor_api.games.splendor.state import Player, State
from splendor_api.games.splendor.violations import PASS_NOT_ALLOWED
from splendor_api.games.violations import Violation


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing in this turn."""

    type: ClassVar[str] = "pass"
    returned: ClassVar[None] = None
    noble: int | None = None
    seat: int | None = None


PLAIN = Pass()


def legal(state: State) -> list[Pass]:
    """Return the one way to pass, if passing is allowed."""
    return [] if any(violations(state, PLAIN)) else [PLAIN]


def violations(state: State, _: Pass) -> Iterator[Violation]:
    """Yield what forbids the seat to act to pass (S19, S20)."""
    passing = state.options.passing
    if passing == "never" or (passing == "when_stuck" and not is_stuck(state, state.player)):
        yield PASS_NOT_ALLOWED.at("/type")


def effect(state: State, _: Pass) -> Effect:
    """Change nothing."""
    return unchanged(state, Passed(state.seat))


def is_stuck(state: State, player: Player) -> bool:
    """Return whether `player`, were it to act, would have no legal action but to pass (S19)."""
    return not (
        take_different.legal(state)
        or take_same.legal(state)
        or reserve.legal(state, player)
        or buy.legal(state, player)
    )
