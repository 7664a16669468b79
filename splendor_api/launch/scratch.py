"""Folders that last as long as a service: none stays for good, however the service ends.

Whoever makes one holds a lock on it, and so does every process forked from there. A service that
was killed cannot clear up; so the next one that makes a folder removes those that nobody holds.
"""

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Scratch:
    """A folder for its owner alone, and the descriptor that holds it."""

    path: Path
    held: int

    @classmethod
    def make(cls, kind: str, place: Path | None = None) -> "Scratch":
        """Make a folder in `place`, or where temporary folders are; raises `OSError`.

        Those of the same `kind` that nobody holds any more are removed first.
        """
        place = Path(tempfile.gettempdir()) if place is None else place
        prefix = f"splendor-api-{kind}-"
        for path in place.glob(f"{prefix}*"):
            _clear(path)
        while True:
            path = Path(tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}-", dir=place))
            held = _hold(path)
            if held is not None and path.exists():
                return cls(path, held)
            if held is not None:  # another service took it for one that is left over
                os.close(held)

    def remove(self) -> None:
        """Remove the folder and all that is in it."""
        shutil.rmtree(self.path)
        os.close(self.held)


def _clear(path: Path) -> None:
    """Remove a folder of this user that nobody holds."""
    with suppress(OSError):  # others are faster, or it is not a folder of ours
        held = _hold(path)
        if held is None:
            return
        try:
            if os.fstat(held).st_uid == os.geteuid():
                shutil.rmtree(path)
        finally:
            os.close(held)


def _hold(path: Path) -> int | None:
    """Return a descriptor that holds the folder, `None` if somebody else does or it is gone.

    Children that run another program do not inherit it, for descriptors here never are.
    """
    try:
        held = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        return None
    return held
