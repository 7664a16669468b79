"""A response of gunicorn that takes less work: sent in one piece, its headers looked at once.

gunicorn looks at each header of each answer, and sends the body after the headers. But most headers
are the same in every answer, and two pieces cost a client and the kernel twice as much as one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from time import time
from typing import Any, Final

from gunicorn import util
from gunicorn.http.wsgi import Response

LARGEST_JOINED: Final = 64 * 1024  # bytes of a body that go out in one piece with the headers
REMEMBERED: Final = 256  # headers that are known to be proper; most answers have the same dozen

_DIFFERENT_EACH_TIME: Final = frozenset({"Content-Length", "X-Request-Id"})


class WholeResponse(Response):
    """A response that is sent in one piece where it is there in one."""

    def process_headers(self, headers: Iterable[tuple[str, str]]) -> None:
        """Take the headers over; raises for one that is not proper, as gunicorn does."""
        taken: Any = self.headers  # a list, which the stubs do not say
        for field in headers:
            if field[0] in _DIFFERENT_EACH_TIME:
                super().process_headers([field])
            else:
                taken += _taken(*field)

    def write(self, arg: bytes) -> None:
        """Send a piece of the body, the headers before the first."""
        if self.headers_sent or not self._is_whole(arg):
            super().write(arg)
            return
        self.headers_sent = True
        self.sent = len(arg)
        self.sock.sendall(self._head() + arg)

    def _is_whole(self, piece: bytes) -> bool:
        """Return whether the piece is all of a body that may be sent, and not too long to copy."""
        return (
            self.response_length == len(piece) <= LARGEST_JOINED
            and self.req.method != "HEAD"
            and not self.upgrade
        )

    def _head(self) -> bytes:
        """Return the status line and the headers, those of the server first."""
        version = self.req.version
        assert version is not None, "a request that is answered has been read"
        lines = [
            f"HTTP/{version[0]}.{version[1]} {self.status}",
            f"Server: {self.version}",
            f"Date: {_date(int(time()))}",
            f"Connection: {'close' if self.should_close() else 'keep-alive'}",
            *[f"{name}: {value}" for name, value in self.headers],
            "\r\n",
        ]
        return "\r\n".join(lines).encode("latin-1")


@lru_cache(maxsize=REMEMBERED)
def _taken(name: str, value: str) -> tuple[tuple[str, str], ...]:
    """Return what gunicorn sends of a header: itself, or nothing; raises if it is not proper."""
    trial = Response.__new__(Response)
    trial.headers = []
    Response.process_headers(trial, [(name, value)])
    return tuple(trial.headers)


@lru_cache(maxsize=1)
def _date(second: int) -> str:
    """Return a time, in seconds since 1970, as HTTP writes it."""
    return util.http_date(second)
