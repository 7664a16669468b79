"""Processes are killed while clients play: workers (P1), Redis (P3), the launcher (P5).

Whatever was acknowledged stands in the history once; the checker has only the clients' logs.
"""

import os
import signal
from pathlib import Path
from random import Random
from time import monotonic

from splendor_api.launch import embedded_redis
from tests.conftest import Tell
from tests.faults.clients import Client, Table, crowd
from tests.faults.redis_server import redis_server
from tests.faults.service import Service, serving
from tests.faults.waiting import TIMES, until

KILLS = 10 * TIMES  # of workers, and of Redis
LAUNCHERS = TIMES


def test_killed_workers_lose_nothing_and_double_nothing(tmp_path: Path, tell: Tell) -> None:
    random = Random(1)
    with serving(tmp_path) as service:
        with crowd(service.url) as playing:
            for _ in range(KILLS):
                playing.advance(2)
                _kill_worker(service, random.choice(service.workers()))
            playing.advance(2)
        verdict = playing.verdict()
        assert service.redis() is not None
    tell(f"{KILLS} workers killed, {playing.failures} requests failed", verdict)
    assert playing.failures > 0, "no kill hit a request"
    assert verdict.is_right, verdict


def test_killed_redis_servers_lose_nothing_and_double_nothing(tmp_path: Path, tell: Tell) -> None:
    with serving(tmp_path) as service:
        with crowd(service.url) as playing:
            for _ in range(KILLS):
                playing.advance(2)
                _kill_redis(service)
            playing.advance(2)
        verdict = playing.verdict()
    tell(f"{KILLS} Redis servers killed, {playing.failures} requests failed", verdict)
    assert verdict.is_right, verdict


def test_without_an_append_only_file_a_kill_loses_actions(tmp_path: Path) -> None:
    """The control of the one above: the checker sees a loss where there is one."""
    with redis_server(tmp_path / "redis", "--appendonly", "no", "--save", "") as redis:
        redis.set("save", "3600 1")
        with serving(tmp_path, REDIS_URL=redis.url) as service, Client(service.url) as client:
            table = Table.laid(client)
            table.act()
            with redis.client() as direct:
                direct.save()
            table.act()
            redis.kill()
            redis.start()
            verdict = table.verdict()
    assert (verdict.acknowledged, verdict.lost) == (2, 1)


def test_a_killed_launcher_leaves_whole_data_and_no_process(tmp_path: Path, tell: Tell) -> None:
    with serving(tmp_path) as service:
        with crowd(service.url) as playing:
            for _ in range(LAUNCHERS):
                playing.advance(5)
                service.kill()
                service.start()
            playing.advance(5)
            assert service.stop() == 0
            service.start()
            playing.advance(5)
        verdict = playing.verdict()
    tell(f"{LAUNCHERS} launchers killed, one told to end", verdict)
    assert verdict.is_right, verdict


def _kill_worker(service: Service, killed: int) -> None:
    """Kill a worker; return when another is there for it."""
    size = len(service.workers())
    os.kill(killed, signal.SIGKILL)

    def is_replaced() -> bool:
        workers = service.workers()
        return killed not in workers and len(workers) == size

    until(is_replaced)


def _kill_redis(service: Service) -> None:
    """Kill the service's Redis server; return when another has been there for a while."""
    killed = service.redis()
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    until(lambda: service.redis() not in (None, killed))
    started = monotonic()
    until(lambda: monotonic() > started + embedded_redis.STEADY)
