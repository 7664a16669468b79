"""The append-only file of a Redis server, looked at before the server reads it.

Told to load what it can, Redis takes a file that breaks off for one whose last write was cut
short, and drops everything from there on. One damaged length in the middle looks the same to it:
then every game after it is gone without a word. So a file is checked first. What is unfinished at
its end is cut off and kept beside it; what is damaged before that is left alone.
"""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = "appendonlydir"  # where Redis 7 and newer write, several files and a list of them
MANIFEST: Final = "appendonly.aof.manifest"
OLD_FILE: Final = "appendonly.aof"  # what older servers write

MOST_UNFINISHED: Final = 16 * 1024 * 1024  # bytes; no server writes as much at once
COMMITTED: Final = b"\r\nEXEC\r\n"
"""What ends every commit of a game. No value contains it: they are numbers, words and JSON."""

_CHECKED: Final = re.compile(
    r"^AOF analyzed: (?:filename=(?P<name>.+), )?size=\d+, ok_up_to=(?P<whole>\d+), ", re.MULTILINE
)
_LISTED: Final = re.compile(r"^file (?P<name>\S+) seq \d+ type [bi]$", re.MULTILINE)


class DamagedError(Exception):
    """The data cannot be read as they are; the text says where, as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """So many bytes that were cut off, because no answer had been given to them; now in `kept`."""

    size: int
    kept: Path


def is_of_redis_7(folder: Path) -> bool:
    """Return whether the data in `folder` are in the layout that began with Redis 7."""
    return (folder / FOLDER / MANIFEST).exists()


def mend(folder: Path, program: str) -> Unfinished | None:
    """Cut off what the server was still writing when it was ended; None if nothing is unfinished.

    `program` is a redis-server, which is its own checking tool under another name. Raises
    `DamagedError`, having changed nothing, and `OSError`.
    """
    checked = _to_check(folder)
    if checked is None:
        return None
    done = subprocess.run(  # noqa: S603 - a program of the search path, and a path of ours
        ["redis-check-aof", str(checked)],  # noqa: S607 - a name; `executable` is run
        executable=program,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env={},
        check=False,
    )
    if done.returncode == 0:
        return None
    places = list(_CHECKED.finditer(done.stdout))
    last = _last_file(folder)
    if not places or Path(places[-1]["name"] or last).name != last.name:
        raise DamagedError(f"{checked} does not pass: {_last_line(done.stdout)}")
    return _cut(last, int(places[-1]["whole"]), folder)


def _to_check(folder: Path) -> Path | None:
    """Return what the checking tool is to be shown: the list, or the one file, or nothing yet."""
    if is_of_redis_7(folder):
        return folder / FOLDER / MANIFEST
    old = folder / OLD_FILE
    return old if old.exists() and old.stat().st_size else None


def _last_file(folder: Path) -> Path:
    """Return the file that was written to: no other can be unfinished."""
    if not is_of_redis_7(folder):
        return folder / OLD_FILE
    names = _LISTED.findall((folder / FOLDER / MANIFEST).read_text("utf-8"))
    return folder / FOLDER / names[-1] if names else folder / FOLDER / MANIFEST


def _cut(file: Path, whole: int, folder: Path) -> Unfinished:
    """Move what follows the first `whole` bytes to a file of its own, unless a commit is in it."""
    with file.open("r+b") as stream:
        size = stream.seek(0, os.SEEK_END) - whole
        stream.seek(whole)
        rest = stream.read() if size <= MOST_UNFINISHED else b""
        if not rest or COMMITTED in rest:
            raise DamagedError(f"{file} is damaged at byte {whole}, {size} bytes before its end")
        kept = folder / f"{file.name}.unfinished-at-{whole}"
        _write(kept, rest)
        stream.truncate(whole)
        os.fsync(stream.fileno())
    return Unfinished(size, kept)


def _write(path: Path, content: bytes) -> None:
    """Write a file for its owner alone, and return when the disk has it."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _last_line(text: str) -> str:
    """Return the last line that says something."""
    return next((line for line in reversed(text.splitlines()) if line.strip()), "nothing was said")
