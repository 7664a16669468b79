"""What an action does by itself, before the table is settled."""

from __future__ import annotations

from typing import NamedTuple

from splendor_api.games.set.events import Event
from splendor_api.games.set.state import State


class Effect(NamedTuple):
    """The state after the action, not settled yet, and what happened so far."""

    state: State
    events: tuple[Event, ...]


def decided(state: State) -> State:
    """Return the state after a call is decided, one way or the other (T25)."""
    return state._replace(turn=state.turn + 1, phase="open", to_act=None)
