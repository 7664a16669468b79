"""A cluster on the loopback, as `deploy/redis` sets it."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redis.exceptions import RedisError

from tests.deploy.files import free_ports, run
from tests.deploy.redis_files import Server, password
from tests.faults.waiting import until


@dataclass(frozen=True)
class Node:
    """What one node knows of another; `slots` are what it has, empty for a replica."""

    id: str
    port: int
    is_failing: bool
    slots: frozenset[int]


class Cluster:
    """Shards of a primary and a replica each."""

    def __init__(self, folder: Path, shards: int) -> None:
        """Start the servers and have redis-cli make a cluster of them."""
        ports = free_ports(4 * shards)
        self.servers = [
            Server("cluster", folder / f"node-{port}", port, (f"cluster-port {bus}",))
            for port, bus in zip(ports[::2], ports[1::2], strict=True)
        ]
        hosts = [f"127.0.0.1:{server.port}" for server in self.servers]
        create = ("--cluster", "create", *hosts, "--cluster-replicas", "1", "--cluster-yes")
        login = {"REDISCLI_AUTH": password("operator")}
        run("redis-cli", "--user", "operator", *create, variables=login)
        until(self.is_whole)

    @property
    def url(self) -> str:
        """What the setting REDIS_URL is to be."""
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in self.servers)
        return f"redis+cluster://service:{password('service')}@{hosts}"

    def nodes(self) -> list[Node]:
        """Return what a node that answers knows of all."""
        for server in self.servers:
            with suppress(RedisError):
                told: Any = server.ask("CLUSTER", "NODES")
                return [_node(line) for line in told.splitlines()]
        raise AssertionError("no node answers")

    def slot_of(self, session: str) -> int:
        """Return the slot of a session's keys."""
        told: Any = self.servers[0].ask("CLUSTER", "KEYSLOT", f"{{{session}}}")
        return int(told)

    def primaries(self) -> list[Server]:
        """Return the servers that lead."""
        leading = {node.port for node in self.nodes() if node.slots and not node.is_failing}
        return [server for server in self.servers if server.port in leading]

    def primary_of(self, slot: int) -> Server:
        """Return the server that has a slot."""
        having = {node.port for node in self.nodes() if slot in node.slots and not node.is_failing}
        return next(server for server in self.servers if server.port in having)

    def await_another(self, than: Server, slot: int) -> None:
        """Return when another server has a slot."""

        def is_so() -> bool:
            with suppress(StopIteration):
                return self.primary_of(slot) is not than
            return False

        until(is_so)

    def move(self, slot: int, to: Server) -> None:
        """Move a slot to another shard while it is used."""
        source = self.primary_of(slot)
        ids = {node.port: node.id for node in self.nodes()}
        to.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[source.port])
        source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[to.port])
        where = ("127.0.0.1", to.port, "", 0, 5000, "AUTH2", "operator", password("operator"))
        while keys := self._keys(source, slot):
            source.ask("MIGRATE", *where, "KEYS", *keys)
        others = [server for server in self.primaries() if server not in (to, source)]
        for server in (to, source, *others):
            server.ask("CLUSTER", "SETSLOT", slot, "NODE", ids[to.port])

    def _keys(self, server: Server, slot: int) -> list[str]:
        keys: Any = server.ask("CLUSTER", "GETKEYSINSLOT", slot, 100)
        return list(keys)

    def is_whole(self) -> bool:
        """Return whether every node knows of all slots, and every primary has a replica."""
        return all(map(_is_well, self.servers))

    def stop(self) -> None:
        """End all of it."""
        for server in self.servers:
            server.kill()


def _is_well(server: Server) -> bool:
    try:
        info: Any = server.ask("CLUSTER", "INFO")
        with server.client() as client:
            told = client.info("replication")
    except RedisError:
        return False
    is_linked = told.get("master_link_status", "up") == "up" and (
        told["role"] == "slave" or told["connected_slaves"] > 0
    )
    return "cluster_state:ok" in info and "cluster_slots_ok:16384" in info and is_linked


def _node(line: str) -> Node:
    """Return what a line of CLUSTER NODES says."""
    id_, address, flags, _, _, _, _, _, *ranges = line.split()
    slots: set[int] = set()
    for each in ranges:
        if not each.startswith("["):  # on its way
            first, _, last = each.partition("-")
            slots.update(range(int(first), int(last or first) + 1))
    port = int(address.partition("@")[0].rpartition(":")[2])
    return Node(id_, port, "fail" in flags.split(","), frozenset(slots))


@contextmanager
def cluster(folder: Path, shards: int = 3) -> Iterator[Cluster]:
    """Run a cluster as long as the context lasts."""
    made = Cluster(folder, shards)
    try:
        yield made
    finally:
        made.stop()
