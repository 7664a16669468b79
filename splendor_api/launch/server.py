"""Serve the application with gunicorn: a parent that watches, workers with threads."""

import gc
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.workers.base import Worker

from splendor_api.launch.worker import Log, worker_with
from splendor_api.settings import Settings
from splendor_api.telemetry import logs, metrics

Application = Callable[..., Iterable[bytes]]  # WSGI's

LONGEST_LINE = 4094  # bytes of method, path and query: gunicorn's own limit
MOST_FIELDS = 64  # header fields of a request
LONGEST_FIELD = 8190  # bytes of one of them: gunicorn's own limit
KEEPALIVE = 5  # seconds an idle connection stays open
IDLE = 1000  # connections of a worker that may wait beside those its threads serve
SHUTDOWN = 10  # seconds for requests under way when the service is told to stop
SILENCE = 30  # seconds until a worker that shows no life is replaced

MEMORY = Path("/dev/shm")  # noqa: S108 - on Linux a disk in memory; files get names of their own


def serve(settings: Settings, make: Callable[[Settings], Application]) -> None:
    """Serve `make(settings)` until the process is told to stop, then leave with its status.

    SIGTERM lets requests under way end, SIGINT does not. Raises `SystemExit`.
    """
    logs.configure(settings.log_level, settings.log_format)
    _require_free(settings)
    parent = os.getpid()
    folder = Path(tempfile.mkdtemp(prefix=f"splendor-metrics-{parent}-", dir=_memory()))
    try:
        metrics.share(folder)
        _Server(gunicorn_settings(settings), lambda: make(settings)).run()
    finally:
        if os.getpid() == parent:  # a worker that ends comes by here too
            shutil.rmtree(folder)


def gunicorn_settings(settings: Settings) -> Mapping[str, Any]:
    """Return everything that gunicorn is told, by its own names."""
    return {
        "bind": _address(settings.host, settings.port),
        "workers": settings.web_concurrency,
        "worker_class": worker_with(settings),
        "threads": settings.threads,
        "worker_connections": settings.threads + IDLE,
        "worker_tmp_dir": _memory(),
        "preload_app": True,
        "timeout": SILENCE,
        "graceful_timeout": SHUTDOWN,
        "keepalive": KEEPALIVE,
        "limit_request_line": LONGEST_LINE,
        "limit_request_fields": MOST_FIELDS,
        "limit_request_field_size": LONGEST_FIELD,
        "forwarded_allow_ips": ",".join(settings.forwarded_allow_ips),
        "forwarder_headers": "",
        "http_parser": "python",
        "control_socket_disable": True,
        "logger_class": Log,
        "accesslog": None,
        "when_ready": _when_ready,
        "child_exit": _child_exit,
    }


class _Server(BaseApplication):
    """gunicorn, told by a mapping instead of a command line."""

    def __init__(self, told: Mapping[str, Any], make: Callable[[], Application]) -> None:
        self._told = told
        self._make = make
        super().__init__(prog="splendor_api")

    def load_config(self) -> None:
        """Hand over the settings."""
        for name, value in self._told.items():
            self.cfg.set(name, value)

    def load(self) -> Application:
        """Make the application, once, in the parent."""
        return self._make()


def _when_ready(arbiter: Arbiter) -> None:
    """Tell people where the service is, and workers that what is loaded so far stays."""
    address = arbiter.LISTENERS[0]
    print(f"Serving on {address} (docs: /openapi.json)", flush=True)  # noqa: T201 - for people
    gc.collect()
    gc.freeze()


def _child_exit(_: Arbiter, worker: Worker) -> None:
    """Close the books of a worker that has ended."""
    metrics.forget_worker(int(worker.pid))


def _require_free(settings: Settings) -> None:
    """End with a sentence if nobody can listen there; gunicorn would try for five seconds."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            sys.exit(
                f"Cannot listen on {_address(settings.host, settings.port)}: {error.strerror}. "
                "The settings HOST and PORT name another address."
            )


def _address(host: str, port: int) -> str:
    """Return an address as gunicorn reads it."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _memory() -> str | None:
    """Return a folder in memory, where signs of life and counts cost no disk, if there is one."""
    return str(MEMORY) if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) else None
