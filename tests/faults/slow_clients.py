"""Clients that are slow, each in its way, and one that is not (P11)."""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from threading import Event, Thread
from time import monotonic

from tests.faults.waiting import TIMES

SLOW = 200
ASKED = 60 * TIMES  # requests of the good client
PAUSE = 0.02  # seconds between two of them
LONGEST = 0.5  # seconds for all but one in a hundred; 0.1 where nothing else runs
DRIP = 0.25  # seconds until a slow client sends a little more

HEAD = b"POST /v1/games/splendor/deal HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
GET = b"GET /openapi.json HTTP/1.1\r\nHost: here\r\n\r\n"
OPENINGS = {
    "slow header": HEAD,
    "slow body": HEAD + b"Content-Length: 5000\r\n\r\n{",
    "idle": b"",
    "slow reader": GET,
}
DRIPS = {"slow header": b"x", "slow body": b"x", "idle": b"", "slow reader": GET}
"""What each sends again and again: who reads nothing goes on asking, until nothing more fits."""

NARROW = 4096  # bytes that a slow client's system takes in for it, so that little fills it


def narrow(port: int) -> socket.socket:
    """Return a connection on which little is on its way at a time."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, NARROW)
    connection.connect(("127.0.0.1", port))
    return connection


@contextmanager
def slow_clients(connect: Callable[[], socket.socket], kind: str) -> Iterator[None]:
    """Have so many clients begin, and go on as slowly as their kind does."""
    over = Event()
    with ExitStack() as opened:
        sockets = [opened.enter_context(connect()) for _ in range(SLOW)]
        for each in sockets:
            each.sendall(OPENINGS[kind])

        def keep_on() -> None:
            while DRIPS[kind] and not over.wait(DRIP):
                for each in sockets:
                    _try_to_send(each, DRIPS[kind])

        thread = Thread(target=keep_on)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def _try_to_send(slow: socket.socket, data: bytes) -> None:
    try:
        slow.sendall(data)
    except OSError:
        return  # the service has had enough of it


def durations(connect: Callable[[], HTTPConnection]) -> list[float]:
    """Return how long the good client waited for each answer, in order of length."""
    waits, pause = [], Event()
    for _ in range(ASKED):
        began = monotonic()
        with closing(connect()) as connection:
            connection.request("GET", "/v1/games")
            assert connection.getresponse().status == 200
        waits.append(monotonic() - began)
        pause.wait(PAUSE)
    return sorted(waits)


def require_quick(waits: list[float], figure: Callable[[str], None], about: str) -> None:
    """Print how long the good client waited, which must not have been long."""
    worst = waits[int(0.99 * (len(waits) - 1))]
    figure(f"{about}: a good client waits {waits[len(waits) // 2]:.3f} s, p99 {worst:.3f} s")
    assert worst < LONGEST
