"""Every setting once: name, type, default, bounds, sentence.

The class `Settings` is the table; the variable of a field is its name in capitals. Nothing else
reads the environment. A variable that is empty counts as not set.
"""

import ipaddress
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Generic, TypeVar

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

KIB = 1024
MIB = 1024 * KIB
DAY = 24 * 60 * 60

SHOWN = 60  # characters of a wrong value that its sentence repeats
MASK = "********"


class SettingsError(Exception):
    """No service can start with these values; `faults` has a sentence for each."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Secret:
    """A text that no log, trace or print shows; `reveal` gives it."""

    _text: str = field(repr=False)

    def reveal(self) -> str:
        """Return the text itself."""
        return self._text

    def __str__(self) -> str:
        return MASK


@dataclass(frozen=True, slots=True)
class Kind(Generic[T_co]):
    """How a variable's text becomes a value.

    `bounds` completes the sentence "is not …"; `read` returns None for a text outside them.
    """

    type: str
    bounds: str
    read: Callable[[str], T_co | None]


@dataclass(frozen=True, slots=True)
class Entry:
    """What the table says of one setting beside its name and its default."""

    kind: Kind[Any]
    says: str
    secret: bool


def _whole(least: int, most: int) -> Kind[int]:
    """Return the kind of a whole number from `least` to `most`, in decimal digits."""

    def read(text: str) -> int | None:
        if not re.fullmatch(r"[0-9]{1,12}", text, re.ASCII):
            return None
        number = int(text)
        return number if least <= number <= most else None

    return Kind("integer", f"a whole number from {least} to {most}", read)


def _word(*words: str) -> Kind[str]:
    """Return the kind of one word out of `words`."""
    return Kind("word", "one of " + ", ".join(words), lambda text: text if text in words else None)


def _text(shape: str, bounds: str, type_: str = "text") -> Kind[str]:
    """Return the kind of a text that matches the pattern `shape` as a whole."""
    pattern = re.compile(shape, re.ASCII)
    return Kind(type_, bounds, lambda text: text if pattern.fullmatch(text) else None)


def _secret(kind: Kind[str]) -> Kind[Secret]:
    """Return `kind` with its value wrapped up."""

    def read(text: str) -> Secret | None:
        return None if kind.read(text) is None else Secret(text)

    return Kind(kind.type, kind.bounds, read)


def _list(kind: Kind[T], bounds: str) -> Kind[tuple[T, ...]]:
    """Return the kind of a list of `kind`, parted by commas."""

    def read(text: str) -> tuple[T, ...] | None:
        values = []
        for part in text.split(","):
            value = kind.read(part.strip())
            if value is None:
                return None
            values.append(value)
        return tuple(values)

    return Kind("list", bounds, read)


def _folder() -> Kind[Path]:
    """Return the kind of a path to a folder, which need not exist yet."""

    def read(text: str) -> Path | None:
        path = Path(text).expanduser()
        return None if "\0" in text or (path.exists() and not path.is_dir()) else path

    return Kind("path", "a folder, or a path where one can be made", read)


def _network(text: str) -> str | None:
    """Return `text` if it is an address, a network without host bits, or `*`."""
    if text == "*":
        return text
    try:
        ipaddress.ip_network(text)
    except ValueError:
        return None
    return text


_HOST = _text(r"[A-Za-z0-9._:%-]{1,255}", "an address or a host name")
_STORE = _text(
    r"(?:rediss?|unix)://\S+|rediss?\+sentinel://[^\s/]+/[^\s/]+|rediss?\+cluster://[^\s/]+",
    "a URL that begins with redis://, rediss:// or unix://, or is "
    "redis+sentinel://host:port,host:port/service or redis+cluster://host:port,host:port",
)
_ORIGIN = _text(r"\*|https?://[A-Za-z0-9.\[\]:-]+", "an origin")
_SEAL_KEY = _text(r"[a-z0-9-]{1,16}:(?:[A-Za-z0-9_-]{43,128}|retired)", "a key")


def _setting(default: T, kind: Kind[T], says: str, *, secret: bool = False) -> T:
    """Return the field of one setting."""
    return field(default=default, metadata={"entry": Entry(kind, says, secret)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one service; `Settings()` has every default."""

    host: str = _setting("127.0.0.1", _HOST, "The address to listen on.")
    port: int = _setting(8000, _whole(0, 65535), "The port to listen on; 0 takes a free one.")
    web_concurrency: int = _setting(2, _whole(1, 64), "Worker processes.")
    threads: int = _setting(
        256,
        _whole(1, 1000),
        "Threads of a worker: how many requests, slow senders and streams it holds at once.",
    )
    search_processes: int = _setting(
        1,
        _whole(1, 16),
        "Processes of a worker that search for suggestions, one at a time each; they start when "
        "they are first needed.",
    )
    request_timeout: int = _setting(
        15,
        _whole(1, 300),
        "Seconds in which a client must have sent a whole request, and in which it must take "
        "each piece of an answer.",
    )
    forwarded_allow_ips: tuple[str, ...] = _setting(
        (),
        _list(
            Kind("address", "an address", _network),
            "a list of addresses and networks parted by commas, or *",
        ),
        "The proxies whose X-Forwarded headers are believed.",
    )
    cors_origins: tuple[str, ...] = _setting(
        ("*",),
        _list(_ORIGIN, "a list of origins such as https://app.example parted by commas, or *"),
        "The web origins that may call the service. No answer depends on a cookie.",
    )
    max_body_bytes: int = _setting(64 * KIB, _whole(KIB, 64 * MIB), "The largest request body.")
    max_replay_bytes: int = _setting(
        MIB, _whole(KIB, 64 * MIB), "The largest request body of a replay."
    )
    max_batch_bytes: int = _setting(
        4 * MIB, _whole(KIB, 64 * MIB), "The largest request body of a batch."
    )
    data_dir: Path = _setting(
        Path("var"), _folder(), "The folder for what the service itself must keep."
    )
    redis_url: Secret | None = _setting(
        None,
        _secret(_STORE),
        "The Redis server for sessions; none: a private one is started.",
        secret=True,
    )
    session_ttl_seconds: int = _setting(
        7 * DAY, _whole(60, 366 * DAY), "How long a session lives after its last action."
    )
    session_replicas: int = _setting(
        0,
        _whole(0, 5),
        "How many replicas of the Redis server must have an action before it is answered; with "
        "fewer at hand sessions are unavailable.",
    )
    rate_limit_sessions: int = _setting(
        0, _whole(0, 1_000_000), "Sessions that one address may create in an hour; 0: any number."
    )
    rate_limit_requests: int = _setting(
        0,
        _whole(0, 1_000_000),
        "Requests to sessions that one address may make in a minute; 0: any number.",
    )
    seal_keys: tuple[Secret, ...] = _setting(
        (),
        _list(
            _secret(_SEAL_KEY),
            "a list of id:key parted by commas, each key 256 bits or more in base64url "
            "or the word retired",
        ),
        "The keys of sealed states, the one to seal with first; none: one is made and kept "
        "in DATA_DIR.",
        secret=True,
    )
    log_level: str = _setting(
        "info", _word("debug", "info", "warning", "error"), "The least serious line to log."
    )
    log_format: str = _setting(
        "json", _word("json", "text"), "Whether log lines are for machines or for people."
    )


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table of settings; `attribute` is the field's name in `Settings`."""

    name: str
    attribute: str
    default: object
    entry: Entry


