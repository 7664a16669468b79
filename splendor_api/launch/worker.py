"""A gunicorn worker whose refusals are problems too, and whose patience ends.

gunicorn reads a request before the application sees it. What it cannot read it would answer in
HTML, and it would wait for ever for the rest of a request. Here both end in a problem (RFC 9457),
the connection is closed, and nothing of the request is repeated or logged.
"""

from __future__ import annotations

import socket
from http import HTTPStatus
from select import POLLIN, poll
from time import monotonic
from types import FrameType
from typing import Any

from gunicorn import util
from gunicorn.glogging import Logger
from gunicorn.http import wsgi
from gunicorn.http.errors import (  # type: ignore[attr-defined] # the stubs are of version 26
    ConfigurationProblem,
    InvalidHeader,
    InvalidResponseHeader,
    InvalidResponseHeaderName,
    LimitRequestHeaders,
    LimitRequestLine,
    ParseException,
)
from gunicorn.http.message import Request
from gunicorn.http.parser import RequestParser
from gunicorn.http.unreader import SocketUnreader
from gunicorn.http.wsgi import Response
from gunicorn.workers.gthread import TConn, ThreadWorker

from splendor_api.app import FEED
from splendor_api.http import headers, problems
from splendor_api.http.headers import Fields, Headers
from splendor_api.http.problems import Problem
from splendor_api.launch.response import WholeResponse
from splendor_api.settings import Settings
from splendor_api.telemetry import logs, metrics
from splendor_api.wire import json_text

LARGEST_READ = 256 * 1024  # bytes taken from a socket at once
UNREAD = "unread"  # the operation of a request that reached none

_LINGER = 10  # milliseconds for which a thread waits for another request on its connection


class SlowRequest(ParseException):
    """The request was not whole in time; `code` is the status, as with gunicorn's own."""

    code = 408


def problem_of(error: BaseException) -> tuple[Problem, str]:
    """Return the problem behind a request whose reading ended in `error`, and its detail."""
    match error:
        case SlowRequest():
            return problems.REQUEST_TIMEOUT, "The request was not whole in the time allowed."
        case LimitRequestLine():
            return problems.HEADERS_TOO_LARGE, "The request line is too long."
        case LimitRequestHeaders():
            return problems.HEADERS_TOO_LARGE, problems.HEADERS_TOO_LARGE.means
        case InvalidResponseHeader() | InvalidResponseHeaderName() | ConfigurationProblem():
            pass  # relatives of what a client can do wrong, but the service did it
        case ParseException():
            return problems.INVALID_REQUEST, "The request is not proper HTTP (RFC 9112)."
    return problems.INTERNAL_ERROR, problems.INTERNAL_ERROR.means


def answer_with(problem: Problem, detail: str, request_id: str, fields: Fields) -> bytes:
    """Return a whole HTTP answer with the header `fields` and more; it ends the connection."""
    body = json_text.write(problem.document(detail, instance=f"urn:request:{request_id}"))
    lines = [
        f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}",
        "Connection: close",
        f"Content-Length: {len(body)}",
        f"X-Request-Id: {request_id}",
        *(f"{name}: {value}" for name, value in fields),
    ]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


class PatientUnreader(SocketUnreader):
    """Reads from a socket until a deadline, by the monotonic clock."""

    def __init__(self, sock: socket.socket, patience: float) -> None:
        super().__init__(sock)
        self.patience = patience
        self.deadline = 0.0

    def start(self) -> None:
        """Begin the time of a new request."""
        self.deadline = monotonic() + self.patience

    def chunk(self, size_hint: int | None = None) -> bytes:
        """Return what has come; raises `SlowRequest` at the deadline.

        After it the socket keeps the same patience for each write, so that a client that
        does not take its answer loses the connection.
        """
        left = self.deadline - monotonic()
        if left <= 0:
            raise SlowRequest
        self.sock.settimeout(left)
        try:
            return self.sock.recv(min(max(size_hint or 0, self.mxchunk), LARGEST_READ))
        except TimeoutError:
            raise SlowRequest from None
        finally:
            self.sock.settimeout(self.patience)


class Connection(TConn):
    """A connection whose requests have `patience` seconds each to arrive."""

    def __init__(self, plain: TConn, patience: float) -> None:
        super().__init__(plain.cfg, plain.sock, plain.client, plain.server)
        self.unreader = PatientUnreader(plain.sock, patience)

    def init(self) -> None:
        """Get ready for the next request; gunicorn calls this before each."""
        super().init()
        assert isinstance(self.parser, RequestParser), "only HTTP/1 is spoken"
        self.parser.unreader = self.unreader
        self.unreader.start()


