"""The key that the service makes for itself where it is given none: a file of its own (T19)."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from tempfile import mkstemp
from typing import Final, NamedTuple

from splendor_api.sealing.keys import KEY_BYTES, KeyRing, master_text

NAME: Final = "seal-keys"
ID_BYTES: Final = 4


class Kept(NamedTuple):
    """The keys in a file, and whether they were made just now."""

    ring: KeyRing
    is_new: bool


def kept(folder: Path) -> Kept:
    """Return the keys kept in `folder`; where there are none yet, one is made.

    However many processes ask at once, they get the same. Raise `OSError` where the file can be
    neither read nor made, `ValueError` if what it holds are no keys.
    """
    path = folder / NAME
    is_new = not path.exists() and _is_made(path)
    return Kept(KeyRing.of(path.read_text("ascii").strip().split(",")), is_new)


def _is_made(path: Path) -> bool:
    """Put a new key into `path`, whole or not at all; return False if somebody else was first.

    Nobody but the owner may read it (0600). It is there for good before anything is sealed with it.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = master_text(secrets.token_bytes(ID_BYTES), secrets.token_bytes(KEY_BYTES))
    descriptor, draft = mkstemp(prefix=f".{NAME}-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"{text}\n")
            file.flush()
            os.fsync(descriptor)
        path.hardlink_to(draft)  # in one step, and never over a file that is there
    except FileExistsError:
        return False
    finally:
        Path(draft).unlink()
    _settle(path.parent)
    return True


def _settle(folder: Path) -> None:
    """Wait until the names in `folder` are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
