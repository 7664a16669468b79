"""Play in a session: what a seat may do, and doing it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from splendor_api.games import referee
from splendor_api.games.referee import Refusal
from splendor_api.games.registry import Entry as GameEntry
from splendor_api.games.violations import WRONG_SEAT
from splendor_api.i18n.catalogue import sentence
from splendor_api.sessions import observations
from splendor_api.sessions.exchange import Denial, Key, Precondition, Told, staleness
from splendor_api.sessions.keeping import FULL, Entered, Keeping, is_full
from splendor_api.sessions.tokens import Bearer
from splendor_api.wire.faults import Fault


@dataclass(frozen=True, slots=True)
class Listing:
    """What a seat may do, with what it is asked of."""

    entered: Entered
    game: GameEntry
    candidates: Iterator[referee.Candidate[Any]]


def legal_actions(
    keeping: Keeping,
    session_id: str,
    bearer: Bearer | None,
    detail: referee.Detail,
    *,
    include_illegal: bool,
) -> Listing | Denial:
    """Return what the bearer's seat may do."""
    entered = keeping.enter(session_id, bearer, "list_session_actions_legal")
    if isinstance(entered, Denial):
        return entered
    game = keeping.games[entered.session.game]
    listed = referee.candidates(
        game.rules,
        entered.session.state,
        entered.role.seat,
        detail,
        include_illegal=include_illegal,
    )
    return Listing(entered, game, listed)


def act(
    keeping: Keeping,
    session_id: str,
    bearer: Bearer | None,
    data: object,
    precondition: Precondition | None,
    key: Key | None,
) -> Told | Denial:
    """Do what `data`, an action in JSON without or with its seat, says for the bearer's seat.

    Order: token, shape, idempotency, version, rules (RFC 9110, 13.2). It is first tried on what is
    remembered of the session; unless that is committed, all is read, and judged by that alone: the
    token too, for it may be void by now, and so nobody's to be told what it was once answered.
    """
    recalled = keeping.recall(session_id, bearer, "act")
    if recalled is not None:
        told = _done(keeping, recalled, data, precondition, key)
        if isinstance(told, Told) and not told.replayed:
            return told
    return keeping.persist(partial(_act, keeping, session_id, bearer, data, precondition, key))


def _act(
    keeping: Keeping,
    session_id: str,
    bearer: Bearer | None,
    data: object,
    precondition: Precondition | None,
    key: Key | None,
) -> Told | Denial | None:
    """Try once; `None` if another request was faster and all is to be judged again."""
    entered = keeping.enter(session_id, bearer, "act", key)
    if isinstance(entered, Denial):
        return entered
    return _done(keeping, entered, data, precondition, key)


def _done(
    keeping: Keeping,
    entered: Entered,
    data: object,
    precondition: Precondition | None,
    key: Key | None,
) -> Told | Denial | None:
    """Do it in the session as it was entered."""
    session, seat = entered.session, entered.role.seat
    assert seat is not None, "a seat has entered"
    game = keeping.games[session.game]
    action = _action(game, data, seat)
    if isinstance(action, Denial):
        return action
    refused = keeping.known(entered, key) or staleness(
        session, precondition, is_needed=game.rules.has_turns
    )
    if refused is not None:
        return refused
    if is_full(session):
        return FULL
    verdict = referee.proceed(game.rules, session.state, action)
    if isinstance(verdict, Refusal):
        return _refused(game, session.state, seat, verdict)
    after = keeping.after(session, game, verdict.state, entered.now_ms)
    details = {"action": game.wire.dump_action(action)}
    reply = keeping.commit(entered, after, "action", seat, details, key)
    if reply.word != "committed":
        return keeping.lost(entered, reply, precondition)
    body = observations.answer(game, after.setup, after.version, verdict, entered.role)
    return Told(body, after.version, entered.role)


def _action(game: GameEntry, data: object, seat: int) -> Any:
    """Return the action that `data` stands for, for the seat of whoever sends it."""
    if isinstance(data, dict):
        named = data.get("seat", seat)
        if type(named) is int and named != seat:
            return Denial("forbidden", "The action is for another seat than the token.")
        data = {"seat": seat, **data}
    faults: list[Fault] = []
    action = game.wire.action.read(data, faults)
    if faults:
        within = tuple(fault.under("/action") for fault in faults)
        return Denial("invalid_request", "", faults=within)
    return action


def _refused(game: GameEntry, state: Any, seat: int, verdict: Refusal) -> Denial:
    """Return the denial of an illegal action: out of turn, too late, or against the rules."""
    name, violations = game.rules.name, verdict.violations
    first: int | None = game.rules.to_act(state)
    if all(violation.code is not WRONG_SEAT for violation in violations):
        return Denial("illegal_action", "", violations, game=name)
    if game.rules.has_turns:
        return Denial("not_your_turn", "It is not for this seat to act.", violations, game=name)
    if first in (None, seat) or seat not in game.rules.seats_left(state):
        return Denial("illegal_action", "", violations, game=name)
    detail = sentence("Seat {seat} was first.", {"seat": first})
    return Denial("claim_late", detail, violations, game=name)
