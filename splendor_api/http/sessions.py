"""Games that the service keeps: create, look, act, take back, let in, close.

A view asks `Play` and answers; who may do what is said in `sessions.tokens.ROLES`, in one table.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from splendor_api.games.referee import Detail
from splendor_api.http import headers, limits, notation
from splendor_api.http.headers import JSON, TEXT
from splendor_api.http.notation import ENGINE
from splendor_api.http.operations import (
    Answer,
    Operation,
    Service,
    refusal,
    unauthorized,
    unavailable,
)
from splendor_api.http.parameters import (
    AFTER,
    BEARER,
    CURSOR,
    DETAIL,
    HAS_LEFT,
    IF_MATCH,
    IF_NONE_MATCH,
    INCLUDE_ILLEGAL,
    KEY,
    SECRET_KEY,
    WAIT,
    Parameter,
)
from splendor_api.http.positions import position_of, strangers
from splendor_api.http.problems import MEDIA_TYPE, NOT_OFFERED, PROBLEMS, JsonObject, invalid, told
from splendor_api.http.rules import page_of
from splendor_api.sessions import creation, hosting, play, watching
from splendor_api.sessions import undo as undoing
from splendor_api.sessions.exchange import Denial, Key, Precondition, Told
from splendor_api.sessions.store import RETRY_AFTER
from splendor_api.sessions.stored import Version
from splendor_api.sessions.tokens import Bearer, Deed
from splendor_api.telemetry import metrics
from splendor_api.wire.bodies import JOIN, SESSION_ACTION, SESSION_UPDATE, UNDO
from splendor_api.wire.requests import Creation, Join, SessionAction, SessionUpdate, Undo

_SEAT: Final = re.compile(r"0|[1-9][0-9]?", re.ASCII)
_NO_SEAT: Final = 100  # no game has so many


def create_session(service: Service, body: Creation, *, key: Key | None) -> Answer:
    """Answer with a new session and everybody's tokens, which are told only here."""
    opened = _opened(service, body)
    if isinstance(opened, Answer):
        return opened
    made = creation.create(service.keeping, opened, key)
    if isinstance(made, Denial):
        return denied(made)
    if not made.replayed:
        metrics.count_session(body.game)
    return _answer(made, 201, (("Location", f"/v1/sessions/{made.body['id']}"),))


def _opened(service: Service, creation: Creation) -> Creation | Answer:
    """Return what is asked for with its state open, or why a sealed one may not be begun from.

    Whoever creates a session has every token, and so could play a game to its end alone.
    """
    if creation.state is None:
        return creation
    game = service.games[creation.game]
    position = position_of(game, creation.state)
    if isinstance(position, Answer):
        return position
    denial = strangers(game, position, creation.seat_keys)
    return denial or replace(creation, state=position.state)


def get_session(
    service: Service,
    session: str,
    *,
    bearer: Bearer | None,
    precondition: Precondition | None,
    known: str | None,
    after: Version | None,
    wait: int,
    has_left: Callable[[], bool],
) -> Answer:
    """Answer with what the bearer sees; if asked to, only when there is something new to see."""
    seen = _awaited(
        service,
        session,
        wait if after is not None else 0,
        lambda: watching.observe(service.keeping, session, bearer, precondition, after),
        lambda seen: seen.version != after,
        has_left,
    )
    if isinstance(seen, Denial):
        return denied(seen)
    tag = headers.version_tag(seen.version, seen.role.audience)
    if headers.is_unchanged(known, tag):
        return Answer(304, b"", "", (("ETag", tag),))
    return _answer(seen)


def update_session(
    service: Service,
    session: str,
    body: SessionUpdate,
    *,
    bearer: Bearer | None,
    precondition: Precondition | None,
) -> Answer:
    """Let spectators in, or keep them out."""
    return _answer(
        hosting.set_spectators(
            service.keeping, session, bearer, precondition, allowed=body.spectators
        )
    )


def delete_session(
    service: Service, session: str, *, bearer: Bearer | None, precondition: Precondition | None
) -> Answer:
    """Delete the session at once."""
    denial = hosting.delete(service.keeping, session, bearer, precondition)
    return Answer(204, b"", "") if denial is None else denied(denial)


def list_session_actions_legal(
    service: Service,
    session: str,
    *,
    bearer: Bearer | None,
    detail: Detail,
    include_illegal: bool,
    start: int,
) -> Answer:
    """Answer with what the bearer's seat may do, a page at a time."""
    listing = play.legal_actions(
        service.keeping, session, bearer, detail, include_illegal=include_illegal
    )
    if isinstance(listing, Denial):
        return denied(listing)
    entered = listing.entered
    kept = entered.session
    page = page_of(service.games[kept.game], kept.state, listing.candidates, start)
    return _answer(Told({"version": str(kept.version), **page}, kept.version, entered.role))


