"""A service in processes of its own, and what they take of the machine (Linux's /proc)."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT = Path(__file__).parents[1]
REAL = ("-m", "splendor_api", "serve")
NULL = ("-m", "benchmarks.classed", "gthread", "null")
OWN_NULL = ("-m", "benchmarks.null")
VALIDATED = ("-m", "benchmarks.classed", "gthread", "validated")
LOG_LEVEL = "info"  # the service's own default: a line a request
PATIENCE = 30  # seconds; only a broken service takes as long

_PROC = Path("/proc")
_NANOSECONDS = 1e9


@dataclass(frozen=True, slots=True)
class Memory:
    """What a process holds, in kibibytes: all of it, its share of what is shared, its own."""

    resident: int
    proportional: int
    private: int


@dataclass(frozen=True, slots=True)
class Service:
    """A running service."""

    pid: int
    port: int

    def workers(self) -> tuple[int, ...]:
        """Return the process ids of its workers."""
        children = (_PROC / str(self.pid) / "task" / str(self.pid) / "children").read_text()
        return tuple(map(int, children.split()))

    def cpu_seconds(self) -> float:
        """Return the CPU time that its workers' threads have had."""
        return sum(
            int((thread / "schedstat").read_text().split()[0]) / _NANOSECONDS
            for worker in self.workers()
            for thread in (_PROC / str(worker) / "task").iterdir()
        )


MANNER: Final = {
    "PATH": os.defpath,
    "PORT": "0",
    "LOG_LEVEL": LOG_LEVEL,
    "REDIS_URL": "unix:///nowhere",  # what is measured without sessions runs no server for them
}
"""The environment of every service that is measured."""


@contextmanager
def started(program: Sequence[str], **variables: object) -> Iterator[Service]:
    """Run a service as in production on a free port, log lines into a file; end it afterwards."""
    with tempfile.TemporaryDirectory() as folder, Path(folder, "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, *program],
            cwd=ROOT,
            env=MANNER
            | {"DATA_DIR": folder}
            | {name: str(value) for name, value in variables.items()},
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            found = re.search(r":(\d+) ", line)
            if found is None:
                raise RuntimeError(f"no service: {line!r} {Path(log.name).read_text()}")
            yield Service(process.pid, int(found[1]))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)
            process.stdout.close()


def memory(pid: int) -> Memory:
    """Return what the process holds now."""
    fields = {
        name: int(rest.split()[0])
        for name, _, rest in (
            line.partition(":")
            for line in (_PROC / str(pid) / "smaps_rollup").read_text().splitlines()[1:]
        )
    }
    return Memory(fields["Rss"], fields["Pss"], fields["Private_Clean"] + fields["Private_Dirty"])
