"""nginx and HAProxy take their files, and tell what they refuse as the service would."""

import re
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import httpx
import orjson
import pytest

from splendor_api.contract import document
from splendor_api.http.parameters import LONGEST_WAIT
from splendor_api.http.problems import MEDIA_TYPE, PROBLEMS
from splendor_api.launch import server
from splendor_api.settings import Settings
from tests.contract.schemas import Schemas
from tests.deploy.files import free_ports, read, run
from tests.deploy.proxies import HAProxy, Nginx, haproxy, haproxy_file, nginx
from tests.faults.service import Service, serving
from tests.faults.waiting import until

JSON = {"Content-Type": "application/json"}
PROBLEM = re.compile(r"'(\{\"type\".+\})'")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("service"), WEB_CONCURRENCY="1") as running:
        yield running


@pytest.fixture(scope="module", params=[nginx, haproxy])
def proxied(
    request: pytest.FixtureRequest, service: Service, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[httpx.Client]:
    """Return a client of a proxy before a service and a host that is not there."""
    (nobody,) = free_ports(1)
    with (
        request.param(tmp_path_factory.mktemp("proxy"), service.port, nobody) as proxy,
        _client(proxy) as client,
    ):
        yield client


def _client(proxy: Nginx | HAProxy) -> httpx.Client:
    trust = ssl.create_default_context(cafile=str(proxy.certificate))
    return httpx.Client(base_url=proxy.url, verify=trust, timeout=10)


def test_nginx_takes_its_files(tmp_path: Path) -> None:
    said = Nginx(tmp_path, (1, 2)).check()
    assert "test is successful" in said
    assert "[warn]" not in said


def test_haproxy_takes_its_file(tmp_path: Path) -> None:
    said = run("haproxy", "-c", "-f", haproxy_file(tmp_path, (1, 2), (3, 4)))
    assert "valid" in said
    assert "WARNING" not in said


def test_time_outs_fit_those_of_the_service() -> None:
    """A proxy lets go of an idle connection first, and waits for whoever waits for news."""
    text = read("nginx/splendor-api.conf")
    assert _number(r"keepalive_timeout (\d+)s;\n}", text) < server.KEEPALIVE
    assert _number(r"proxy_read_timeout (\d+)s;  # a long poll", text) > LONGEST_WAIT
    assert _number(r"client_max_body_size (\d+)m", text) * 2**20 > Settings().max_batch_bytes
    other = read("haproxy/haproxy.cfg")
    assert _number(r"pool-purge-delay (\d+)s", other) < server.KEEPALIVE
    assert _number(r"timeout server (\d+)s", other) > LONGEST_WAIT
    for each, shape in ((read("nginx/hosts.conf"), r"max_conns=(\d+)"), (other, r"maxconn (512)")):
        assert _number(shape, each) == Settings().web_concurrency * Settings().threads


def _number(shape: str, text: str) -> int:
    found = re.search(shape, text)
    assert found, shape
    return int(found[1])


@pytest.mark.parametrize("name", ["nginx/splendor-api.conf", "haproxy/haproxy.cfg"])
def test_what_a_proxy_refuses_is_a_problem_of_the_contract(name: str) -> None:
    problems = [
        orjson.loads(text) for text in PROBLEM.findall(read(name).replace("%[unique-id]", "0"))
    ]
    assert {429, 503} <= {problem["status"] for problem in problems}
    schemas = Schemas(document.load())
    for problem in problems:
        known = PROBLEMS[problem["code"]]
        assert (problem["status"], problem["title"]) == (known.status, known.title)
        assert problem["type"] == f"/problems/{known.code}"
        assert problem["instance"].startswith("urn:request:")
        assert schemas.faults({"$ref": "#/components/schemas/Problem"}, problem) == []


def test_a_host_that_is_not_there_is_not_noticed(proxied: httpx.Client) -> None:
    asked = [proxied.post("/v1/games/splendor/deal", json={"seats": 2}) for _ in range(20)]
    assert {answer.status_code for answer in asked} == {200}


def test_an_entity_tag_stays_strong(proxied: httpx.Client) -> None:
    answer = proxied.get("/v1/games", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["ETag"].startswith('"')
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"


def test_nobody_outside_sees_counts(proxied: httpx.Client) -> None:
    for path in ("/metrics", "/readyz"):
        _require_problem(proxied.get(path), 404, "not_found")


def test_a_client_cannot_say_who_it_is(tmp_path: Path) -> None:
    """The address that is counted for a rate is what the proxy saw, not what the client says."""
    variables = {"FORWARDED_ALLOW_IPS": "127.0.0.1", "RATE_LIMIT_REQUESTS": "3"}
    with (
        serving(tmp_path / "service", WEB_CONCURRENCY="1", **variables) as service,
        nginx(tmp_path / "nginx", service.port, *free_ports(1)) as proxy,
        _client(proxy) as client,
    ):
        path = f"/v1/sessions/{'x' * 22}"
        statuses = [
            client.get(path, headers={"X-Forwarded-For": f"10.1.1.{last}"}).status_code
            for last in range(4)
        ]
    assert statuses == [404, 404, 404, 429]


def test_without_a_host_the_answer_is_503(tmp_path: Path, service: Service) -> None:
    with nginx(tmp_path, *free_ports(2)) as proxy, _client(proxy) as client:
        for _ in range(3):
            answer = client.post("/v1/sessions", json={"game": "splendor", "seats": 2})
            _require_problem(answer, 503, "busy")
            assert answer.headers["Retry-After"] == "1"


def test_too_large_a_body_is_a_problem(proxied: httpx.Client) -> None:
    answer = proxied.post("/v1/batch", content=b" " * (6 * 2**20), headers=JSON)
    _require_problem(answer, 413, "too_large")


def test_without_tls_nothing_is_answered(tmp_path: Path, service: Service) -> None:
    with nginx(tmp_path, service.port, *free_ports(1)) as proxy:
        answer = httpx.get(f"http://127.0.0.1:{proxy.plain}/v1/games?a=b")
    assert answer.status_code == 308
    assert answer.headers["Location"] == "https://127.0.0.1/v1/games?a=b"


def test_no_query_is_logged(tmp_path: Path, service: Service) -> None:
    """A ticket of a stream is in the query."""
    with nginx(tmp_path, service.port, *free_ports(1)) as proxy, _client(proxy) as client:
        client.get("/v1/games?ticket=canary-ticket")
    logged = (tmp_path / "access.log").read_text()
    assert orjson.loads(logged.splitlines()[-1])["path"] == "/v1/games"
    assert "canary" not in logged


def _require_problem(answer: httpx.Response, status: int, code: str) -> None:
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == MEDIA_TYPE
    problem = answer.json()
    assert (problem["status"], problem["code"]) == (status, code)
    assert re.fullmatch(r"urn:request:[0-9A-Za-z-]{20,}", problem["instance"])


def test_haproxy_takes_a_host_out_when_told_so(tmp_path: Path, service: Service) -> None:
    """By its socket, as its file says; what it answers then is a problem too."""
    with haproxy(tmp_path, service.port, *free_ports(1)) as proxy, _client(proxy) as client:
        assert client.get("/v1/games").status_code == 200
        _tell(tmp_path / "admin.sock", "set server hosts/one state drain")
        until(lambda: client.get("/v1/games").status_code == 503)
        answer = client.get("/v1/games")
        _require_problem(answer, 503, "busy")
        assert answer.headers["Retry-After"] == "1"
        _tell(tmp_path / "admin.sock", "set server hosts/one state ready")
        until(lambda: client.get("/v1/games").status_code == 200)


def _tell(path: Path, command: str) -> None:
    """Say something to HAProxy, which says nothing if it is done."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(path))
        line.sendall(f"{command}\n".encode())
        assert line.recv(4096).strip() == b""
