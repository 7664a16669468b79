"""The service is told to end, or to begin anew, while it is used (P18); and what it finds later."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.conftest import Tell
from tests.faults.clients import Client, Table, bearer, crowd
from tests.faults.redis_server import redis_server
from tests.faults.service import Service, serving
from tests.faults.streams import Stream
from tests.faults.waiting import TIMES, until

RELOADS = 2 * TIMES
SOON = 5.0  # seconds: half of the time that requests under way are given


def test_workers_replaced_under_load_break_no_request(tmp_path: Path, tell: Tell) -> None:
    with serving(tmp_path) as service:
        with crowd(service.url) as playing:
            for _ in range(RELOADS):
                playing.advance(3)
                before = set(service.workers())
                service.tell(signal.SIGHUP)
                until(partial(_are_replaced, service, before))
            playing.advance(3)
        verdict = playing.verdict()
    tell(f"{RELOADS} reloads, {playing.failures} requests failed", verdict)
    assert playing.failures == 0
    assert verdict.is_right, verdict


def _are_replaced(service: Service, before: set[int]) -> bool:
    """Return whether all workers are others, and as many."""
    now = set(service.workers())
    return not before & now and len(now) == len(before)


def test_the_end_breaks_no_request_and_the_next_service_goes_on(tmp_path: Path, tell: Tell) -> None:
    with serving(tmp_path) as service:
        with crowd(service.url) as playing:
            playing.advance(5)
            assert service.stop() == 0
            service.start()
            playing.advance(5)
        verdict = playing.verdict()
        assert "Traceback" not in service.log.read_text()
    tell("an end and a beginning under load", verdict)
    assert verdict.is_right, verdict


def test_streams_end_with_the_service_and_resume_with_the_next(tmp_path: Path) -> None:
    with serving(tmp_path) as service, Client(service.url) as client:
        table = Table.laid(client)
        table.act()
        with Stream(client, table.path) as stream, ThreadPoolExecutor(1) as pool:
            last = stream.next().id
            rest = pool.submit(list, stream)
            service.tell(signal.SIGTERM)
            assert rest.result(SOON) == []
            assert service.stop() == 0
        service.start()
        acted = table.act().version
        with Stream(client, table.path, last=last) as stream:
            assert stream.next().id == acted


def test_who_waits_for_news_is_answered_at_the_end(tmp_path: Path) -> None:
    with serving(tmp_path) as service, Client(service.url) as client:
        table = Table.laid(client)
        with ThreadPoolExecutor(1) as pool:
            query = {"after": table.version, "wait": "25"}
            waiting = pool.submit(client.http.get, table.path, params=query)
            until(lambda: _threads_waiting(service.workers()))
            service.tell(signal.SIGTERM)
            answer = waiting.result(SOON)
        assert (answer.status_code, answer.json()["version"]) == (200, table.version)


def _threads_waiting(workers: list[int]) -> bool:
    """Return whether a listener has been started, as it is when somebody waits."""
    return any(len(list(Path(f"/proc/{pid}/task").iterdir())) > 2 for pid in workers)


def test_a_killed_worker_breaks_what_it_was_about(tmp_path: Path) -> None:
    """The control of the ones above: clients notice an end that is not announced."""
    with serving(tmp_path, WEB_CONCURRENCY="1") as service, Client(service.url) as client:
        table = Table.laid(client)
        with Stream(client, table.path) as stream:
            stream.next()
            os.kill(service.workers()[0], signal.SIGKILL)
            with pytest.raises(httpx.TransportError):
                stream.next()


def test_a_session_of_a_later_format_is_refused_with_a_reason(tmp_path: Path) -> None:
    """Whoever writes in another format commits, so it is another version."""
    with (
        redis_server(tmp_path / "redis") as redis,
        serving(tmp_path, REDIS_URL=redis.url) as service,
        Client(service.url) as client,
    ):
        table = Table.laid(client)
        table.act()
        name = f"splendor-api:{{{table.path.rpartition('/')[2]}}}:session"
        with redis.client() as direct:
            stored = {field: str(direct.hget(name, field)) for field in ("format", "commit")}
            later = {"format": str(int(stored["format"]) + 1), "commit": "laterlater1"}
            direct.hset(name, mapping=later)
            refused = client.http.get(table.path, headers=bearer(table.tokens[0]))
            assert (refused.status_code, refused.json()["code"]) == (503, "store_unavailable")
            direct.hset(name, mapping=stored)
        table.act()
        assert table.verdict().is_right
