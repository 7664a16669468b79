"""Streams are cut anywhere and taken up again (P14): no gap, nothing twice."""

import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from itertools import count
from random import Random
from threading import Event as Flag
from time import monotonic

import pytest

from splendor_api.http.events import HEARTBEAT
from splendor_api.sessions.attendance import STREAMS_PER_SEAT
from tests.faults.clients import Client, Table
from tests.faults.service import Service
from tests.faults.streams import Event, Stream, whole
from tests.faults.waiting import TIMES, until

CUTS = 20  # of each stream
SESSIONS = 3 * TIMES
LONGEST_CUT = 4000  # bytes after which a reader hangs up
MOST_REFUSALS = 2  # of a stream whose place a killed worker has

UNKNOWN = {
    "of another history": "1.AAAAAAAAAAA",
    "of the future": "900.AAAAAAAAAAA",
    "no version": "garbage",
    "empty": "",
    "10 KB": "1." + "A" * 8000,
    "not ASCII": "1.é",
}


@pytest.fixture
def table(client: Client) -> Table:
    return Table.laid(client)


class Reader:
    """Follows a session through connections that break wherever they do."""

    def __init__(self, client: Client, table: Table, random: Random) -> None:
        self._client, self._table, self._random = client, table, random
        self.last: str | None = None
        self.events: list[Event] = []

    def follow(self) -> None:
        """Be cut off again and again."""
        for _ in range(CUTS):
            with Stream(self._client, self._table.path, last=self.last) as stream:
                self._take(whole(stream.read(self._random.randint(1, LONGEST_CUT))))

    def catch_up(self) -> None:
        """Follow to the present version."""
        if self.last != self._table.version:
            with Stream(self._client, self._table.path, last=self.last) as stream:
                while self.last != self._table.version:
                    self._take([stream.next()])

    def _take(self, events: list[Event]) -> None:
        for event in events:
            if event.name != "closed":
                self.events.append(event)
                self.last = event.id


def test_cut_streams_miss_nothing_and_repeat_nothing(
    client: Client, figure: Callable[[str], None]
) -> None:
    versions = 0
    for seed in range(SESSIONS):
        table = Table.laid(client, Random(seed))
        reader = Reader(client, table, Random(seed))
        with ThreadPoolExecutor(1) as pool:
            following = pool.submit(reader.follow)
            while table.to_act is not None and not following.done():
                table.act()
            following.result()
        if table.to_act is not None:
            table.act()
        reader.catch_up()
        known = [made.version for made in table.history()]
        first, *others = reader.events
        assert first.name == "snapshot"
        assert {event.name for event in others} == {"step"}
        assert [event.id for event in reader.events] == known[known.index(first.id) :]
        versions += len(reader.events)
    figure(f"{CUTS * SESSIONS} cuts of streams: {versions} events, none missing, none twice")


def test_without_the_last_id_everything_is_told_again(table: Table, client: Client) -> None:
    """The control of the one above: it is the id that makes the next stream go on."""
    table.act()
    seen = []
    for _ in range(2):
        with Stream(client, table.path) as stream:
            seen.append(stream.next())
    assert [event.name for event in seen] == ["snapshot", "snapshot"]
    assert seen[0] == seen[1]


@pytest.mark.parametrize("last", UNKNOWN.values(), ids=UNKNOWN.keys())
def test_an_unknown_id_is_answered_with_everything(table: Table, client: Client, last: str) -> None:
    table.act()
    fields = [(b"Last-Event-ID", last.encode())]
    with client.http.stream("GET", f"{table.path}/events", headers=fields) as response:
        assert response.status_code == 200
        received = b""
        for piece in response.iter_raw():
            received += piece
            if b"event:" in received and received.endswith(b"\n\n"):
                break
    (event,) = whole(received)
    assert (event.name, event.id) == ("reset", table.version)
    assert event.data == client.get(table.path)


def test_an_old_id_is_answered_with_what_came_since(table: Table, client: Client) -> None:
    first = table.version
    acted = [table.act().version for _ in range(5)]
    with Stream(client, table.path, last=first) as stream:
        assert [stream.next().id for _ in acted] == acted
        later = table.act().version
        assert stream.next().id == later


