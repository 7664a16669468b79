"""What a host decides: who watches, who has a seat and its token, who is out, when it ends.

Beside it stands `join`, which is how somebody takes the seat that a host has opened.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from splendor_api.sessions import tokens
from splendor_api.sessions.exchange import (
    BUSY,
    NO_SEAT,
    UNKNOWN,
    Denial,
    Key,
    Precondition,
    Told,
    staleness,
)
from splendor_api.sessions.keeping import ATTEMPTS, FULL, Entered, Keeping, is_full, missing
from splendor_api.sessions.store import Missing
from splendor_api.sessions.stored import Json, Version
from splendor_api.sessions.timeline import Change
from splendor_api.sessions.tokens import Access, Bearer, Deed, Role


def set_spectators(
    keeping: Keeping,
    session_id: str,
    bearer: Bearer | None,
    precondition: Precondition | None,
    *,
    allowed: bool,
) -> Told | Denial:
    """Let anybody with the id watch, or nobody; the host decides."""
    asked = _Change("update_session", None, "spectators", precondition)
    return _change(
        keeping, session_id, bearer, asked, lambda access: replace(access, spectators=allowed)
    )


def rotate_token(
    keeping: Keeping,
    session_id: str,
    bearer: Bearer | None,
    seat: int,
    precondition: Precondition | None,
) -> Told | Denial:
    """Give a seat another token; the one before is void. The host decides."""
    fresh = tokens.mint()
    asked = _Change("rotate_token", seat, "token_rotated", precondition)
    told = _change(
        keeping, session_id, bearer, asked, lambda access: access.with_token(seat, fresh)
    )
    return told if isinstance(told, Denial) else _with(told, seat=seat, token=fresh)


def revoke_token(
    keeping: Keeping,
    session_id: str,
    bearer: Bearer | None,
    seat: int,
    precondition: Precondition | None,
) -> Told | Denial:
    """Take a seat's token away; the host decides."""
    asked = _Change("revoke_token", seat, "token_revoked", precondition)
    return _change(keeping, session_id, bearer, asked, lambda access: access.with_token(seat, None))


def open_seat(
    keeping: Keeping,
    session_id: str,
    bearer: Bearer | None,
    seat: int,
    precondition: Precondition | None,
) -> Told | Denial:
    """Make a join link for a seat: a claim that is exchanged for a token, once."""
    claim = tokens.mint()
    asked = _Change("create_join_link", seat, "link_opened", precondition)
    told = _change(
        keeping, session_id, bearer, asked, lambda access: access.with_claim(seat, claim)
    )
    return told if isinstance(told, Denial) else _with(told, seat=seat, claim=claim)


def join(keeping: Keeping, session_id: str, claim: str) -> Told | Denial:
    """Exchange the claim of a join link for the seat's token; the claim is used up."""
    return keeping.persist(partial(_join, keeping, session_id, claim, tokens.mint()))


def _join(keeping: Keeping, session_id: str, claim: str, fresh: str) -> Told | Denial | None:
    loaded = keeping.load(session_id)
    if isinstance(loaded, Missing):
        return missing(loaded)
    session, found = loaded
    seat = session.access.claimed_seat(claim)
    if seat is None and not session.spectators:
        return UNKNOWN
    if seat is None:
        return Denial("forbidden", "This join link is not, or no longer, good for a seat.")
    entered = Entered(session, Role("seat", seat), found.now_ms)
    access = session.access.with_token(seat, fresh)
    told = _admit(keeping, entered, access, seat, "joined", None)
    return _with(told, seat=seat, token=fresh) if isinstance(told, Told) else told


def resign_seat(
    keeping: Keeping,
    session_id: str,
    bearer: Bearer | None,
    seat: int,
    precondition: Precondition | None,
    key: Key | None,
) -> Told | Denial:
    """Take an absent seat out of the game; the host decides."""
    attempt = partial(_resign_seat, keeping, session_id, bearer, seat, precondition, key)
    return keeping.persist(attempt)


def _resign_seat(
    keeping: Keeping,
    session_id: str,
    bearer: Bearer | None,
    seat: int,
    precondition: Precondition | None,
    key: Key | None,
) -> Told | Denial | None:
    entered = keeping.enter(session_id, bearer, "resign_seat", key)
    if isinstance(entered, Denial):
        return entered
    session = entered.session
    if seat >= session.setup.seats:
        return NO_SEAT
    refused = keeping.known(entered, key) or staleness(session, precondition, is_needed=False)
    if refused is not None:
        return refused
    if is_full(session):
        return FULL
    action = keeping.games[session.game].rules.resign(seat, True)
    return keeping.force(entered, action, precondition, key)


def delete(
    keeping: Keeping, session_id: str, bearer: Bearer | None, precondition: Precondition | None
) -> Denial | None:
    """Delete the session; the host decides. Return nothing if it is done."""
    for _ in range(ATTEMPTS):
        entered = keeping.enter(session_id, bearer, "delete_session")
        if isinstance(entered, Denial):
            return entered
        session = entered.session
        stale = staleness(session, precondition, is_needed=False)
        if stale is not None:
            return stale
        at = None if precondition is None else (session.version.number, session.version.commit)
        word = keeping.store.delete(session_id, session.access_number, at)
        keeping.forget(session_id)
        if word in ("deleted", "gone"):
            return None
    return BUSY


def _change(
    keeping: Keeping,
    session_id: str,
    bearer: Bearer | None,
    asked: _Change,
    changed: Callable[[Access], Access],
) -> Told | Denial:
    """Change who may do what, as the host."""
    return keeping.persist(partial(_change_once, keeping, session_id, bearer, asked, changed))


def _change_once(
    keeping: Keeping,
    session_id: str,
    bearer: Bearer | None,
    asked: _Change,
    changed: Callable[[Access], Access],
) -> Told | Denial | None:
    entered = keeping.enter(session_id, bearer, asked.deed)
    if isinstance(entered, Denial):
        return entered
    session = entered.session
    if asked.seat is not None and asked.seat >= session.setup.seats:
        return NO_SEAT
    if asked.seat in session.setup.bots:
        return Denial("forbidden", "An opponent of the service has this seat.")
    stale = staleness(session, asked.precondition, is_needed=False)
    if stale is not None:
        return stale
    access = changed(session.access)
    return _admit(keeping, entered, access, asked.seat, asked.change, asked.precondition)


def _admit(
    keeping: Keeping,
    entered: Entered,
    access: Access,
    seat: int | None,
    change: Change,
    precondition: Precondition | None,
) -> Told | Denial | None:
    """Commit another access."""
    session = entered.session
    after = replace(
        session,
        version=Version(session.version.number + 1, tokens.mint_commit()),
        access=access,
        access_number=session.access_number + 1,
    )
    details: Json = {"change": change}
    if seat is None:
        details["spectators"] = access.spectators
    reply = keeping.commit(entered, after, "seat", seat, details, None)
    return keeping.outcome_of(entered, after, reply, precondition)


@dataclass(frozen=True, slots=True)
class _Change:
    """What a host asks for: the deed, the seat it is about, how the history calls it."""

    deed: Deed
    seat: int | None
    change: Change
    precondition: Precondition | None


def _with(told: Told, **members: object) -> Told:
    """Return the answer with what is told only once, in place of the observation."""
    return replace(told, body={"version": told.body["version"], **members})
