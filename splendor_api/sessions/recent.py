"""Sessions as this process met them last: what they were at a version, which never changes.

Whether that version is still the present one, only the store knows. It is asked for what is
newer, and a step that follows from this one is committed only if it is (`keeping`). So what is
here saves reading, and can decide nothing by being old.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Final

from splendor_api.sessions.stored import Session, Version

SESSIONS_KEPT: Final = 1_000  # by a process, of those it met last: some 6 MB


@dataclass(frozen=True, slots=True)
class Met:
    """A session at the version it had when it was met, and the store's time then, or later.

    Where it is known how that version came to be, `line` is its line in the history, and `before`
    the version that the one before it has there.
    """

    session: Session
    at_ms: int
    line: str = ""
    before: Version | None = None


class Recent:
    """The sessions that a process met last, each at the version it saw last."""

    def __init__(self, most: int = SESSIONS_KEPT) -> None:
        """Take how many are kept."""
        self._most: Final = most
        self._met: Final[OrderedDict[str, Met]] = OrderedDict()
        self._lock: Final = Lock()

    def keep(self, met: Met) -> None:
        """Keep a session, in place of what it was before.

        One that is stored in an older format is read again each time, until it no longer is.
        """
        session = met.session
        with self._lock:
            self._met.pop(session.id, None)
            if not session.is_migrated:
                self._met[session.id] = met
            if len(self._met) > self._most:
                self._met.popitem(last=False)

    def find(self, session_id: str) -> Met | None:
        """Return a session as it was when it was met last, if that is known."""
        with self._lock:
            met = self._met.get(session_id)
            if met is not None:
                self._met.move_to_end(session_id)
            return met

    def forget(self, session_id: str) -> None:
        """Keep nothing of a session."""
        with self._lock:
            self._met.pop(session_id, None)
