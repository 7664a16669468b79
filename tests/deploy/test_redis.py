"""The files of Redis: what they set is what the service asks for, and nobody may do more (T35).

That the rights of the service's user are enough, all tests of sessions show: they are that user.
"""

import re
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from redis.exceptions import AuthenticationError, NoPermissionError

from tests.conftest import Tell
from tests.deploy.files import ROOT, free_ports, laid, program, read
from tests.deploy.redis_files import Server, lay, password, single
from tests.deploy.rights import commands, rights
from tests.faults.clients import Client, Table, bearer, crowd
from tests.faults.service import serving
from tests.faults.streams import Stream
from tests.faults.waiting import until

OF_SEVERAL_SERVERS = {"asking", "cluster|slots", "command", "wait"}
"""What only a cluster, or a primary with replicas, is asked; other tests here ask it."""

SELDOM = {
    "lindex",  # where another was faster, or a commit comes twice
    "select",  # where the URL names another database than the first
    "unsubscribe",  # where one session is followed no more, and another still is
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with single(tmp_path_factory.mktemp("redis")) as running:
        yield running


def test_the_service_has_nothing_to_warn_of(server: Server, tmp_path: Path) -> None:
    with (
        serving(tmp_path, REDIS_URL=f"{server.url}/1", WEB_CONCURRENCY="1") as service,
        Client(service.url) as client,
    ):
        store = client.get("/readyz")["store"]
    assert store.pop("version") is not None
    assert store == {
        "maxmemory_policy": "noeviction",
        "appendonly": True,
        "appendfsync": "always",
        "warnings": [],
    }


def test_the_user_of_the_service_may_do_what_is_needed_and_no_more(
    server: Server, tmp_path: Path
) -> None:
    server.ask("CONFIG", "RESETSTAT")
    variables = {"WEB_CONCURRENCY": "1", "RATE_LIMIT_REQUESTS": "1000"}
    with serving(tmp_path, REDIS_URL=server.url, **variables) as service:
        with Client(service.url) as client:
            _use_everything(client)
        assert "NoPermission" not in service.log.read_text()
    assert server.ask("ACL", "LOG") == []
    with closing(server.client()) as client_of_redis:
        given = {name.removeprefix("cmdstat_") for name in client_of_redis.info("commandstats")}
    assert commands() - given - OF_SEVERAL_SERVERS - SELDOM == set()


def _use_everything(client: Client) -> None:
    """Do everything that sessions can do."""
    assert client.get("/readyz")["status"] == "ready"
    sent = {"game": "splendor", "seats": 2}
    made = client.http.post("/v1/sessions", json=sent).json()
    path, host = f"/v1/sessions/{made['id']}", bearer(made["host_token"])
    table = Table(client, path, tuple(made["seat_tokens"]), made["version"])
    with Stream(client, path) as stream:
        assert stream.next().name == "snapshot"
        acted = table.act().version
        assert stream.next().id == acted
    ticket = client.http.post(f"{path}/stream-tickets", headers=bearer(table.tokens[0]))
    query = {"ticket": ticket.json()["ticket"]}
    with client.http.stream("GET", f"{path}/events", params=query) as followed:
        assert followed.status_code == 200
    rotated = client.http.post(f"{path}/seats/1/token", headers=host)
    assert rotated.status_code == 200, rotated.text
    assert table.history()
    assert client.http.delete(path, headers=host).status_code == 204
    assert client.http.get(path).status_code == 410


@pytest.mark.parametrize(
    ("user", "forbidden"),
    [
        ("service", "KEYS *"),
        ("service", "FLUSHALL"),
        ("service", "CONFIG SET save x"),
        ("service", "GET other"),
        ("service", "HGETALL other"),
        ("service", "SUBSCRIBE other"),
        ("service", "ACL LIST"),
        ("service", "SCRIPT FLUSH"),
        ("replica", "HGETALL splendor-api:a"),
        ("replica", "SHUTDOWN"),
        ("sentinel", "HGETALL splendor-api:a"),
        ("sentinel", "CONFIG GET *"),
        ("health", "INFO"),
    ],
)
def test_nobody_may_do_more(server: Server, user: str, forbidden: str) -> None:
    with closing(server.client(user)) as client:
        say: Any = client.execute_command
        with pytest.raises(NoPermissionError):
            say(*forbidden.split())


def test_whatever_was_acknowledged_is_there_after_a_kill(tmp_path: Path, tell: Tell) -> None:
    """The file is loaded in the name of the user `default`, whom the list turns off."""
    with (
        single(tmp_path / "redis") as redis,
        serving(tmp_path, REDIS_URL=redis.url, WEB_CONCURRENCY="1") as service,
    ):
        with crowd(service.url, 2) as playing:
            playing.advance(5)
            redis.kill()
            redis.start()
            playing.advance(5)
        verdict = playing.verdict()
        assert "CRITICAL" not in (redis.folder / "log").read_text()
    tell("a server of deploy/redis killed and started", verdict)
    assert verdict.is_right, verdict


def test_nobody_comes_in_without_a_name(server: Server) -> None:
    with closing(server.client("default")) as client, pytest.raises(AuthenticationError):
        client.ping()


def test_the_list_as_it_is_lets_no_server_start(tmp_path: Path) -> None:
    """Whoever forgets to put hashes in is told, instead of having a server that all may enter."""
    path = laid("redis/users.acl", tmp_path, {})
    listens = ("--port", "0", "--unixsocket", tmp_path / "socket")
    done = subprocess.run(
        [program("redis-server"), *listens, "--aclfile", path],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "users.acl" in done.stdout


def test_the_start_script_makes_the_list_of_passwords(tmp_path: Path) -> None:
    """A user without a password is left out, and no password is left in the environment."""
    (port,) = free_ports(1)
    single_file = lay("single", tmp_path, port)
    laid("redis/users.acl", tmp_path, {})
    script = laid("redis/start.sh", tmp_path, {})
    users = tmp_path / "made.acl"
    variables = {"PATH": "/usr/bin:/bin", "USERS": str(users), "SERVICE_PASSWORD": "service-secret"}
    process = subprocess.Popen(
        ["/bin/sh", script, single_file], env=variables, stdout=subprocess.DEVNULL
    )
    try:
        until(users.exists)
        url_of = f"redis://service:{password('service')}@127.0.0.1:{port}"
        with (
            serving(tmp_path / "service", REDIS_URL=url_of, WEB_CONCURRENCY="1") as service,
            Client(service.url) as client,
        ):
            Table.laid(client).act()
        environment = Path(f"/proc/{process.pid}/environ").read_bytes()
    finally:
        process.kill()
        process.wait()
    assert b"service-secret" not in environment
    assert re.findall(r"^user (\w+)", users.read_text(), re.MULTILINE) == [
        "default",
        "service",
        "health",
    ]
    assert users.stat().st_mode & 0o077 == 0


def test_the_page_allows_what_the_list_allows() -> None:
    """docs/redis.md has the shorter form, by categories, for who writes a list by hand."""
    page = (ROOT / "docs" / "redis.md").read_text("utf-8")
    assert "deploy/redis/users.acl" in page
    assert {"~splendor-api:*", "&splendor-api:*", "resetchannels"} <= set(rights())


def test_what_several_servers_need_is_set_for_both_kinds() -> None:
    for name in ("redis/replicated.conf", "redis/cluster.conf"):
        text = read(name)
        assert "min-replicas-to-write 1\n" in text
        assert "masteruser replica\n" in text
