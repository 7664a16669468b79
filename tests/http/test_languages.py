"""Answers in the language that the caller likes best (RFC 9110, 12.5.4)."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from splendor_api.http.operations import Operation
from splendor_api.http.table import OPERATIONS
from splendor_api.i18n.languages import NAMES
from splendor_api.wire import json_text
from tests.http.conftest import LARGEST_PROBLEM, problem_of

TAGS = sorted(NAMES)
SEATS = {
    "en": "The request has the wrong shape",
    "gd": "Chan eil an cruth ceart air an iarrtas",
    "mn": "Хүсэлтийн хэлбэр буруу",  # noqa: RUF001 - Cyrillic is meant
    "sd": "درخواست جي شڪل غلط آهي",
    "sq": "Kërkesa ka formë të gabuar",
}
"""The title of a request of the wrong shape."""


def deal(client: FlaskClient, **others: Any) -> dict[str, Any]:
    answered = post(client, "deal", {"seats": 2, "seed": "abc"}, None)
    state: dict[str, Any] = answered.get_json()["state"]
    return state | others


def post(client: FlaskClient, call: str, body: object, spoken: str | None) -> TestResponse:
    path = "/v1/batch" if call == "batch" else f"/v1/games/splendor/{call}"
    given = {} if spoken is None else {"Accept-Language": spoken}
    return client.post(
        path, data=json_text.write(body), content_type="application/json", headers=given
    )


def varying(response: TestResponse) -> list[str]:
    return response.headers.get("Vary", "").split(", ")


@pytest.mark.parametrize("tag", TAGS)
def test_a_problem_is_told_in_the_language(client: FlaskClient, tag: str) -> None:
    answered = post(client, "deal", {"seats": 9}, f"de, {tag};q=0.5")
    document = problem_of(answered, 400, "invalid_request")
    assert document["title"] == SEATS[tag]
    assert answered.headers["Content-Language"] == tag
    assert "Accept-Language" in varying(answered)
    assert answered.is_json


@pytest.mark.parametrize("tag", TAGS)
def test_what_programs_read_is_the_same_in_every_language(client: FlaskClient, tag: str) -> None:
    body = {"state": deal(client), "action": {"type": "take_different", "colors": ["red", "red"]}}
    said = problem_of(post(client, "apply", body, tag), 422, "illegal_action")
    english = problem_of(post(client, "apply", body, None), 422, "illegal_action")
    for document in (said, english):
        del document["instance"], document["title"], document["detail"]
        for violation in document["violations"]:
            assert violation.pop("message")
    assert said == english


def test_without_the_header_it_is_english(client: FlaskClient) -> None:
    body = {"state": deal(client), "action": {"type": "take_different", "colors": ["red"]}}
    plain = post(client, "apply", body, None)
    assert plain.headers["Content-Language"] == "en"
    assert plain.get_json()["violations"][0]["message"] == "Colours named: 1; to be taken: 3."
    for spoken in ("en", "en-GB,en;q=0.9", "de", "*"):
        answered = post(client, "apply", body, spoken)
        assert answered.get_json() | {"instance": ""} == plain.get_json() | {"instance": ""}


def test_violations_are_told_where_they_are_no_problem(client: FlaskClient) -> None:
    body = {"state": deal(client), "action": {"type": "take_different", "colors": ["red"]}}
    checked = post(client, "check", body, "gd-GB")
    assert checked.status_code == 200
    assert checked.headers["Content-Language"] == "gd"
    assert checked.get_json()["violations"][0]["message"] == (
        "Tha 1 dath air ainmeachadh; feumar 3 a ghabhail."
    )
    audited = post(client, "audit", {"state": deal(client, to_act=1)}, "sq")
    assert audited.headers["Content-Language"] == "sq"
    assert audited.get_json()["findings"][0]["message"].startswith("Pas 0 radhësh")
    listed = post(client, "legal-actions", {"state": deal(client), "include_illegal": True}, "mn")
    illegal = next(item for item in listed.get_json()["actions"] if not item["legal"])
    assert not illegal["violations"][0]["message"].isascii()


def test_items_of_a_batch_are_told_in_the_language(client: FlaskClient) -> None:
    items = [
        {"game": "chess", "call": "deal", "body": {}},
        {"game": "set", "call": "x", "body": {}},
    ]
    answered = post(client, "batch", {"items": items}, "sq")
    assert answered.headers["Content-Language"] == "sq"
    assert [item["body"]["detail"] for item in answered.get_json()["items"]] == [
        "Nuk ka lojë me këtë emër.",
        "Nuk ka thirrje me këtë emër.",
    ]


@pytest.mark.parametrize(
    ("path", "detail"),
    [
        ("/nothing/here", "Nën këtë adresë nuk njihet asgjë."),
        ("/v1/games/chess", "Nuk ka lojë me këtë emër."),
        ("/v1/sessions/none?wait=x", "Nuk ka sesion të tillë."),
        ("/problems/none", "Nuk ka problem me këtë kod."),
    ],
)
def test_details_are_told_in_the_language(client: FlaskClient, path: str, detail: str) -> None:
    answered = client.get(path, headers={"Accept-Language": "sq"})
    assert answered.get_json()["detail"] == detail
    assert answered.headers["Content-Language"] == "sq"


def test_bad_json_is_told_in_the_language(client: FlaskClient) -> None:
    answered = client.post(
        "/v1/games/splendor/deal",
        data=b"\xff",
        content_type="application/json",
        headers={"Accept-Language": "sq"},
    )
    assert answered.get_json()["detail"] == "Trupi nuk është UTF-8. (Para tij janë 0 shkronja.)"


def test_a_game_is_kept_in_each_language(client: FlaskClient) -> None:
    games = {
        tag: client.get("/v1/games/splendor", headers={"Accept-Language": tag}) for tag in TAGS
    }
    assert len({game.headers["ETag"] for game in games.values()}) == len(TAGS)
    for tag, game in games.items():
        assert game.headers["Content-Language"] == tag
        assert "Accept-Language" in varying(game)
        given = {"Accept-Language": tag, "If-None-Match": game.headers["ETag"]}
        again = client.get("/v1/games/splendor", headers=given)
        assert again.status_code == 304
        assert "Accept-Language" in varying(again)
    events = {event["type"]: event["says"] for event in games["sq"].get_json()["events"]}
    assert events["card_bought"] == "Vendi bleu një kartë."
    codes = {code["code"]: code["message"] for code in games["sq"].get_json()["violations"]}
    assert codes["too_few_colors"] == "Janë përmendur {count} ngjyra; duhen marrë {required}."
    game = games["sq"].get_json()
    assert game["options"][4]["says"] == "Xhetona ari në lojë."
    assert game["rulesets"][1]["says"] == "Libri i rregullave në kuti."
    assert game["outcomes"][2]["says"] == "Ka mbetur një vend."


def test_an_answer_without_sentences_has_no_language(client: FlaskClient) -> None:
    dealt = post(client, "deal", {"seats": 2}, "gd")
    components = client.get("/v1/games/splendor/components", headers={"Accept-Language": "gd"})
    for answered in (dealt, components, client.get("/healthz")):
        assert answered.status_code == 200
        assert "Content-Language" not in answered.headers
        assert "Accept-Language" not in varying(answered)


def test_a_problem_stays_small_in_every_language(client: FlaskClient) -> None:
    body = {f"{number:02}{'ö' * 60}": number for number in range(200)}
    for tag in TAGS:
        answered = post(client, "deal", body, tag)
        document = problem_of(answered, 400, "invalid_request")
        assert len(answered.data) <= LARGEST_PROBLEM
        assert document["truncated"] is True


def speaking() -> list[Operation]:
    return [operation for operation in OPERATIONS if operation.speaks]


def test_few_operations_speak() -> None:
    assert {operation.operation_id for operation in speaking()} == {
        "get_game",
        "check",
        "list_legal_actions",
        "audit",
        "explain",
        "suggest",
        "batch",
        "list_session_actions_legal",
        "picture",
        "get_session_picture",
    }
