"""How much one request may send and ask for, how often one client may ask, how many may wait.

Bodies are read here and nowhere else: a server's own limit can cut a chunked body to size and hand
it on as if it were whole, so one byte more than the limit is asked for, and its arrival refused.
"""

from __future__ import annotations

import re
import select
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Final

from splendor_api.http import headers
from splendor_api.http.problems import (
    INVALID_REQUEST,
    REQUEST_TIMEOUT,
    TOO_LARGE,
    TOO_MANY_REQUESTS,
    JsonObject,
)
from splendor_api.i18n.catalogue import sentence
from splendor_api.sessions.store import Store
from splendor_api.settings import Settings

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

WORK: Final = 10_000
"""Work that one batch may ask for: an ordinary call is 1, a replay 1 an action."""

WORK_OF_TURNS: Final = 20
"""Work of listing every complete turn."""

WORK_OF_EXPLAINING: Final = 30
"""Work of explaining a state."""

LARGEST_ANSWERS: Final = 32 * 1024 * 1024
"""Bytes of the answers of one batch, beyond which no more of its calls are made."""

PATIENCE: Final = 10.0
"""Seconds for a client to take a piece of a stream."""

_LENGTH: Final = re.compile(r"[0-9]{1,18}", re.ASCII)
_HANG_UP: Final = select.POLLHUP | getattr(select, "POLLRDHUP", 0)  # the second is Linux's own


Limit = Callable[[Settings], int]
"""The largest body that an operation reads, in bytes."""


def of_call(settings: Settings) -> int:
    """Return the limit of an ordinary call."""
    return settings.max_body_bytes


def of_replay(settings: Settings) -> int:
    """Return the limit of a replay."""
    return settings.max_replay_bytes


def of_batch(settings: Settings) -> int:
    """Return the limit of a batch."""
    return settings.max_batch_bytes


def read_body(environ: WSGIEnvironment, limit: int) -> bytes | JsonObject:
    """Return the whole body of a request, or the problem of one too large or broken off.

    A declared length over `limit` is refused unread (RFC 9110, 15.5.14).
    """
    text = environ.get("CONTENT_LENGTH", "")
    coding = environ.get("HTTP_TRANSFER_ENCODING")
    if coding is not None:
        return _read_chunked(environ, coding, limit)
    if not text:
        return b""
    if not _LENGTH.fullmatch(text):
        return INVALID_REQUEST.document("The header Content-Length is no length.")
    length = int(text)
    if length > limit:
        return _too_large(limit)
    body = _read(environ, length)
    if isinstance(body, bytes) and len(body) < length:
        return INVALID_REQUEST.document("The body ends before its declared length.")
    return body


def _read_chunked(environ: WSGIEnvironment, coding: str, limit: int) -> bytes | JsonObject:
    """Return a body in chunks; one that says it is compressed too is not read as if it were not."""
    if coding.lower() != "chunked":
        return INVALID_REQUEST.document("The header Transfer-Encoding may only be: chunked.")
    if not environ.get("wsgi.input_terminated"):
        return INVALID_REQUEST.document("This server does not take a body without a length.")
    body = _read(environ, limit + 1)
    if isinstance(body, bytes) and len(body) > limit:
        return _too_large(limit)
    return body


def _read(environ: WSGIEnvironment, size: int) -> bytes | JsonObject:
    """Return up to `size` bytes, fewer only where the body ends, or the problem in their way."""
    stream = environ["wsgi.input"]
    try:
        body: bytes = stream.read(size)
        while len(body) < size and (more := stream.read(size - len(body))):
            body += more
    except Exception as error:  # noqa: BLE001 - every server has exceptions of its own for this
        if isinstance(error, TimeoutError) or getattr(error, "code", None) == 408:
            return REQUEST_TIMEOUT.document()
        return INVALID_REQUEST.document("The body is broken off, or its chunks are malformed.")
    return body


def _too_large(limit: int) -> JsonObject:
    return TOO_LARGE.document(
        sentence("The body is larger than {limit:,} bytes.", {"limit": limit})
    )


def lose_patience(environ: WSGIEnvironment) -> None:
    """Let a client of a stream take its time only so long; after that the connection is lost."""
    connection = _connection(environ)
    if connection is not None:
        connection.settimeout(PATIENCE)


def departure(environ: WSGIEnvironment) -> Callable[[], bool]:
    """Return what tells whether the client has closed its connection; as far as is known it stays.

    A client that closes only its sending side has left as well, as with any proxy.
    """
    connection = _connection(environ)

    def has_left() -> bool:
        if connection is None:
            return False
        descriptor = connection.fileno()
        if descriptor < 0:
            return True
        looking = select.poll()
        looking.register(descriptor, _HANG_UP)
        return bool(looking.poll(0))

    return has_left


def _connection(environ: WSGIEnvironment) -> socket.socket | None:
    """Return the connection, which only the server has, and gunicorn alone hands on."""
    connection: socket.socket | None = environ.get("gunicorn.socket")
    return connection


class Budget:
    """Work that is left to one request, and room for what it is answered, in bytes."""

    __slots__ = ("left", "room")

    def __init__(self, work: int = WORK, room: int = LARGEST_ANSWERS) -> None:
        self.left = work
        self.room = room

    def take(self, work: int) -> bool:
        """Take `work` out of the budget; False, and nothing taken, if there is not so much left."""
        if work > self.left:
            return False
        self.left -= work
        return True


@dataclass(frozen=True, slots=True)
class Rate:
    """How often one client may ask for something; counted in the store, for all workers."""

    name: str
    most: Callable[[Settings], int]
    """Returns how often; 0 for as often as one likes."""
    window: int
    """Seconds in which they are counted."""

    def excess(
        self, settings: Settings, store: Store, environ: WSGIEnvironment
    ) -> tuple[JsonObject, tuple[tuple[str, str], ...]] | None:
        """Count a request; return the problem of one too many, and its headers."""
        most = self.most(settings)
        if not most:
            return None
        client = headers.client_of(
            environ.get("REMOTE_ADDR", ""),
            environ.get("HTTP_X_FORWARDED_FOR"),
            settings.forwarded_allow_ips,
        )
        count, left_ms = store.count(self.name, client, self.window * 1000)
        if count <= most:
            return None
        detail = sentence(
            "One client may do this {most:,} times in {seconds:,} seconds.",
            {"most": most, "seconds": self.window},
        )
        wait = ("Retry-After", str(max(1, -(-left_ms // 1000))))
        return TOO_MANY_REQUESTS.document(detail), (wait,)


OF_SESSIONS: Final = Rate("session", lambda settings: settings.rate_limit_requests, 60)
OF_CREATIONS: Final = Rate("creation", lambda settings: settings.rate_limit_sessions, 3600)


class Places:
    """Places for those who wait for news in this process: each ties up a thread."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._lock: Final = Lock()

    def take(self) -> bool:
        """Take a place; `False` if there is none left."""
        with self._lock:
            if self._left <= 0:
                return False
            self._left -= 1
            return True

    def leave(self) -> None:
        """Give a place back."""
        with self._lock:
            self._left += 1

    @contextmanager
    def taken(self) -> Iterator[bool]:
        """Have a place within this context; the value says whether there was one."""
        has_place = self.take()
        try:
            yield has_place
        finally:
            if has_place:
                self.leave()
