"""The date jumps, in Redis and in the workers (P10): only lifetimes are counted by it."""

import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.clients import Client, Table, bearer
from tests.faults.conftest import Shim
from tests.faults.redis_server import redis_server
from tests.faults.service import serving
from tests.faults.streams import Stream

HOUR = 3600  # seconds
LIFETIME = 7200  # seconds


class Clock:
    """The date that the processes under test see."""

    def __init__(self, folder: Path, library: Path) -> None:
        self._file = folder / "offset"
        self._file.write_bytes(bytes(8))
        self.variables = {"LD_PRELOAD": str(library), "CLOCK_OFFSET": str(self._file)}

    def jump(self, seconds: int) -> None:
        """Set the clock so far from the true date, at once."""
        with self._file.open("r+b") as stream:
            os.pwrite(stream.fileno(), struct.pack("q", seconds), 0)


@contextmanager
def _clocked(folder: Path, shim: Shim, **variables: str) -> Iterator[tuple[Client, Clock]]:
    clock = Clock(folder, shim("clock"))
    with (
        redis_server(folder / "redis", variables=clock.variables) as redis,
        serving(folder, REDIS_URL=redis.url, **clock.variables, **variables) as service,
        Client(service.url) as client,
    ):
        yield client, clock


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, shim: Shim) -> Iterator[tuple[Client, Clock]]:
    """Return a client of a service, and the clock that both go by."""
    with _clocked(tmp_path_factory.mktemp("clocked"), shim) as made:
        yield made


@pytest.fixture
def clocked(running: tuple[Client, Clock]) -> Iterator[tuple[Client, Clock]]:
    """Return the same; the clock is put right afterwards."""
    yield running
    running[1].jump(0)


@pytest.mark.parametrize("jump", [-HOUR, HOUR, LIFETIME - 60])
def test_a_game_goes_on_through_a_jump(clocked: tuple[Client, Clock], jump: int) -> None:
    client, clock = clocked
    table = Table.laid(client, lifetime_seconds=LIFETIME)
    table.act()
    with Stream(client, table.path) as stream:
        assert stream.next().name == "snapshot"
        clock.jump(jump)
        acted = [table.act().version for _ in range(3)]
        table.read()
        assert [stream.next().id for _ in acted] == acted
    steps = client.get(f"{table.path}/actions")["steps"]
    assert abs(steps[2]["at_ms"] - steps[1]["at_ms"] - jump * 1000) < 60_000, "it has jumped"
    assert table.verdict().is_right


def test_a_session_ends_by_its_lifetime(clocked: tuple[Client, Clock]) -> None:
    """The control of the one above: the clock that jumps is the one that lifetimes go by."""
    client, clock = clocked
    table = Table.laid(client, lifetime_seconds=LIFETIME)
    table.act()
    clock.jump(LIFETIME + 60)
    gone = client.ask("GET", table.path, headers=bearer(table.tokens[0])).response
    assert (gone.status_code, gone.json()["code"]) == (410, "expired")
    Table.laid(client).act()


def test_a_rate_is_counted_through_jumps(tmp_path: Path, shim: Shim) -> None:
    with _clocked(tmp_path, shim, RATE_LIMIT_SESSIONS="2") as (client, clock):
        statuses, waits = [], []
        for jump in (0, 0, 0, -5 * HOUR, -4 * HOUR + 60):
            clock.jump(jump)
            answer = client.http.post("/v1/sessions", json={"game": "splendor", "seats": 2})
            statuses.append(answer.status_code)
            waits.append(int(answer.headers.get("Retry-After", 0)))
        assert statuses == [201, 201, 429, 429, 201]
        assert max(waits) <= HOUR
