"""Folders that a killed service leaves behind are removed by the next one."""

import os
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from splendor_api.launch import server
from splendor_api.launch.scratch import Scratch
from tests.launch.conftest import Start

CROWD = 8


def test_a_folder_is_its_owners_and_goes_with_its_content(tmp_path: Path) -> None:
    scratch = Scratch.make("kind", tmp_path)
    assert scratch.path.stat().st_mode & 0o777 == 0o700
    (scratch.path / "file").touch()
    scratch.remove()
    assert list(tmp_path.iterdir()) == []


def test_what_is_held_stays_and_what_is_left_goes(tmp_path: Path) -> None:
    held, left, other = (Scratch.make(kind, tmp_path) for kind in ("one", "one", "two"))
    (left.path / "file").touch()
    os.close(left.held)  # as the system does for a process that is killed
    os.close(other.held)
    last = Scratch.make("one", tmp_path)
    assert set(tmp_path.iterdir()) == {held.path, last.path, other.path}


def test_a_child_holds_it_too(tmp_path: Path) -> None:
    scratch = Scratch.make("kind", tmp_path)
    child = os.dup(scratch.held)  # a fork does so with every descriptor
    os.close(scratch.held)
    second = Scratch.make("kind", tmp_path)
    assert scratch.path.exists()
    os.close(child)
    Scratch.make("kind", tmp_path)
    assert not scratch.path.exists()
    assert second.path.exists()


def test_nothing_that_is_no_such_folder_is_touched(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "file").touch()
    place = tmp_path / "place"
    place.mkdir()
    (place / "splendor-api-kind-link").symlink_to(elsewhere)
    (place / "splendor-api-kind-file").touch()
    Scratch.make("kind", place)
    assert (elsewhere / "file").exists()
    assert (place / "splendor-api-kind-file").exists()


def test_services_that_start_together_each_have_one(tmp_path: Path) -> None:
    def one(_: int) -> bool:
        scratch = Scratch.make("kind", tmp_path)
        (scratch.path / "file").touch()
        is_there = (scratch.path / "file").exists()
        scratch.remove()
        return is_there

    with ThreadPoolExecutor(CROWD) as pool:
        assert all(pool.map(one, range(50 * CROWD)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not server.MEMORY.is_dir(), reason="counts are kept elsewhere here")
def test_a_killed_service_leaves_nothing_that_the_next_does_not_clear(start: Start) -> None:
    killed = start(WEB_CONCURRENCY="1")
    (left,) = server.MEMORY.glob(f"splendor-api-metrics-{killed.process.pid}-*")
    with socket.create_connection(("127.0.0.1", killed.port), timeout=20) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        assert connection.recv(65536)
        killed.process.send_signal(signal.SIGKILL)
        while connection.recv(65536):  # until its worker is gone as well
            pass
    killed.process.wait(20)
    start()
    while left.exists():
        start()
