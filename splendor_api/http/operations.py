"""What the service can be asked: an `Operation`, what its view stands on, what that answers with.

An `Operation` says how a request is read and which view answers it; a view is a pure function of
parsed values. What lies between the two and the bytes is in `http/shell.py`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from splendor_api.games.drawing import Picture
from splendor_api.games.notation import Notation
from splendor_api.games.opponents import Opponents
from splendor_api.games.protocol import Game
from splendor_api.games.registry import Entry
from splendor_api.http import limits, problems
from splendor_api.http.headers import JSON
from splendor_api.http.parameters import Parameter
from splendor_api.http.problems import STORE_UNAVAILABLE, UNAUTHORIZED, JsonObject
from splendor_api.opponents.searchers import NO_SEARCHERS, Searchers
from splendor_api.sealing.keys import KeyRing
from splendor_api.sealing.states import Seals
from splendor_api.sessions.attendance import Attendance
from splendor_api.sessions.feed import Feed
from splendor_api.sessions.keeping import Keeping
from splendor_api.sessions.store import RETRY_AFTER, StoreUnavailable
from splendor_api.settings import Settings
from splendor_api.wire.bodies import Bodies, Body
from splendor_api.wire.game import GameWire
from splendor_api.wire.requests import Creation


def _no_ring() -> None:
    """Return no keys: states are not sealed."""


@dataclass(frozen=True, slots=True)
class Served:
    """A game as the service has it: its rules, its wire half, and the bodies made of that."""

    rules: Game[Any, Any, Any]
    wire: GameWire[Any, Any, Any, Any, Any]
    bodies: Bodies[Any, Any]
    seals: Seals[Any]
    picture: Picture[Any] | None = None
    opponents: Opponents[Any, Any] | None = None
    notation: Notation[Any] | None = None
    searchers: Searchers = NO_SEARCHERS
    """Who searches for suggestions."""

    @classmethod
    def of(
        cls,
        entry: Entry,
        ring: Callable[[], KeyRing | None] = _no_ring,
        searchers: Searchers = NO_SEARCHERS,
    ) -> Served:
        """Return a game of the registry, made ready; `ring` has the keys of sealed states."""
        return cls(
            entry.rules,
            entry.wire,
            Bodies.of(entry.wire),
            Seals(entry.rules, entry.wire, ring, secrets.token_bytes),
            entry.picture,
            entry.opponents,
            entry.notation,
            searchers,
        )


@dataclass(frozen=True, slots=True)
class Sessions:
    """Games kept in a store, what tells of news there, and to whom."""

    keeping: Keeping
    feed: Feed
    attendance: Attendance


@dataclass(frozen=True, slots=True)
class Service:
    """What views stand on that speak of no single game."""

    games: Mapping[str, Served]
    settings: Settings
    contract: Callable[[], str]
    """Returns the text of the service's OpenAPI document."""
    creation: Body[Creation]
    """The body of a request for a session, of any game."""
    places: limits.Places
    """Of those who wait for news in this process."""
    sessions: Sessions | None = None
    """Games kept in the store, if there is one."""

    @property
    def keeping(self) -> Keeping:
        """Return the sessions; raise `StoreUnavailable` if nothing keeps them."""
        return self._kept.keeping

    @property
    def feed(self) -> Feed:
        """Return what tells of news; raise `StoreUnavailable` if nothing can be new."""
        return self._kept.feed

    @property
    def attendance(self) -> Attendance:
        """Return who follows sessions; raise `StoreUnavailable` if nobody can."""
        return self._kept.attendance

    @property
    def _kept(self) -> Sessions:
        if self.sessions is None:
            raise StoreUnavailable("no store")
        return self.sessions


