"""The service under test: `python -m splendor_api serve`, and the processes that it is made of."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import httpx

from tests.faults.waiting import PATIENCE, until

ROOT = Path(__file__).parents[2]


@dataclass
class Service:
    """A running service, where it is, and where it says what is not its first lines."""

    folder: Path
    variables: dict[str, str]
    source: Path = ROOT
    log: Path = field(init=False)
    url: str = field(init=False, default="")
    notes: str = field(init=False, default="")
    process: "subprocess.Popen[str]" = field(init=False)

    def __post_init__(self) -> None:
        self.log = self.folder / "stderr"
        self.start()

    def start(self) -> None:
        """Start it, again too, on the same data and the same port; return when it listens."""
        with self.log.open("a") as stderr:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "splendor_api", "serve"],
                cwd=self.source,
                env=self.variables,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
            )
        line = self._output.readline()
        found = re.search(r"http://[0-9.]+:([0-9]+)", line)
        assert found is not None, self.log.read_text()
        self.url = found[0]
        self.variables["PORT"] = found[1]
        if "REDIS_URL" not in self.variables:
            self.notes = self._output.readline()
        until(self._is_up)

    def _is_up(self) -> bool:
        try:
            return httpx.get(f"{self.url}/healthz", timeout=PATIENCE).status_code == 200
        except httpx.TransportError:
            return False

    @property
    def _output(self) -> IO[str]:
        assert self.process.stdout is not None
        return self.process.stdout

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.variables["PORT"])

    def children(self) -> dict[int, str]:
        """Return the processes that the launcher has started, by their ids, with their names."""
        pid = self.process.pid
        try:
            text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        except OSError:
            return {}
        return {int(child): _name(int(child)) for child in text.split()}

    def workers(self) -> list[int]:
        """Return the worker processes."""
        return [pid for pid, name in self.children().items() if name not in ("redis-server", "")]

    def redis(self) -> int | None:
        """Return the process of the service's own Redis server, if it runs now."""
        found = [pid for pid, name in self.children().items() if name == "redis-server"]
        return found[0] if found else None

    def tell(self, told: signal.Signals) -> None:
        """Send a signal to the launcher."""
        self.process.send_signal(told)

    def stop(self) -> int:
        """Have it end as a machine does that is shut down; return its status."""
        self.process.terminate()
        return self._ended()

    def kill(self) -> None:
        """Kill the launcher alone, and return when nothing that it started is left."""
        orphans = list(self.children())
        self.process.kill()
        self._ended()
        until(lambda: not any(map(_name, orphans)))

    def _ended(self) -> int:
        status = self.process.wait(PATIENCE)
        self._output.close()
        return status


@contextmanager
def serving(folder: Path, **variables: str) -> Iterator[Service]:
    """Run a service in `folder`, with these settings, as long as the context lasts."""
    with serving_of(ROOT, folder, **variables) as service:
        yield service


@contextmanager
def serving_of(source: Path, folder: Path, **variables: str) -> Iterator[Service]:
    """Do so with the code of another folder."""
    folder.mkdir(parents=True, exist_ok=True)
    given = {
        "PATH": os.defpath,
        "PORT": "0",
        "WEB_CONCURRENCY": "2",
        "THREADS": "64",
        "LOG_LEVEL": "warning",
        "DATA_DIR": str(folder / "var"),
        **variables,
    }
    service = Service(folder, given, source)
    try:
        yield service
    finally:
        if service.process.poll() is None:
            try:
                service.stop()
            except subprocess.TimeoutExpired:
                service.kill()
                raise


def _name(pid: int) -> str:
    """Return the name of a process that is alive, empty text for another."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    name, _, rest = text.partition("(")[2].rpartition(")")
    return "" if rest.split()[0] in "ZX" else name
