"""What happened in a session, made again from its first state and its history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from splendor_api.games.protocol import Step
from splendor_api.games.registry import Entry as GameEntry
from splendor_api.sessions.stored import Entry, Setup, loaded


@dataclass(frozen=True, slots=True)
class Moment:
    """One version: the commit that made it, the state then, and the step, if it was one."""

    entry: Entry
    state: Any
    step: Step[Any, Any] | None


def first_state(game: GameEntry, setup: Setup) -> Any:
    """Return the state that a session began with."""
    if setup.initial is not None:
        return loaded(game.wire.state, setup.initial)
    assert setup.seed is not None, "a session is dealt or given"
    return game.rules.deal(setup.seats, setup.ruleset, setup.options, setup.seed)


def timeline(game: GameEntry, setup: Setup, history: Sequence[Entry]) -> Iterator[Moment]:
    """Yield every version in order; `history` is whole, from the creation on."""
    state = first_state(game, setup)
    states: dict[int, Any] = {}
    for entry in history:
        step = None
        if entry.kind == "action":
            step = game.rules.apply(state, loaded(game.wire.action, entry.details["action"]))
            state = step.state
        elif entry.kind == "undone":
            state = states[entry.details["to"]]
        states[entry.version.number] = state
        yield Moment(entry, state, step)