def act(
    service: Service,
    session: str,
    body: SessionAction,
    *,
    bearer: Bearer | None,
    precondition: Precondition | None,
    key: Key | None,
) -> Answer:
    """Act for the bearer's seat, or answer with all that forbids it."""
    return _answer(play.act(service.keeping, session, bearer, body.action, precondition, key))


def get_history(
    service: Service,
    session: str,
    *,
    bearer: Bearer | None,
    after: Version | None,
    wait: int,
    has_left: Callable[[], bool],
) -> Answer:
    """Answer with what has happened since a version, as the bearer saw it."""
    return _answer(
        _awaited(
            service,
            session,
            wait,
            lambda: watching.history(service.keeping, session, bearer, after),
            lambda seen: bool(seen.body["steps"]),
            has_left,
        )
    )


def create_stream_ticket(service: Service, session: str, *, bearer: Bearer | None) -> Answer:
    """Answer with a ticket for the stream of events, for a URL to carry."""
    return _answer(watching.ticket(service.keeping, session, bearer))


def undo(
    service: Service,
    session: str,
    body: Undo,
    *,
    bearer: Bearer | None,
    precondition: Precondition | None,
    key: Key | None,
) -> Answer:
    """Propose to take the last turn back, or say something to such a proposal."""
    return _answer(undoing.undo(service.keeping, session, bearer, body.do, precondition, key))


def create_join_link(
    service: Service,
    session: str,
    seat: str,
    *,
    bearer: Bearer | None,
    precondition: Precondition | None,
) -> Answer:
    """Answer with a claim for a seat, to be exchanged once for its token."""
    return _answer(hosting.open_seat(service.keeping, session, bearer, _seat(seat), precondition))


def join(service: Service, session: str, body: Join) -> Answer:
    """Answer with the token of the seat that the claim is for."""
    return _answer(hosting.join(service.keeping, session, body.claim))


def rotate_token(
    service: Service,
    session: str,
    seat: str,
    *,
    bearer: Bearer | None,
    precondition: Precondition | None,
) -> Answer:
    """Answer with another token for a seat; the one before is void."""
    return _answer(
        hosting.rotate_token(service.keeping, session, bearer, _seat(seat), precondition)
    )


def revoke_token(
    service: Service,
    session: str,
    seat: str,
    *,
    bearer: Bearer | None,
    precondition: Precondition | None,
) -> Answer:
    """Take a seat's token away."""
    return _answer(
        hosting.revoke_token(service.keeping, session, bearer, _seat(seat), precondition)
    )


def resign_seat(
    service: Service,
    session: str,
    seat: str,
    *,
    bearer: Bearer | None,
    precondition: Precondition | None,
    key: Key | None,
) -> Answer:
    """Take an absent seat out of the game."""
    return _answer(
        hosting.resign_seat(service.keeping, session, bearer, _seat(seat), precondition, key)
    )


def get_record(service: Service, session: str, *, bearer: Bearer | None, media_type: str) -> Answer:
    """Answer with the game as a record, which `replay` takes once it is complete."""
    record = watching.record(service.keeping, session, bearer, ENGINE)
    if isinstance(record, Denial) or media_type == JSON:
        return _answer(record)
    line = notation.line(service.games[record.body["game"]], record.body)
    if line is None:
        return refusal(NOT_OFFERED.document())
    tag = headers.version_tag(record.version, f"{record.role.audience}.text")
    return Answer(200, f"{line}\n".encode(), TEXT, (("ETag", tag),))


def denied(denial: Denial) -> Answer:
    """Return the problem that a denial is."""
    if denial.code == "unauthorized":
        return unauthorized(denial.detail)
    if denial.code == "store_unavailable":
        return unavailable()
    if denial.faults:
        return refusal(invalid(denial.faults))
    problem = PROBLEMS[denial.code]
    if problem.status in (409, 412):
        metrics.count_conflict(denial.code)
    fields = (("Retry-After", str(RETRY_AFTER)),) if problem.status in (429, 503) else ()
    if not denial.violations:
        return refusal(problem.document(denial.detail), fields)
    document: JsonObject = problem.listing(
        (told(denial.game, violation) for violation in denial.violations),
        **({"detail": denial.detail} if denial.detail else {}),
    )
    return Answer(
        problem.status,
        document,
        MEDIA_TYPE,
        problems=(document,),
        broken=tuple((denial.game, violation.code.name) for violation in denial.violations),
    )


