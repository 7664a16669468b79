"""The service as a process: how it starts, counts, and ends."""

import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from splendor_api.launch import server
from splendor_api.settings import Settings
from tests.launch.conftest import Service, Start


def _counts_of(service: Service) -> list[Path]:
    """Return the folders in which the workers of `service` share their counts."""
    return list(server.MEMORY.glob(f"splendor-api-metrics-{service.process.pid}-*"))


def _until(condition: Callable[[], bool]) -> None:
    """Ask again and again, each time over HTTP, so that time passes without a sleep."""
    for _ in range(10_000):
        if condition():
            return
    pytest.fail("it did not come to that")


def test_the_first_line_is_for_people_and_true(service: Service) -> None:
    there = f"http://127.0.0.1:{service.port}"
    assert service.line == f"Serving on {there} (docs: /docs, a table to play at: /play)\n"
    assert service.get("/").status_code == 200


def test_workers_look_for_garbage_though_the_start_does_not(service: Service) -> None:
    assert service.get("/collecting").text == "True"


def test_another_address_is_said_as_a_url(start: Start) -> None:
    assert start(HOST="::1").line.startswith("Serving on http://[::1]:")


def test_counts_are_those_of_all_workers(start: Start) -> None:
    service = start(WEB_CONCURRENCY="2")
    pids: set[str] = set()
    asked = 0
    while len(pids) < 2:
        pids.add(service.get("/").text)
        asked += 1
        assert asked < 1000
    counts = service.get("/metrics").text
    assert (
        f'splendor_requests_total{{method="GET",operation="small",status="200"}} {asked}.0'
        in counts
    )


def test_a_killed_worker_is_replaced_and_its_counts_stay(start: Start) -> None:
    service = start(WEB_CONCURRENCY="1")
    first = service.get("/").text
    os.kill(int(first), signal.SIGKILL)
    asked = [first]

    def replaced() -> bool:
        asked.append(service.get("/").text)
        return asked[-1] != first

    _until(replaced)
    assert (
        f'splendor_requests_total{{method="GET",operation="small",status="200"}} {len(asked)}.0'
        in service.get("/metrics").text
    )


def test_sigterm_ends_it_cleanly(start: Start) -> None:
    service = start()
    assert len(_counts_of(service)) == 1
    service.get("/")
    assert service.stop() == 0
    assert _counts_of(service) == []
    assert service.log.read_text() == ""


def test_a_request_under_way_is_answered_before_the_end(start: Start) -> None:
    service = start(WEB_CONCURRENCY="1")
    with socket.create_connection(("127.0.0.1", service.port), timeout=20) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\n{")
        service.get("/")  # the worker has met the first connection by now
        service.process.send_signal(signal.SIGTERM)
        connection.sendall(b"}")
        answer = connection.recv(65536)
    assert answer.startswith(b"HTTP/1.1 200")
    assert service.process.wait(20) == 0


def test_an_address_in_use_is_said_in_a_sentence(service: Service, start: Start) -> None:
    second = start(PORT=str(service.port))
    assert second.line == ""
    assert second.process.wait(20) == 1
    assert second.log.read_text() == (
        f"Cannot listen on 127.0.0.1:{service.port}: Address already in use. "
        "The settings HOST and PORT name another address.\n"
    )


def test_a_bug_is_told_by_its_place_and_not_by_its_text(service: Service) -> None:
    answer = service.get("/broken")
    assert answer.status_code == 500
    assert answer.json()["code"] == "internal_error"
    assert "canary-text" not in answer.text + service.log.read_text()
    lines = [orjson.loads(line) for line in service.log.read_text().splitlines()]
    (failure,) = [line for line in lines if line["event"] == "failure"]
    assert failure["error"] == "RuntimeError"
    assert failure["request_id"] == answer.headers["X-Request-Id"]
    assert failure["places"][-1].startswith("tests/launch/serving.py:")


def test_gunicorn_is_told_what_must_not_be_left_to_it() -> None:
    told = server.gunicorn_settings(Settings())
    assert told["bind"] == "127.0.0.1:8000"
    assert told["control_socket_disable"] is True
    assert told["accesslog"] is None
    assert told["forwarded_allow_ips"] == ""
    assert told["preload_app"] is True
    assert not [name for name in told if name.startswith("permit_")]
    trusting = server.gunicorn_settings(Settings(forwarded_allow_ips=("10.0.0.1", "::1")))
    assert trusting["forwarded_allow_ips"] == "10.0.0.1,::1"