class Worker(ThreadWorker):
    """gunicorn's threaded worker, with problems for answers and a deadline for requests."""

    patience: float  # seconds; this and the next are set by `worker_with`
    headers: Headers

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Let requests under way end."""
        self._end_streams()
        super().handle_exit(sig, frame)

    def is_parent_alive(self) -> bool:
        """Return whether the launcher is there; without it, end as if it had said so.

        Else connections that stay would hold the address for as long as they are used.
        """
        if super().is_parent_alive():
            return True
        self._end_streams()
        self.alive = False
        return False

    def _end_streams(self) -> None:
        """End what has no end of its own; its readers come back."""
        feed = getattr(self.wsgi, "extensions", {}).get(FEED)
        if feed is not None:
            feed.close()

    def enqueue_req(self, conn: TConn) -> None:
        """Put a connection to work, with a deadline from its first request on."""
        patient = conn if isinstance(conn, Connection) else Connection(conn, self.patience)
        super().enqueue_req(patient)

    def handle(self, conn: TConn) -> bool:
        """Serve a connection as long as requests follow each other on it.

        gunicorn hands a connection back after each answer, to wait for the next request among all
        the others; that costs as much as a small answer. So the thread waits for a moment itself,
        unless there are more connections than threads.
        """
        while True:
            outcome = super().handle(conn)
            if outcome is not True or not self.alive or self.nr_conns > self.cfg.threads:
                return outcome
            if not _is_followed(conn):
                return outcome

    def handle_request(self, req: Request, conn: TConn) -> bool:
        """Answer one request; return whether there may be another on the connection.

        It names exactly one host (RFC 9112, 3.2).
        """
        hosts = sum(name == "HOST" for name, _ in req.headers)
        if hosts > 1 or (hosts == 0 and req.version != (1, 0)):
            raise InvalidHeader("HOST")
        response, environ = wsgi.create(
            req, conn.sock, conn.client, conn.server, self.cfg, WholeResponse
        )
        environ["wsgi.multithread"] = True
        if not self.alive or len(self.keepalived_conns) >= self.max_keepalived:
            response.force_close()
        try:
            self._answer(environ, response)
        except (Exception, SystemExit) as error:
            if isinstance(error, OSError) or not response.headers_sent:
                raise
            logs.failure(error)  # what has been sent of the answer cannot be taken back
            util.close_graceful(conn.sock)
            return False
        return not response.should_close()

    def _answer(self, environ: Any, response: Response) -> None:
        """Send what the application answers."""
        start: Any = response.start_response
        pieces = self.wsgi(environ, start)
        try:
            for piece in pieces:
                response.write(piece)
            response.close()
        finally:
            close = getattr(pieces, "close", None)
            if close is not None:
                close()

    def handle_error(
        self, req: Request | None, client: socket.socket, addr: object, exc: BaseException
    ) -> None:
        """Answer a request that could not be read, or that broke the application."""
        problem, detail = problem_of(exc)
        request_id = headers.request_id(None)
        fields = self.headers.of(problems.MEDIA_TYPE, headers.NO_STORE, False, None)
        metrics.observe_request(UNREAD, "other", problem.status, 0.0)
        if problem is problems.INTERNAL_ERROR:
            logs.failure(exc, request_id=request_id)
        else:
            logs.event(
                "unreadable request",
                request_id=request_id,
                status=problem.status,
                reason=type(exc).__name__,
            )
        try:
            client.sendall(answer_with(problem, detail, request_id, fields))
        except OSError:
            logs.event("answer not taken", level="debug", request_id=request_id)


def _is_followed(conn: TConn) -> bool:
    """Return whether more comes on a connection soon, or has come already."""
    if isinstance(conn, Connection) and conn.unreader.buf.getvalue():
        return True
    waiting = poll()
    waiting.register(conn.sock, POLLIN)
    return bool(waiting.poll(_LINGER))


def worker_with(settings: Settings) -> type[Worker]:
    """Return the class of this service's workers: gunicorn makes them by itself."""
    own = {
        "patience": settings.request_timeout,
        "headers": Headers(settings.cors_origins),
    }
    return type("ServiceWorker", (Worker,), own)


class Log(Logger):
    """gunicorn's log, through the handlers of `telemetry.logs`; it has no access log."""

    def setup(self, cfg: object) -> None:
        """Leave level and handlers as `telemetry.logs.configure` set them."""
        self.error_log.propagate = True

    def access(self, *_: object) -> None:
        """Say nothing: the application tells of its requests."""
