"""How bodies are read, whatever the server does, and what a batch may ask for."""

from __future__ import annotations

import io
from typing import Any

import pytest

from splendor_api.app import create_app
from splendor_api.http.limits import Budget, read_body
from splendor_api.settings import Settings
from tests.http.conftest import problem_of
from tests.http.nim import NIM


class _Dripping(io.BytesIO):
    """A stream that gives a byte at a time, as a server may."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(size or 0, 1))


class _Breaking(io.BytesIO):
    """A stream that breaks off with an error of the server's own."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def read(self, size: int | None = -1, /) -> bytes:
        raise self.error


class _Unread(io.BytesIO):
    """A stream that must not be read."""

    def read(self, size: int | None = -1, /) -> bytes:
        pytest.fail("the body is read")


class _LateError(Exception):
    """A server's way to say that a client is too slow."""

    code = 408


def _environ(body: io.BytesIO, **headers: str) -> dict[str, Any]:
    return {"wsgi.input": body, "wsgi.input_terminated": True, **headers}


def _declared(body: bytes, length: int | str) -> dict[str, Any]:
    return _environ(io.BytesIO(body), CONTENT_LENGTH=str(length))


def _chunked(body: io.BytesIO) -> dict[str, Any]:
    return _environ(body, HTTP_TRANSFER_ENCODING="chunked")


def _code(read: bytes | dict[str, Any]) -> str:
    assert isinstance(read, dict)
    return str(read["code"])


@pytest.mark.parametrize("size", [0, 1, 9, 10])
def test_a_body_up_to_the_limit_is_read_whole(size: int) -> None:
    body = b"x" * size
    assert read_body(_declared(body, size), 10) == body
    assert read_body(_chunked(io.BytesIO(body)), 10) == body
    assert read_body(_chunked(_Dripping(body)), 10) == body
    assert read_body(_environ(_Dripping(body), CONTENT_LENGTH=str(size)), 10) == body


def test_a_body_over_the_limit_is_refused() -> None:
    assert _code(read_body(_declared(b"x" * 11, 11), 10)) == "too_large"
    assert _code(read_body(_chunked(io.BytesIO(b"x" * 11)), 10)) == "too_large"
    assert _code(read_body(_chunked(_Dripping(b"x" * 11)), 10)) == "too_large"


def test_a_declared_length_over_the_limit_is_refused_unread() -> None:
    unread = _environ(_Unread(), CONTENT_LENGTH="11")
    assert _code(read_body(unread, 10)) == "too_large"


def test_no_more_is_read_than_a_byte_over_the_limit() -> None:
    stream = io.BytesIO(b"x" * 1_000)
    read_body(_chunked(stream), 10)
    assert stream.tell() == 11


def test_without_any_length_there_is_no_body() -> None:
    assert read_body(_environ(_Unread()), 10) == b""


def test_bytes_after_the_declared_length_are_the_next_request_s() -> None:
    assert read_body(_declared(b"abcdef", 3), 10) == b"abc"


@pytest.mark.parametrize("length", ["-1", "+5", "5_0", "0x5", " 5", "5,5", "\u0665", "9" * 19])
def test_a_length_that_is_none_is_refused(length: str) -> None:
    assert _code(read_body(_declared(b"abcde", length), 10)) == "invalid_request"


def test_a_body_shorter_than_declared_is_refused() -> None:
    assert _code(read_body(_declared(b"abc", 5), 10)) == "invalid_request"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ValueError("canary"), "invalid_request"),
        (ConnectionResetError("canary"), "invalid_request"),
        (TimeoutError("canary"), "request_timeout"),
        (_LateError("canary"), "request_timeout"),
    ],
)
def test_an_error_of_the_server_is_the_client_s(error: Exception, code: str) -> None:
    for environ in (_chunked(_Breaking(error)), _environ(_Breaking(error), CONTENT_LENGTH="5")):
        refused = read_body(environ, 10)
        assert _code(refused) == code
        assert "canary" not in str(refused)


def test_a_chunked_body_whose_end_the_server_does_not_see_is_refused() -> None:
    environ = {"wsgi.input": _Unread(), "HTTP_TRANSFER_ENCODING": "chunked"}
    assert _code(read_body(environ, 10)) == "invalid_request"


def test_limits_are_those_of_the_settings() -> None:
    settings = Settings(max_body_bytes=1024, max_replay_bytes=2048, max_batch_bytes=3072)
    client = create_app(settings, {"nim": NIM}).test_client()
    for path, limit in (
        ("/v1/games/nim/deal", 1024),
        ("/v1/games/nim/replay", 2048),
        ("/v1/batch", 3072),
    ):
        fits = client.post(path, data=b" " * limit, content_type="application/json")
        problem_of(fits, 400, "malformed_json")
        over = client.post(path, data=b" " * (limit + 1), content_type="application/json")
        document = problem_of(over, 413, "too_large")
        assert f"{limit:,} bytes" in document["detail"]


def test_a_budget_is_taken_whole_or_not_at_all() -> None:
    budget = Budget(10)
    assert budget.take(7)
    assert not budget.take(4)
    assert budget.take(3)
    assert not budget.take(1)