def test_a_stream_outlives_redis(service: Service, table: Table, client: Client) -> None:
    with Stream(client, table.path) as stream:
        assert stream.next().name == "snapshot"
        for _ in range(2):
            killed = service.redis()
            assert killed is not None
            os.kill(killed, signal.SIGKILL)
            until(partial(_has_another, service, killed))
            acted = table.act().version
            assert stream.next().id == acted


def _has_another(service: Service, killed: int) -> bool:
    """Return whether a Redis server runs in place of the one that was killed."""
    return service.redis() not in (None, killed)


def test_a_stream_of_a_killed_worker_is_taken_up_by_another(
    service: Service, table: Table, client: Client
) -> None:
    with Stream(client, table.path) as stream:
        last = stream.next().id
    for worker in service.workers():
        os.kill(worker, signal.SIGKILL)
    acted = [table.act().version for _ in range(3)]
    with Stream(client, table.path, last=last) as stream:
        assert [stream.next().id for _ in acted] == acted


def test_after_the_end_there_is_nothing_more(client: Client) -> None:
    table = Table.laid(client)
    with Stream(client, table.path) as stream:
        assert stream.next().name == "snapshot"
        ended = client.http.request(
            "POST",
            f"{table.path}/actions",
            headers=table.request({}, "end")["headers"],
            json={"action": {"type": "resign"}},
        )
        assert ended.json()["outcome"] is not None
        names = [event.name for event in stream]
    assert names == ["step", "closed"]
    version = ended.json()["version"]
    with Stream(client, table.path, last=table.version) as late:
        assert [event.name for event in late] == ["step", "closed"]
    for last in (version, None):
        with Stream(client, table.path, last=last) as done:
            assert done.status == 204


def test_a_deleted_session_closes_its_streams(client: Client) -> None:
    made = client.http.post("/v1/sessions", json={"game": "splendor", "seats": 2}).json()
    path = f"/v1/sessions/{made['id']}"
    with Stream(client, path) as stream:
        stream.next()
        bearer = {"Authorization": f"Bearer {made['host_token']}"}
        assert client.http.delete(path, headers=bearer).status_code == 204
        assert [(event.name, event.data) for event in stream] == [("closed", {"reason": "expired"})]
    with Stream(client, path) as gone:
        assert gone.status == 410


def test_the_places_of_a_killed_worker_are_free_when_it_is_said(
    service: Service, table: Table, client: Client, figure: Callable[[str], None]
) -> None:
    """P1, T30: all places are had through workers that are killed; who comes back has one."""
    token = table.tokens[0]
    with ExitStack() as kept:
        for _ in range(STREAMS_PER_SEAT):
            assert kept.enter_context(Stream(client, table.path, token)).next().name == "snapshot"
        with Stream(client, table.path, token) as refused:
            assert refused.status == 429
        for worker in service.workers():
            os.kill(worker, signal.SIGKILL)
    client.get(table.path)
    killed_at = monotonic()
    for attempt in count(1):
        with Stream(client, table.path, token) as stream:
            if stream.status == 200:
                break
            wait = int(stream.response.headers["Retry-After"])
        assert attempt <= MOST_REFUSALS, "it was not as said"
        Flag().wait(wait)
    took = monotonic() - killed_at
    figure(f"places of killed workers: free after {took:.1f} s, {attempt - 1} refusals")


def test_who_hangs_up_leaves_a_place(table: Table, client: Client) -> None:
    """T30: before a heartbeat would find the connection closed, and although nothing happens."""
    for _ in range(2):
        with ExitStack() as kept:
            for _ in range(STREAMS_PER_SEAT):
                until(partial(_is_let_in, table, client, kept), HEARTBEAT / 2)


def _is_let_in(table: Table, client: Client, kept: ExitStack) -> bool:
    """Open a stream for the first seat; keep it open if there is a place for it."""
    with ExitStack() as opened:
        if opened.enter_context(Stream(client, table.path, table.tokens[0])).status != 200:
            return False
        kept.push(opened.pop_all())
        return True
