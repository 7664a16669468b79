"""From a URL to a client of Redis: one server, a Sentinel's primary, or a cluster.

    redis://user:secret@host:6379/0           rediss://… the same over TLS
    unix:///path/to/socket
    redis+sentinel://user:secret@host:26379,host:26379/service?db=0
    redis+cluster://user:secret@host:6379,host:6379      rediss+… for TLS

A call fails in about a second when there is nobody to answer it. It is tried again only within
that second: all that is written carries an id, so that the second time is known for what it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any, Final, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

from redis import Redis
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.retry import Retry
from redis.sentinel import Sentinel

from splendor_api.sessions.direct import DirectClient, Packer, ReadyPool
from splendor_api.sessions.store import Client

T = TypeVar("T")

PATIENCE: Final = 1.0  # seconds for a call and all its repetitions
RETRIES: Final = 3
CONNECT_TIMEOUT: Final = 0.5  # seconds
READ_TIMEOUT: Final = 1.0  # seconds
SENTINEL_PORT: Final = 26379
SERVER_PORT: Final = 6379

_SCHEMES: Final = ("redis", "rediss", "unix")
_COMPOUND: Final = tuple(
    f"{scheme}+{kind}" for scheme in ("redis", "rediss") for kind in ("sentinel", "cluster")
)
SCHEMES: Final = (*_SCHEMES, *_COMPOUND)


class BriefRetry(Retry):
    """Tries a few times within a second; each connection has its own.

    A retry within a retry, as for the connection that a command needs, is left to the outer one:
    else they would multiply.
    """

    __hash__ = Retry.__hash__

    def __init__(self) -> None:
        super().__init__(ExponentialBackoff(cap=0.25, base=0.05), RETRIES)
        self._is_within = False

    def call_with_retry(
        self,
        do: Callable[[], T],
        fail: Callable[..., Any],
        is_retryable: Callable[[Exception], bool] | None = None,
        with_failure_count: bool = False,
    ) -> T:
        """Return what `do` returns, or raise what it raised the last time."""
        is_outer, self._is_within = not self._is_within, True
        deadline = monotonic() + PATIENCE
        failures = 0
        try:
            while True:
                try:
                    return do()
                except self._supported_errors as error:
                    failures += 1
                    _ = fail(error, failures) if with_failure_count else fail(error)
                    pause = self._backoff.compute(failures)
                    is_late = failures > RETRIES or monotonic() + pause >= deadline
                    if not is_outer or is_late or (is_retryable and not is_retryable(error)):
                        raise
                    sleep(pause)
        finally:
            self._is_within = not is_outer


@dataclass(frozen=True, slots=True)
class _Address:
    """The parts of a URL of several hosts."""

    kind: str
    is_encrypted: bool
    hosts: tuple[tuple[str, int], ...]
    service: str
    options: dict[str, Any]


def opener(url: str) -> Callable[[], Client]:
    """Return what makes a client of the Redis behind `url`.

    Raises `ValueError` for what is no such URL. A client of a cluster asks for its nodes when it is
    made, the others connect when first needed.
    """
    scheme = url.partition("://")[0]  # urlsplit takes no list of hosts
    if scheme in _SCHEMES:
        Redis.from_url(url)  # raises for what it cannot read
        manner = _manner()
        if scheme == "unix":
            del manner["socket_keepalive"]  # a socket of this machine has none
        return lambda: DirectClient.from_pool(
            ReadyPool.from_url(url, retry=BriefRetry(), command_packer=Packer(), **manner)
        )
    if scheme not in _COMPOUND:
        raise ValueError(f"the scheme of a store's URL is one of {', '.join(SCHEMES)}")
    address = _address(url)
    return lambda: _of_several(address)


def _manner() -> dict[str, Any]:
    """Return how any server is talked to."""
    return {
        "decode_responses": True,
        "protocol": 2,
        "socket_connect_timeout": CONNECT_TIMEOUT,
        "socket_timeout": READ_TIMEOUT,
        "socket_keepalive": True,
        "driver_info": None,
    }


def _of_several(address: _Address) -> Client:
    manner = _manner() | ({"ssl": True} if address.is_encrypted else {})
    if address.kind == "cluster":
        nodes = [_node(host, port) for host, port in address.hosts]
        return RedisCluster(startup_nodes=nodes, retry=BriefRetry(), **manner, **address.options)
    sentinel = _sentinel(
        list(address.hosts), sentinel_kwargs={**manner, "retry": Retry(NoBackoff(), 0)}
    )
    primary: Redis = sentinel.master_for(
        address.service,
        redis_class=DirectClient,
        retry=BriefRetry(),
        **manner,
        **address.options,
    )
    return primary


_node: Callable[..., ClusterNode] = ClusterNode  # which does not say its types; nor does this:
_sentinel: Callable[..., Any] = Sentinel


def _address(url: str) -> _Address:
    """Return the parts of a URL that names several hosts; raise `ValueError` if it is none."""
    scheme, _, rest = url.partition("://")
    form, _, kind = scheme.partition("+")
    authority, slash, path = rest.partition("/")
    credentials, at, listed = authority.rpartition("@")
    path, _, query = path.partition("?")
    if not slash:
        listed, _, query = listed.partition("?")
    port = SENTINEL_PORT if kind == "sentinel" else SERVER_PORT
    hosts = tuple(_host(part, port) for part in listed.split(","))
    if (kind == "sentinel") != bool(path):
        raise ValueError("a Sentinel's URL ends in the name of the service, a cluster's does not")
    options: dict[str, Any] = {}
    if at:
        username, _, password = credentials.partition(":")
        options = {"username": unquote(username) or None, "password": unquote(password)}
    given = parse_qs(query, strict_parsing=True) if query else {}
    if given.keys() - {"db"} or (given and kind == "cluster"):
        raise ValueError("the one option of such a URL is db, and a cluster has none")
    if given:
        options["db"] = int(given["db"][0])
    return _Address(kind, form == "rediss", hosts, unquote(path), options)


def _host(text: str, port: int) -> tuple[str, int]:
    """Return host and port of one of several."""
    parts = urlsplit(f"//{text}")
    if not parts.hostname or parts.path or parts.query:
        raise ValueError("a host of the store is not one")
    return parts.hostname, parts.port or port