def _rows() -> Iterator[Row]:
    """Yield the table from the fields of `Settings`, in their order."""
    for each in fields(Settings):
        yield Row(each.name.upper(), each.name, each.default, each.metadata["entry"])


ROWS = tuple(_rows())


def from_environment() -> Settings:
    """Return the settings of this process; raises `SettingsError`."""
    return load(os.environ)


def load(variables: Mapping[str, str]) -> Settings:
    """Return the settings that `variables` ask for; raises `SettingsError` with every fault."""
    values: dict[str, Any] = {}
    faults = []
    for row in ROWS:
        text = variables.get(row.name, "")
        if not text:
            continue
        value = row.entry.kind.read(text)
        if value is None:
            faults.append(f"{row.name}: {_quoted(row, text)} is not {row.entry.kind.bounds}.")
        values[row.attribute] = value
    if faults:
        raise SettingsError(tuple(faults))
    return Settings(**values)


def lines(settings: Settings) -> Iterator[str]:
    """Yield `NAME=value` for each setting, in the order of the table, secrets masked."""
    for row in ROWS:
        value = getattr(settings, row.attribute)
        yield f"{row.name}={MASK if row.entry.secret and value else _plain(value)}"


def table() -> Iterator[str]:
    """Yield the lines of the Markdown table in `docs/settings.md`."""
    yield "| variable | type | default | allowed | meaning |"
    yield "| --- | --- | --- | --- | --- |"
    for row in ROWS:
        kind = row.entry.kind
        default = f"`{_plain(row.default)}`" if row.default not in (None, ()) else "none"
        says = f"{row.entry.says} Secret." if row.entry.secret else row.entry.says
        yield f"| `{row.name}` | {kind.type} | {default} | {kind.bounds} | {says} |"


def _quoted(row: Row, text: str) -> str:
    """Return a wrong value for its sentence: in one line, not too long, and no secret."""
    if row.entry.secret:
        return "the value"
    return ascii(text if len(text) <= SHOWN else text[:SHOWN] + "…")


def _plain(value: object) -> str:
    """Return a value as its variable would spell it."""
    if value is None:
        return ""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
