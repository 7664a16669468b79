"""Places of streams, and what becomes of those of a worker that has died."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event
from time import monotonic

import pytest

from splendor_api.sessions import attendance
from splendor_api.sessions.attendance import ALIVE_MS, STREAMS_PER_SEAT, Attendance, most_streams
from splendor_api.sessions.connection import opener
from splendor_api.sessions.store import Keys, Store, StoreUnavailable
from splendor_api.sessions.tokens import HOST, SPECTATOR, Role, mint_id

SEAT = Role("seat", 1)
PATIENCE = 10.0  # seconds; only what is broken takes as long


class Absent(Store):
    """A store that can be away."""

    is_away = False

    def leave(self, session_id: str, *places: str) -> None:
        """Free places, unless the store is away."""
        if self.is_away:
            raise StoreUnavailable
        super().leave(session_id, *places)


@pytest.fixture
def session() -> str:
    return mint_id()


@pytest.fixture
def workers(store: Store) -> Iterator[tuple[Attendance, Attendance]]:
    """Return the attendance of two workers, which end with the test."""
    made = Attendance(store), Attendance(store)
    yield made
    for each in made:
        each._held.clear()


def fill(worker: Attendance, session: str, role: Role = SEAT) -> None:
    """Take all places of a role in a session for four."""
    for number in range(most_streams(role, 4)):
        assert worker.take(session, f"{number}", role, 4, 0) == 0


def until(condition: Callable[[], bool]) -> None:
    deadline = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < deadline, "it did not come to that"
        Event().wait(0.01)


def test_each_role_has_its_places(workers: tuple[Attendance, Attendance], session: str) -> None:
    """T30: what one takes is not another's; all workers count together."""
    one, other = workers
    assert most_streams(SPECTATOR, 4) == 4 * STREAMS_PER_SEAT
    for role in (SPECTATOR, HOST, *(Role("seat", seat) for seat in range(4))):
        fill(one, session, role)
        assert 0 < other.take(session, "more", role, 4, 0) <= ALIVE_MS
        assert one.take(session, "0", role, 4, 0) == 0
        one.leave(session, "0", role)
        assert other.take(session, "more", role, 4, 0) == 0


def test_the_places_of_the_dead_are_free(
    workers: tuple[Attendance, Attendance], session: str, store: Store
) -> None:
    """P1: after the last sign of life; those of who lives stay, however long."""
    one, other = workers
    fill(one, session)
    assert other.take(session, "more", SEAT, 4, 0) > 0
    places = store.client.zrange(Keys.of(session).streams, 0, -1)
    store.show_life(str(places[0]).split(":")[1], 1)
    until(lambda: other.take(session, "more", SEAT, 4, 0) == 0)
    for number in range(1, STREAMS_PER_SEAT):
        assert other.take(session, f"{number}", SEAT, 4, 0) == 0
    assert 0 < one.take(session, "0", SEAT, 4, 0) <= ALIVE_MS


def test_a_worker_lives_as_long_as_it_has_places(
    store: Store, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It tells so at every beat, and no more when it has none."""
    shown: list[str] = []
    monkeypatch.setattr(attendance, "BEAT", 0.01)
    monkeypatch.setattr(store, "show_life", lambda worker, _: shown.append(worker))
    worker = Attendance(store)
    worker.take(session, "a", SEAT, 2, 0)
    until(lambda: len(shown) > 3)
    worker.leave(session, "a", SEAT)
    until(lambda: worker._keeper is None)
    silent = len(shown)
    Event().wait(0.05)
    assert len(shown) == silent
    assert len(set(shown)) == 1
    worker.take(session, "b", SEAT, 2, 0)
    until(lambda: len(shown) > silent + 3)
    worker.leave(session, "b", SEAT)


def test_a_place_that_could_not_be_given_back_is_given_back_later(
    admin_url: str, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P3: who was let go of while the store was away stands in nobody's way when it is back."""
    monkeypatch.setattr(attendance, "BEAT", 0.01)
    store = Absent(opener(admin_url))
    worker, streams = Attendance(store), Keys.of(session).streams
    worker.take(session, "a", SEAT, 2, 0)
    store.is_away = True
    worker.leave(session, "a", SEAT)
    assert store.client.zcard(streams) == 1
    store.is_away = False
    until(lambda: store.client.zcard(streams) == 0)
    until(lambda: worker._keeper is None)
    store.client.close()