@dataclass(frozen=True, slots=True)
class Answer:
    """What a view answers with: a status and plain JSON data, or text that is ready to be sent."""

    status: int
    body: JsonObject | bytes
    media_type: str = JSON
    headers: tuple[tuple[str, str], ...] = ()
    stream: Iterable[bytes] | None = None
    """What is sent bit by bit, in place of the body; it is closed at the end, if it can be."""
    problems: tuple[JsonObject, ...] = ()
    """The problem documents in the body, which the shell gives their `instance`."""
    broken: tuple[tuple[str, str], ...] = ()
    """Game and code of each violation that is told, to be counted."""
    bugs: tuple[Exception, ...] = ()
    """What went wrong inside and is already answered for, to be logged."""
    is_misshapen: bool = False
    """Whether it says only that the request cannot be read."""


def refusal(document: JsonObject, headers: tuple[tuple[str, str], ...] = ()) -> Answer:
    """Return the answer that a problem document is."""
    return Answer(document["status"], document, problems.MEDIA_TYPE, headers, problems=(document,))


def misshapen(document: JsonObject) -> Answer:
    """Return the answer to a request that cannot be read."""
    return replace(refusal(document), is_misshapen=True)


def failure(error: Exception) -> Answer:
    """Return the answer to a request that met a bug; the bug is logged, not told."""
    document = problems.INTERNAL_ERROR.document()
    return Answer(
        document["status"], document, problems.MEDIA_TYPE, problems=(document,), bugs=(error,)
    )


def unavailable() -> Answer:
    """Return the answer to a request that needs the store while it is away."""
    fields = (("Retry-After", str(RETRY_AFTER)),)
    return refusal(STORE_UNAVAILABLE.document(), fields)


def unauthorized(detail: str) -> Answer:
    """Return the answer to a request without the token that it needs (RFC 9110, 15.5.2)."""
    return refusal(UNAUTHORIZED.document(detail), (("WWW-Authenticate", "Bearer"),))


def _one(_: Any) -> int:
    return 1


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that the service can be asked.

    `view` takes the game where the path names a `{game}`, else the `Service`; then the path's
    other names in their order; then the body, if the operation `reads` one; and by name what it
    `takes` beside them.
    """

    method: str
    path: str
    """A template as in OpenAPI: `/v1/games/{game}/apply`."""
    operation_id: str
    view: Callable[..., Answer]
    reads: Callable[[Any], Body[Any]] | None = None
    """Names the body among those of the game, or of the service."""
    limit: limits.Limit = limits.of_call
    work: Callable[[Any], int] = _one
    """How much of a batch's budget a body asks for."""
    offers: tuple[str, ...] = (JSON,)
    """Media types, the first by default. Where there are several and the answer does not depend on
    the path alone, the view takes the one that is wanted, by the name of `media_type`."""
    page: Callable[[JsonObject], str] | None = None
    """Makes HTML of the view's data, where `offers` has it."""
    keeps: str | None = None
    """The Cache-Control of an answer that depends on the path alone; made once, with an ETag."""
    is_compressed: bool = False
    """Whether an answer that does not depend on the path alone may go out compressed: it has no
    secret in it, and nothing that somebody else can have put there."""
    is_file: bool = False
    """Whether the path alone decides which of `offers` is sent: then `Accept` is not heeded."""
    policy: str | None = None
    """The Content-Security-Policy of a page that loads more than pages do."""
    takes: tuple[Parameter, ...] = ()
    """What is read of headers and query."""
    guard: Callable[..., Answer | None] | None = None
    """Says of whoever asks why they may not, before anything is said about what they ask.

    Takes the `Service`, the bearer, and the path's names.
    """
    rate: limits.Rate | None = None
    """How often one client may ask this."""
    is_private: bool = False
    """Whether what is answered depends on who asks, so that nobody else may be given it."""
    speaks: bool = False
    """Whether an answer that is no problem may have sentences, told in the caller's language."""

    def load(self, subject: Served | Service, data: object) -> Any:
        """Return the body's value; raise `InvalidRequest` with every fault in its shape."""
        assert self.reads is not None, "an operation without a body loads none"
        return self.reads(subject).load(data)
