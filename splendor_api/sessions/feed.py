"""Wakes whoever waits for something new in a session.

A worker has one connection on which it is told of commits, and one thread that listens to it. Both
are made when somebody first waits: so never before a fork. What is told wakes; the waiting look for
themselves what is new since the version they know. So nothing depends on delivery, and whatever the
connection misses while it is away is found when it is back, or at the next look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Condition, Event, Thread
from time import monotonic
from typing import Any, Final, TypeVar

from redis.exceptions import RedisClusterException, RedisError

from splendor_api.sessions.store import Keys, Store, StoreUnavailable
from splendor_api.telemetry import logs

T = TypeVar("T")

TICK: Final = 0.05  # seconds until the listener sees that another channel is to be listened to
SHORTEST_PAUSE: Final = 0.1  # seconds before it connects again
LONGEST_PAUSE: Final = 2.0
LINGERING: Final = 5.0  # seconds for which the connection is kept when nobody waits
LOOK: Final = 1.0  # seconds between two looks at whether those who wait are still there

_INTERRUPTIONS: Final = (RedisError, RedisClusterException, OSError, ValueError)
"""What ends listening on a connection; the last comes when somebody else closes it meanwhile."""


def _stays() -> bool:
    return False


class Watch:
    """One that waits for a session, until there may be something new.

    `has_left` says of whom it waits for whether they are gone; then it waits in vain.
    """

    def __init__(self, has_left: Callable[[], bool] = _stays) -> None:
        self._woken: Final = Event()
        self._heard = ""
        self._has_left: Final = has_left
        self._is_vain = False

    @property
    def is_vain(self) -> bool:
        """Return whether nobody is there any more to be told of anything."""
        return self._is_vain

    def look(self) -> None:
        """See whether anybody is there, and wake the one that waits in vain."""
        if not self._is_vain and self._has_left():
            self._is_vain = True
            self.wake()

    def wake(self, heard: str = "") -> None:
        """Let the one that waits look again, for something was heard."""
        self._heard = heard
        self._woken.set()

    def wait(self, seconds: float) -> str | None:
        """Wait to be woken, at most so long; return what was heard then, `None` if time is up.

        That is the version there is now, or "" if there may be something new that was not heard.
        """
        is_woken = self._woken.wait(max(0.0, seconds))
        self._woken.clear()
        return self._heard if is_woken else None


class Feed:
    """All who wait in this process, by the channel of their session."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store
        self._changed: Final = Condition()
        self._watches: dict[str, set[Watch]] = {}
        self._listener: Thread | None = None
        self._is_closed = False
        self._looked_at = float("-inf")

    @property
    def is_closed(self) -> bool:
        """Return whether nobody is to wait here any more."""
        return self._is_closed

    @contextmanager
    def watch(self, session_id: str, has_left: Callable[[], bool] = _stays) -> Iterator[Watch]:
        """Wait for a session within this context, on behalf of somebody who may leave.

        What is new before the first wait may have been missed: look first, then wait. The one
        that waits is woken once more as soon as the channel is listened to.
        """
        channel, watch = Keys.of(session_id).channel, Watch(has_left)
        with self._changed:
            self._watches.setdefault(channel, set()).add(watch)
            self._start()
            self._changed.notify_all()
        try:
            yield watch
        finally:
            with self._changed:
                self._watches[channel].discard(watch)
                if not self._watches[channel]:
                    del self._watches[channel]

    def until(
        self,
        session_id: str,
        seconds: float,
        ask: Callable[[], T],
        rest: Callable[[T], float | None],
        has_left: Callable[[], bool] = _stays,
    ) -> T:
        """Ask until there is something new, or time is up, or who asks has left; return the last
        answer.

        `rest` says of an answer how many seconds it is good for at most, and `None` of one that is
        news. The first question is asked at once.
        """
        deadline = monotonic() + seconds
        answer = ask()
        if rest(answer) is None:
            return answer
        with self.watch(session_id, has_left) as watch:
            while not (self._is_closed or watch.is_vain):
                answer = ask()
                good_for = rest(answer)
                left = deadline - monotonic()
                if good_for is None or left <= 0:
                    break
                watch.wait(min(good_for, left))
        return answer

    def close(self) -> None:
        """Wake everybody, for good: this process is about to end. May be called by a signal."""
        self._is_closed = True
        for watches in list(self._watches.values()):
            for watch in list(watches):
                watch.wake()

    def _start(self) -> None:
        """Start the listener if there is none; the lock is held."""
        if self._listener is None or not self._listener.is_alive():
            self._listener = Thread(target=self._listen, name="feed", daemon=True)
            self._listener.start()

    def _listen(self) -> None:
        """Listen for as long as anybody waits, whatever happens to the connection."""
        pause = SHORTEST_PAUSE
        while self._has_watches():
            try:
                self._listen_once()
                pause = SHORTEST_PAUSE
            except (*_INTERRUPTIONS, StoreUnavailable) as error:
                logs.event("feed interrupted", level="warning", reason=type(error).__name__)
                self._look()
                Event().wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _has_watches(self) -> bool:
        """Return whether anybody waits; if not, the listener is gone as far as others know."""
        with self._changed:
            if self._watches and not self._is_closed:
                return True
            self._listener = None
            return False

    def _listen_once(self) -> None:
        """Listen on one connection until nobody waits any more, it breaks, or the store has let go
        of its client: then there is another primary to listen to.
        """
        client: Any = self._store.client  # which does not say the type of this
        pubsub = client.pubsub()
        heard: set[str] = set()
        try:
            while (wanted := self._wanted()) and not self._is_over(client):
                if wanted - heard:
                    pubsub.subscribe(*(wanted - heard))
                if heard - wanted:
                    pubsub.unsubscribe(*(heard - wanted))
                heard = wanted
                message = pubsub.get_message(timeout=TICK)
                if message is not None and message["type"] in ("subscribe", "message"):
                    self._wake(message["channel"], message["data"])
                self._look()
        finally:
            with suppress(*_INTERRUPTIONS):
                pubsub.close()

    def _is_over(self, client: Any) -> bool:
        """Return whether it is no use to listen through this client any more."""
        return self._is_closed or client is not self._store.client

    def _wanted(self) -> set[str]:
        """Return the channels that somebody waits on; for a while it is seen whether one will."""
        with self._changed:
            if not self._watches:
                self._changed.wait(LINGERING)
            return set(self._watches)

    def _look(self) -> None:
        """Wake those who wait in vain, if nobody has looked for a while."""
        if monotonic() - self._looked_at < LOOK:
            return
        with self._changed:
            for watches in self._watches.values():
                for watch in watches:
                    watch.look()
        self._looked_at = monotonic()

    def _wake(self, channel: str, data: object) -> None:
        heard = data if isinstance(data, str) else ""  # of a subscription it is a number
        with self._changed:
            for watch in self._watches.get(channel, ()):
                watch.wake(heard)
