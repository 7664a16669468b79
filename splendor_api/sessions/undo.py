"""Take the last turn back, if all agree: propose, accept, decline, withdraw."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import Final

from splendor_api.games.violations import GAME_OVER
from splendor_api.i18n.catalogue import sentence
from splendor_api.sessions import timeline, tokens
from splendor_api.sessions.exchange import Denial, Key, Precondition, Told, staleness
from splendor_api.sessions.keeping import Entered, Keeping
from splendor_api.sessions.stored import EntryKind, Proposal, Session, Version, dump_proposal
from splendor_api.sessions.timeline import Moment
from splendor_api.sessions.tokens import Bearer
from splendor_api.wire.requests import Undoing

MOST_UNDOINGS: Final = 1_000  # proposals and what is said to them

_UNDOINGS = frozenset({"undo_proposed", "undo_closed", "undone"})
_MOST_UNDOINGS = sentence("A session hears undo at most {most:,} times.", {"most": MOST_UNDOINGS})


def undo(
    keeping: Keeping,
    session_id: str,
    bearer: Bearer | None,
    do: Undoing,
    precondition: Precondition | None,
    key: Key | None,
) -> Told | Denial:
    """Propose to take the last turn back, or answer such a proposal."""
    return keeping.persist(partial(_undo, keeping, session_id, bearer, do, precondition, key))


def _undo(
    keeping: Keeping,
    session_id: str,
    bearer: Bearer | None,
    do: Undoing,
    precondition: Precondition | None,
    key: Key | None,
) -> Told | Denial | None:
    entered = keeping.enter(session_id, bearer, "undo", key, history_from=0)
    if isinstance(entered, Denial):
        return entered
    session, seat = entered.session, entered.role.seat
    assert seat is not None, "a seat has entered"
    refused = keeping.known(entered, key) or staleness(session, precondition, is_needed=False)
    if refused is not None:
        return refused
    moments = keeping.moments(entered)
    proposal = _proposal_for(keeping, do, entered, moments, seat)
    if isinstance(proposal, Denial):
        return proposal
    if do in ("decline", "withdraw"):
        return _step_aside(keeping, entered, "undo_closed", seat, None, key, precondition)
    if do == "accept":
        proposal = replace(proposal, agreed=tuple(sorted({*proposal.agreed, seat})))
    left = keeping.games[session.game].rules.seats_left(session.state)
    if {*left} - {proposal.by, *session.setup.bots} <= set(proposal.agreed):
        return _take_back(keeping, entered, moments, proposal, seat, key, precondition)
    return _step_aside(keeping, entered, "undo_proposed", seat, proposal, key, precondition)


def _proposal_for(
    keeping: Keeping, do: Undoing, entered: Entered, moments: list[Moment], seat: int
) -> Proposal | Denial:
    """Return the proposal that is made, or answered by a seat that may."""
    session = entered.session
    if keeping.is_over(session):
        violations = (GAME_OVER.at("/do"),)
        return Denial("illegal_action", "", violations, game=session.game)
    if sum(entry.kind in _UNDOINGS for entry in entered.history) >= MOST_UNDOINGS:
        return Denial("session_full", _MOST_UNDOINGS)
    if do == "propose":
        return _proposal(keeping, session, moments, seat)
    if session.undo is None:
        return Denial("forbidden", "There is no proposal to answer.")
    if (session.undo.by == seat) != (do == "withdraw"):
        return Denial("forbidden", "A proposal is withdrawn by its owner, answered by others.")
    return session.undo


def _proposal(
    keeping: Keeping, session: Session, moments: list[Moment], seat: int
) -> Proposal | Denial:
    """Return the proposal of the seat that acted last to take its turn back.

    What opponents did since goes with it: they agree to everything.
    """
    game = keeping.games[session.game]
    played = timeline.standing(moments)
    replies = list(takewhile(lambda pair: pair[1].entry.seat in session.setup.bots, played[::-1]))
    own = played[: len(played) - len(replies)]
    if not own:
        return Denial("forbidden", "There is nothing to take back.")
    if own[-1][1].entry.seat != seat:
        return Denial("forbidden", "Only the seat that acted last may propose this.")
    turn = game.rules.turn_of(own[-1][0].state)
    turns = takewhile(
        lambda pair: pair[1].entry.seat == seat and game.rules.turn_of(pair[0].state) == turn,
        own[::-1],
    )
    taken = [*replies, *turns]
    revealed = any(
        game.rules.is_revealing(event)
        for _, moment in taken
        if moment.step is not None
        for event in moment.step.events
    )
    return Proposal(seat, taken[-1][0].version.number, revealed, ())


def _take_back(
    keeping: Keeping,
    entered: Entered,
    moments: list[Moment],
    proposal: Proposal,
    seat: int,
    key: Key | None,
    precondition: Precondition | None,
) -> Told | Denial | None:
    """Append the return to an earlier state; the history keeps what was undone."""
    session, game = entered.session, keeping.games[entered.session.game]
    state = next(each.state for each in moments if each.version.number == proposal.to)
    after = keeping.after(session, game, state, entered.now_ms, acted=False)
    details = {"to": proposal.to, "revealed": proposal.revealed}
    reply = keeping.commit(entered, after, "undone", seat, details, key)
    return keeping.outcome_of(entered, after, reply, precondition)


def _step_aside(
    keeping: Keeping,
    entered: Entered,
    kind: EntryKind,
    seat: int,
    proposal: Proposal | None,
    key: Key | None,
    precondition: Precondition | None,
) -> Told | Denial | None:
    """Commit what changes no state: a proposal, an agreement, a refusal."""
    version = Version(entered.session.version.number + 1, tokens.mint_commit())
    after = replace(entered.session, version=version, undo=proposal)
    details = {} if proposal is None else {"undo": dump_proposal(proposal)}
    reply = keeping.commit(entered, after, kind, seat, details, key)
    return keeping.outcome_of(entered, after, reply, precondition)
