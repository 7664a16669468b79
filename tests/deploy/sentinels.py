"""Three servers and three Sentinels on the loopback, as `deploy/redis` sets them."""

import hashlib
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from tests.deploy.files import free_ports, laid, program
from tests.deploy.redis_files import Server, password
from tests.faults.waiting import until

SIZE = 3
NAME = "splendor-api"


class Trio:
    """Servers, of which one leads, and the Sentinels that see to it."""

    def __init__(self, folder: Path) -> None:
        """Start all of it."""
        ports = free_ports(2 * SIZE)
        self.servers: list[Server] = []
        for place, port in enumerate(ports[:SIZE]):
            follows = (f"replicaof 127.0.0.1 {ports[0]}",) if place else ()
            name = folder / f"server-{place}"
            self.servers.append(Server("replicated", name, port, follows))
        until(lambda: self._replicas_of(self.servers[0]) == SIZE - 1)
        self.ports = ports[SIZE:]
        self._sentinels = [
            _sentinel(folder / f"sentinel-{port}", port, ports[0]) for port in self.ports
        ]
        until(self._is_watched)

    @property
    def url(self) -> str:
        """What the setting REDIS_URL is to be."""
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.ports)
        return f"redis+sentinel://service:{password('service')}@{hosts}/{NAME}"

    def primary(self) -> Server:
        """Return the server that leads, as the first Sentinel has it."""
        with Redis(port=self.ports[0], decode_responses=True) as client:
            _, port = client.execute_command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME)
        return next(server for server in self.servers if server.port == int(port))

    def others(self) -> list[Server]:
        """Return the servers that follow."""
        primary = self.primary()
        return [server for server in self.servers if server is not primary]

    def bring_back(self, server: Server) -> None:
        """Start a server again, as a replica; Sentinel would see to that too, in ten seconds."""
        server.start()
        server.ask("REPLICAOF", "127.0.0.1", self.primary().port)
        server.ask("CONFIG", "REWRITE")
        self.await_whole()

    def await_another(self, than: Server) -> None:
        """Return when another server leads."""
        until(lambda: self.primary() is not than)

    def await_whole(self) -> None:
        """Return when the primary has all others as replicas again."""
        until(lambda: self._replicas_of(self.primary()) == SIZE - 1)

    def stop(self) -> None:
        """End all of it."""
        for sentinel in self._sentinels:
            sentinel.kill()
            sentinel.wait()
        for server in self.servers:
            server.kill()

    def _replicas_of(self, server: Server) -> int:
        with suppress(RedisError), server.client() as client:
            replication = client.info("replication")
            return sum(
                told["state"] == "online"
                for name, told in replication.items()
                if name.startswith("slave") and isinstance(told, dict)
            )
        return 0

    def _is_watched(self) -> bool:
        """Return whether every Sentinel knows the others and all servers."""
        return all(self._knows_all(port) for port in self.ports)

    def _knows_all(self, port: int) -> bool:
        with suppress(RedisError), Redis(port=port, decode_responses=True) as client:
            known = client.sentinel_masters()[NAME]
            counts: list[int] = [known["num-slaves"], known["num-other-sentinels"]]
            return counts == [SIZE - 1, SIZE - 1]
        return False


def _sentinel(folder: Path, port: int, primary: int) -> "subprocess.Popen[bytes]":
    path = laid(
        "redis/sentinel.conf",
        folder,
        {
            "port 26379": f"port {port}",
            "bind * -::*": "bind 127.0.0.1",
            "/var/lib/redis": str(folder),
            "/run/redis": str(folder),
            "10.0.0.21 6379": f"127.0.0.1 {primary}",
            "@SENTINEL_PASSWORD@": password("sentinel"),
            "@OPERATOR_SHA256@": hashlib.sha256(password("operator").encode()).hexdigest(),
        },
    )
    with (folder / "log").open("w") as log:
        return subprocess.Popen([program("redis-sentinel"), str(path)], stdout=log)


@contextmanager
def trio(folder: Path) -> Iterator[Trio]:
    """Run all of it as long as the context lasts."""
    made = Trio(folder)
    try:
        yield made
    finally:
        made.stop()
