"""What the service can be asked, as one table, and the one way from a request to its answer.

    bytes → media types and size → JSON → the body's values → the view → JSON → bytes

An `Operation` says how a request is read and which view answers it; a view is a pure function of
parsed values. Flask finds the operation; from there on only this module knows of the request at
hand. The order of refusal is: address, method, Accept, Content-Type, size, JSON, shape, rules.
Where an operation has a `guard`, what that says comes before all that is wrong with the shape.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from itertools import groupby
from operator import attrgetter
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from flask import Response, request
from werkzeug.exceptions import MethodNotAllowed

from splendor_api.games.drawing import Picture
from splendor_api.games.notation import Notation
from splendor_api.games.opponents import Opponents
from splendor_api.games.protocol import Game
from splendor_api.games.registry import Entry
from splendor_api.http import headers, html, limits, parameters, problems
from splendor_api.http.application import Application
from splendor_api.http.compression import SMALLEST, Coding, coding, compressed
from splendor_api.http.headers import JSON, NO_STORE, PRIVATE, Fields, Headers, Unreadable
from splendor_api.http.parameters import Asked, Parameter, Unauthorized
from splendor_api.http.problems import (
    INVALID_REQUEST,
    NOT_ACCEPTABLE,
    NOT_FOUND,
    STORE_UNAVAILABLE,
    UNAUTHORIZED,
    UNSUPPORTED_MEDIA_TYPE,
    JsonObject,
    Problem,
)
from splendor_api.i18n import languages
from splendor_api.i18n.catalogue import ENGLISH, Voice
from splendor_api.opponents.searchers import NO_SEARCHERS, Searchers
from splendor_api.sealing.keys import KeyRing
from splendor_api.sealing.states import Seals
from splendor_api.sessions.attendance import Attendance
from splendor_api.sessions.feed import Feed
from splendor_api.sessions.keeping import Keeping
from splendor_api.sessions.store import RETRY_AFTER, StoreUnavailable
from splendor_api.settings import Settings
from splendor_api.telemetry import logs, metrics
from splendor_api.wire import json_text
from splendor_api.wire.faults import InvalidRequest
from splendor_api.wire.fields import MISSING
from splendor_api.wire.json_text import Malformed
from splendor_api.wire.requests import Bodies, Body, Creation, GameWire

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

UNMATCHED: Final = "unmatched"  # the operation of a request that meets none
PREFLIGHT: Final = "options"

_WITHOUT_CONTENT: Final = frozenset({204, 304})
_STATUS_LINES: Final = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}


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


def bind(app: Application, operations: Sequence[Operation], service: Service) -> None:
    """Give `app` a route for every operation, OPTIONS for every path, a problem for the rest."""
    shell = _Shell(service)
    for path, group in groupby(sorted(operations, key=attrgetter("path")), attrgetter("path")):
        rule = path.replace("{", "<").replace("}", ">")
        methods = {"OPTIONS"}
        for operation in group:
            methods |= {operation.method} | ({"HEAD"} if operation.method == "GET" else set())
            name = operation.operation_id
            app.add_view(rule, name, shell.view_of(operation), operation.method)
        preflight = shell.options_of(path, ", ".join(sorted(methods)))
        app.add_view(rule, f"{PREFLIGHT} {path}", preflight, "OPTIONS")
    app.register_error_handler(Exception, shell.unmatched)


class _Reply(Response):
    """A finished answer, which goes out as it is: nothing may be done to it after the view.

    What Flask's own class works out for each response, its headers above all, costs more than
    everything else between the route and the rules.
    """

    def __init__(
        self, status: int, fields: Fields, body: bytes, stream: Iterable[bytes] | None = None
    ) -> None:
        self._line = _STATUS_LINES[status]
        self._fields = fields
        self._body = body
        self._stream = stream

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response(self._line, self._fields)
        is_head = environ["REQUEST_METHOD"] == "HEAD"
        if self._stream is None:
            return () if is_head else (self._body,)
        if not is_head:
            limits.lose_patience(environ)
            return self._stream
        with suppress(AttributeError):
            self._stream.close()  # type: ignore[attr-defined] # if it has that, as PEP 3333 says
        return ()


@dataclass(slots=True)
class _Visit:
    """One request on its way, with what the log tells of it."""

    operation: str
    route: str
    environ: WSGIEnvironment
    request_id: str
    started: float
    speaks: bool = False
    game: str = ""
    bytes_in: int = 0
    wanted: Mapping[str, str] = field(default_factory=dict)
    """The media type that the view is to answer with, where it has a choice."""
    is_compressed: bool = False
    """Whether its answer may go out compressed."""

    @classmethod
    def of(
        cls, environ: WSGIEnvironment, operation: str, route: str, *, speaks: bool = False
    ) -> _Visit:
        """Return a request that has just come."""
        request_id = headers.request_id(environ.get("HTTP_X_REQUEST_ID"))
        return cls(operation, route, environ, request_id, perf_counter(), speaks)

    @property
    def voice(self) -> Voice:
        """Return the language that the caller likes best."""
        return languages.voice(headers.language(self.environ.get("HTTP_ACCEPT_LANGUAGE")))


@dataclass(frozen=True, slots=True)
class _Kept:
    """An answer that stays the same as long as the process does, in each coding asked for."""

    media_type: str
    bodies: dict[Coding, tuple[bytes, str]]
    """Each with its tag: other bytes, another tag (RFC 9110, 8.8.3)."""

    @classmethod
    def of(cls, body: bytes, media_type: str) -> _Kept:
        """Return an answer to be kept."""
        return cls(media_type, {"": (body, headers.entity_tag(body))})

    def coded(self, how: Coding) -> tuple[bytes, str]:
        """Return the body in a coding, made when it is first asked for, and its tag."""
        found = self.bodies.get(how)
        if found is None:
            body = compressed(self.bodies[""][0], how, for_good=True)
            found = self.bodies[how] = (body, headers.entity_tag(body))
        return found

    @property
    def is_coded(self) -> bool:
        """Return whether it is worth compressing."""
        return len(self.bodies[""][0]) >= SMALLEST


class _Shell:
    """The way from a request to its answer, for one application."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._headers = Headers(service.settings.cors_origins)
        self._kept: dict[tuple[str, ...], _Kept] = {}
        self._making: Final = Lock()

    def view_of(self, operation: Operation) -> Callable[..., Response]:
        """Return the function that Flask calls for an operation."""

        def respond(environ: WSGIEnvironment, **names: str) -> Response:
            visit = _Visit.of(
                environ, operation.operation_id, operation.path, speaks=operation.speaks
            )
            try:
                return self._respond(operation, visit, names)
            except StoreUnavailable:
                return self._reply(visit, unavailable())
            except Exception as error:  # noqa: BLE001 - any bug is answered in the same way
                return self._reply(visit, failure(error))

        return respond

    def options_of(self, path: str, allow: str) -> Callable[..., Response]:
        """Return the function that Flask calls for OPTIONS."""
        answer = Answer(204, b"", "", (("Allow", allow), *self._headers.preflight(allow)))

        def respond(environ: WSGIEnvironment, **_: str) -> Response:
            return self._reply(_Visit.of(environ, PREFLIGHT, path), answer)

        return respond

    def unmatched(self, error: Exception) -> Response:
        """Answer a request that met no operation."""
        visit = _Visit.of(request.environ, UNMATCHED, UNMATCHED)
        problem = problems.of_exception(error)
        if problem is problems.INTERNAL_ERROR:
            return self._reply(visit, failure(error))
        allow = error.valid_methods if isinstance(error, MethodNotAllowed) else None
        fields = (("Allow", ", ".join(sorted(allow))),) if allow else ()
        return self._reply(visit, refusal(problem.document(), fields))

    def _respond(self, operation: Operation, visit: _Visit, names: dict[str, str]) -> Response:
        """Answer a request that met an operation; `names` are those in its path."""
        environ = visit.environ
        if "HTTP_HOST" not in environ and environ.get("SERVER_PROTOCOL") == "HTTP/1.1":
            return self._refuse(visit, INVALID_REQUEST, "The header Host is missing.")
        subject: Served | Service = self._service
        if "game" in names:
            name = names.pop("game")
            if name not in self._service.games:
                return self._refuse(visit, NOT_FOUND, "There is no game of this name.")
            visit.game = name
            subject = self._service.games[name]
        accept = None if operation.is_file else environ.get("HTTP_ACCEPT")
        media_type = headers.chosen(accept, operation.offers)
        if media_type is None:
            return self._refuse(visit, NOT_ACCEPTABLE, offers=list(operation.offers))
        if operation.keeps is not None:
            return self._show(operation, visit, media_type, subject, names)
        visit.is_compressed = operation.is_compressed
        if len(operation.offers) > 1:
            visit.wanted = {"media_type": media_type}
        if operation.is_private:
            return self._reply(visit, self._guarded(operation, visit, names), PRIVATE)
        return self._reply(visit, self._take(operation, visit, subject, names))

    def _guarded(self, operation: Operation, visit: _Visit, names: dict[str, str]) -> Answer:
        """Answer a request that is not for everybody, or not as often as one likes."""
        service, environ = self._service, visit.environ
        if operation.rate is not None:
            excess = operation.rate.excess(service.settings, service.keeping.store, environ)
            if excess is not None:
                return refusal(*excess)
        if operation.guard is None:
            return self._take(operation, visit, service, names)
        try:
            bearer = parameters.bearer_of(environ)
        except Unauthorized:
            return unauthorized("The header Authorization must be: Bearer, a space, the token.")
        answer = self._take(operation, visit, service, names)
        if not answer.is_misshapen:
            return answer
        return operation.guard(service, bearer, *names.values()) or answer

    def _take(
        self,
        operation: Operation,
        visit: _Visit,
        subject: Served | Service,
        names: dict[str, str],
    ) -> Answer:
        """Answer a request by its view, if the request can be read."""
        if not operation.takes and operation.reads is None:
            return operation.view(subject, *names.values(), **visit.wanted)
        try:
            data = self._data(operation, visit) if operation.reads else MISSING
            if isinstance(data, Answer):
                return data
            said = self._said(operation, visit, data) if operation.takes else {}
            body = () if data is MISSING else (operation.load(subject, data),)
        except Malformed as error:
            return misshapen(problems.malformed(error))
        except InvalidRequest as error:
            return misshapen(problems.invalid(error.faults))
        except Unreadable as error:
            return misshapen(INVALID_REQUEST.document(error.sentence))
        return operation.view(subject, *names.values(), *body, **said, **visit.wanted)

    def _data(self, operation: Operation, visit: _Visit) -> object | Answer:
        """Return the JSON of a body, or the refusal of one that is not even read."""
        environ = visit.environ
        if not headers.is_json(environ.get("CONTENT_TYPE", "")) or (
            environ.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity"
        ):
            return misshapen(UNSUPPORTED_MEDIA_TYPE.document())
        sent = limits.read_body(environ, operation.limit(self._service.settings))
        if not isinstance(sent, bytes):
            return misshapen(sent)
        visit.bytes_in = len(sent)
        return json_text.read(sent)

    def _said(self, operation: Operation, visit: _Visit, data: object) -> dict[str, Any]:
        """Return what headers and query say; raise `Unreadable` for what cannot be understood."""
        query = parameters.query_of(visit.environ)
        return parameters.read(operation.takes, Asked(visit.environ, query, data))

    def _show(
        self,
        operation: Operation,
        visit: _Visit,
        media_type: str,
        subject: Served | Service,
        names: dict[str, str],
    ) -> Response:
        """Answer with what depends on the path alone, or say that the caller has it already."""
        voice = visit.voice if operation.speaks else ENGLISH
        key = (operation.operation_id, media_type, voice.tag, visit.game, *names.values())
        kept = self._kept.get(key)
        if kept is None:
            with self._making:  # once, however many come for it at the same moment
                kept = self._kept.get(key)
                if kept is None:
                    answer = operation.view(subject, *names.values())
                    if answer.status != HTTPStatus.OK:
                        return self._reply(visit, answer)
                    kept = self._kept[key] = _kept(answer, operation, media_type, voice)
        assert operation.keeps is not None
        how = coding(visit.environ.get("HTTP_ACCEPT_ENCODING")) if kept.is_coded else ""
        body, tag = kept.coded(how)
        has_it = headers.is_unchanged(visit.environ.get("HTTP_IF_NONE_MATCH"), tag)
        fields = self._headers.of(
            "" if has_it else kept.media_type,
            operation.keeps,
            len(operation.offers) > 1 and not operation.is_file,
            visit.environ.get("HTTP_ORIGIN"),
            voice.tag if operation.speaks else "",
            operation.policy,
            is_coded=kept.is_coded,
        )
        fields.append(("ETag", tag))
        if how and not has_it:
            fields.append(("Content-Encoding", how))
        return self._send(visit, 304 if has_it else 200, fields, b"" if has_it else body)

    def _refuse(
        self, visit: _Visit, problem: Problem, detail: str | None = None, **members: object
    ) -> Response:
        """Answer with a problem of the request itself."""
        return self._reply(visit, refusal(problem.document(detail, **members)))

    def _reply(self, visit: _Visit, answer: Answer, caching: str | None = None) -> Response:
        """Send an answer, and tell of what it says."""
        for document in answer.problems:
            document["instance"] = f"urn:request:{visit.request_id}"
        for error in answer.bugs:
            logs.failure(error, request_id=visit.request_id, operation=visit.operation)
        for broken in answer.broken:
            metrics.count_violation(*broken)
        spoken, voice = "", ENGLISH
        if visit.speaks or answer.problems:
            voice = visit.voice
            spoken = voice.tag
        if voice is not ENGLISH:
            for document in answer.problems:
                problems.refit(document, voice)
        body = _body(answer, voice)
        origin = visit.environ.get("HTTP_ORIGIN")
        has_offers = bool(visit.wanted)
        is_coded = visit.is_compressed and answer.status == HTTPStatus.OK
        fields = self._headers.of(
            answer.media_type, caching or NO_STORE, has_offers, origin, spoken, is_coded=is_coded
        )
        fields += answer.headers
        if is_coded and len(body) >= SMALLEST:
            how = coding(visit.environ.get("HTTP_ACCEPT_ENCODING"))
            if how:
                body = compressed(body, how)
                fields.append(("Content-Encoding", how))
        code: str | None = answer.problems[0]["code"] if answer.status >= 400 else None
        return self._send(visit, answer.status, fields, body, code, answer.stream)

    def _send(
        self,
        visit: _Visit,
        status: int,
        fields: Fields,
        body: bytes,
        code: str | None = None,
        stream: Iterable[bytes] | None = None,
    ) -> Response:
        """Finish an answer, count it and log it; a stream as soon as it begins."""
        fields.append(("X-Request-Id", visit.request_id))
        if status not in _WITHOUT_CONTENT and stream is None:
            fields.append(("Content-Length", str(len(body))))
        method = visit.environ["REQUEST_METHOD"]
        seconds = perf_counter() - visit.started
        metrics.observe_request(visit.operation, method, status, seconds)
        others = {"game": visit.game} if visit.game else {}
        if code is not None:
            others["code"] = code
        logs.request(
            request_id=visit.request_id,
            method=method,
            route=visit.route,
            operation=visit.operation,
            status=status,
            duration_ms=seconds * 1000,
            bytes_in=visit.bytes_in,
            bytes_out=len(body),
            **others,
        )
        return _Reply(status, fields, body, stream)


def _body(answer: Answer, voice: Voice) -> bytes:
    """Return what is sent of an answer, its sentences in the language of `voice`."""
    if isinstance(answer.body, bytes):
        return answer.body
    return json_text.write(answer.body, voice.written)


def _kept(answer: Answer, operation: Operation, media_type: str, voice: Voice) -> _Kept:
    """Return an answer as it is kept: written once, under the tag of its bytes."""
    if media_type == html.MEDIA_TYPE and operation.page is not None:
        assert isinstance(answer.body, dict)
        body = operation.page(answer.body).encode()
    else:
        body = _body(answer, voice)
    if operation.is_file:
        media_type = answer.media_type
    return _Kept.of(body, media_type)
