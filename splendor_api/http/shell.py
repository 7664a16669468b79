"""The one way from a request to its answer, for every operation.

    bytes → media types and size → JSON → the body's values → the view → JSON → bytes

Flask finds the operation; from there on only this module knows of the request at hand. The order
of refusal is: address, method, Accept, Content-Type, size, JSON, shape, rules. Where an operation
has a `guard`, what that says comes before all that is wrong with the shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import groupby
from operator import attrgetter
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from flask import Response, request
from werkzeug.exceptions import MethodNotAllowed

from splendor_api.http import headers, html, limits, parameters, problems
from splendor_api.http.application import Application
from splendor_api.http.compression import SMALLEST, Coding, coding, compressed
from splendor_api.http.headers import NO_STORE, PRIVATE, Fields, Headers, Unreadable
from splendor_api.http.operations import (
    Answer,
    Operation,
    Served,
    Service,
    failure,
    misshapen,
    refusal,
    unauthorized,
    unavailable,
)
from splendor_api.http.parameters import Asked, Unauthorized
from splendor_api.http.problems import (
    INVALID_REQUEST,
    NOT_ACCEPTABLE,
    NOT_FOUND,
    UNSUPPORTED_MEDIA_TYPE,
    Problem,
)
from splendor_api.i18n import languages
from splendor_api.i18n.catalogue import ENGLISH, Voice
from splendor_api.sessions.store import StoreUnavailable
from splendor_api.telemetry import logs, metrics
from splendor_api.wire import json_text
from splendor_api.wire.faults import InvalidRequest
from splendor_api.wire.json_text import Malformed
from splendor_api.wire.readers import MISSING

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

UNMATCHED: Final = "unmatched"
"""The operation, for logs and counts, of a request that meets none."""

PREFLIGHT: Final = "options"
"""That of a request with the method OPTIONS, whatever its path."""

_WITHOUT_CONTENT: Final = frozenset({204, 304})
_STATUS_LINES: Final = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}


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
            except StoreUnavailable as error:
                of_request = {"request_id": visit.request_id, "reason": str(error)}
                logs.event("store unavailable", level="warning", **of_request)
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
            has_said = operation.takes or visit.environ.get("QUERY_STRING")
            said = self._said(operation, visit, data) if has_said else {}
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
