"""Serve the application with gunicorn: a parent that watches, workers with threads."""

import gc
import os
import socket
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.workers.base import Worker

from splendor_api.launch import embedded_redis
from splendor_api.launch.embedded_redis import EmbeddedRedis, UnusableError
from splendor_api.launch.scratch import Scratch
from splendor_api.launch.worker import Log, worker_with
from splendor_api.settings import Secret, Settings
from splendor_api.telemetry import logs, metrics

Application = Callable[..., Iterable[bytes]]  # WSGI's

LONGEST_LINE = 4094  # bytes of method, path and query: gunicorn's own limit
MOST_FIELDS = 64  # header fields of a request
LONGEST_FIELD = 8190  # bytes of one of them: gunicorn's own limit
KEEPALIVE = 5  # seconds an idle connection stays open
IDLE = 1000  # connections of a worker that may wait beside those its threads serve
SHUTDOWN = 10  # seconds for requests under way when the service is told to stop
SILENCE = 30  # seconds until a worker that shows no life is replaced

COLLECTING = (50_000, 20, 100)
"""How many new objects are looked through for what only holds on to itself, and how often that is
done for older ones. Little here does, and a batch alone makes a hundred thousand objects.
"""

MEMORY = Path("/dev/shm")  # noqa: S108 - on Linux a disk in memory; files get names of their own


def serve(settings: Settings, make: Callable[[Settings], Application]) -> None:
    """Serve `make(settings)` until the process is told to stop, then leave with its status.

    SIGTERM lets requests under way end, SIGINT does not. If the settings name no Redis server, one
    is run as long as the service, and the settings that `make` is given name it. Raises
    `SystemExit`.
    """
    logs.configure(settings.log_level, settings.log_format)
    _require_free(settings)
    parent = os.getpid()
    counts = Scratch.make("metrics", _memory())
    try:
        metrics.share(counts.path)
        with _stored(settings) as (chosen, redis, notes):
            told = gunicorn_settings(chosen, notes)
            _Server(told, lambda: make(chosen), redis).run()
    finally:
        if os.getpid() == parent:  # a worker that ends comes by here too
            counts.remove()


@contextmanager
def _stored(settings: Settings) -> Iterator[tuple[Settings, EmbeddedRedis | None, Sequence[str]]]:
    """Yield settings that name a store, the server that is run for it, if one is, and notes on it.

    Without a program to run, the settings are those given, and a note says what to install.
    """
    if settings.redis_url is not None:
        yield settings, None, ()
        return
    try:
        with embedded_redis.running(settings.data_dir) as redis:
            if redis is None:
                logs.event("no session store", level="warning", reason="no redis-server")
                yield settings, None, (embedded_redis.NO_PROGRAM,)
            else:
                yield replace(settings, redis_url=Secret(redis.url)), redis, tuple(redis.notes())
    except UnusableError as error:
        sys.exit(str(error))


def gunicorn_settings(settings: Settings, notes: Sequence[str] = ()) -> Mapping[str, Any]:
    """Return everything that gunicorn is told, by its own names; people are told the `notes`."""
    memory = _memory()
    return {
        "bind": _address(settings.host, settings.port),
        "workers": settings.web_concurrency,
        "worker_class": worker_with(settings),
        "threads": settings.threads,
        "worker_connections": settings.threads + IDLE,
        "worker_tmp_dir": memory and str(memory),
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
        "when_ready": partial(_when_ready, notes),
        "child_exit": _child_exit,
    }


class _Arbiter(Arbiter):
    """gunicorn's parent process, which watches over a Redis server besides its workers."""

    def __init__(self, app: BaseApplication, redis: EmbeddedRedis) -> None:
        self._redis = redis
        super().__init__(app)

    def wait_for_signals(self, timeout: float | None = 1.0) -> list[int]:
        """Wait for what is to be done next: gunicorn calls this again and again.

        The end of a child is a signal, so that an ended server is noticed at once.
        """
        return super().wait_for_signals(self._redis.watch())


class _Server(BaseApplication):
    """gunicorn, told by a mapping instead of a command line."""

    def __init__(
        self,
        told: Mapping[str, Any],
        make: Callable[[], Application],
        redis: EmbeddedRedis | None,
    ) -> None:
        self._told = told
        self._make = make
        self._redis = redis
        super().__init__(prog="splendor_api")

    def run(self) -> None:
        """Serve; raises `SystemExit` at the end."""
        if self._redis is None:
            super().run()
        else:
            _Arbiter(self, self._redis).run()

    def load_config(self) -> None:
        """Hand over the settings."""
        for name, value in self._told.items():
            self.cfg.set(name, value)

    def load(self) -> Application:
        """Make the application, once, in the parent."""
        return self._make()


def _when_ready(notes: Sequence[str], arbiter: Arbiter) -> None:
    """Tell people where the service is, and workers that what is loaded so far stays."""
    address = arbiter.LISTENERS[0]
    for line in (f"Serving on {address} (docs: /docs, a table to play at: /play)", *notes):
        print(line, flush=True)  # noqa: T201 - for people
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTING)
    gc.enable()  # if it was not, for the start


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


def _memory() -> Path | None:
    """Return a folder in memory, where signs of life and counts cost no disk, if there is one."""
    return MEMORY if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) else None
