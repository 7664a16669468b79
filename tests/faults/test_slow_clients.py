"""Two hundred clients that are slow (P11): one that is not still gets its answers.

Behind a proxy that takes in whole requests the first two kinds never reach the service; so it is
asked directly, where they do.
"""

import socket
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from threading import Event, Thread
from time import monotonic

import httpx
import pytest

from tests.faults.clients import Client, Table
from tests.faults.service import Service, serving
from tests.faults.waiting import TIMES, until

SLOW = 200
ASKED = 60 * TIMES  # requests of the good client
PAUSE = 0.02  # seconds between two of them
LONGEST = 0.5  # seconds for all but one in a hundred; 0.1 where nothing else runs
DRIP = 0.5  # seconds from one byte of a slow client to the next
STREAMS = 8  # that a session of two seats lets in
IMPATIENCE = 2.0  # seconds in which the control is to have got its answer

HEAD = b"POST /v1/games/splendor/deal HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
OPENINGS = {
    "slow header": HEAD,
    "slow body": HEAD + b"Content-Length: 5000\r\n\r\n{",
    "idle": b"",
    "slow reader": b"GET /openapi.json HTTP/1.1\r\nHost: here\r\n\r\n" * 20,
}
DRIPPING = ("slow header", "slow body")


@contextmanager
def _slow_clients(port: int, opening: bytes, drip: bytes) -> Iterator[list[socket.socket]]:
    """Have so many clients begin; with `drip`, each sends that again and again."""
    over = Event()
    with ExitStack() as opened:
        sockets = []
        for _ in range(SLOW):
            each = opened.enter_context(socket.create_connection(("127.0.0.1", port)))
            each.sendall(opening)
            sockets.append(each)

        def keep_on() -> None:
            while drip and not over.wait(DRIP):
                for each in sockets:
                    _try_to_send(each, drip)

        thread = Thread(target=keep_on)
        thread.start()
        try:
            yield sockets
        finally:
            over.set()
            thread.join()


def _try_to_send(slow: socket.socket, data: bytes) -> None:
    try:
        slow.sendall(data)
    except OSError:
        return  # the service has had enough of it


def _durations(port: int) -> list[float]:
    """Return how long the good client waited for each answer, in order of length."""
    waits, pause = [], Event()
    for _ in range(ASKED):
        began = monotonic()
        with closing(HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
            connection.request("GET", "/v1/games")
            assert connection.getresponse().status == 200
        waits.append(monotonic() - began)
        pause.wait(PAUSE)
    return sorted(waits)


@pytest.fixture(scope="module")
def normal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Serve with the settings that the service has by itself."""
    with serving(tmp_path_factory.mktemp("normal"), THREADS="") as running:
        yield running


@pytest.mark.parametrize("kind", OPENINGS)
def test_a_good_client_is_answered(
    normal: Service, figure: Callable[[str], None], kind: str
) -> None:
    drip = b"x" if kind in DRIPPING else b""
    with _slow_clients(normal.port, OPENINGS[kind], drip):
        waits = _durations(normal.port)
    _require_quick(waits, figure, f"{SLOW} clients, {kind}")


def test_streams_leave_room_for_requests(normal: Service, figure: Callable[[str], None]) -> None:
    """A session of two seats lets eight streams in, a worker as many as half of its threads."""
    with ExitStack() as opened, Client(normal.url) as client:
        statuses: Counter[int] = Counter()
        limits = httpx.Limits(max_connections=None)
        reading = opened.enter_context(httpx.Client(base_url=normal.url, limits=limits, timeout=10))
        for _ in range(SLOW // STREAMS):
            table = Table.laid(client)
            for _ in range(STREAMS + 1):
                stream = reading.stream("GET", f"{table.path}/events")
                statuses[opened.enter_context(stream).status_code] += 1
        assert set(statuses) <= {200, 429, 503}
        assert statuses[429] > 0
        assert SLOW // 2 < statuses[200] <= SLOW
        waits = _durations(normal.port)
        table.act()
    _require_quick(waits, figure, f"{statuses[200]} streams")


def _require_quick(waits: list[float], figure: Callable[[str], None], about: str) -> None:
    worst = waits[int(0.99 * (len(waits) - 1))]
    figure(f"{about}: a good client waits {waits[len(waits) // 2]:.3f} s, p99 {worst:.3f} s")
    assert worst < LONGEST


def test_with_few_threads_a_good_client_gets_no_answer(tmp_path: Path) -> None:
    """The control of the ones above: eight threads are taken by as many slow clients."""
    with serving(tmp_path, THREADS="8", WEB_CONCURRENCY="1") as service:
        with (
            _slow_clients(service.port, OPENINGS["slow body"], b"x"),
            pytest.raises(httpx.TimeoutException),
        ):
            httpx.get(f"{service.url}/v1/games", timeout=IMPATIENCE)
        until(lambda: httpx.get(f"{service.url}/v1/games", timeout=30).status_code == 200)
