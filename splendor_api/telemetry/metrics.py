"""Counts for Prometheus, added up over all worker processes.

Every label has few values: operations and codes come from the service's own tables, and a method
that HTTP does not define counts as `other`.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    values,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})

# Seconds: a rules request takes about one thousandth, a full batch some tenths.
BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 10.0)

_FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # the library's own name for where processes share counts

_OWN = CollectorRegistry()
_REQUESTS = Counter(
    "splendor_requests",
    "Requests answered, by operation, method and status.",
    ("operation", "method", "status"),
    registry=_OWN,
)
_SECONDS = Histogram(
    "splendor_request_seconds",
    "Seconds from the first byte read to the answer, by operation.",
    ("operation",),
    buckets=BUCKETS,
    registry=_OWN,
)
_VIOLATIONS = Counter(
    "splendor_violations",
    "Violations reported, by game and code.",
    ("game", "code"),
    registry=_OWN,
)
_SESSIONS = Counter(
    "splendor_sessions",
    "Sessions created, by game.",
    ("game",),
    registry=_OWN,
)
_CONFLICTS = Counter(
    "splendor_session_conflicts",
    "Requests to sessions that others were faster than, by code.",
    ("code",),
    registry=_OWN,
)
_REPLAYS = Counter(
    "splendor_session_replays",
    "Requests answered as they were the first time, by their idempotency key.",
    registry=_OWN,
)
_STREAMS = Gauge(
    "splendor_open_streams",
    "Streams of events that are open now.",
    registry=_OWN,
    multiprocess_mode="livesum",
)


def share(folder: Path) -> None:
    """Count in files of `folder`, which is empty, so that all workers count as one.

    To be called once, before the first count and before workers are forked.
    """
    os.environ[_FOLDER] = str(folder)
    values.ValueClass = values.MultiProcessValue()  # type: ignore[no-untyped-call] # library untyped


def forget_worker(pid: int) -> None:
    """Close the books of the worker `pid`, which has ended; what it counted stays."""
    mark_process_dead(pid)  # type: ignore[no-untyped-call] # library untyped


def observe_request(operation: str, method: str, status: int, seconds: float) -> None:
    """Count one answered request.

    `operation` is the name in the table of operations (`apply_action`), `method` the request's
    own, `status` the answer's, `seconds` the time from reading to answering.
    """
    _counter_of_requests(operation, method if method in METHODS else "other", status).inc()
    _seconds_of(operation).observe(seconds)


def count_violation(game: str, code: str) -> None:
    """Count one violation that was reported: `code` as in the answer, `game` as in the path."""
    _counter_of_violations(game, code).inc()


def count_session(game: str) -> None:
    """Count one session that was created."""
    _SESSIONS.labels(game).inc()


def count_conflict(code: str) -> None:
    """Count one request that came to nothing because of another; `code` is that of its problem."""
    _CONFLICTS.labels(code).inc()


def count_replay() -> None:
    """Count one request that was answered a second time."""
    _REPLAYS.inc()


@contextmanager
def open_stream() -> Iterator[None]:
    """Count a stream as open within this context."""
    _STREAMS.inc()
    try:
        yield
    finally:
        _STREAMS.dec()


def render() -> tuple[bytes, str]:
    """Return all counts in Prometheus' text format, and its content type."""
    registry = _OWN
    if _FOLDER in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call] # library untyped
    return generate_latest(registry), CONTENT_TYPE_LATEST


# The library finds the child of a set of labels under a lock; these are found once.


@cache
def _counter_of_requests(operation: str, method: str, status: int) -> Counter:
    return _REQUESTS.labels(operation, method, str(status))


@cache
def _seconds_of(operation: str) -> Histogram:
    return _SECONDS.labels(operation)


@cache
def _counter_of_violations(game: str, code: str) -> Counter:
    return _VIOLATIONS.labels(game, code)
