"""A service of these tests' own, on a free port."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import httpx
import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 20  # seconds; only a broken service takes as long
NO_STORE = "unix:///nowhere"  # so that no server is run for it


@dataclass(frozen=True)
class Service:
    """A running service, what it said first, and where it says the rest."""

    process: subprocess.Popen[str]
    line: str
    log: Path

    @property
    def port(self) -> int:
        """The port in its first line."""
        found = re.search(r":(\d+) ", self.line)
        assert found is not None, self.line
        return int(found[1])

    def get(self, path: str) -> httpx.Response:
        """Ask for `path` on a connection of its own."""
        return httpx.get(f"http://127.0.0.1:{self.port}{path}", timeout=PATIENCE)

    def send(self, data: bytes) -> bytes:
        """Send bytes as they are; return all that comes until the connection is closed."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            connection.sendall(data)
            return b"".join(iter(lambda: connection.recv(65536), b""))

    def stop(self) -> int:
        """Ask it to end, and return its status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


Start = Callable[..., Service]


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Return a function that starts a service with settings of its own."""
    started: list[subprocess.Popen[str]] = []

    def service(**variables: str) -> Service:
        log = tmp_path_factory.mktemp("service") / "stderr"
        with log.open("w") as stderr:
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.launch.serving"],
                cwd=ROOT,
                env={"PATH": os.defpath, "PORT": "0", "REDIS_URL": NO_STORE, **variables},
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
            )
        started.append(process)
        return Service(process, _output(process).readline(), log)

    yield service
    for process in started:
        if process.poll() is None:
            process.terminate()
            process.wait(PATIENCE)
        _output(process).close()


@pytest.fixture(scope="module")
def service(start: Start) -> Service:
    """Return a service with few threads and little patience."""
    return start(THREADS="8", REQUEST_TIMEOUT="1")


def _output(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdout is not None
    return process.stdout
