"""Problem documents: every one has a page, and none grows without bound."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.exceptions import default_exceptions

from splendor_api.http.problems import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    MOST_BYTES,
    MOST_VIOLATIONS,
    PROBLEMS,
    of_exception,
)
from splendor_api.wire import json_text
from tests.http.conftest import LARGEST_PROBLEM, Post, problem_of


def test_codes_are_words_and_statuses_are_errors() -> None:
    for code, problem in PROBLEMS.items():
        assert code == problem.code
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", code)
        assert 400 <= problem.status <= 599
        assert problem.title
        assert problem.means.endswith(".")
        assert problem.what_to_do.endswith(".")


@pytest.mark.parametrize("code", PROBLEMS)
def test_the_type_of_a_problem_leads_to_its_page(nim: FlaskClient, code: str) -> None:
    document = PROBLEMS[code].document()
    page = nim.get(document["type"])
    assert page.status_code == 200
    assert page.get_json()["code"] == code
    assert page.get_json()["title"] == document["title"]


@pytest.mark.parametrize("status", sorted(default_exceptions))
def test_flask_s_own_errors_are_problems_of_the_same_status(status: int) -> None:
    problem = of_exception(default_exceptions[status]())
    known = {400, 404, 405, 406, 408, 413, 415, 431}  # what Flask itself can find wrong
    assert problem.status == (status if status in known else 500)
    assert of_exception(default_exceptions[400]()) is INVALID_REQUEST


def test_any_other_exception_is_the_service_s_own_fault() -> None:
    assert of_exception(ValueError("canary")) is INTERNAL_ERROR


@pytest.mark.parametrize("count", [0, 1, 50, 51, 300])
def test_at_most_fifty_violations_are_listed(count: int) -> None:
    document = INVALID_REQUEST.listing({"code": str(place)} for place in range(count))
    assert len(document["violations"]) == min(count, MOST_VIOLATIONS)
    assert document.get("truncated", False) == (count > MOST_VIOLATIONS)


@pytest.mark.parametrize("size", [100, 1_000, 10_000, 100_000])
def test_large_violations_are_fewer(size: int) -> None:
    assert MOST_BYTES == LARGEST_PROBLEM
    document = INVALID_REQUEST.listing({"message": "é" * size} for _ in range(40))
    assert len(json_text.write(document)) <= LARGEST_PROBLEM
    assert document.get("truncated", False) == (len(document["violations"]) < 40)


FLOODS: dict[str, Any] = {
    "300 unknown fields": {f"x{place}": 1 for place in range(300)},
    "60 long unknown fields": {"\U0001f0cf" * 200 + str(place): 1 for place in range(60)},
    "a key of 30,000 characters": {"k" * 30_000: 1},
    "a key that must be escaped": {"~/\x01\\" * 3_000: 1},
    "a word of 30,000 characters": {"seats": 1, "ruleset": "é" * 20_000},
    "an option of 30,000 characters": {"seats": 1, "options": {"last": "\x1f" * 10_000}},
    "controls": {"\x01" * 60 + str(place): 1 for place in range(60)},
}


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_of_faults_is_answered_in_few_bytes(call: Post, name: str) -> None:
    document = problem_of(call("deal", FLOODS[name]), 400, "invalid_request")
    assert 1 <= len(document["violations"]) <= MOST_VIOLATIONS
    for violation in document["violations"]:
        assert violation["message"]
        assert len(violation["pointer"]) <= 100


def test_a_flood_of_contradictions_is_cut_and_says_so(call: Post) -> None:
    state = call("deal", {"seats": 1}).get_json()["state"]
    response = call("apply", {"state": {**state, "stones": 9_000}, "action": {"type": "crash"}})
    document = problem_of(response, 422, "impossible_state")
    assert len(document["violations"]) == MOST_VIOLATIONS
    assert document["truncated"] is True


def test_all_faults_are_told_with_their_places(call: Post) -> None:
    body = {"seats": 9, "options": {"heap": 0, "quiet": 1}, "more": None}
    document = problem_of(call("deal", body), 400, "invalid_request")
    told = [(each["code"], each["pointer"]) for each in document["violations"]]
    assert told == [
        ("out_of_range", "/seats"),
        ("out_of_range", "/options/heap"),
        ("wrong_type", "/options/quiet"),
        ("unknown_field", "/more"),
    ]
    assert document["violations"][0]["message"] == "9 is not between 1 and 3."


def test_what_is_no_json_is_told_with_its_place(nim: FlaskClient) -> None:
    response = nim.post(
        "/v1/games/nim/deal", data=b'{"seats": 2,}', content_type="application/json"
    )
    document = problem_of(response, 400, "malformed_json")
    assert "Characters before it: 11." in document["detail"]
    assert "violations" not in document
