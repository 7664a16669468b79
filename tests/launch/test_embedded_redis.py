"""The private Redis: what it promises through kills, torn files and a second service (P3, P5, P7).

Every redis-server that is found is tried: that of the system, and that of this Python.
"""

import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from operator import gt
from pathlib import Path
from threading import Event
from time import monotonic
from urllib.parse import unquote

import httpx
import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from splendor_api.launch import append_only_file, embedded_redis
from splendor_api.launch.embedded_redis import EmbeddedRedis, Program, UnusableError
from splendor_api.sessions import tokens
from splendor_api.sessions.connection import opener
from splendor_api.sessions.store import Commit, Loaded, Store, StoreUnavailable
from tests.launch.conftest import PATIENCE, ROOT

PROGRAMS = tuple(sorted(embedded_redis.programs(), key=lambda each: each.numbers))
assert PROGRAMS, embedded_redis.NO_PROGRAM

NEW_GAME = {"game": "splendor", "seats": 2}
LIFETIME_MS = 3_600_000
TICK = 0.005  # seconds from one look to the next


def _until(condition: Callable[[], bool]) -> None:
    """Look again and again until it is so."""
    deadline, never = monotonic() + PATIENCE, Event()
    while not condition():
        assert monotonic() < deadline, "it did not come to that"
        never.wait(TICK)


@contextmanager
def _store(url: str) -> Iterator[Store]:
    """Open the store behind `url` as a worker does."""
    store = Store(opener(url))
    try:
        yield store
    finally:
        store.client.close()


def _pid(url: str) -> int:
    """Return the process behind `url`, 0 if none answers."""
    with closing(Redis.from_url(url, decode_responses=True)) as client:
        client.set_retry(Retry(NoBackoff(), 0))
        try:
            return int(client.info("server")["process_id"])
        except RedisError:
            return 0


def _servers(folder: Path) -> list[int]:
    """Return the redis-servers at work in `folder`."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            at_work = (process / "cwd").samefile(folder)
            name = (process / "comm").read_text().strip()
        except OSError:
            continue  # ended meanwhile
        if at_work and name == "redis-server":
            found.append(int(process.name))
    return found


def _contents(folder: Path) -> dict[Path, bytes]:
    """Return every file of the data."""
    return {path: path.read_bytes() for path in folder.rglob("append*") if path.is_file()}


@dataclass
class Game:
    """A session whose commits are counted; what is acknowledged must be there for ever."""

    id: str
    number: int = 1
    commit: str = "first"

    def create(self, store: Store) -> None:
        fields = {"number": "1", "commit": self.commit, "access_number": "0"}
        assert store.create(self.id, "f", "1.first {}", LIFETIME_MS, fields) == "created"

    def act(self, store: Store) -> None:
        """Commit one step more, again and again until it is acknowledged."""
        new = tokens.mint_commit()
        entry = f"{self.number + 1}.{new} {{}}"
        step = Commit(self.number, self.commit, new, 0, "", "f", entry, LIFETIME_MS, {})
        deadline = monotonic() + PATIENCE
        while True:
            try:
                reply = store.commit(self.id, step)
            except StoreUnavailable:
                assert monotonic() < deadline, "the store has not come back"
                continue
            assert reply.word == "committed", reply
            self.number, self.commit = self.number + 1, new
            return

    def require_whole(self, store: Store) -> None:
        """Fail unless every acknowledged step is stored exactly once, and nothing more."""
        loaded = store.load(self.id, history_from=0)
        assert isinstance(loaded, Loaded)
        versions = [line.split()[0] for line in loaded.history]
        assert [int(version.split(".")[0]) for version in versions] == list(
            range(1, self.number + 1)
        )
        assert versions[-1] == f"{self.number}.{self.commit}"


def _played(url: str, steps: int) -> Game:
    """Return a game of so many steps."""
    game = Game(tokens.mint_id())
    with _store(url) as store:
        game.create(store)
        for _ in range(steps):
            game.act(store)
    return game


def _require_whole(url: str, game: Game) -> None:
    with _store(url) as store:
        game.require_whole(store)


@pytest.fixture(params=PROGRAMS, ids=lambda program: program.version)
def program(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Return each redis-server in turn, and let it be the only one."""
    chosen: Program = request.param
    monkeypatch.setattr(embedded_redis, "programs", lambda: (chosen,))
    return chosen


