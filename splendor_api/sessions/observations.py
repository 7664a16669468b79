"""What a role is told of a session: never a state or an event as it is, always as it is seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from splendor_api.games.protocol import Step
from splendor_api.games.registry import Entry as GameEntry
from splendor_api.sessions.stored import Json, Proposal, Setup, Version
from splendor_api.sessions.timeline import Moment, standing
from splendor_api.sessions.tokens import Role

RECORD_FORMAT = 1


class Seen(Protocol):
    """What an observation is made of: a session as it is, or as it was at a moment."""

    @property
    def version(self) -> Version:
        """Return the version."""

    @property
    def state(self) -> Any:
        """Return the whole state, of which a part is shown."""

    @property
    def taken(self) -> tuple[bool, ...]:
        """Return for each seat whether there is a token for it."""

    @property
    def spectators(self) -> bool:
        """Return whether anybody who knows the id may watch."""

    @property
    def undo(self) -> Proposal | None:
        """Return the proposal to take a turn back, if there is one."""

    @property
    def deadline_ms(self) -> int | None:
        """Return when the seat to act must have acted."""


def observation(game: GameEntry, session_id: str, setup: Setup, seen: Seen, role: Role) -> Json:
    """Return all that a role sees of the session."""
    state = seen.state
    left = game.rules.seats_left(state)
    told: Json = {
        "id": session_id,
        "game": game.rules.name,
        "version": str(seen.version),
        "seat": role.seat,
        "state": _state(game, state, role),
        "seats": [
            {"seat": seat, "taken": is_taken, "resigned": seat not in left, **_bot(setup, seat)}
            for seat, is_taken in enumerate(seen.taken)
        ],
        "to_act": game.rules.to_act(state),
        "outcome": _outcome(game, state),
        "undo": _proposal(seen.undo),
        "deadline_ms": seen.deadline_ms,
        "commitment": setup.commitment,
        "seed_source": setup.seed_source,
        "spectators": seen.spectators,
        "metadata": setup.metadata,
    }
    return told | _opened(game, setup, state)


def answer(
    game: GameEntry, setup: Setup, version: Version, step: Step[Any, Any], role: Role
) -> Json:
    """Return what a seat is told of its own action."""
    told: Json = {
        "version": str(version),
        "state": _state(game, step.state, role),
        "events": _events(game, step, role),
        "to_act": game.rules.to_act(step.state),
        "outcome": _outcome(game, step.state),
    }
    return told | _opened(game, setup, step.state)


def news(game: GameEntry, setup: Setup, moment: Moment, role: Role) -> Json:
    """Return what a role is told of one version: what made it, and what is different since."""
    entry = moment.entry
    told: Json = {
        "version": str(entry.version),
        "kind": entry.kind,
        "seat": entry.seat,
        "at_ms": entry.at_ms,
    }
    match entry.kind:
        case "action":
            assert moment.step is not None, "an action is a step"
            told["events"] = _events(game, moment.step, role)
            told |= _opened(game, setup, moment.state)
        case "undo_proposed":
            told["undo"] = _proposal(moment.undo)
        case "undone":
            told["revealed"] = entry.details["revealed"]
            told["state"] = _state(game, moment.state, role)
        case "seat":
            told["change"] = entry.details["change"]
            told["spectators"] = moment.spectators
            told["taken"] = list(moment.taken)
        case _:
            pass
    return told | {
        "to_act": game.rules.to_act(moment.state),
        "outcome": _outcome(game, moment.state),
        "deadline_ms": moment.deadline_ms,
    }


def record(game: GameEntry, setup: Setup, moments: Sequence[Moment], engine: str) -> Json:
    """Return the game as a portable record; seed or first state only once it is over.

    No action tells what is hidden: it is what the seat did for all to see.
    """
    is_over = game.rules.outcome(moments[-1].state) is not None
    told: Json = {
        "game": game.rules.name,
        "format": RECORD_FORMAT,
        "engine": engine,
        "seats": setup.seats,
        "ruleset": game.wire.dump_state(moments[0].state)["ruleset"],
        "seed_source": setup.seed_source,
        "commitment": setup.commitment,
        "actions": [moment.entry.details["action"] for _, moment in standing(moments)],
        "complete": is_over,
    }
    if setup.bots:
        told["bots"] = {str(seat): level for seat, level in setup.bots.items()}
    if is_over and setup.seed is not None:
        told |= {"seed": setup.seed, "nonce": setup.nonce}
    if is_over and setup.initial is not None:
        told["state"] = setup.initial
    return told


def _bot(setup: Setup, seat: int) -> Json:
    """Return the level of the opponent that has the seat, where one has."""
    return {"bot": setup.bots[seat]} if seat in setup.bots else {}


def _state(game: GameEntry, state: Any, role: Role) -> Json:
    return game.wire.dump_state(game.rules.observe(state, role.seat))


def _events(game: GameEntry, step: Step[Any, Any], role: Role) -> list[Json]:
    seen = game.rules.observe_step(step, role.seat)
    return [game.wire.dump_event(event) for event in seen]


def _outcome(game: GameEntry, state: Any) -> Json | None:
    outcome = game.rules.outcome(state)
    return None if outcome is None else game.wire.dump_outcome(outcome)


def _proposal(undo: Proposal | None) -> Json | None:
    if undo is None:
        return None
    return {"by": undo.by, "revealed": undo.revealed, "agreed": list(undo.agreed)}


def _opened(game: GameEntry, setup: Setup, state: Any) -> Json:
    """Return seed and nonce once the game is over: what the commitment was made of."""
    if setup.seed is None or game.rules.outcome(state) is None:
        return {}
    return {"seed": setup.seed, "nonce": setup.nonce}
