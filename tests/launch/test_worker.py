"""What gunicorn cannot read is answered with a problem, and the connection is closed (P16)."""

import socket
from http.client import HTTPConnection

import orjson
import pytest

from splendor_api.http import problems
from tests.launch.conftest import PATIENCE, Service, Start

GET = b"GET / HTTP/1.1\r\n"
POST = b"POST / HTTP/1.1\r\nHost: here\r\n"

IMPROPER = {
    "no request": b"\x00\x01\x02\r\n\r\n",
    "method": b"GE(T / HTTP/1.1\r\nHost: here\r\n\r\n",
    "version": b"GET / HTTP/7.5\r\nHost: here\r\n\r\n",
    "no host": GET + b"\r\n",
    "two hosts": GET + b"Host: here\r\nHost: there\r\n\r\n",
    "space before the colon": GET + b"Host : here\r\n\r\n",
    "folded field": GET + b"Host: here\r\nA: b\r\n c\r\n\r\n",
    "both lengths": POST + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
    "two lengths": POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "signed length": POST + b"Content-Length: +2\r\n\r\n{}",
    "length with an underscore": POST + b"Content-Length: 1_0\r\n\r\n{}",
    "unknown coding": POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "disguised coding": POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
    "chunked in 1.0": b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunk size": POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    "bare line feed": b"GET / HTTP/1.1\nHost: here\n\n",
    "expectation": POST + b"Expect: the-unexpected\r\nContent-Length: 2\r\n\r\n{}",
}

TOO_LARGE = {
    "line": b"GET /?" + b"a" * 4100 + b" HTTP/1.1\r\nHost: here\r\n\r\n",
    "field": GET + b"Host: here\r\nA: " + b"b" * 9000 + b"\r\n\r\n",
    "fields": GET + b"Host: here\r\n" + b"A: b\r\n" * 64 + b"\r\n",
}


def _problem(answer: bytes, status: int) -> dict[str, object]:
    """Return the problem in `answer`, which is one whole answer of `status` and nothing more."""
    head, _, body = answer.partition(b"\r\n\r\n")
    line, *fields = head.decode("ascii").split("\r\n")
    assert line.startswith(f"HTTP/1.1 {status} ")
    headers = dict(field.split(": ", 1) for field in fields)
    assert headers["Content-Type"] == "application/problem+json"
    assert headers["Connection"] == "close"
    assert headers["Cache-Control"] == "no-store"
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert int(headers["Content-Length"]) == len(body)
    problem: dict[str, object] = orjson.loads(body)
    assert problem["status"] == status
    assert problem["instance"] == f"urn:request:{headers['X-Request-Id']}"
    known = problems.PROBLEMS[str(problem["code"])]
    assert (problem["type"], problem["title"]) == (f"/problems/{known.code}", known.title)
    return problem


@pytest.mark.parametrize("sent", IMPROPER.values(), ids=IMPROPER.keys())
def test_what_is_not_http_is_an_invalid_request(service: Service, sent: bytes) -> None:
    assert _problem(service.send(sent), 400)["code"] == "invalid_request"


@pytest.mark.parametrize("sent", TOO_LARGE.values(), ids=TOO_LARGE.keys())
def test_too_much_before_the_body_is_headers_too_large(service: Service, sent: bytes) -> None:
    assert _problem(service.send(sent), 431)["code"] == "headers_too_large"


@pytest.mark.parametrize("sent", [GET + b"Host: he", POST + b"Content-Length: 2\r\n\r\n{"])
def test_a_request_that_is_never_whole_times_out(service: Service, sent: bytes) -> None:
    assert _problem(service.send(sent), 408)["code"] == "request_timeout"


def test_a_client_that_drips_gains_no_time(service: Service) -> None:
    with socket.create_connection(("127.0.0.1", service.port), timeout=0.2) as connection:
        answer = b""
        for _ in range(int(PATIENCE / 0.2)):
            connection.sendall(b"G")
            try:
                answer = connection.recv(65536)
            except TimeoutError:
                continue
            break
    assert _problem(answer, 408)["code"] == "request_timeout"


def test_a_client_that_does_not_take_its_answer_frees_its_thread(start: Start) -> None:
    alone = start(WEB_CONCURRENCY="1", THREADS="1", REQUEST_TIMEOUT="1")
    with socket.create_connection(("127.0.0.1", alone.port)) as connection:
        connection.sendall(b"GET /large HTTP/1.1\r\nHost: here\r\n\r\n")
        assert connection.recv(9) == b"HTTP/1.1 "
        assert alone.get("/").status_code == 200


def test_a_proper_request_passes_on_a_connection_that_stays(service: Service) -> None:
    connection = HTTPConnection("127.0.0.1", service.port, timeout=PATIENCE)
    connection.connect()
    first = connection.sock
    for _ in range(3):
        connection.request("POST", "/", body=iter([b"{", b"}"]))  # chunked
        answer = connection.getresponse()
        assert (answer.status, answer.read().isdigit()) == (200, True)
    assert connection.sock is first
    connection.close()


def test_more_connections_than_threads_are_served_in_turn(start: Start) -> None:
    """A thread that waits for what follows on a connection keeps nobody else waiting."""
    alone = start(WEB_CONCURRENCY="1", THREADS="1")
    connections = [HTTPConnection("127.0.0.1", alone.port, timeout=PATIENCE) for _ in range(4)]
    for _ in range(5):
        for connection in connections:
            connection.request("GET", "/")
        for connection in connections:
            answer = connection.getresponse()
            assert (answer.status, answer.read().isdigit()) == (200, True)
    for connection in connections:
        connection.close()


def test_requests_that_come_at_once_are_answered_in_order(service: Service) -> None:
    several = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n" * 3
    last = b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"
    assert service.send(several + last).count(b"HTTP/1.1 200 OK") == 4


def test_a_header_that_the_service_got_wrong_is_no_fault_of_the_client(service: Service) -> None:
    answer = service.send(b"GET /split HTTP/1.1\r\nHost: here\r\n\r\n")
    assert _problem(answer, 500)["code"] == "internal_error"
    assert b"Injected" not in answer


def test_nothing_that_was_sent_is_repeated(service: Service) -> None:
    answer = service.send(GET + b"Authorization : canary-token\r\nHost: here\r\n\r\n")
    assert b"canary" not in answer
    assert "canary" not in service.log.read_text()
    lines = [orjson.loads(line) for line in service.log.read_text().splitlines()]
    assert {"unreadable request"} <= {line["event"] for line in lines}


def test_an_unreadable_request_is_counted(service: Service) -> None:
    service.send(GET + b"\r\n")
    counts = "".join(service.get("/metrics").text)
    assert 'splendor_requests_total{method="other",operation="unread",status="400"}' in counts
