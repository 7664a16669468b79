"""The short way of a script to Redis: it comes to the same as the library's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from redis import Redis
from redis._parsers import Encoder
from redis.connection import PythonRespSerializer
from redis.exceptions import DataError, NoScriptError, ResponseError

from splendor_api.sessions.connection import opener
from splendor_api.sessions.direct import READY_FOR, DirectClient, Packer

ECHO = "return {KEYS[1], ARGV[1], 7, {ARGV[2]}, false}"
FAILING = "return redis.error_reply('OOM no room')"


@pytest.fixture
def client(admin_url: str) -> Iterator[DirectClient]:
    made = opener(admin_url)()
    assert isinstance(made, DirectClient)
    yield made
    made.close()


@pytest.fixture
def library(admin_url: str) -> Iterator[Redis]:
    """Return the library's own client of the same server."""
    with Redis.from_url(admin_url, decode_responses=True, protocol=2) as made:
        yield made


@pytest.fixture
def echo(library: Redis) -> str:
    return str(library.script_load(ECHO))


def connections(library: Redis, own: int = 1) -> int:
    """Return how many connections the server has beside those of whoever asks."""
    told: Any = library.client_list()
    return len(told) - own


def test_a_script_answers_as_by_the_library(
    client: DirectClient, library: Redis, echo: str
) -> None:
    for script, arguments in (
        (echo, (1, "{a}:key", "é \n", 5)),
        (library.script_load(FAILING), (0,)),
        ("0" * 40, (0,)),
    ):
        answers = []
        for each in (client, library):
            asked: Any = each
            try:
                answers.append(asked.evalsha(script, *arguments))
            except ResponseError as error:
                answers.append((type(error), str(error)))
        assert answers[0] == answers[1]
    with pytest.raises(NoScriptError):
        client.evalsha("0" * 40, 0)


def test_a_connection_is_used_again(client: DirectClient, library: Redis, echo: str) -> None:
    client.ping()
    before = connections(library)
    for _ in range(5):
        client.evalsha(echo, 1, "{a}:key", "", "")
        client.ping()
    assert connections(library) == before


def test_a_connection_that_was_closed_meanwhile_costs_no_answer(
    client: DirectClient, library: Redis, echo: str
) -> None:
    """P17: it is found out when it is used, and tried again on another."""
    for _ in range(2):
        assert client.evalsha(echo, 1, "{a}:key", "", "")
        library.client_kill_filter(_type="normal", skipme=True)


def test_one_that_was_idle_for_long_is_looked_at_first(
    client: DirectClient, library: Redis, echo: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that it is not the first request after a pause that has to try again."""
    now = 100.0
    monkeypatch.setattr("splendor_api.sessions.direct.monotonic", lambda: now)
    client.evalsha(echo, 1, "{a}:key", "", "")
    library.client_kill_filter(_type="normal", skipme=True)
    pool: Any = client.connection_pool
    now += READY_FOR
    good = pool.get_connection()
    good.send_command("PING")
    assert good.read_response() == "PONG"
    pool.release(good)


def test_what_goes_wrong_leaves_no_half_answer_behind(client: DirectClient, echo: str) -> None:
    """The next to use a connection would take it for its own."""
    pool: Any = client.connection_pool
    connection = pool.get_connection()
    connection.send_command("PING")
    connection.disconnect()
    pool.release(connection)
    assert client.evalsha(echo, 1, "{a}:key", "own", "") == ["{a}:key", "own", 7, [""], None]
    with pytest.raises(DataError):
        client.evalsha(echo, 1, "{a}:key", None, "")
    assert client.evalsha(echo, 1, "{a}:key", "own", "")[1] == "own"


def test_a_process_has_connections_of_its_own(client: DirectClient) -> None:
    """Two processes on one connection would take each other's answers."""
    parents = client.client_id()
    pool: Any = client.connection_pool
    pool.pid -= 1  # as it is after a fork
    assert client.client_id() != parents


@pytest.mark.parametrize(
    "command",
    [
        ("PING",),
        ("CONFIG GET", "appendfsync"),
        (b"CONFIG GET", b"maxmemory"),
        ("EVALSHA", "0" * 40, 2, "{a}:1", "{a}:2", "", "é \0 \r\n", b"\xff", -5, 2**63, 0.1),
        ("SET", "key", "x" * 100_000),
    ],
)
def test_a_command_is_written_as_by_the_library(command: tuple[Any, ...]) -> None:
    library: Any = Encoder
    plain: Any = PythonRespSerializer(6_000, library("utf-8", "strict", True).encode)
    (packed,) = Packer().pack(*command)
    assert packed == b"".join(plain.pack(*command))


@pytest.mark.parametrize("argument", [None, True, [1], {"a": 1}])
def test_an_argument_that_is_no_text_or_number_is_refused(argument: object) -> None:
    with pytest.raises(DataError):
        Packer().pack("SET", "key", argument)