def _answer(
    seen: Told | Denial, status: int = 200, fields: tuple[tuple[str, str], ...] = ()
) -> Answer:
    """Return what is told, under the entity tag of its version and audience."""
    if isinstance(seen, Denial):
        return denied(seen)
    fields = (*fields, ("ETag", headers.version_tag(seen.version, seen.role.audience)))
    if seen.replayed:
        fields = (*fields, ("Idempotency-Replayed", "true"))
        metrics.count_replay()
    return Answer(status, seen.body, headers=fields)


def _awaited(
    service: Service,
    session: str,
    seconds: int,
    ask: Callable[[], Told | Denial],
    is_news: Callable[[Told], bool],
    has_left: Callable[[], bool],
) -> Told | Denial:
    """Return the answer to a question as soon as it is news, or after so many seconds.

    Nobody waits for whoever has left.
    """

    def rest(seen: Told | Denial) -> float | None:
        if isinstance(seen, Denial) or is_news(seen):
            return None
        return math.inf if seen.due_ms is None else seen.due_ms / 1000

    seen = ask()
    if not seconds or rest(seen) is None:
        return seen
    with service.places.taken() as has_place:
        if not has_place:
            return Denial("busy", "All places for those who wait are taken; ask without wait.")
        return service.feed.until(session, seconds, ask, rest, has_left)


def _seat(name: str) -> int:
    """Return the seat that a path names; one that there is not, if it names none."""
    return int(name) if _SEAT.fullmatch(name) else _NO_SEAT


def _guard(deed: Deed, service: Service, bearer: Bearer | None, session: str, *_: str) -> Any:
    """Return why the bearer may not ask this of the session, if so."""
    entered = service.keeping.enter(session, bearer, deed)
    return denied(entered) if isinstance(entered, Denial) else None


def of_session(
    method: str,
    path: str,
    deed: Deed,
    view: Callable[..., Answer],
    *takes: Parameter,
    **others: Any,
) -> Operation:
    """Return an operation on a session that is there."""
    return Operation(
        method,
        f"/v1/sessions/{{session}}{path}",
        deed,
        view,
        takes=(BEARER, *takes),
        guard=partial(_guard, deed),
        rate=limits.OF_SESSIONS,
        is_private=True,
        **others,
    )


OPERATIONS: Final = (
    Operation(
        "POST",
        "/v1/sessions",
        "create_session",
        create_session,
        reads=lambda service: service.creation,
        takes=(SECRET_KEY,),
        rate=limits.OF_CREATIONS,
        is_private=True,
    ),
    of_session(
        "GET", "", "get_session", get_session, IF_MATCH, IF_NONE_MATCH, AFTER, WAIT, HAS_LEFT
    ),
    of_session(
        "PATCH", "", "update_session", update_session, IF_MATCH, reads=lambda _: SESSION_UPDATE
    ),
    of_session("DELETE", "", "delete_session", delete_session, IF_MATCH),
    of_session(
        "GET",
        "/legal-actions",
        "list_session_actions_legal",
        list_session_actions_legal,
        DETAIL,
        INCLUDE_ILLEGAL,
        CURSOR,
        speaks=True,
    ),
    of_session("POST", "/actions", "act", act, IF_MATCH, KEY, reads=lambda _: SESSION_ACTION),
    of_session("GET", "/actions", "get_history", get_history, AFTER, WAIT, HAS_LEFT),
    of_session("POST", "/stream-tickets", "create_stream_ticket", create_stream_ticket),
    of_session("POST", "/undo", "undo", undo, IF_MATCH, KEY, reads=lambda _: UNDO),
    of_session("POST", "/seats/{seat}/join-link", "create_join_link", create_join_link, IF_MATCH),
    Operation(
        "POST",
        "/v1/sessions/{session}/join",
        "join",
        join,
        reads=lambda _: JOIN,
        rate=limits.OF_SESSIONS,
        is_private=True,
    ),
    of_session("POST", "/seats/{seat}/token", "rotate_token", rotate_token, IF_MATCH),
    of_session("DELETE", "/seats/{seat}/token", "revoke_token", revoke_token, IF_MATCH),
    of_session("POST", "/seats/{seat}/resign", "resign_seat", resign_seat, IF_MATCH, KEY),
    of_session("GET", "/record", "get_record", get_record, offers=(JSON, TEXT)),
)
