"""Behind nginx: slow clients, open streams, and one that asks ten times too much (P11).

All of them at once; short requests go on. The control, the service without a proxy and with few
threads, is in tests/faults/test_slow_clients.py.
"""

import socket
import ssl
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from time import monotonic

from tests.conftest import Figure
from tests.deploy.proxies import Nginx, nginx
from tests.deploy.redis_files import single
from tests.faults.clients import Client, Table
from tests.faults.service import serving

SLOW = 100  # of each kind
STREAMS = 500
PER_SESSION = 8  # four for each seat
PER_ADDRESS = 50  # of the 100 that nginx allows
RATE = 100  # requests a second that nginx allows an address, and
AT_ONCE = 200  # so many more
BURST = 10 * RATE
ASKED = 100  # requests of the good client
PAUSE = 0.02  # seconds between two of them
DRIP = 0.5  # seconds from one byte of a slow client to the next

HEAD = b"POST /v1/games/splendor/deal HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
SLOW_KINDS = {
    "header": (HEAD, b"x"),
    "body": (HEAD + b"Content-Length: 5000\r\n\r\n{", b" "),
    "reader": (b"GET /openapi.json HTTP/1.1\r\nHost: here\r\n\r\n" * 5, b""),
}


def test_short_requests_go_on_whatever_others_do(tmp_path: Path, figure: Figure) -> None:
    with ExitStack() as opened:
        redis = opened.enter_context(single(tmp_path / "redis"))
        host = {"REDIS_URL": redis.url, "WEB_CONCURRENCY": "1", "THREADS": "1000"}
        one, two = (opened.enter_context(serving(tmp_path / name, **host)) for name in ("1", "2"))
        proxy = opened.enter_context(nginx(tmp_path / "nginx", one.port, two.port))
        streams = opened.enter_context(_streams(proxy))
        opened.enter_context(_slow_clients(proxy))
        with ThreadPoolExecutor(1) as pool:
            burst = pool.submit(_burst, proxy)
            waits = _durations(proxy)
            answers = burst.result()
        still_open = sum(map(_is_open, streams))
    worst = waits[int(0.99 * (len(waits) - 1))]
    figure(
        f"{STREAMS} streams, {3 * SLOW} slow clients, a burst of {BURST}: "
        f"{answers[429]} held back, a good client waits {waits[len(waits) // 2]:.3f} s, "
        f"p99 {worst:.3f} s"
    )
    assert still_open == STREAMS
    assert answers[200] >= AT_ONCE
    assert answers[429] > 0
    assert set(answers) <= {200, 429, 503}


def _line(proxy: Nginx, address: str, sent: bytes) -> ssl.SSLSocket:
    """Return a connection from an address of the loopback, on which something has been sent."""
    trust = ssl.create_default_context(cafile=str(proxy.certificate))
    plain = socket.create_connection(("127.0.0.1", proxy.port), 30, source_address=(address, 0))
    line = trust.wrap_socket(plain, server_hostname="127.0.0.1")
    line.sendall(sent)
    return line


@contextmanager
def _streams(proxy: Nginx) -> Iterator[list[ssl.SSLSocket]]:
    """Open so many streams, and return once each has told what it begins with."""
    with ExitStack() as opened, Client(proxy.url, proxy.certificate, "127.0.2.1") as client:
        lines: list[ssl.SSLSocket] = []
        while len(lines) < STREAMS:
            table = Table.laid(client)
            for place in range(min(PER_SESSION, STREAMS - len(lines))):
                address = f"127.0.2.{len(lines) // PER_ADDRESS + 2}"
                asked = (
                    f"GET {table.path}/events HTTP/1.1\r\nHost: here\r\n"
                    f"Authorization: Bearer {table.tokens[place % 2]}\r\n\r\n"
                )
                line = opened.enter_context(_line(proxy, address, asked.encode()))
                told = b""
                while b"event: snapshot" not in told:
                    told += line.recv(65536)
                    assert told.startswith(b"HTTP/1.1 200"), told
                lines.append(line)
        yield lines


def _is_open(line: ssl.SSLSocket) -> bool:
    """Return whether a stream is open; whatever it has told meanwhile is thrown away."""
    line.settimeout(0)
    with suppress(ssl.SSLWantReadError):
        while piece := line.recv(65536):
            assert piece
        return False
    return True


@contextmanager
def _slow_clients(proxy: Nginx) -> Iterator[None]:
    """Have so many of each kind begin, and go on as slowly as they can."""
    over = Event()
    with ExitStack() as opened:
        dripping: list[tuple[ssl.SSLSocket, bytes]] = []
        for last, (opening, drip) in enumerate(SLOW_KINDS.values(), start=1):
            for _ in range(SLOW):
                line = opened.enter_context(_line(proxy, f"127.0.3.{last}", opening))
                dripping.append((line, drip))

        def keep_on() -> None:
            while not over.wait(DRIP):
                for line, drip in dripping:
                    with suppress(OSError):  # nginx has had enough of it
                        line.sendall(drip)

        thread = Thread(target=keep_on)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def _burst(proxy: Nginx) -> Counter[int]:
    """Ask for as much in as short a time as can be, all from one address; count the answers."""
    answers: Counter[int] = Counter()
    with Client(proxy.url, proxy.certificate, "127.0.5.1") as client:
        for _ in range(BURST):
            answer = client.http.get("/v1/games")
            answers[answer.status_code] += 1
            if answer.status_code != 200:
                assert answer.headers["Retry-After"].isdigit()
                assert answer.headers["Content-Type"] == "application/problem+json"
    return answers


def _durations(proxy: Nginx) -> list[float]:
    """Return how long the good client waited for each answer, in order of length."""
    waits, pause = [], Event()
    with Client(proxy.url, proxy.certificate, "127.0.4.1") as client:
        for _ in range(ASKED):
            began = monotonic()
            answer = client.http.post("/v1/games/splendor/deal", json={"seats": 2})
            assert answer.status_code == 200, answer.text
            waits.append(monotonic() - began)
            pause.wait(PAUSE)
    return sorted(waits)
