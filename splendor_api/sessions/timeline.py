"""What happened in a session, made again from its first state and its history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from splendor_api.games.protocol import Step
from splendor_api.games.registry import Entry as GameEntry
from splendor_api.sessions.stored import Entry, Proposal, Setup, Version, load_proposal, loaded

Change = Literal["joined", "link_opened", "token_rotated", "token_revoked", "spectators"]

TAKING: Final[Mapping[Change, bool]] = {
    "joined": True,
    "token_rotated": True,
    "token_revoked": False,
}
"""What a change does to whether a seat is taken, where it does anything to that."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One version: the commit that made it, all that could be seen then, and the step, if the
    commit was one.
    """

    entry: Entry
    state: Any
    step: Step[Any, Any] | None
    taken: tuple[bool, ...]
    spectators: bool
    undo: Proposal | None
    deadline_ms: int | None

    @property
    def version(self) -> Version:
        """Return the version that this is."""
        return self.entry.version


def first_state(game: GameEntry, setup: Setup) -> Any:
    """Return the state that a session began with."""
    if setup.initial is not None:
        return loaded(game.wire.state, setup.initial)
    assert setup.seed is not None, "a session is dealt or given"
    return game.rules.deal(setup.seats, setup.ruleset, setup.options, setup.seed)


def deadline(game: GameEntry, setup: Setup, state: Any, now_ms: int) -> int | None:
    """Return when the seat to act must have acted, where there is one and a limit.

    There is none for an opponent: if it is late, that is for nobody having come by.
    """
    to_act = game.rules.to_act(state)
    if setup.limit_ms is None or to_act is None or to_act in setup.bots:
        return None
    return now_ms + setup.limit_ms


def deadline_after(
    game: GameEntry, setup: Setup, before: Any, due_ms: int | None, after: Any, now_ms: int
) -> int | None:
    """Return the deadline of the state `after`, where that of the state `before` was `due_ms`.

    While the same seat must act in the same turn its time runs on, whatever others do meanwhile.
    """
    owed = [(game.rules.to_act(state), game.rules.turn_of(state)) for state in (before, after)]
    if due_ms is not None and owed[0] == owed[1]:
        return due_ms
    return deadline(game, setup, after, now_ms)


def timeline(game: GameEntry, setup: Setup, history: Sequence[Entry]) -> Iterator[Moment]:
    """Yield every version in order; `history` is whole, from the creation on."""
    created = history[0]
    state = first_state(game, setup)
    first = Moment(
        created,
        state,
        None,
        (True,) * setup.seats,
        created.details["spectators"],
        None,
        deadline(game, setup, state, created.at_ms),
    )
    yield first
    yield from _following(game, setup, first, history[1:], {created.version.number: state})


def continued(
    game: GameEntry, setup: Setup, since: Moment, history: Sequence[Entry]
) -> tuple[Moment, ...] | None:
    """Return the versions after `since`, whose entry is the first of this `history`.

    None if it is another one, or if an earlier state is needed: then all must be read.
    """
    if not history or history[0] != since.entry:
        return None
    if any(entry.kind == "undone" for entry in history[1:]):
        return None
    return tuple(_following(game, setup, since, history[1:], {}))


def standing(moments: Sequence[Moment]) -> list[tuple[Moment, Moment]]:
    """Return the steps that have not been taken back, each with the moment before it."""
    played: list[tuple[Moment, Moment]] = []
    before = moments[0]
    for moment in moments[1:]:
        if moment.entry.kind == "undone":
            to = moment.entry.details["to"]
            played = [pair for pair in played if pair[1].version.number <= to]
        elif moment.step is not None:
            played.append((before, moment))
        before = moment
    return played


def _following(
    game: GameEntry,
    setup: Setup,
    moment: Moment,
    history: Sequence[Entry],
    states: dict[int, Any],
) -> Iterator[Moment]:
    """Yield the versions after `moment`; `states` are the earlier ones, by number."""
    for entry in history:
        moment = _next(game, setup, moment, entry, states)
        states[entry.version.number] = moment.state
        yield moment


def _next(
    game: GameEntry, setup: Setup, moment: Moment, entry: Entry, states: Mapping[int, Any]
) -> Moment:
    """Return the version that `entry` made of the one before."""
    moment = replace(moment, entry=entry, step=None)
    details = entry.details
    match entry.kind:
        case "action":
            action = loaded(game.wire.action, details["action"])
            step = game.rules.apply(moment.state, action)
            return replace(_moved(game, setup, moment, step.state), step=step)
        case "undone":
            return _moved(game, setup, moment, states[details["to"]])
        case "undo_proposed":
            return replace(moment, undo=load_proposal(details["undo"]))
        case "undo_closed":
            return replace(moment, undo=None)
        case "seat":
            return _changed(moment, entry.seat, details)
        case _:
            raise ValueError(f"a history cannot have {entry.kind} here")


def _moved(game: GameEntry, setup: Setup, moment: Moment, state: Any) -> Moment:
    """Return the version with another state; a proposal is void."""
    due = deadline_after(game, setup, moment.state, moment.deadline_ms, state, moment.entry.at_ms)
    return replace(moment, state=state, undo=None, deadline_ms=due)


def _changed(moment: Moment, seat: int | None, details: Mapping[str, Any]) -> Moment:
    """Return the version with other people in it."""
    if seat is None:
        return replace(moment, spectators=details["spectators"])
    taken = TAKING.get(details["change"], moment.taken[seat])
    return replace(moment, taken=(*moment.taken[:seat], taken, *moment.taken[seat + 1 :]))
