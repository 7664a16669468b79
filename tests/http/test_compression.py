"""Answers made smaller: which, for whom, under which tag, and which never."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import brotli  # type: ignore[import-untyped] # has no types
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from splendor_api.app import create_app
from splendor_api.games.registry import GAMES
from splendor_api.http.compression import CODINGS, SMALLEST, Coding, coding, compressed
from splendor_api.http.table import OPERATIONS
from splendor_api.settings import Settings
from tests.http.sitting import JSON, asked, opened

UNPACK = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}
BROWSER = "gzip, deflate, br, zstd"

KEPT = (
    *("/v1/games/splendor", "/v1/games/splendor/components", "/v1/games/set/rules"),
    *("/openapi.yaml", "/openapi.json", "/problems", "/rules/splendor"),
    *("/docs", "/docs/swagger-ui.css", "/docs/LICENSE", "/site/base.css"),
    *("/v1/games/splendor/art.svg", "/v1/games", "/"),
)


@pytest.fixture(scope="module")
def packed(settings: Settings) -> FlaskClient:
    """Return a client that gets answers as they go out: the other looks into them."""
    return create_app(settings).test_client()


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        (None, ""),
        ("", ""),
        ("identity", ""),
        ("deflate, zstd", ""),
        ("gzip", "gzip"),
        ("br", "br"),
        ("GZIP", "gzip"),
        (BROWSER, "br"),
        ("gzip, br", "br"),
        ("br;q=0.5, gzip", "gzip"),
        ("br;q=0, gzip;q=0.001", "gzip"),
        ("br;q=0, gzip;q=0", ""),
        ("*", "br"),
        ("*;q=0.1", "br"),
        ("br;q=0, *", "gzip"),
        ("*;q=0", ""),
        ("gzip;q=0.5, identity", ""),
        ("gzip;q=0.5, identity;q=0.4", "gzip"),
        ("br;q=2", ""),
        ("br;q=nan, gzip;q=", ""),
        (",,;;q=,", ""),
        (f"{'xx,' * 2_000}gzip", "gzip"),
    ],
)
def test_the_best_liked_coding_is_chosen(accepted: str | None, chosen: Coding) -> None:
    """As RFC 9110, 12.5.3 has it; the smaller of equals."""
    assert coding(accepted) == chosen


@pytest.mark.parametrize("how", ["", *CODINGS])
@pytest.mark.parametrize("for_good", [True, False])
def test_what_is_compressed_is_the_same_unpacked(how: Coding, for_good: bool) -> None:
    body = b"again and again " * 1_000
    made = compressed(body, how, for_good=for_good)
    assert UNPACK[how](made) == body
    assert len(made) < 200 or not how
    assert compressed(body, how, for_good=for_good) == made


def _in_all_codings(client: FlaskClient, path: str) -> Iterator[tuple[str, TestResponse]]:
    for how in ("", *CODINGS):
        yield how, client.get(path, headers={"Accept-Encoding": how, "Accept": "text/html, */*"})


@pytest.mark.parametrize("path", KEPT)
def test_a_document_is_the_same_in_every_coding(packed: FlaskClient, path: str) -> None:
    plain = packed.get(path, headers={"Accept": "text/html, */*"})
    is_long = len(plain.data) >= SMALLEST
    tags = set()
    for how, response in _in_all_codings(packed, path):
        assert response.status_code == 200
        assert response.headers.get("Content-Encoding", "") == (how if is_long else "")
        assert UNPACK[how if is_long else ""](response.data) == plain.data
        assert response.headers["Content-Length"] == str(len(response.data))
        assert response.headers["Cache-Control"] == plain.headers["Cache-Control"]
        assert ("Accept-Encoding" in response.headers.get("Vary", "")) == is_long
        tags.add(response.headers["ETag"])
    assert len(tags) == (1 + len(CODINGS) if is_long else 1)


def test_a_tag_is_of_one_coding(packed: FlaskClient) -> None:
    path = "/v1/games/splendor/components"
    tags = {how: response.headers["ETag"] for how, response in _in_all_codings(packed, path)}
    for has, tag in tags.items():
        for wants, wanted in tags.items():
            fields = {"Accept-Encoding": wants, "If-None-Match": tag}
            response = packed.get(path, headers=fields)
            assert response.status_code == (304 if has == wants else 200)
            assert response.headers["ETag"] == wanted
            assert response.headers["Vary"] == "Accept-Encoding"
            assert ("Content-Encoding" in response.headers) == bool(
                wants and response.status_code == 200
            )


def test_a_head_tells_what_a_get_would(packed: FlaskClient) -> None:
    fields = {"Accept-Encoding": BROWSER}
    head, get = (
        packed.open("/openapi.json", method=method, headers=fields) for method in ("HEAD", "GET")
    )
    assert head.data == b""
    same = {"Content-Encoding", "Content-Length", "ETag", "Vary"}
    assert {name: head.headers[name] for name in same} == {name: get.headers[name] for name in same}


@pytest.mark.parametrize("call", ["legal-actions", "picture"])
@pytest.mark.parametrize("game", GAMES)
def test_a_long_answer_is_compressed_for_whoever_can_read_it(
    packed: FlaskClient, game: str, call: str
) -> None:
    state = packed.post(f"/v1/games/{game}/deal", json={"seats": 2, "seed": "abc"}).get_json()
    body = {"state": state["state"]}
    body |= {"seat": None} if call == "picture" else {"detail": "turns"}
    path = f"/v1/games/{game}/{call}"
    plain = packed.post(path, json=body)
    assert len(plain.data) >= SMALLEST
    small = packed.post(path, json=body, headers={"Accept-Encoding": BROWSER})
    assert small.headers["Content-Encoding"] == "br"
    assert len(small.data) < len(plain.data) / 3
    assert brotli.decompress(small.data) == plain.data
    for response in (plain, small):
        assert "Accept-Encoding" in response.headers["Vary"]


def test_a_short_answer_and_a_problem_are_sent_as_they_are(packed: FlaskClient) -> None:
    fields = {"Accept-Encoding": BROWSER}
    path = "/v1/games/splendor/legal-actions"
    over = packed.post("/v1/games/set/deal", json={"seats": 1, "seed": "abc"}).get_json()["state"]
    answered = packed.post("/v1/games/set/legal-actions", json={"state": over}, headers=fields)
    assert answered.status_code == 200
    assert "Content-Encoding" not in answered.headers
    refused = packed.post(path, json={f"field-{n}": n for n in range(50)}, headers=fields)
    assert refused.status_code == 400
    assert len(refused.data) > SMALLEST
    assert "Content-Encoding" not in refused.headers


def test_t4_what_has_secrets_is_never_compressed(app: Flask, packed: FlaskClient) -> None:
    """Nor are streams, nor what somebody else can have put words into (BREACH, CVE-2013-3587)."""
    assert {each.operation_id for each in OPERATIONS if each.is_compressed} == {
        *("list_legal_actions", "picture")
    }
    assert not any(each.is_private for each in OPERATIONS if each.is_compressed)
    assert not any(each.is_private for each in OPERATIONS if each.keeps is not None)
    sealed = {"seats": 4, "secrecy": "sealed"}
    answers = [packed.post("/v1/games/splendor/deal", json=sealed, headers=_both())]
    table = opened(packed, game="splendor", seats=4, metadata={"note": "x" * 2_000})
    answers += [
        table.ask("GET", path, token=table.seats[0], Accept_Encoding=BROWSER)
        for path in ("", "/legal-actions", "/actions", "/record", "/picture")
    ]
    batch = {"items": [{"game": "splendor", "call": "deal", "body": sealed}] * 3}
    answers.append(asked(packed, "POST", "/v1/batch", batch, Accept_Encoding=BROWSER))
    for answer in answers:
        assert answer.status_code == 200
        assert "Content-Encoding" not in answer.headers
    assert sum(len(answer.data) > SMALLEST for answer in answers) > len(answers) / 2


def _both() -> dict[str, str]:
    return {"Accept-Encoding": BROWSER, "Accept": JSON}
