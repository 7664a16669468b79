"""One line a happening on standard error, with listed fields only.

No body, token, seed, state, query string or header can reach a log: a field is on the list below or
it raises, and of an exception the type and the places are written, never its text, for the text
of a `KeyError` may be what is hidden. Lines of other libraries are written with their values only
where those cannot come from a request.
"""

import logging
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import PurePath
from traceback import extract_tb
from types import TracebackType
from typing import Any

import orjson

FIELDS = frozenset(
    {
        "bytes_dropped",  # of an unfinished write
        "bytes_in",  # of the request's body
        "bytes_out",  # of the answer's body
        "code",  # of the problem answered with
        "duration_ms",
        "game",
        "key_id",  # of a seal key
        "items",  # of a batch
        "method",
        "operation",
        "pid",
        "reason",  # a word of ours
        "request_id",
        "route",  # the template, never the path
        "signal",
        "status",
    }
)

OURS = "splendor_api"
FOREIGN = frozenset(
    {"gunicorn.error"}
)  # of these the values come from processes, not from requests

_LOG = logging.getLogger(OURS)


def configure(level: str, form: str) -> None:
    """Send log lines of `level` and above to standard error, as `json` or as `text`.

    Called once a process tree, before it forks. gunicorn tells of its own doings from `warning`
    up, unless `level` is `debug`.
    """
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False  # no line has it
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json() if form == "json" else _Text())
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    logging.getLogger("gunicorn.error").setLevel("DEBUG" if level == "debug" else "WARNING")


def request(
    *,
    request_id: str,
    method: str,
    route: str,
    operation: str,
    status: int,
    duration_ms: float,
    bytes_in: int,
    bytes_out: int,
    **others: object,
) -> None:
    """Tell of a request that was answered, in one line of level `info`.

    `route` is the template (`/v1/games/{game}/apply`), never the path; `duration_ms` has at most
    three decimals in the line; `others` are on the list `FIELDS`, else `ValueError`.
    """
    if not _LOG.isEnabledFor(logging.INFO):
        return
    _emit(
        logging.INFO,
        "request",
        {
            "request_id": request_id,
            "method": method,
            "route": route,
            "operation": operation,
            "status": status,
            "duration_ms": round(duration_ms, 3),
            "bytes_in": bytes_in,
            "bytes_out": bytes_out,
            **others,
        },
    )


def event(name: str, /, *, level: str = "info", **some: object) -> None:
    """Tell that `name`, a few fixed words, happened; `some` are on the list `FIELDS`."""
    number = logging.getLevelNamesMapping()[level.upper()]
    if _LOG.isEnabledFor(number):
        _emit(number, name, some)


def failure(error: BaseException, /, **some: object) -> None:
    """Tell of a bug: the type of `error` and the places it came through; level `error`."""
    _emit(logging.ERROR, "failure", some, error)


def _emit(
    level: int, name: str, some: Mapping[str, object], error: BaseException | None = None
) -> None:
    """Hand one line to the handlers; no time is spent on who called."""
    unknown = some.keys() - FIELDS
    if unknown:
        raise ValueError(f"not fields of a log line: {', '.join(sorted(unknown))}")
    trace = (type(error), error, error.__traceback__) if error is not None else None
    record = logging.LogRecord(OURS, level, "", 0, name, None, trace)
    record.fields = some
    _LOG.handle(record)


def _content(record: logging.LogRecord) -> dict[str, Any]:
    """Return what is said of `record`, in the order of the line."""
    ours = record.name == OURS
    content: dict[str, Any] = {
        "time": datetime.fromtimestamp(record.created, UTC),
        "level": record.levelname.lower(),
        "event": record.getMessage() if record.name in FOREIGN else str(record.msg),
    }
    if ours:
        content.update(record.__dict__.get("fields", {}))
    else:
        content["logger"] = record.name
    if record.exc_info and record.exc_info[1] is not None:
        content["error"] = type(record.exc_info[1]).__name__
        content["places"] = _places(record.exc_info[2])
    return content


def _places(trace: TracebackType | None) -> list[str]:
    """Return `file:line function` for each frame, the outermost first."""
    return [
        f"{'/'.join(PurePath(frame.filename).parts[-3:])}:{frame.lineno} {frame.name}"
        for frame in extract_tb(trace)
    ]


class _Json(logging.Formatter):
    """A line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        return orjson.dumps(_content(record), default=str, option=orjson.OPT_UTC_Z).decode()


class _Text(logging.Formatter):
    """A line for people: the time of day, the level, what happened, then the fields."""

    def format(self, record: logging.LogRecord) -> str:
        content = _content(record)
        time, level, name = content.pop("time"), content.pop("level"), content.pop("event")
        rest = " ".join(f"{key}={value}" for key, value in content.items())
        return f"{time:%H:%M:%S} {level:7} {name} {rest}".rstrip()
