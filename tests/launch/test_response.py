"""The lighter response says, byte by byte, what gunicorn's own does."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.http.errors import (  # type: ignore[attr-defined] # the stubs are of version 26
    InvalidResponseHeader,
    InvalidResponseHeaderName,
)
from gunicorn.http.wsgi import Response

from splendor_api.launch import response
from splendor_api.launch.response import LARGEST_JOINED, WholeResponse

DATE = "Thu, 03 Dec 2026 08:00:00 GMT"
TYPE = ("Content-Type", "application/json")
LONG = b"x" * (LARGEST_JOINED + 1)


def length(body: bytes) -> tuple[str, str]:
    return "Content-Length", str(len(body))


class Sent:
    """A socket that keeps each piece it is given."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []

    def sendall(self, data: bytes) -> None:
        self.pieces.append(bytes(data))

    send = sendall


def sent(
    kind: type[Response],
    status: str,
    headers: list[tuple[str, str]],
    pieces: list[bytes],
    method: str = "GET",
    version: tuple[int, int] = (1, 1),
) -> list[bytes]:
    """Return what a response of a kind sends, piece by piece."""
    request: Any = SimpleNamespace(method=method, version=version, should_close=lambda: False)
    to: Any = Sent()
    made = kind(request, to, Config())
    made.start_response(status, headers)
    for piece in pieces:
        made.write(piece)
    made.close()
    found: list[bytes] = to.pieces
    return found


@pytest.fixture(autouse=True)
def _stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it be the same second for both."""
    monkeypatch.setattr("gunicorn.util.http_date", lambda _=None: DATE)
    monkeypatch.setattr(response, "_date", lambda _: DATE)


@pytest.mark.parametrize(
    ("status", "headers", "pieces", "beside"),
    [
        ("200 OK", [TYPE, length(b"{}")], [b"{}"], {}),
        ("200 OK", [TYPE, length(b"{}"), ("X-Request-Id", "abc")], [b"{}"], {"version": (1, 0)}),
        ("404 Not Found", [TYPE, length(b"")], [b""], {}),
        ("200 OK", [TYPE, length(b"abcd")], [b"ab", b"cd"], {}),
        ("200 OK", [TYPE, length(b"ab")], [b"abcd"], {}),
        ("200 OK", [TYPE], [b"event: x\n\n", b"", b"data"], {}),
        ("200 OK", [TYPE], [b"all"], {"version": (1, 0)}),
        ("200 OK", [TYPE, length(LONG)], [LONG], {}),
        ("200 OK", [TYPE, length(b"{}")], [], {"method": "HEAD"}),
        ("200 OK", [TYPE, length(b"{}")], [b"{}"], {"method": "HEAD"}),
        ("204 No Content", [("Vary", " Origin ")], [b""], {}),
        ("304 Not Modified", [("ETag", '"a"')], [b""], {}),
        ("200 OK", [("Connection", "close"), ("Keep-Alive", "1"), length(b"a")], [b"a"], {}),
    ],
)
def test_what_is_sent_is_what_gunicorn_sends(
    status: str, headers: list[tuple[str, str]], pieces: list[bytes], beside: dict[str, Any]
) -> None:
    for _ in range(2):  # the second time the headers are known
        plain = sent(Response, status, headers, pieces, **beside)
        assert b"".join(sent(WholeResponse, status, headers, pieces, **beside)) == b"".join(plain)


def test_a_whole_answer_is_one_piece() -> None:
    assert len(sent(WholeResponse, "200 OK", [TYPE, length(b"{}")], [b"{}"])) == 1
    assert len(sent(WholeResponse, "200 OK", [TYPE, length(LONG)], [LONG])) == 2


@pytest.mark.parametrize("name", ["X-Request-Id", "Location"])
def test_an_improper_header_is_not_sent(name: str) -> None:
    for _ in range(2):
        with pytest.raises(InvalidResponseHeader):
            sent(WholeResponse, "200 OK", [(name, "a\r\nb: c")], [])
    with pytest.raises(InvalidResponseHeaderName):
        sent(WholeResponse, "200 OK", [(f"{name}:", "a")], [])
