"""Resign: a seat leaves the game; no rules text has it, every service needs it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from splendor_api.games.set.actions.effect import Effect
from splendor_api.games.set.events import Resigned
from splendor_api.games.set.state import State, with_player


@dataclass(frozen=True, slots=True)
class Resign:
    """The seat that leaves; `timeout` if it was made to."""

    type: ClassVar[str] = "resign"
    seat: int
    timeout: bool = False


def effect(state: State, action: Resign) -> Effect:
    """Take the seat out of the game: its call, if it has one, and its saying lapse."""
    resigned = state.players[action.seat]._replace(resigned=True)
    left = with_player(state, action.seat, resigned)._replace(
        no_set=tuple(seat for seat in state.no_set if seat != action.seat)
    )
    if state.to_act == action.seat:
        left = left._replace(phase="open", to_act=None)
    return Effect(left, (Resigned(action.seat, action.timeout),))