@contextmanager
def _running(data_dir: Path) -> Iterator[EmbeddedRedis]:
    """Run a server on a folder."""
    with embedded_redis.running(data_dir) as server:
        assert server is not None
        yield server


@contextmanager
def _left_behind(program: Program, folder: Path) -> Iterator[str]:
    """Run a server on a folder as a service that is no more would have left it; yield its URL."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [program.path, *embedded_redis.OPTIONS, "--dir", str(folder)]
    url = f"unix://{folder / embedded_redis.SOCKET}"
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) as process:
        try:
            _until(lambda: _pid(url) == process.pid)
            yield url
        finally:
            process.kill()


@contextmanager
def _service(data_dir: Path, program: Program | None = None) -> Iterator[subprocess.Popen[str]]:
    """Run the whole service on a folder, with a program or with any."""
    path = os.defpath
    if program is not None:
        tools = data_dir.parent / "tools"
        tools.mkdir(exist_ok=True)
        (tools / "redis-server").unlink(missing_ok=True)
        (tools / "redis-server").symlink_to(program.path)
        path = str(tools)
    with subprocess.Popen(
        [sys.executable, "-m", "splendor_api", "serve"],
        cwd=ROOT,
        env={"PATH": path, "PORT": "0", "WEB_CONCURRENCY": "1", "DATA_DIR": str(data_dir)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def _first_lines(process: subprocess.Popen[str]) -> list[str]:
    """Return where the service is, and the note on its sessions."""
    assert process.stdout is not None
    return [process.stdout.readline(), process.stdout.readline()]


def _at(line: str) -> httpx.Client:
    """Return a client of the service that has printed this line."""
    found = re.search(r"http://[0-9.:]+", line)
    assert found is not None, line
    return httpx.Client(base_url=found[0], timeout=PATIENCE)


def _browser(process: subprocess.Popen[str]) -> httpx.Client:
    """Return a client of a service that has just been started."""
    line, note = _first_lines(process)
    assert note.startswith("Sessions are kept in ")
    return _at(line)


@dataclass(frozen=True)
class _Seat:
    """The seat whose turn it is in a session, as an app sees it: over HTTP alone."""

    path: str
    tokens: tuple[str, ...]

    @classmethod
    def first_of_a_new_game(cls, client: httpx.Client) -> "_Seat":
        created = client.post("/v1/sessions", json=NEW_GAME)
        assert created.status_code == 201, created.text
        return cls(created.headers["Location"], tuple(created.json()["seat_tokens"]))

    def observe(self, client: httpx.Client, seat: int = 0) -> httpx.Response:
        return client.get(self.path, headers={"Authorization": f"Bearer {self.tokens[seat]}"})

    def act(self, client: httpx.Client) -> str:
        """Do what is legal first; return the version that it made."""
        seen = self.observe(client).json()
        headers = {"Authorization": f"Bearer {self.tokens[seen['to_act']]}"}
        legal = client.get(f"{self.path}/legal-actions", headers=headers).json()["actions"]
        acted = client.post(
            f"{self.path}/actions",
            json={"action": legal[0]["action"]},
            headers={**headers, "If-Match": seen["version"]},
        )
        assert acted.status_code == 200, acted.text
        version: str = acted.json()["version"]
        return version


def _url(data_dir: Path) -> str:
    return f"unix://{data_dir / 'redis' / 'redis.sock'}"


def test_it_is_private_and_loses_nothing(program: Program, tmp_path: Path) -> None:
    """T36: whatever the umask and the folder were, nobody else reaches it."""
    (tmp_path / "redis").mkdir(mode=0o755)
    before = os.umask(0)
    try:
        with _running(tmp_path) as server:
            _require_private(server, program, tmp_path / "redis")
    finally:
        os.umask(before)


def _require_private(server: EmbeddedRedis, program: Program, folder: Path) -> None:
    _played(server.url, 1)
    with closing(Redis.from_url(server.url, decode_responses=True)) as client:
        chosen = client.config_get("*")
    expected = {
        "port": "0",
        "appendonly": "yes",
        "appendfsync": "always",
        "save": "",
        "maxmemory-policy": "noeviction",
        "aof-load-truncated": "yes",
    }
    assert {name: chosen[name] for name in expected} == expected
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.rglob("*"))}
    assert {modes.pop(path) for path in tuple(modes) if path.is_dir()} == {0o700}
    assert {path.name for path in modes} >= {"lock", "redis.log", "redis.pid", "redis.sock"}
    assert set(modes.values()) == {0o600}
    (note,) = server.notes()
    assert f"Redis {program.version}" in note
    assert "not for production" in note


@pytest.mark.usefixtures("program")
def test_games_go_on_after_a_restart(tmp_path: Path) -> None:
    with _running(tmp_path) as first:
        game = _played(first.url, 3)
    assert _servers(first.folder) == []
    with _running(tmp_path) as second:
        _require_whole(second.url, game)
        assert len(tuple(second.notes())) == 1


def test_a_newer_server_reads_what_an_older_one_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = None
    for each in PROGRAMS:
        monkeypatch.setattr(embedded_redis, "programs", lambda chosen=each: (chosen,))
        with _running(tmp_path) as server:
            game = game or _played(server.url, 3)
            _require_whole(server.url, game)


def test_an_older_server_does_not_begin_anew_beside_newer_data(tmp_path: Path) -> None:
    folder = tmp_path / "redis" / append_only_file.FOLDER
    folder.mkdir(parents=True)
    (folder / append_only_file.MANIFEST).touch()
    old = Program("/usr/bin/redis-server", "6.2.14")
    with pytest.raises(UnusableError, match=r"written by Redis 7 or newer.* 6\.2\.14 at /usr/bin"):
        EmbeddedRedis(tmp_path, (old,))


@pytest.mark.usefixtures("program")
def test_a_long_path_is_no_obstacle(tmp_path: Path) -> None:
    with _running(tmp_path / ("long and odd? %41 " * 10)) as server:
        path = unquote(server.url.removeprefix("unix://"))
        assert len(os.fsencode(path)) <= embedded_redis.LONGEST_PATH < len(str(server.folder))
        game = _played(server.url, 1)
        _require_whole(server.url, game)
    assert not Path(path).parent.is_symlink()


def test_a_folder_that_cannot_be_used_is_said(program: Program, tmp_path: Path) -> None:
    (tmp_path / "redis").touch()
    with (
        pytest.raises(UnusableError, match=r"cannot be kept in .*/redis: File exists\. .*DATA_DIR"),
        _running(tmp_path),
    ):
        pytest.fail("it is no folder")


@pytest.mark.usefixtures("program")
def test_an_ended_server_is_started_again(tmp_path: Path) -> None:
    with _running(tmp_path) as server:
        game = _played(server.url, 3)
        first = _pid(server.url)
        assert server.watch() == embedded_redis.GLANCE
        os.kill(first, signal.SIGKILL)
        _until(
            lambda: server.watch() == embedded_redis.GLANCE and _pid(server.url) not in (0, first)
        )
        _require_whole(server.url, game)


def test_one_that_keeps_ending_waits_longer_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr(embedded_redis, "monotonic", lambda: now)
    server = EmbeddedRedis(tmp_path, (Program("/bin/false", "7.0.0"),))
    pauses: list[float] = []

    def has_paused() -> bool:
        nonlocal now
        wait = server.watch()
        if wait != embedded_redis.GLANCE:
            pauses.append(wait)
            now += wait
        return len(pauses) == 8

    try:
        with pytest.raises(UnusableError, match="ended as soon as it was started"):
            server.start()
        _until(has_paused)
    finally:
        server.stop()
    assert pauses == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0])


@pytest.mark.usefixtures("program")
def test_a_torn_end_is_taken_off_kept_and_said(tmp_path: Path) -> None:
    with _running(tmp_path) as server:
        game = _played(server.url, 3)
        acknowledged = replace(game)
        file = max(_contents(server.folder), key=lambda path: path.stat().st_mtime_ns)
        size = file.stat().st_size
        with _store(server.url) as store:
            game.act(store)
    written = file.read_bytes()
    for torn in (written[:-1], written[: size + 7], written[: size + 90] + bytes(512)):
        file.write_bytes(torn)
        with _running(tmp_path) as server:
            _, note = server.notes()
            assert f"{len(torn) - size} bytes" in note
            assert server.unfinished is not None
            assert server.unfinished.kept.read_bytes() == torn[size:]
            _require_whole(server.url, acknowledged)
        assert file.read_bytes() == written[:size]


def test_a_damaged_middle_is_refused_and_left_alone(program: Program, tmp_path: Path) -> None:
    with _running(tmp_path) as server:
        game = _played(server.url, 9)
    contents = _contents(server.folder)
    file = max(contents, key=lambda path: len(contents[path]))
    middle = contents[file].index(b"$5\r\nRPUSH", len(contents[file]) // 2)
    start, rest = contents[file][:middle], contents[file][middle:]
    for damage in (b"!5\r\nRPUSH", b"$5\r\nRP", b"$5000000\r\nRPUSH"):
        file.write_bytes(start + rest.replace(b"$5\r\nRPUSH", damage, 1))
        damaged = _contents(server.folder)
        with (
            pytest.raises(UnusableError, match=r"damaged at byte \d+.*`redis-check-aof --fix`"),
            _running(tmp_path),
        ):
            pytest.fail("its data are damaged")
        assert _contents(server.folder) == damaged
        assert _servers(server.folder) == []
    # Left to itself, the server takes the last kind of damage for the end of the file.
    with _left_behind(program, server.folder) as url, _store(url) as store:
        loaded = store.load(game.id, history_from=0)
    assert isinstance(loaded, Loaded)
    assert 0 < len(loaded.history) < game.number


@pytest.mark.parametrize("is_stopped", [False, True], ids=["at work", "stopped"])
def test_a_server_left_behind_is_ended_first(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_stopped: bool
) -> None:
    monkeypatch.setattr(embedded_redis, "PATIENCE", 0.2 if is_stopped else PATIENCE)
    with _left_behind(program, tmp_path / "redis") as url:
        game = _played(url, 3)
        orphan = _pid(url)
        if is_stopped:
            os.kill(orphan, signal.SIGSTOP)
        with _running(tmp_path) as server:
            assert _pid(server.url) not in (0, orphan)
            _require_whole(server.url, game)


def test_kills_under_writes_lose_nothing_and_double_nothing(
    program: Program, tmp_path: Path
) -> None:
    url, over = _url(tmp_path), Event()

    def play(game: Game) -> None:
        with _store(url) as store:
            while not over.is_set():
                game.act(store)

    with _service(tmp_path, program) as service:
        assert f"Redis {program.version}" in _first_lines(service)[1]
        games = [_played(url, 1) for _ in range(4)]
        with ThreadPoolExecutor(len(games)) as pool:
            playing = [pool.submit(play, game) for game in games]
            try:
                for _ in range(3):
                    _kill_and_await(url, games)
            finally:
                over.set()
        for game, played in zip(games, playing, strict=True):
            played.result()
            _require_whole(url, game)


def _kill_and_await(url: str, games: list[Game]) -> None:
    """Kill the server; return when another one is at work and every game has gone on."""
    killed, reached = _pid(url), [game.number for game in games]
    os.kill(killed, signal.SIGKILL)
    _until(lambda: _pid(url) not in (0, killed))
    _until(lambda: all(map(gt, (game.number for game in games), reached)))


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_with_the_service(tmp_path: Path, told: signal.Signals) -> None:
    with _service(tmp_path) as service:
        _first_lines(service)
        game = _played(_url(tmp_path), 1)
        service.send_signal(told)
        assert service.wait(PATIENCE) == 0
        assert _servers(tmp_path / "redis") == []
    with _running(tmp_path) as server:
        _require_whole(server.url, game)


def test_a_killed_launcher_leaves_no_server_and_a_whole_folder(tmp_path: Path) -> None:
    with _service(tmp_path) as killed:
        _first_lines(killed)
        game = _played(_url(tmp_path), 3)
        orphan = _pid(_url(tmp_path))
        killed.kill()
        killed.wait(PATIENCE)
        with _service(tmp_path) as next_one:
            assert "Sessions are kept" in _first_lines(next_one)[1]
            assert _pid(_url(tmp_path)) not in (0, orphan)
            _require_whole(_url(tmp_path), game)
            next_one.kill()
            next_one.wait(PATIENCE)
            _until(lambda: not _servers(tmp_path / "redis"))


def test_a_second_service_on_the_folder_is_refused(tmp_path: Path) -> None:
    with _service(tmp_path) as first:
        _first_lines(first)
        game = _played(_url(tmp_path), 1)
        with _service(tmp_path) as second:
            output, errors = second.communicate(timeout=PATIENCE)
        assert (second.returncode, output) == (1, "")
        assert errors == (
            f"Another service (process {first.pid}) keeps its sessions in {tmp_path}/redis. The "
            "setting DATA_DIR names another folder; REDIS_URL names one server for both.\n"
        )
        _require_whole(_url(tmp_path), game)


def test_a_game_goes_on_over_http_in_the_next_service(tmp_path: Path) -> None:
    with _service(tmp_path) as first:
        with _browser(first) as client:
            game = _Seat.first_of_a_new_game(client)
            before = game.act(client)
        first.send_signal(signal.SIGTERM)
        assert first.wait(PATIENCE) == 0
    with _service(tmp_path) as second, _browser(second) as client:
        seen = game.observe(client)
        assert (seen.status_code, seen.json()["version"]) == (200, before)
        assert game.act(client) != before


def test_while_the_server_is_away_only_sessions_are(tmp_path: Path) -> None:
    with _service(tmp_path) as service, _browser(service) as client:
        game = _Seat.first_of_a_new_game(client)
        service.send_signal(signal.SIGSTOP)  # so that nobody starts the server again
        os.kill(_pid(_url(tmp_path)), signal.SIGKILL)
        away = game.observe(client)
        assert (away.status_code, away.json()["code"]) == (503, "store_unavailable")
        assert int(away.headers["Retry-After"]) > 0
        assert client.get("/v1/games").status_code == 200
        service.send_signal(signal.SIGCONT)
        _until(lambda: game.observe(client).status_code == 200)


def test_without_a_program_the_rest_is_served(tmp_path: Path) -> None:
    script = (
        "from splendor_api import __main__; from splendor_api.launch import embedded_redis;"
        "embedded_redis.programs = lambda: (); __main__.main(['serve'])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={"PORT": "0", "WEB_CONCURRENCY": "1", "DATA_DIR": str(tmp_path / "none")},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            line, note = _first_lines(process)
            assert note == f"{embedded_redis.NO_PROGRAM}\n"
            with _at(line) as client:
                assert client.get("/v1/games").status_code == 200
                refused = client.post("/v1/sessions", json=NEW_GAME)
            assert (refused.status_code, refused.json()["code"]) == (503, "store_unavailable")
            assert not (tmp_path / "none" / "redis").exists()
        finally:
            process.terminate()


def test_programs_are_found_and_old_or_broken_ones_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shows = {"old": "echo v=5.0.14", "broken": "exit 1", "new": "echo Redis server v=8.0.4 sha=0"}
    for name, does in shows.items():
        tool = tmp_path / name / "redis-server"
        tool.parent.mkdir()
        tool.write_text(f"#!/bin/sh\n{does}\n")
        tool.chmod(0o700)
    scripts = tmp_path / "new"
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(scripts))
    new = Program(str(scripts / "redis-server"), "8.0.4")
    for name in ("old", "broken", "new"):
        monkeypatch.setenv("PATH", str(tmp_path / name))
        assert embedded_redis.programs() == (new,)
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "old"))
    assert embedded_redis.programs() == ()
    with embedded_redis.running(tmp_path) as server:
        assert server is None
