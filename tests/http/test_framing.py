"""Ambiguous and broken framing, against the service as it is served (T23, T24; P16).

Each connection is a socket, since no HTTP client would send such requests.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 20  # seconds; only a broken service takes as long
LIMIT = 64 * 1024

POST = b"POST /v1/games/splendor/deal HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
BODY = b'{"seats":2}'
CHUNKS = b"b\r\n" + BODY + b"\r\n0\r\n\r\n"
GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
SMUGGLED = GET + b"\r\n"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Serve on a free port, and return it."""
    with subprocess.Popen(
        [sys.executable, "-m", "splendor_api", "serve"],
        cwd=ROOT,
        env={"PATH": os.defpath, "PORT": "0", "WEB_CONCURRENCY": "1", "THREADS": "8"}
        | {"REQUEST_TIMEOUT": "2", "LOG_LEVEL": "error", "REDIS_URL": "unix:///nowhere"},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        found = re.search(r":(\d+) ", process.stdout.readline())
        assert found is not None
        yield int(found[1])
        process.terminate()
        assert process.wait(PATIENCE) == 0


def _exchange(port: int, sent: bytes, *, is_last: bool = True) -> bytes:
    """Send bytes, and no more if `is_last`; return all that comes until the connection closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(sent)
        if is_last:
            connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def _statuses(answered: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", answered)]


def _is_problem(answered: bytes) -> bool:
    """Tell whether an answer is one problem document of the status it is sent with."""
    head, _, body = answered.partition(b"\r\n\r\n")
    document = orjson.loads(body)
    return (
        b"\r\nContent-Type: application/problem+json\r\n" in head + b"\r\n"
        and [document["status"]] == _statuses(answered)
        and len(body) <= 16 * 1024
        and b"Traceback" not in body
    )


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        pytest.param(POST + b"Content-Length: 11\r\n\r\n" + BODY, 200, id="control: length"),
        pytest.param(CHUNKED + CHUNKS, 200, id="control: chunked"),
        pytest.param(
            POST + b"Content-Length: 11\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNKS,
            400,
            id="a length and chunks",
        ),
        pytest.param(
            POST + b"Content-Length: 11\r\nContent-Length: 12\r\n\r\n" + BODY,
            400,
            id="two lengths",
        ),
        pytest.param(POST + b"Content-Length: +11\r\n\r\n" + BODY, 400, id="a signed length"),
        pytest.param(POST + b"Content-Length: 1_1\r\n\r\n" + BODY, 400, id="a grouped length"),
        pytest.param(POST + b"Content-Length: -1\r\n\r\n" + BODY, 400, id="a negative length"),
        pytest.param(POST + b"Content-Length : 11\r\n\r\n" + BODY, 400, id="a space before colon"),
        pytest.param(
            POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n" + CHUNKS,
            400,
            id="a tab first",
        ),
        pytest.param(
            POST + b"Transfer-Encoding: xchunked\r\n\r\n" + CHUNKS, 400, id="an unknown coding"
        ),
        pytest.param(
            POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n" + CHUNKS,
            400,
            id="a coding that nobody undoes",
        ),
        pytest.param(
            POST + b"Transfer-Encoding: chunked, identity\r\n\r\n" + CHUNKS,
            400,
            id="chunked not last",
        ),
        pytest.param(POST + b"X-A: b\r\n c: d\r\n\r\n", 400, id="a folded header"),
        pytest.param(
            POST.replace(b"HTTP/1.1", b"HTTP/1.0") + b"Transfer-Encoding: chunked\r\n\r\n" + CHUNKS,
            400,
            id="chunks under 1.0",
        ),
        pytest.param(CHUNKED + b"zz\r\n" + CHUNKS, 400, id="a chunk size that is none"),
        pytest.param(CHUNKED + b"-1\r\nabcde\r\n0\r\n\r\n", 400, id="a negative chunk size"),
        pytest.param(CHUNKED + b"0xb\r\n" + BODY + b"\r\n0\r\n\r\n", 400, id="a prefixed size"),
        pytest.param(CHUNKED + b"5\r\n" + BODY + b"\r\n0\r\n\r\n", 400, id="a chunk too short"),
        pytest.param(POST + b"Content-Length: 99\r\n\r\n" + BODY, 400, id="a body broken off"),
        pytest.param(CHUNKED + b"b\r\n" + BODY, 400, id="chunks broken off"),
        pytest.param(b"GET http://elsewhere HTTP/1.1\r\nHost: x\r\n\r\n", 200, id="no path"),
        pytest.param(b"GET /healthz HTTP/1.1\r\n\r\n", 400, id="no host"),
        pytest.param(GET + b"Host: y\r\n\r\n", 400, id="two hosts"),
        pytest.param(
            GET + b"X: " + b"a" * 9_000 + b"\r\n\r\n",
            431,
            id="a header of 9,000 bytes",
        ),
        pytest.param(
            GET + b"X-Request-Id: a\x00b\r\n\r\n",
            400,
            id="a header with NUL",
        ),
        pytest.param(
            GET + b"X-Request-Id: a\rb\r\n\r\n",
            400,
            id="a header with CR",
        ),
    ],
)
def test_one_request_gets_one_answer(port: int, sent: bytes, status: int) -> None:
    answered = _exchange(port, sent)
    assert _statuses(answered) == [status]
    assert status == 200 or _is_problem(answered)


def _of_size(size: int) -> bytes:
    """Return a deal padded with white space to `size` bytes, in chunks of 16 KiB."""
    text = BODY.rjust(size)
    pieces = [text[start : start + 16_384] for start in range(0, size, 16_384)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def test_a_chunked_body_at_the_limit_is_taken_and_one_over_it_is_not_cut(port: int) -> None:
    assert _statuses(_exchange(port, CHUNKED + _of_size(LIMIT))) == [200]
    answered = _exchange(port, CHUNKED + _of_size(LIMIT + 1))
    assert _statuses(answered) == [413]
    assert _is_problem(answered)


def test_valid_json_before_the_limit_does_not_hide_what_comes_after(port: int) -> None:
    text = (BODY.ljust(LIMIT) + b'"trailing"') * 2
    chunk = b"%x\r\n%s\r\n0\r\n\r\n" % (len(text), text)
    assert _statuses(_exchange(port, CHUNKED + chunk)) == [413]


def test_a_declared_length_over_the_limit_is_refused_before_it_comes(port: int) -> None:
    answered = _exchange(port, POST + b"Content-Length: 2000000\r\n\r\n" + b" " * 100)
    assert _statuses(answered) == [413]
    assert _is_problem(answered)


@pytest.mark.parametrize(
    "first",
    [
        POST + b"Content-Length: 11\r\n\r\n" + BODY,
        CHUNKED + CHUNKS,
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(SMUGGLED)
        + SMUGGLED,
        CHUNKED.replace(b"application/json", b"text/plain") + CHUNKS,
    ],
)
def test_a_body_is_never_taken_for_the_next_request(port: int, first: bytes) -> None:
    answered = _exchange(port, first + GET + b"Connection: close\r\n\r\n", is_last=False)
    assert len(_statuses(answered)) == 2
    assert _statuses(answered)[1] == 200


@pytest.mark.parametrize("broken", [b"zz\r\n", b"5\r\n" + BODY + b"\r\n0\r\n\r\n"])
def test_after_a_broken_body_the_connection_ends(port: int, broken: bytes) -> None:
    answered = _exchange(port, CHUNKED + broken + SMUGGLED, is_last=False)
    assert _statuses(answered) == [400]


def test_a_body_that_does_not_come_is_given_up(port: int) -> None:
    answered = _exchange(port, POST + b"Content-Length: 11\r\n\r\n{", is_last=False)
    assert _statuses(answered) == [408]
    assert _is_problem(answered)


def test_head_is_answered_without_a_body_on_the_wire(port: int) -> None:
    sent = b"HEAD /v1/games HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    head, _, body = _exchange(port, sent).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ")
    assert body == b""
    assert re.search(rb"\r\nContent-Length: [1-9]", head)
