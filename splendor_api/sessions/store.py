"""Every call to Redis, typed; one method a script, one round trip a method.

All keys of a session share a hash tag, so that they lie on one shard of a cluster.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha1
from importlib.resources import files
from threading import Lock
from time import monotonic
from typing import Any, Final, Literal, cast
from weakref import WeakKeyDictionary

from redis import Redis
from redis.cluster import RedisCluster
from redis.exceptions import (
    AskError,
    ClusterDownError,
    MasterDownError,
    MovedError,
    NoPermissionError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    ResponseError,
    TryAgainError,
)

from splendor_api.sessions.tokens import ID_LENGTH

Client = Redis | RedisCluster

TOMBSTONE_MS: Final = 7 * 24 * 60 * 60 * 1000
LEASE_MS: Final = 45_000  # for which a stream's place is let, whatever happens; three heartbeats
TICKET_MS: Final = 60_000
MOST_SEATS: Final = 20  # of any game
RETRY_AFTER: Final = 1  # seconds
WAIT_MS: Final = 500  # patience with replicas; less than that with an answer
LEADS_FOR: Final = 1.0  # seconds for which a primary that was heard of is not replaced
KEYS_KEPT: Final = 1_000  # by a process, of the sessions asked for last
FULL: Final = 0.8  # of the memory allowed, beyond which no session is begun
CHECKED_EVERY: Final = 1.0  # seconds between two looks at the memory
RECKONED_FOR: Final = 10.0  # seconds for which the store's time is reckoned from what it told

_STATES: Final = (
    "READONLY",
    "LOADING",
    "MISCONF",
    "OOM",
    "NOREPLICAS",
    "CLUSTERDOWN",
    "TRYAGAIN",
    "MASTERDOWN",
    "BUSY",
    "UNBLOCKED",
    "cannot be used with replica instances",  # as WAIT has it
)
"""What a server says when it cannot do now what it could do another time."""

_DEPOSED: Final = ("READONLY", "NOREPLICAS", "cannot be used with replica instances")
"""What a server says that may be a primary no more."""

_WORDLESS: Final = (
    ClusterDownError,
    MasterDownError,
    OutOfMemoryError,
    ReadOnlyError,
    TryAgainError,
)
"""The same as redis-py tells it: an error of its own takes the word away from the text."""

_ID: Final = re.compile(rf"[A-Za-z0-9_-]{{{ID_LENGTH}}}", re.ASCII)


class StoreUnavailable(Exception):  # noqa: N818 - the name of the problem it becomes
    """The store cannot be reached, or does not take writes now; what was asked may be repeated.

    It says why in a few words of ours, for the log.
    """


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of one session, and the channel on which its versions are told."""

    session: str
    history: str
    answers: str
    tombstone: str
    streams: str
    tickets: str
    channel: str
    search: str
    probe: str

    @classmethod
    @lru_cache(maxsize=KEYS_KEPT)
    def of(cls, session_id: str) -> Keys:
        """Return the keys of a session; raise `ValueError` for what is no id."""
        if not is_session_id(session_id):
            raise ValueError("not a session id")
        stem = f"splendor-api:{{{session_id}}}:"
        names = (
            "session",
            "history",
            "answers",
            "tombstone",
            "streams",
            "ticket",
            "feed",
            "search",
            "probe",
        )
        return cls(*(f"{stem}{name}" for name in names))

    @property
    def confirming(self) -> tuple[str, str]:
        """Return the keys of the script that writes what changes nothing."""
        return self.tombstone, self.probe

    def ticket(self, digest: str) -> str:
        """Return the key of a ticket, by its hash."""
        return f"{self.tickets}:{digest}"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A session as stored, the store's time, and what was asked for beside it.

    `fields` is `None` of a session at the version that was known. `answers` has what the key that
    was asked for was answered, by field; `history` its lines.
    """

    fields: Mapping[str, str] | None
    now_ms: int
    answers: Mapping[str, str]
    history: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """There is no such session; `expired` if there was one not long ago."""

    expired: bool


@dataclass(frozen=True, slots=True)
class Commit:
    """A step to be committed: from which version, under which access, and all that it writes."""

    number: int
    commit: str
    new_commit: str
    access_number: int
    answer_field: str
    fingerprint: str
    entry: str
    lifetime_ms: int
    fields: Mapping[str, str]


Word = Literal["committed", "replayed", "reused", "stale", "access", "gone", "full"]


@dataclass(frozen=True, slots=True)
class Reply:
    """What became of a commit; `number` is there where a step was or had been committed.

    `full` is not the store's word: a session that is full is not asked for.
    """

    word: Word
    number: int = 0


def is_session_id(text: str) -> bool:
    """Return whether the text can be a session id; nothing else ever reaches a key."""
    return _ID.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Facts:
    """What the server is set to do, on which the promises of the service stand.

    `None` for what it does not tell, to this user or at all.
    """

    version: str | None
    maxmemory_policy: str | None
    appendonly: bool | None
    appendfsync: str | None


class Store:
    """The sessions in one Redis: a server, a Sentinel's primary, or a cluster."""

    def __init__(self, connect: Callable[[], Client], replicas: int = 0) -> None:
        """Take what makes a client that decodes its answers; it is called when first needed.

        A commit waits until so many `replicas` have it.
        """
        self._connect: Final = connect
        self._replicas: Final = replicas
        self._lock: Final = Lock()
        self._client: Client | None = None
        self._is_full = False
        self._checked_at = float("-inf")
        self._told = (0, float("-inf"))
        self._led: Final[WeakKeyDictionary[Any, float]] = WeakKeyDictionary()

    @property
    def client(self) -> Client:
        """Return the client, which is one for all threads; a cluster's looks for its nodes."""
        if self._client is None:
            with self._lock:
                if self._client is None:
                    self._client = self._connect()
        return self._client

    def create(
        self,
        session_id: str,
        fingerprint: str,
        entry: str,
        lifetime_ms: int,
        fields: Mapping[str, str],
    ) -> Literal["created", "replayed", "reused"]:
        """Store a new session, or say that its id is taken by the same or by another request."""
        keys = Keys.of(session_id)
        arguments = (fingerprint, entry, lifetime_ms, lifetime_ms + TOMBSTONE_MS)
        word = self._write(
            "create", (keys.session, keys.history, keys.tombstone), (*arguments, *_flat(fields))
        )
        return cast("Literal['created', 'replayed', 'reused']", word)

    def load(
        self,
        session_id: str,
        key_name: str = "",
        history_from: int = -1,
        known: tuple[int, str] | None = None,
    ) -> Loaded | Missing:
        """Return the session as it is now, beside it what each role was answered under an
        idempotency key of this name, and the history from an index on.

        Of a session whose `known` version, number and commit, is the present one, no fields.
        """
        if not is_session_id(session_id):
            return Missing(expired=False)
        keys = Keys.of(session_id)
        told: str = self._read(
            keys,
            "load",
            (keys.session, keys.history, keys.answers, keys.tombstone),
            (history_from, key_name, MOST_SEATS, *(known or ("", ""))),
        )
        seconds, micros, stone, answers, fields, history = told.split("\1")
        if not fields:
            return Missing(expired=stone == "1")
        now_ms = self._time(seconds, micros)
        present = None if fields == "known" else _pairs(fields)
        return Loaded(present, now_ms, _pairs(answers), tuple(_parts(history)))

    def commit(self, session_id: str, commit: Commit) -> Reply:
        """Commit a step, or say why it cannot be."""
        keys = Keys.of(session_id)
        arguments = (
            commit.number,
            commit.commit,
            commit.new_commit,
            commit.access_number,
            commit.answer_field,
            commit.fingerprint,
            commit.entry,
            commit.lifetime_ms,
            commit.lifetime_ms + TOMBSTONE_MS,
            keys.channel,
        )
        told: str = self._write(
            "commit",
            (keys.session, keys.history, keys.answers, keys.tombstone),
            (*arguments, *_flat(commit.fields)),
        )
        word, _, number = told.partition(" ")
        return Reply(cast("Word", word), int(number or 0))

    def confirm(self, session_id: str) -> None:
        """Return when enough replicas have all that a session is; at once if none need to."""
        if self._replicas:
            self._write("confirm", Keys.of(session_id).confirming, ())

    def delete(
        self, session_id: str, access_number: int, version: tuple[int, str] | None
    ) -> Literal["deleted", "access", "stale", "gone"]:
        """Delete a session, if one is named at this version only."""
        keys = Keys.of(session_id)
        word = self._write(
            "delete",
            (keys.session, keys.history, keys.answers, keys.tombstone, keys.streams),
            (access_number, TOMBSTONE_MS, keys.channel, *(version or ("", ""))),
        )
        return cast("Literal['deleted', 'access', 'stale', 'gone']", word)

    def attend(self, session_id: str, place: str, now_ms: int, most: int) -> tuple[str, ...]:
        """Take or keep a place for a stream; return the places that are taken if all are.

        The name of a place begins with the audience of which `most` are let in, and a colon.
        """
        keys = Keys.of(session_id)
        return tuple(self._run("attend", (keys.streams,), (now_ms, LEASE_MS, most, place)))

    def leave(self, session_id: str, *places: str) -> None:
        """Free the places of streams."""
        with self._availability():
            self.client.zrem(Keys.of(session_id).streams, *places)

    def show_life(self, worker: str, alive_ms: int) -> None:
        """Let it be known for so long that a worker lives."""
        with self._availability():
            self.client.set(_life_of(worker), "1", px=alive_ms)

    def lives(self, workers: Iterable[str]) -> Mapping[str, int]:
        """Return for how many ms each worker is known to live; nothing, or less, of the dead."""
        asked = sorted(set(workers))
        client: Any = self._typeless()
        with self._availability():
            pipeline = client.pipeline(transaction=False)
            for worker in asked:
                pipeline.pttl(_life_of(worker))
            return dict(zip(asked, pipeline.execute(), strict=True))

    def keep_ticket(self, session_id: str, ticket: str, digest: str) -> None:
        """Keep for a minute whose token a ticket stands for; `ticket` is its hash."""
        with self._availability():
            self.client.set(Keys.of(session_id).ticket(ticket), digest, px=TICKET_MS)

    def find_ticket(self, session_id: str, ticket: str) -> str | None:
        """Return whose token a ticket stands for; it stays good."""
        with self._availability():
            found = self.client.get(Keys.of(session_id).ticket(ticket))
        return cast("str | None", found)

    def take_ticket(self, session_id: str, ticket: str) -> bool:
        """Use a ticket up; return whether it was good until now."""
        with self._availability():
            return bool(self.client.unlink(Keys.of(session_id).ticket(ticket)))

    def lease_search(self, session_id: str, number: int, lease_ms: int) -> bool:
        """Take it on to search for what comes after a version; `False` if somebody has done so."""
        name = f"{Keys.of(session_id).search}:{number}"
        with self._availability():
            return bool(self.client.set(name, "1", nx=True, px=lease_ms))

    def free_search(self, session_id: str, number: int) -> None:
        """Let somebody else search for what comes after a version."""
        with self._availability():
            self.client.unlink(f"{Keys.of(session_id).search}:{number}")

    def count(self, rate: str, client: str, window_ms: int) -> tuple[int, int]:
        """Count a request of a client; return how many there are now, and the ms until none is."""
        count, left = self._run("rate", (f"splendor-api:rate:{rate}:{client}",), (window_ms,))
        return int(count), int(left)

    def has_room(self) -> bool:
        """Return whether there is memory for another session, as far as the server tells.

        Where it is scarce, it is kept for the games that are being played.
        """
        now = monotonic()
        if now - self._checked_at > CHECKED_EVERY:
            self._checked_at = now
            memory = self._info("memory")
            most, used = int(memory.get("maxmemory", 0)), int(memory.get("used_memory", 0))
            self._is_full = most > 0 and used > FULL * most
        return not self._is_full

    def facts(self) -> Facts:
        """Return what the server is set to do; raise `StoreUnavailable` if it does not answer."""
        self.ping()
        server, memory = self._info("server"), self._info("memory")
        persistence = self._info("persistence")
        aof = persistence.get("aof_enabled")
        return Facts(
            server.get("redis_version"),
            memory.get("maxmemory_policy"),
            None if aof is None else bool(int(aof)),
            self._appendfsync(),
        )

    def now_ms(self) -> int:
        """Return the store's time: the one clock of all sessions, in milliseconds."""
        client: Any = self._typeless()
        with self._availability():
            seconds, micros = client.time(**self._anywhere())
        return self._time(seconds, micros)

    def reckoned_ms(self) -> int | None:
        """Return the store's time as it follows from what it told not long ago, without asking.

        It is never ahead, and behind by no more than its telling took. `None` if that was too long
        ago.
        """
        told_ms, at = self._told
        passed = monotonic() - at
        return told_ms + int(passed * 1000) if passed < RECKONED_FOR else None

    def _time(self, seconds: object, micros: object) -> int:
        """Return the time that the store has just told, in ms, and keep it in mind."""
        told_ms = int(str(seconds)) * 1000 + int(str(micros)) // 1000
        self._told = (told_ms, monotonic())
        return told_ms

    def ping(self) -> None:
        """Raise `StoreUnavailable` unless the store answers."""
        with self._availability():
            self._typeless().ping(**self._anywhere())

    def forget(self) -> None:
        """Let go of every connection; the next call asks again who the primary is."""
        with self._lock:
            self._client = None

    def _info(self, section: str) -> Mapping[str, Any]:
        client: Any = self._typeless()
        with self._availability():
            try:
                told = client.info(section, **self._anywhere())
            except NoPermissionError:
                return {}
        return cast("Mapping[str, Any]", told)

    def _appendfsync(self) -> str | None:
        client: Any = self._typeless()
        with self._availability():
            try:
                told = client.config_get("appendfsync", **self._anywhere())
            except ResponseError:  # not for this user, or not for any where others run the server
                return None
        return cast("str | None", told.get("appendfsync"))

    def _run(self, name: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        """Run a script."""
        with self._availability():
            return _evaluate(self.client, name, keys, arguments)

    def _write(self, name: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        """Run a script that writes; hold its reply back until enough replicas have what it wrote.

        Asynchronous replication promises nothing; this narrows what a failover can lose. Both go
        through one connection, for a server waits for what came through the one that asks.
        """
        if not self._replicas:
            return self._run(name, keys, arguments)
        with self._availability(), self._line_of(keys[0]) as line:
            began = monotonic()
            reply = _evaluate(line, name, keys, arguments)
            self._await_replicas(line, began)
        return reply

    def _read(self, keys: Keys, name: str, names: Sequence[str], arguments: Sequence[Any]) -> Any:
        """Run a script that reads; where there are replicas, on a server that is known to lead.

        One that was frozen or cut off, and has not heard that another leads, tells what it knew.
        That it leads it shows by a write that replicas have; for a while no other can take its
        place, so within that nothing need be written.
        """
        if not self._replicas:
            return self._run(name, names, arguments)
        with self._availability(), self._line_of(names[0]) as line:
            reply = _evaluate(line, name, names, arguments)
            began = monotonic()
            if began > self._led.get(line.connection, 0.0) + LEADS_FOR:
                _evaluate(line, "confirm", keys.confirming, ())
                self._await_replicas(line, began)
        return reply

    def _await_replicas(self, line: Any, began: float) -> None:
        """Return when enough replicas have what was written on a line since it began."""
        reached = _once(line.connection, "WAIT", self._replicas, WAIT_MS)
        if int(reached) < self._replicas:
            self.forget()  # the primary may be one no more
            raise StoreUnavailable("too few replicas have the write")
        self._led[line.connection] = began
        line.connection.register_connect_callback(self._begin_anew)

    def _begin_anew(self, connection: Any) -> None:
        """Know nothing of the server behind a connection that has been made again."""
        self._led.pop(connection, None)

    @contextmanager
    def _availability(self) -> Iterator[None]:
        """Turn what is no fault of the request or of ours into `StoreUnavailable`.

        A script hands on the server's state as an error of its own, word and all.
        """
        try:
            yield
        except AskError as error:  # the cluster is being rebuilt, and one node was asked
            if isinstance(error, MovedError):
                self.forget()
            raise StoreUnavailable(type(error).__name__) from error
        except ResponseError as error:
            if not (isinstance(error, _WORDLESS) or any(word in str(error) for word in _STATES)):
                raise
            if isinstance(error, ReadOnlyError) or any(word in str(error) for word in _DEPOSED):
                self.forget()
            raise StoreUnavailable(type(error).__name__) from error
        except (RedisError, RedisClusterException) as error:
            raise StoreUnavailable(type(error).__name__) from error

    @contextmanager
    def _line_of(self, key: str) -> Iterator[Any]:
        """Yield a client of one connection, to the one server that has a key.

        The client of all is kept meanwhile: once nobody has it, it closes every connection.
        """
        client: Any = self.client  # which does not say the types of these
        if isinstance(client, RedisCluster):
            cluster: Any = client
            client = cluster.get_redis_connection(cluster.get_node_from_key(key))
        with client.client() as line:
            yield line

    def _typeless(self) -> Any:
        """Return the client, for calls whose types it does not say."""
        with self._availability():
            return self.client

    def _anywhere(self) -> Mapping[str, str]:
        """Return what a question to any one server of a cluster needs."""
        return {"target_nodes": "random"} if isinstance(self._client, RedisCluster) else {}


def _life_of(worker: str) -> str:
    """Return the key that tells that a worker lives; all lie on one shard, to be asked at once."""
    return f"splendor-api:{{workers}}:{worker}"


def _parts(text: str) -> Sequence[str]:
    """Return the parts that a script has put into one text, which is cheaper than to list them."""
    return text.split("\0") if text else ()


def _pairs(text: str) -> Mapping[str, str]:
    parts = _parts(text)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _flat(fields: Mapping[str, str]) -> Sequence[str]:
    return [part for pair in fields.items() for part in pair]


def _text_of(name: str) -> str:
    folder = files("splendor_api.sessions") / "scripts"
    return (folder / f"{name}.lua").read_text("utf-8")


_SCRIPTS: Final = {
    name: _text_of(name)
    for name in ("load", "create", "commit", "confirm", "delete", "attend", "rate")
}
_DIGESTS: Final = {
    name: sha1(text.encode(), usedforsecurity=False).hexdigest() for name, text in _SCRIPTS.items()
}


def _evaluate(client: Any, name: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
    """Run a script by its digest, or send it whole to a server that does not know it yet."""
    try:
        return client.evalsha(_DIGESTS[name], len(keys), *keys, *arguments)
    except NoScriptError:
        return client.eval(_SCRIPTS[name], len(keys), *keys, *arguments)


def _once(connection: Any, *command: str | int) -> Any:
    """Ask on this connection or not at all: on another one, the server would not know what for."""
    try:
        connection.send_command(*command)
        return connection.read_response()
    except BaseException:
        connection.disconnect()
        raise
