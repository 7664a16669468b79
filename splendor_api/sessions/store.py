"""Every call to Redis, typed; one method a script, one round trip a method.

All keys of a session share a hash tag, so that they lie on one shard of a cluster.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final, Literal, cast

from redis import Redis
from redis.cluster import RedisCluster
from redis.exceptions import RedisError, ResponseError

from splendor_api.sessions.tokens import ID_LENGTH

Client = Redis | RedisCluster

TOMBSTONE_MS: Final = 7 * 24 * 60 * 60 * 1000
RETRY_AFTER: Final = 1  # seconds

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
)
"""What a server says when it cannot do now what it could do another time."""

_ID: Final = re.compile(rf"[A-Za-z0-9_-]{{{ID_LENGTH}}}", re.ASCII)


class StoreUnavailable(Exception):  # noqa: N818 - the name of the problem it becomes
    """The store cannot be reached, or does not take writes now; what was asked may be repeated."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of one session, and the channel on which its versions are told."""

    session: str
    history: str
    answers: str
    tombstone: str
    channel: str

    @classmethod
    def of(cls, session_id: str) -> Keys:
        """Return the keys of a session; raise `ValueError` for what is no id."""
        if not is_session_id(session_id):
            raise ValueError("not a session id")
        stem = f"splendor-api:{{{session_id}}}:"
        return cls(
            f"{stem}session", f"{stem}history", f"{stem}answers", f"{stem}tombstone", f"{stem}feed"
        )


@dataclass(frozen=True, slots=True)
class Loaded:
    """A session as stored, the store's time, and what was asked for beside it.

    `answers` has what is in the fields asked for, empty text for nothing; `history` its lines.
    """

    fields: Mapping[str, str]
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


@dataclass(frozen=True, slots=True)
class Reply:
    """What became of a commit; `number` is there where a step was or had been committed."""

    word: Literal["committed", "replayed", "reused", "stale", "access", "gone"]
    number: int = 0


def is_session_id(text: str) -> bool:
    """Return whether the text can be a session id; nothing else ever reaches a key."""
    return _ID.fullmatch(text) is not None


class Store:
    """The sessions in one Redis: a server, a Sentinel's primary, or a cluster."""

    def __init__(self, client: Client, replicas: int = 0) -> None:
        """Take a client that decodes its answers; a commit waits for so many `replicas`."""
        self.client: Final = client
        self._replicas: Final = replicas
        self._create = _script(client, "create")
        self._load = _script(client, "load")
        self._commit = _script(client, "commit")
        self._delete = _script(client, "delete")

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
        with _availability():
            word = self._create(
                (keys.session, keys.history, keys.tombstone), (*arguments, *_flat(fields))
            )
            self._wait(keys)
        return cast("Literal['created', 'replayed', 'reused']", word)

    def load(
        self, session_id: str, answer_fields: Sequence[str] = (), history_from: int = -1
    ) -> Loaded | Missing:
        """Return the session as it is now, beside it the answers in these fields and the history
        from an index on.
        """
        if not is_session_id(session_id):
            return Missing(expired=False)
        keys = Keys.of(session_id)
        with _availability():
            seconds, micros, stone, answers, flat, history = self._load(
                (keys.session, keys.history, keys.answers, keys.tombstone),
                (history_from, *answer_fields),
            )
        if not flat:
            return Missing(expired=stone == "1")
        fields = dict(zip(flat[::2], flat[1::2], strict=True))
        now_ms = int(seconds) * 1000 + int(micros) // 1000
        return Loaded(
            fields, now_ms, dict(zip(answer_fields, answers, strict=True)), tuple(history)
        )

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
        with _availability():
            word, *details = self._commit(
                (keys.session, keys.history, keys.answers, keys.tombstone),
                (*arguments, *_flat(commit.fields)),
            )
            self._wait(keys)
        return Reply(word, int(details[0]) if details else 0)

    def delete(self, session_id: str, access_number: int) -> Literal["deleted", "access", "gone"]:
        """Delete a session."""
        keys = Keys.of(session_id)
        with _availability():
            word = self._delete(
                (keys.session, keys.history, keys.answers, keys.tombstone),
                (access_number, TOMBSTONE_MS, keys.channel),
            )
            self._wait(keys)
        return cast("Literal['deleted', 'access', 'gone']", word)

    def now_ms(self) -> int:
        """Return the store's time: the one clock of all sessions, in milliseconds."""
        client: Any = self.client  # which does not say the types of this
        with _availability():
            seconds, micros = client.time(
                **({"target_nodes": "random"} if isinstance(self.client, RedisCluster) else {})
            )
        return int(seconds) * 1000 + int(micros) // 1000

    def ping(self) -> None:
        """Raise `StoreUnavailable` unless the store answers."""
        with _availability():
            self.client.ping()

    def _wait(self, keys: Keys) -> None:
        """Hold the answer back until enough replicas have the write; raise if they have not.

        Asynchronous replication promises nothing; this narrows what a failover can lose.
        """
        if not self._replicas:
            return
        patience_ms = 1000
        client: Any = self.client  # which does not say the types of these
        target = (
            {"target_nodes": client.get_node_from_key(keys.session)}
            if isinstance(self.client, RedisCluster)
            else {}
        )
        reached = client.execute_command("WAIT", self._replicas, patience_ms, **target)
        if int(reached) < self._replicas:
            self.client.close()  # the primary may be one no more: ask again who it is
            raise StoreUnavailable("too few replicas have the write")


@contextmanager
def _availability() -> Iterator[None]:
    """Turn what is no fault of the request or of ours into `StoreUnavailable`.

    A script hands on the server's state as an error of its own, word and all.
    """
    try:
        yield
    except ResponseError as error:
        if not any(state in str(error) for state in _STATES):
            raise
        raise StoreUnavailable(type(error).__name__) from error
    except RedisError as error:
        raise StoreUnavailable(type(error).__name__) from error


def _flat(fields: Mapping[str, str]) -> Sequence[str]:
    return [part for pair in fields.items() for part in pair]


def _script(client: Client, name: str) -> Callable[[Sequence[str], Sequence[Any]], Any]:
    """Return the script of this name as a function of keys and arguments."""
    text = files("splendor_api.sessions").joinpath("scripts", f"{name}.lua").read_text("utf-8")
    script = client.register_script(text)
    return lambda keys, arguments: script(keys=list(keys), args=list(arguments))
