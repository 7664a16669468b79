"""Who has a place for an open stream in a session, and that the places of the dead are free again.

A place is held by a worker for one of its streams, and given back when the stream ends. A worker
that is killed gives nothing back; therefore each tells, as long as it has streams, that it lives:
by one key, at every beat, however many streams it has. Who finds all places taken looks whether
those who hold them live.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from threading import Event, Lock, Thread
from time import monotonic
from typing import Final

from splendor_api.sessions.store import Store, StoreUnavailable
from splendor_api.sessions.tokens import Role

BEAT: Final = 1.0  # seconds between two signs of life
ALIVE_MS: Final = 3_000  # for which a worker is taken to live after its last sign
STREAMS_PER_SEAT: Final = 4


def most_streams(role: Role, seats: int) -> int:
    """Return how many streams whoever has this role may have in a session of so many seats.

    A seat and the host have theirs, which nobody else can take; spectators share what is for all of
    them. So a session has a bound, too.
    """
    return STREAMS_PER_SEAT * (seats if role.name == "spectator" else 1)


class Attendance:
    """The places that streams of this process have."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store
        self._lock: Final = Lock()
        self._worker = ""
        self._beaten_at = float("-inf")
        self._held: set[tuple[str, str]] = set()
        self._owed: set[tuple[str, str]] = set()
        self._keeper: Thread | None = None

    def take(self, session_id: str, stream: str, role: Role, seats: int, now_ms: int) -> int:
        """Take a place for a stream, or keep the one it has.

        Return 0, or if all are taken, after how many ms at most one is free whose worker has died.
        """
        self._show_life()
        place = self._place(stream, role)
        most = most_streams(role, seats)
        holders = self._store.attend(session_id, place, now_ms, most)
        if holders:
            left_ms = self._store.lives(_worker_of(each) for each in holders)
            dead = [each for each in holders if left_ms[_worker_of(each)] <= 0]
            if dead:
                self._store.leave(session_id, *dead)
                holders = self._store.attend(session_id, place, now_ms, most)
            if holders:
                return min((each for each in left_ms.values() if each > 0), default=ALIVE_MS)
        with self._lock:
            self._held.add((session_id, place))
            self._start()
        return 0

    def leave(self, session_id: str, stream: str, role: Role) -> None:
        """Give the place of a stream back; while the store is away that is owed to it."""
        held = (session_id, self._place(stream, role))
        with self._lock:
            self._held.discard(held)
            self._owed.add(held)
        with suppress(StoreUnavailable):
            self._give_back(held)

    def _place(self, stream: str, role: Role) -> str:
        """Return how the store names a place: by audience, worker and stream."""
        return f"{role.audience}:{self._worker}:{stream}"

    def _show_life(self) -> None:
        """Tell that this worker lives, if that has not been told just now.

        A worker has its name from when it is first needed on: so never before a fork.
        """
        with self._lock:
            self._worker = self._worker or secrets.token_urlsafe(8)
            if monotonic() - self._beaten_at < BEAT:
                return
            self._store.show_life(self._worker, ALIVE_MS)
            self._beaten_at = monotonic()

    def _start(self) -> None:
        """Start the thread that shows life if there is none; the lock is held."""
        if self._keeper is None or not self._keeper.is_alive():
            self._keeper = Thread(target=self._keep, name="attendance", daemon=True)
            self._keeper.start()

    def _keep(self) -> None:
        """Show life as long as there are places, and give back what is owed."""
        while self._has_places():
            with suppress(StoreUnavailable, OSError):  # the next beat may find it back
                self._show_life()
                for held in list(self._owed):
                    self._give_back(held)
            Event().wait(BEAT)

    def _has_places(self) -> bool:
        """Return whether there is anything to keep; if not, the thread is gone for all others."""
        with self._lock:
            if self._held or self._owed:
                return True
            self._keeper = None
            return False

    def _give_back(self, held: tuple[str, str]) -> None:
        session_id, place = held
        self._store.leave(session_id, place)
        with self._lock:
            self._owed.discard(held)


def _worker_of(place: str) -> str:
    return place.split(":")[1]
