"""Look at a session: as it is, as it came to be, and as it goes on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from splendor_api.sessions import observations, timeline, tokens
from splendor_api.sessions.exchange import (
    NO_VERSION,
    UNKNOWN,
    Denial,
    Precondition,
    Told,
    staleness,
)
from splendor_api.sessions.keeping import Entered, Keeping, missing
from splendor_api.sessions.store import TICKET_MS, Missing
from splendor_api.sessions.stored import Json, Session, Version
from splendor_api.sessions.timeline import Moment
from splendor_api.sessions.tokens import Bearer


@dataclass(frozen=True, slots=True)
class Sight:
    """What a caller sees of a session's state, as a value of its game."""

    game: str
    state: Any


@dataclass(frozen=True, slots=True)
class News:
    """What is new in a session for somebody who knows a version of it; `last` is the present one.

    `moments` is None if the session never had that version, or has lost it: then all is new.
    """

    entered: Entered
    last: Moment
    moments: tuple[Moment, ...] | None


def observe(
    keeping: Keeping,
    session_id: str,
    bearer: Bearer | None,
    precondition: Precondition | None = None,
    after: Version | None = None,
) -> Told | Denial:
    """Return the observation for the bearer of the token, who may know a version before."""
    history_from = -1 if after is None else after.number - 1
    entered = keeping.enter(session_id, bearer, "get_session", history_from=history_from)
    if isinstance(entered, Denial):
        return entered
    if after is not None and all(each.version != after for each in entered.history[:1]):
        return NO_VERSION
    stale = staleness(entered.session, precondition, is_needed=False)
    return stale or replace(keeping.view(entered.session, entered.role), due_ms=entered.due_ms)


def look(keeping: Keeping, session_id: str, bearer: Bearer | None) -> Sight | Denial:
    """Return the state as the bearer sees it, to be drawn."""
    entered = keeping.enter(session_id, bearer, "get_session_picture")
    if isinstance(entered, Denial):
        return entered
    session = entered.session
    rules = keeping.games[session.game].rules
    return Sight(session.game, rules.observe(session.state, entered.role.seat))


def history(
    keeping: Keeping, session_id: str, bearer: Bearer | None, after: Version | None
) -> Told | Denial:
    """Return every step since a version, observed; from the beginning if none is named."""
    entered = keeping.enter(session_id, bearer, "get_history", history_from=0)
    if isinstance(entered, Denial):
        return entered
    session = entered.session
    game = keeping.games[session.game]
    moments = keeping.moments(entered)
    if after is not None and all(each.version != after for each in moments):
        return NO_VERSION
    since = 0 if after is None else after.number
    steps = [
        observations.news(game, session.setup, each, entered.role)
        for each in moments
        if each.version.number > since
    ]
    body = {"version": str(session.version), "steps": steps}
    return Told(body, session.version, entered.role, due_ms=entered.due_ms)


def news(
    keeping: Keeping,
    session_id: str,
    bearer: Bearer | None,
    since: Moment | Version | None,
    heard: Version | None = None,
) -> News | Denial:
    """Return what is new since a version.

    From a moment on only what came after it is read and played, where that is possible; and nothing
    is read if that is the version that was `heard` of, and it was met here: as in a worker that has
    committed it, or has told another of it.
    """
    if isinstance(since, Moment):
        told = _news_since(keeping, session_id, bearer, since, heard)
        if told is not None:
            return told
        since = since.version
    entered = keeping.enter(session_id, bearer, "stream_events", history_from=0)
    if isinstance(entered, Denial):
        return entered
    moments = keeping.moments(entered)
    entered = replace(entered, history=())  # a stream keeps this for as long as nothing happens
    if since is None or all(each.version != since for each in moments):
        return News(entered, moments[-1], None)
    later = tuple(each for each in moments if each.version.number > since.number)
    return News(entered, moments[-1], later)


def _news_since(
    keeping: Keeping,
    session_id: str,
    bearer: Bearer | None,
    since: Moment,
    heard: Version | None,
) -> News | Denial | None:
    """Return what is new since a moment; `None` if everything must be read for that."""
    entered: Entered | Denial | None = None
    if heard is not None:
        entered = keeping.recall_next(session_id, bearer, "stream_events", since.entry, heard)
    if entered is None:
        from_ = since.version.number - 1
        entered = keeping.enter(session_id, bearer, "stream_events", history_from=from_)
    if isinstance(entered, Denial):
        return entered
    session = entered.session
    game = keeping.games[session.game]
    moments = timeline.continued(game, session.setup, since, entered.history)
    if moments is None:
        return None
    return News(entered, moments[-1] if moments else since, moments)


def step(keeping: Keeping, entered: Entered, moment: Moment) -> Json:
    """Return what somebody who has entered is told of one version."""
    session = entered.session
    game = keeping.games[session.game]
    return observations.news(game, session.setup, moment, entered.role)


def record(keeping: Keeping, session_id: str, bearer: Bearer | None, engine: str) -> Told | Denial:
    """Return the game as a portable record; `engine` is who says so."""
    entered = keeping.enter(session_id, bearer, "get_record", history_from=0)
    if isinstance(entered, Denial):
        return entered
    session = entered.session
    game, moments = keeping.games[session.game], keeping.moments(entered)
    body = observations.record(game, session.setup, moments, engine)
    return Told(body, session.version, entered.role)


def ticket(keeping: Keeping, session_id: str, bearer: Bearer | None) -> Told | Denial:
    """Return a ticket by which the bearer's stream can be opened, once, within a minute."""
    entered = keeping.enter(session_id, bearer, "create_stream_ticket")
    if isinstance(entered, Denial):
        return entered
    assert bearer is not None, "who has no token is not let in here"
    ticket = tokens.mint()
    keeping.store.keep_ticket(session_id, tokens.hash_of(ticket), bearer.digest)
    body = {"ticket": ticket, "expires_in": TICKET_MS // 1000}
    return Told(body, entered.session.version, entered.role)


def holder(keeping: Keeping, session_id: str, ticket: str) -> Bearer | Denial:
    """Return for whom the ticket was made out; it stays good."""
    loaded = keeping.load(session_id)
    if isinstance(loaded, Missing):
        return missing(loaded)
    digest = keeping.store.find_ticket(session_id, tokens.hash_of(ticket))
    if digest is None:
        session, _ = loaded
        return bad_ticket(session)
    return Bearer(digest)


def redeem(keeping: Keeping, session_id: str, ticket: str) -> bool:
    """Use the ticket up; return whether nobody has done so before."""
    return keeping.store.take_ticket(session_id, tokens.hash_of(ticket))


def bad_ticket(session: Session) -> Denial:
    """Return what the bearer of a ticket that is of no use is told."""
    if not session.access.spectators:
        return UNKNOWN
    return Denial("unauthorized", "This ticket is not, or no longer, good.")
