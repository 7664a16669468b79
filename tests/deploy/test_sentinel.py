"""A primary is killed, or frozen for three seconds, and Sentinel has another lead (P8)."""

import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from splendor_api.sessions.connection import opener
from splendor_api.sessions.store import LEADS_FOR, Loaded, Store, StoreUnavailable
from tests.conftest import Figure, Tell
from tests.deploy.redis_files import Server, password
from tests.deploy.sentinels import Trio, trio
from tests.faults.clients import Client, Table, crowd
from tests.faults.service import Service, serving
from tests.faults.streams import Stream
from tests.faults.waiting import TIMES, until

FREEZE = 3.0  # seconds
ACTIONS = 100  # that show what a setting costs


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trio]:
    with trio(tmp_path_factory.mktemp("trio")) as running:
        yield running


@pytest.fixture(scope="module")
def service(three: Trio, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Serve as the page has it: an action is acknowledged when a replica has it too."""
    folder = tmp_path_factory.mktemp("service")
    with serving(folder, REDIS_URL=three.url, SESSION_REPLICAS="1") as running:
        yield running


def test_what_waiting_costs(three: Trio, service: Service, figure: Figure, tmp_path: Path) -> None:
    """Measured, not judged: how long an action takes with and without a replica's word."""
    with serving(tmp_path, REDIS_URL=three.url) as other:
        waiting, at_once = (1000 * _seconds(each.url) for each in (service, other))
    figure(f"an action takes {waiting:.1f} ms with SESSION_REPLICAS=1, {at_once:.1f} ms with 0")


def _seconds(url: str) -> float:
    """Return the seconds that an action takes, in the middle of many."""
    with Client(url) as client:
        table, waits = Table.laid(client), []
        for _ in range(ACTIONS):
            if table.to_act is None:
                table = Table.laid(client)
            deed = table.act()
            assert deed.answered is not None
            waits.append(deed.answered - deed.sent)
    return sorted(waits)[ACTIONS // 2]


def test_without_a_replica_nothing_is_acknowledged(three: Trio, service: Service) -> None:
    """What the primary alone has is not said to be done, however often it is asked for; its key
    finds it once a replica has it.
    """
    with Client(service.url) as client:
        table = Table.laid(client, turn_seconds=3600)  # so that it is read each time
        table.act()
        asked = table.request(table.choose(), "a-key")
        method, path = asked.pop("method"), asked.pop("path")
        frozen = three.others()
        for each in frozen:
            each.process.send_signal(signal.SIGSTOP)
        refusals = [client.http.request(method, path, **asked) for _ in range(3)]
        for each in frozen:
            each.process.send_signal(signal.SIGCONT)
        for refused in refusals:
            assert (refused.status_code, refused.json()["code"]) == (503, "store_unavailable")
        answer = client.ask(method, path, **asked).response
        assert answer.status_code == 200, answer.text
        table.take(answer.json())
        assert [made.version for made in table.history()][-1] == table.version
        assert len(table.history()) == 3


def test_a_killed_primary_takes_nothing_with_it(three: Trio, service: Service, tell: Tell) -> None:
    with crowd(service.url) as playing:
        for _ in range(TIMES):
            three.await_whole()
            playing.advance(3)
            killed = three.primary()
            killed.kill()
            three.await_another(killed)
            playing.advance(3)
            three.bring_back(killed)
        playing.advance(3)
    verdict = playing.verdict()
    tell(f"{TIMES} primaries killed, no action for {playing.silence:.1f} s at most", verdict)
    assert verdict.is_right, verdict
    assert playing.failures > 0, "no kill hit a request"


def test_what_is_lost_without_waiting_is_noticed(
    three: Trio, tmp_path: Path, figure: Figure
) -> None:
    """The control of the others: what no replica has is acknowledged, lost, and known by its id to
    be so: 412 for who acts, `reset` for who follows.
    """
    _ask_all(three.servers, "0")
    with (
        serving(tmp_path, REDIS_URL=three.url, WEB_CONCURRENCY="1") as service,
        Client(service.url) as client,
    ):
        table = Table.laid(client)
        kept = table.act().version
        primary, followers = three.primary(), three.others()
        for each in followers:
            until(partial(_has, each, table))
            each.kill()
        lost = table.act().version
        primary.kill()
        for each in followers:
            each.start()
        _ask_all(followers, "0")
        three.await_another(primary)

        verdict = table.verdict()
        assert (verdict.acknowledged, verdict.lost) == (2, 1)
        refused = client.ask(**_at_what_was_told(table)).response
        assert (refused.status_code, refused.json()["code"]) == (412, "stale_version")
        with Stream(client, table.path, last=lost) as stream:
            assert stream.next().name == "reset"
        table.take(client.get(table.path))
        assert table.version == kept
        again = table.act().version
        three.bring_back(primary)
    _ask_all(three.servers, "1")
    assert lost is not None
    assert again is not None
    assert again.partition(".")[0] == lost.partition(".")[0]
    assert again != lost
    figure(f"without waiting: version {lost.partition('.')[0]} was lost, and noticed")


def _ask_all(servers: Iterable[Server], replicas: str) -> None:
    """Have servers take writes only with so many replicas at hand."""
    for each in servers:
        each.ask("CONFIG", "SET", "min-replicas-to-write", replicas)


def _has(server: Server, table: Table) -> bool:
    """Return whether a server has the version that the table is at, on its disk too.

    A replica that has just copied everything writes a new file, and until then has none.
    """
    with server.client() as client:
        persistence = client.info("persistence")
    if persistence["aof_rewrite_in_progress"] or persistence["aof_rewrite_scheduled"]:
        return False
    key = f"splendor-api:{{{table.path.rpartition('/')[2]}}}:session"
    return server.ask("HGET", key, "commit") == table.version.partition(".")[2]


def _at_what_was_told(table: Table) -> dict[str, Any]:
    """Return a request of the seat that acted before, at the version that the table was told."""
    table.to_act = 1
    return table.request({"type": "pass"})


def test_a_frozen_primary_takes_nothing_with_it(three: Trio, service: Service, tell: Tell) -> None:
    """It does not know that it leads no more, and is asked for a while yet."""
    with crowd(service.url) as playing:
        for _ in range(TIMES):
            three.await_whole()
            playing.advance(3)
            frozen = three.primary()
            frozen.process.send_signal(signal.SIGSTOP)
            began = monotonic()
            three.await_another(frozen)
            until(partial(_is_past, began + FREEZE))
            frozen.process.send_signal(signal.SIGCONT)
            playing.advance(3)
    verdict = playing.verdict()
    tell(f"{TIMES} primaries frozen, no action for {playing.silence:.1f} s at most", verdict)
    assert verdict.is_right, verdict


def test_who_led_is_not_asked_what_is(three: Trio, service: Service) -> None:
    """A frozen server that thaws answers at once what it was asked meanwhile: as it was before,
    and with the word of its replicas, which was under way too.
    """
    three.await_whole()
    frozen = three.primary()
    url = f"redis://service:{password('service')}@127.0.0.1:{frozen.port}"
    with Client(service.url) as client, ThreadPoolExecutor(1) as pool:
        session_id = Table.laid(client).path.rpartition("/")[2]
        store = Store(opener(url), replicas=1)
        lines = store.client
        assert isinstance(store.load(session_id), Loaded)
        frozen.process.send_signal(signal.SIGSTOP)
        three.await_another(frozen)
        until(partial(_is_past, monotonic() + LEADS_FOR))
        asked = pool.submit(store.load, session_id)
        frozen.process.send_signal(signal.SIGCONT)
        with pytest.raises(StoreUnavailable):
            asked.result()
        lines.close()
    three.await_whole()


def _is_past(moment: float) -> bool:
    return monotonic() > moment
