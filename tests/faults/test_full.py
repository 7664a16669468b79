"""Disk full, memory full (P6): sessions are refused whole, and come back by themselves."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
from redis.exceptions import OutOfMemoryError

from tests.conftest import Tell
from tests.faults.clients import Client, Table, bearer, crowd
from tests.faults.redis_server import redis_server
from tests.faults.service import serving
from tests.faults.waiting import until

SMALL, LARGE = "3m", "64m"  # sizes of a disk
LARGE_GAME = {"game": "splendor", "seats": 4, "metadata": {f"n{at}": "x" * 90 for at in range(20)}}


@contextmanager
def _disk(folder: Path) -> Iterator[Path]:
    """Put a small disk there; this takes the powers of an administrator."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SMALL}", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def _create(client: Client) -> httpx.Response:
    """Create a session that takes some room, once."""
    return client.http.post("/v1/sessions", json=LARGE_GAME)


def _act(table: Table) -> httpx.Response:
    """Act once, with a key that stays the same, whatever the answer."""
    request = table.request(table.choose(), f"key-for-{table.version}")
    return table.client.http.request(request.pop("method"), request.pop("path"), **request)


def _require_unavailable(response: httpx.Response) -> None:
    assert (response.status_code, response.json()["code"]) == (503, "store_unavailable")
    assert response.headers["Retry-After"].isdigit()


def test_a_full_disk_loses_nothing_and_is_got_over(tmp_path: Path, tell: Tell) -> None:
    with (
        _disk(tmp_path / "disk") as disk,
        serving(tmp_path, DATA_DIR=str(disk)) as service,
        Client(service.url) as client,
    ):
        with crowd(service.url, 2) as playing:
            playing.advance(2)
            while (refused := _create(client)).status_code == 201:
                pass
            _require_unavailable(refused)
            until(lambda: client.http.get("/readyz").status_code == 503)
            assert client.http.get("/v1/games").status_code == 200
            assert service.process.poll() is None
            subprocess.run(["mount", "-o", f"remount,size={LARGE}", disk], check=True)
            until(lambda: client.http.get("/readyz").status_code == 200)
            playing.advance(2)
        verdict = playing.verdict()
    tell("a disk was full", verdict)
    assert playing.failures > 0
    assert verdict.is_right, verdict


def test_full_memory_refuses_and_drops_nothing(tmp_path: Path, tell: Tell) -> None:
    with (
        redis_server(tmp_path / "redis") as redis,
        serving(tmp_path, REDIS_URL=redis.url) as service,
        Client(service.url) as client,
    ):
        assert client.get("/readyz")["store"]["warnings"] == []
        table = Table.laid(client)
        table.act()
        redis.set("maxmemory", str(redis.info("memory", "used_memory") // 2))
        _require_unavailable(_act(table))
        until(lambda: _create(client).status_code == 503)
        assert table.read().version == table.version
        assert client.http.get("/v1/games").status_code == 200
        assert table.verdict().is_right
        redis.set("maxmemory", "0")
        until(lambda: _create(client).status_code == 201)
        table.act()
        verdict = table.verdict()
        assert redis.info("stats", "evicted_keys") == 0
    tell("memory was full", verdict)
    assert verdict.is_right, verdict


def test_a_server_that_makes_room_drops_sessions(tmp_path: Path) -> None:
    """The control of the one above; `/readyz` has said what may happen (T37)."""
    with (
        redis_server(tmp_path / "redis", "--maxmemory-policy", "allkeys-random") as redis,
        serving(tmp_path, REDIS_URL=redis.url) as service,
        Client(service.url) as client,
    ):
        (warning,) = client.get("/readyz")["store"]["warnings"]
        assert "maxmemory-policy is not noeviction" in warning
        tables = [Table.laid(client) for _ in range(8)]
        redis.set("maxmemory", str(redis.info("memory", "used_memory") - 8192))
        with redis.client() as direct, suppress(OutOfMemoryError):
            direct.set("anything", "at all")
        assert redis.info("stats", "evicted_keys") > 0
        redis.set("maxmemory", "0")
        seen = [
            client.http.get(table.path, headers=bearer(table.tokens[0])).status_code
            for table in tables
        ]
    assert seen != [200] * len(tables)
