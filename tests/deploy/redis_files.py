"""Redis servers and Sentinels on the loopback, as `deploy/redis` sets them."""

import hashlib
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Closed
from redis.exceptions import RedisError
from redis.retry import Retry

from tests.deploy.files import free_ports, laid, program
from tests.faults.waiting import until

USERS = ("service", "replica", "sentinel", "operator")


def password(user: str) -> str:
    """Return the password that a user of the access control list has in the tests."""
    return f"{user}-secret"


def users(folder: Path) -> Path:
    """Lay the access control list with the hashes of the tests' passwords."""
    hashes = {
        f"@{user.upper()}_SHA256@": hashlib.sha256(password(user).encode()).hexdigest()
        for user in USERS
    }
    return laid("redis/users.acl", folder, hashes)


def lay(name: str, folder: Path, port: int) -> Path:
    """Lay the files of a server in a folder of its own; return the first of them."""
    users(folder)
    folders = dict.fromkeys(("/etc/redis", "/var/lib/redis", "/run/redis"), str(folder))
    common = {"port 6379": f"port {port}", "bind * -::*": "bind 127.0.0.1", **folders}
    laid("redis/common.conf", folder, common)
    (folder / "secret.conf").write_text(f"masterauth {password('replica')}\n")
    return laid(f"redis/{name}.conf", folder, {"/etc/redis": str(folder)})


def asked(port: int, *command: object) -> object:
    """Have the operator say something to a server; return the answer."""
    with closing(client_of(port)) as client:
        say: Callable[..., object] = client.execute_command
        return say(*command)


def end(port: int) -> None:
    """Have a server end that was started by others."""
    with suppress(Closed):  # it says nothing any more
        asked(port, "SHUTDOWN")


def client_of(port: int, user: str = "operator") -> Redis:
    """Return a client that tries once, as a user of the list."""
    client = Redis(
        port=port,
        username=user,
        password=password(user),
        decode_responses=True,
        socket_timeout=5,
    )
    client.set_retry(Retry(NoBackoff(), 0))
    return client


@dataclass
class Server:
    """A server whose file is one of `deploy/redis`, on a port, in a folder of its own."""

    name: str
    folder: Path
    port: int
    lines: tuple[str, ...] = ()
    process: "subprocess.Popen[bytes]" = field(init=False)

    def __post_init__(self) -> None:
        path = lay(self.name, self.folder, self.port)
        path.write_text("\n".join([path.read_text(), *self.lines, ""]))
        self.start()

    def start(self) -> None:
        """Start it, again too; return when it answers."""
        with (self.folder / "log").open("a") as log:
            command = [program("redis-server"), str(self.folder / f"{self.name}.conf")]
            self.process = subprocess.Popen(command, cwd=self.folder, stdout=log)
        until(self._is_up)

    def _is_up(self) -> bool:
        assert self.process.poll() is None, (self.folder / "log").read_text()
        with closing(self.client()) as client:
            try:
                return bool(client.ping())
            except RedisError:
                return False

    def client(self, user: str = "operator") -> Redis:
        """Return a client that tries once, as a user of the list."""
        return client_of(self.port, user)

    def ask(self, *command: object) -> object:
        """Have the operator say something; return the answer."""
        return asked(self.port, *command)

    def kill(self) -> None:
        """Kill it; return when it has ended."""
        self.process.kill()
        self.process.wait()

    @property
    def url(self) -> str:
        """What the setting REDIS_URL is to be."""
        return f"redis://service:{password('service')}@127.0.0.1:{self.port}"


@contextmanager
def single(folder: Path) -> Iterator[Server]:
    """Run one server, as `single.conf` has it, as long as the context lasts."""
    (port,) = free_ports(1)
    server = Server("single", folder, port)
    try:
        yield server
    finally:
        server.kill()
