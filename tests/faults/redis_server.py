"""A redis-server of a test's own, to which everything can be done that must not be done."""

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from splendor_api.launch import embedded_redis
from tests.faults.waiting import until

PROGRAMS = embedded_redis.programs()
assert PROGRAMS, embedded_redis.NO_PROGRAM


@dataclass
class RedisServer:
    """A server in a folder, set as the service sets its own, but for `options`."""

    folder: Path
    options: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    process: "subprocess.Popen[bytes]" = field(init=False)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.start()

    @property
    def socket(self) -> Path:
        """Where it listens."""
        return self.folder / embedded_redis.SOCKET

    @property
    def url(self) -> str:
        """What the setting REDIS_URL is to be."""
        return f"unix://{self.socket}"

    def start(self) -> None:
        """Start it on what is in the folder; return when it has loaded that."""
        with (self.folder / "log").open("a") as log:
            self.process = subprocess.Popen(
                [PROGRAMS[0].path, *embedded_redis.OPTIONS, *self.options],
                cwd=self.folder,
                env=dict(self.variables),
                stdout=log,
            )
        until(self._is_up)

    def _is_up(self) -> bool:
        assert self.process.poll() is None, (self.folder / "log").read_text()
        with closing(self.client()) as client:
            try:
                return int(client.info("server")["process_id"]) == self.process.pid
            except RedisError:
                return False

    def client(self) -> Redis:
        """Return a client that tries once."""
        client = Redis.from_url(self.url, decode_responses=True)
        client.set_retry(Retry(NoBackoff(), 0))
        return client

    def set(self, name: str, value: str) -> None:
        """Change an option while it runs."""
        with closing(self.client()) as client:
            client.config_set(name, value)

    def info(self, section: str, name: str) -> int:
        """Return a number that the server tells of itself."""
        with closing(self.client()) as client:
            return int(client.info(section)[name])

    def kill(self) -> None:
        """Kill it; return when it has ended."""
        self.process.kill()
        self.process.wait()


@contextmanager
def redis_server(
    folder: Path, *options: str, variables: Mapping[str, str] | None = None
) -> Iterator[RedisServer]:
    """Run a server as long as the context lasts."""
    server = RedisServer(folder, options, variables or {})
    try:
        yield server
    finally:
        server.kill()
