"""Choose which noble comes, where several could (S62 to S67)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from splendor_api.games.splendor.actions.effect import Effect, unchanged
from splendor_api.games.splendor.state import State, eligible_nobles
from splendor_api.games.splendor.violations import NOBLE_NOT_ELIGIBLE
from splendor_api.games.violations import Violation


@dataclass(frozen=True, slots=True)
class ChooseNoble:
    """The noble that comes, in the phase that asks for it."""

    type: ClassVar[str] = "choose_noble"
    returned: ClassVar[None] = None
    noble: int
    seat: int | None = None


def violations(noble: int, eligible: tuple[int, ...]) -> Iterator[Violation]:
    """Yield what is wrong with the choice, where `eligible` could come (S66)."""
    if noble not in eligible:
        yield NOBLE_NOT_ELIGIBLE.at("/noble", noble=noble, eligible=list(eligible))


def legal(state: State) -> list[ChooseNoble]:
    """Return every noble that the seat to act may choose."""
    return list(map(ChooseNoble, eligible_nobles(state.nobles, state.player.bonuses)))


def effect(state: State, _: ChooseNoble) -> Effect:
    """Change nothing by itself: the visit is a duty of the turn."""
    return unchanged(state)
