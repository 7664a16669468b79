"""The slot of a session that is played is moved, and its primary is killed (P9).

Clients are told 503 at most: no other error, and never that keys lie in more than one slot.
"""

from collections.abc import Iterator

import pytest

from tests.conftest import Tell
from tests.deploy.clusters import Cluster, cluster
from tests.faults.clients import Client, Crowd, Table, crowd
from tests.faults.service import Service, serving
from tests.faults.streams import Stream
from tests.faults.waiting import TIMES


@pytest.fixture(scope="module")
def six(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture(scope="module")
def service(six: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    with serving(folder, REDIS_URL=six.url, SESSION_REPLICAS="1") as running:
        yield running
    assert "CROSSSLOT" not in running.log.read_text()
    assert '"failure"' not in running.log.read_text()


def _slot_of_one(six: Cluster, playing: Crowd) -> int:
    """Return the slot of a session that is being played."""
    return six.slot_of(playing.players[0].tables[-1].path.rpartition("/")[2])


def test_the_slot_of_a_session_that_is_played_is_moved(
    six: Cluster, service: Service, tell: Tell
) -> None:
    moves = 4 * TIMES
    with crowd(service.url) as playing:
        for move in range(moves):
            playing.advance(2)
            slot = _slot_of_one(six, playing)
            source = six.primary_of(slot)
            others = [server for server in six.primaries() if server is not source]
            six.move(slot, others[move % len(others)])
        playing.advance(2)
    verdict = playing.verdict()
    tell(f"{moves} slots moved, no action for {playing.silence:.1f} s at most", verdict)
    assert verdict.is_right, verdict


def test_the_primary_of_a_session_that_is_played_is_killed(
    six: Cluster, service: Service, tell: Tell
) -> None:
    with crowd(service.url) as playing:
        for _ in range(TIMES):
            playing.advance(3)
            slot = _slot_of_one(six, playing)
            killed = six.primary_of(slot)
            killed.kill()
            six.await_another(killed, slot)
            killed.start()
            playing.advance(3)
    verdict = playing.verdict()
    tell(f"{TIMES} primaries of a cluster killed, no action for {playing.silence:.1f} s", verdict)
    assert playing.failures > 0, "no kill hit a request"
    assert verdict.is_right, verdict


def test_streams_are_told_of_sessions_on_every_shard(six: Cluster, service: Service) -> None:
    with Client(service.url) as client:
        shards: set[int] = set()
        while len(shards) < len(six.primaries()):
            table = Table.laid(client)
            shards.add(six.primary_of(six.slot_of(table.path.rpartition("/")[2])).port)
            with Stream(client, table.path) as stream:
                assert stream.next().name == "snapshot"
                acted = table.act().version
                assert stream.next().id == acted
