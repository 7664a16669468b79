"""Two hosts behind nginx or HAProxy: one is drained, killed, or replaced by another version."""

import re
import signal
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

import pytest

from tests.conftest import Tell
from tests.deploy.files import ROOT
from tests.deploy.proxies import nginx
from tests.deploy.redis_files import Server, single
from tests.faults.clients import Client, Crowd, Table, crowd
from tests.faults.service import Service, serving_of
from tests.faults.streams import Stream
from tests.faults.waiting import TIMES

PREVIOUS = ROOT / "tests" / "deploy" / "previous.tar.xz"
"""The code of an older version: what it has stored and sealed, this one goes on with.

It lies here whole, because a checkout need not have the history that it could be taken from.
"""

SEAL_KEYS = "a:" + "k" * 43


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with single(tmp_path_factory.mktemp("redis")) as running:
        yield running


@contextmanager
def _host(folder: Path, redis: Server, source: Path = ROOT) -> Iterator[Service]:
    """Run a service as one host of several."""
    variables = {
        "REDIS_URL": redis.url,
        "SEAL_KEYS": SEAL_KEYS,
        "WEB_CONCURRENCY": "1",
        "FORWARDED_ALLOW_IPS": "127.0.0.1",
    }
    with serving_of(source, folder, **variables) as running:
        yield running


def test_a_host_that_is_killed_takes_nothing_with_it(
    tmp_path: Path, redis: Server, tell: Tell
) -> None:
    with (
        _host(tmp_path / "one", redis) as one,
        _host(tmp_path / "two", redis) as two,
        nginx(tmp_path / "nginx", one.port, two.port) as proxy,
    ):
        with crowd(proxy.url, trust=proxy.certificate) as playing:
            for host, _ in zip(cycle((one, two)), range(TIMES), strict=False):
                playing.advance(3)
                host.kill()
                playing.advance(3)
                host.start()
            playing.advance(3)
        verdict = playing.verdict()
    tell(f"{TIMES} hosts killed, {_said(playing)}", verdict)
    assert verdict.is_right, verdict


def _said(playing: Crowd) -> str:
    """Return what players met: a proxy that is told of other hosts closes idle connections, and a
    request may just be on its way on one.
    """
    return (
        f"{playing.refusals} answers of 503, {playing.failures - playing.refusals} connections "
        f"closed, no action for {playing.silence:.1f} s at most"
    )


def test_a_stream_goes_on_at_another_host(tmp_path: Path, redis: Server) -> None:
    with (
        _host(tmp_path / "one", redis) as one,
        _host(tmp_path / "two", redis) as two,
        nginx(tmp_path / "nginx", one.port, two.port) as proxy,
        Client(proxy.url, proxy.certificate) as client,
        Client(proxy.url, proxy.certificate) as reader,
    ):
        table = Table.laid(client)
        with Stream(reader, table.path, table.tokens[1]) as stream:
            last = stream.next().id
            followed = one if _streams_of(one) else two
            acted = table.act().version
            assert stream.next().id == acted
            proxy.set_aside(followed.port)
            followed.tell(signal.SIGTERM)
            assert list(stream) == []
            missed = table.act().version
        with Stream(reader, table.path, table.tokens[1], last=acted) as stream:
            assert stream.next().id == missed
    assert last != acted


def _streams_of(host: Service) -> int:
    """Return how many streams are open at a host."""
    with Client(host.url) as client:
        counts = client.ask("GET", "/metrics").response.text
    found = re.search(r"^splendor_open_streams (\d+)", counts, re.MULTILINE)
    return int(found[1]) if found else 0


@pytest.fixture(scope="module")
def previous(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the code of the older version."""
    folder = tmp_path_factory.mktemp("previous")
    with tarfile.open(PREVIOUS) as files:
        files.extractall(folder, filter="data")
    return folder


def test_hosts_are_drained_and_upgraded_and_no_request_is_broken(
    tmp_path: Path, redis: Server, previous: Path, tell: Tell
) -> None:
    """Host by host, as docs/operations.md has it, while games begun before go on."""
    with (
        _host(tmp_path / "old-one", redis, previous) as one,
        _host(tmp_path / "old-two", redis, previous) as two,
        nginx(tmp_path / "nginx", one.port, two.port) as proxy,
        Client(proxy.url, proxy.certificate) as client,
    ):
        sealed = client.ask("POST", "/v1/games/splendor/deal", json=SEALED).response.json()
        begun = Table.laid(client)
        begun.act()
        with crowd(proxy.url, trust=proxy.certificate) as playing:
            for old in (one, two):
                playing.advance(3)
                proxy.drain(old.port)
                assert old.stop() == 0
                old.source = ROOT
                playing.advance(3)
                old.start()
                proxy.drain()
            playing.advance(3)
        verdict = playing.verdict()
        begun.act()
        verdict.add(begun.verdict())
        body = {"state": sealed["state"], "action": TAKE, "seat_key": sealed["seat_keys"][0]}
        applied = client.ask("POST", "/v1/games/splendor/apply", json=body).response
        assert applied.status_code == 200, applied.text
    tell(f"two hosts drained and upgraded, {_said(playing)}", verdict)
    assert playing.refusals == 0
    assert verdict.is_right, verdict


SEALED = {"seats": 2, "secrecy": "sealed"}
TAKE = {"type": "take_different", "colors": ["white", "blue", "green"]}
