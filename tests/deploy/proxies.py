"""nginx and HAProxy before services on the loopback, as `deploy/` sets them."""

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.deploy.files import certificate, free_ports, laid, program, run
from tests.faults.waiting import until

HOSTS = ("10.0.0.11:8000", "10.0.0.12:8000")


@dataclass
class Nginx:
    """A running nginx; `certificate` is what its clients are to believe."""

    folder: Path
    hosts: Sequence[int]
    down: tuple[int, ...] = ()
    port: int = field(init=False)
    plain: int = field(init=False)
    certificate: Path = field(init=False)
    size: int = field(init=False)
    process: "subprocess.Popen[bytes]" = field(init=False)

    def __post_init__(self) -> None:
        self.port, self.plain = free_ports(2)
        self.certificate, _ = certificate(self.folder / "tls")
        for name in ("nginx/nginx.conf", "nginx/splendor-api.conf"):
            laid(name, self.folder, self._changes(name))
        self._lay_hosts()

    @property
    def url(self) -> str:
        """Where it is asked."""
        return f"https://127.0.0.1:{self.port}"

    def _changes(self, name: str) -> Mapping[str, str]:
        here = str(self.folder)
        if name.endswith("nginx.conf"):
            user = f"user {'root' if os.geteuid() == 0 else 'nobody'};"
            paths = {"/etc/nginx": here, "/var/log/nginx": here, "/run/nginx": f"{here}/nginx"}
            return {"user www-data;": user, **paths}
        return {
            "/etc/nginx": here,
            "listen [::]:80;": "",
            "listen [::]:443 ssl http2;": "",
            "listen 80;": f"listen 127.0.0.1:{self.plain};",
            "listen 443 ssl": f"listen 127.0.0.1:{self.port} ssl",
        }

    def _lay_hosts(self) -> None:
        changes = {old: f"127.0.0.1:{port}" for old, port in zip(HOSTS, self.hosts, strict=True)}
        path = laid("nginx/hosts.conf", self.folder, changes)
        for port in self.down:
            text = path.read_text()
            begun = f"server 127.0.0.1:{port} "
            path.write_text(text.replace(begun, f"{begun}down "))

    def check(self) -> str:
        """Have nginx read all of it."""
        return run("nginx", "-t", "-p", self.folder, "-c", self.folder / "nginx.conf")

    def start(self) -> None:
        """Start it; return when it listens."""
        command = [program("nginx"), "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]
        self.process = subprocess.Popen([*command, "-g", "daemon off;"])
        until(lambda: (self.folder / "nginx.pid").exists() and self._answers())
        self.size = len(self.workers())

    def _answers(self) -> bool:
        try:
            httpx.get(f"http://127.0.0.1:{self.plain}/")
        except httpx.TransportError:
            return False
        return True

    def set_aside(self, *ports: int) -> set[int]:
        """Ask these hosts nothing new; return the workers that have old requests to answer yet."""
        self.down = ports
        self._lay_hosts()
        before = self.workers()
        self.process.send_signal(signal.SIGHUP)
        until(lambda: len(self.workers() - before) == self.size)
        return before

    def drain(self, *ports: int) -> None:
        """Ask these hosts nothing more; return when all old requests have been answered."""
        before = self.set_aside(*ports)
        until(lambda: not before & self.workers())

    def workers(self) -> set[int]:
        """Return the processes that answer."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return set(map(int, children.read_text().split()))

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait()


@contextmanager
def nginx(folder: Path, *hosts: int) -> Iterator[Nginx]:
    """Run nginx before two services on these ports as long as the context lasts."""
    made = Nginx(folder, hosts)
    made.start()
    try:
        yield made
    finally:
        made.stop()


def haproxy_file(folder: Path, hosts: Sequence[int], ports: Sequence[int]) -> Path:
    """Lay HAProxy's file for the loopback; return where it is."""
    chain, key = certificate(folder)
    (folder / "site.pem").write_text(chain.read_text() + key.read_text())
    return laid(
        "haproxy/haproxy.cfg",
        folder,
        {
            "    user haproxy\n    group haproxy\n": "",
            "/etc/haproxy": str(folder),
            "/run/haproxy": str(folder),
            "bind :80": f"bind 127.0.0.1:{ports[0]}",
            "bind :443": f"bind 127.0.0.1:{ports[1]}",
            **{old: f"127.0.0.1:{port}" for old, port in zip(HOSTS, hosts, strict=True)},
        },
    )


@dataclass
class HAProxy:
    """A running HAProxy."""

    folder: Path
    hosts: Sequence[int]
    port: int = field(init=False)
    process: "subprocess.Popen[bytes]" = field(init=False)

    def __post_init__(self) -> None:
        plain, self.port = free_ports(2)
        self.file = haproxy_file(self.folder, self.hosts, (plain, self.port))
        self.certificate = self.folder / "fullchain.pem"

    @property
    def url(self) -> str:
        """Where it is asked."""
        return f"https://127.0.0.1:{self.port}"


@contextmanager
def haproxy(folder: Path, *hosts: int) -> Iterator[HAProxy]:
    """Run HAProxy before two services on these ports as long as the context lasts."""
    made = HAProxy(folder, hosts)
    with (folder / "log").open("w") as log:
        made.process = subprocess.Popen([program("haproxy"), "-f", made.file], stderr=log)
    try:
        until(lambda: _has_begun(made))
        yield made
    finally:
        made.process.terminate()
        made.process.wait()


def _has_begun(proxy: HAProxy) -> bool:
    assert proxy.process.poll() is None, (proxy.folder / "log").read_text()
    try:
        return httpx.get(f"{proxy.url}/healthz", verify=False).status_code == 200
    except httpx.TransportError:
        return False
