"""The power is cut under load (P4): what is not surely on the disk is gone.

A shim keeps how much of the append-only file has been flushed; after a kill, the rest is cut off.
"""

from pathlib import Path

from tests.conftest import Tell
from tests.faults.clients import Client, Table, crowd
from tests.faults.conftest import Shim
from tests.faults.redis_server import RedisServer, redis_server
from tests.faults.service import serving
from tests.faults.waiting import TIMES

CUTS = 2 * TIMES


def _cut_power(redis: RedisServer) -> int:
    """Kill the server, and leave of its data what was flushed; return the bytes that are gone."""
    redis.kill()
    gone = 0
    for file in redis.folder.rglob("*.aof"):
        kept = file.with_name(f"{file.name}.flushed")
        size = int(kept.read_text()) if kept.exists() else 0
        gone += file.stat().st_size - size
        with file.open("r+b") as stream:
            stream.truncate(size)
    return gone


def test_a_power_cut_loses_nothing(tmp_path: Path, shim: Shim, tell: Tell) -> None:
    variables = {"LD_PRELOAD": str(shim("power_cut"))}
    with (
        redis_server(tmp_path / "redis", variables=variables) as redis,
        serving(tmp_path, REDIS_URL=redis.url) as service,
    ):
        with crowd(service.url) as playing:
            for _ in range(CUTS):
                playing.advance(10)
                _cut_power(redis)
                redis.start()
            playing.advance(2)
        verdict = playing.verdict()
    tell(f"{CUTS} power cuts", verdict)
    assert verdict.is_right, verdict


def test_flushed_once_a_second_actions_are_lost(tmp_path: Path, shim: Shim) -> None:
    """The control of the one above: with `everysec` the same cut loses what was acknowledged."""
    variables = {"LD_PRELOAD": str(shim("power_cut"))}
    options = ("--appendfsync", "everysec")
    with (
        redis_server(tmp_path / "redis", *options, variables=variables) as redis,
        serving(tmp_path, REDIS_URL=redis.url) as service,
        Client(service.url) as client,
    ):
        table = Table.laid(client)
        redis.set("appendfsync", "always")
        table.act()
        redis.set("appendfsync", "everysec")
        acknowledged = 1
        while not acknowledged or _unflushed(redis) == 0:
            table.act()
            acknowledged += 1
        assert _cut_power(redis) > 0
        redis.start()
        verdict = table.verdict()
    assert verdict.lost > 0
    assert verdict.lost < verdict.acknowledged


def _unflushed(redis: RedisServer) -> int:
    """Return how many bytes a power cut would take now."""
    file = max(redis.folder.rglob("*.aof"), key=lambda each: each.stat().st_mtime_ns)
    return file.stat().st_size - int(file.with_name(f"{file.name}.flushed").read_text())
