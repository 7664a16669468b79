"""Every worked case of SET, over HTTP: what is sent, what comes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from splendor_api.wire import json_text
from tests.cases.test_splendor import read

Json = dict[str, Any]
Ask = Callable[[str, Json], tuple[int, Json]]

CASES = read("set.json")
DEALS = [case for case in read("deal.json") if case["game"] == "set"]


@pytest.fixture
def ask(client: FlaskClient) -> Ask:
    """Return a function that makes a call of SET, and returns status and body of its answer."""

    def asked(call: str, body: Json) -> tuple[int, Json]:
        answer = client.post(
            f"/v1/games/set/{call}", data=json_text.write(body), content_type="application/json"
        )
        document: Any = json_text.read(answer.data)
        return answer.status_code, document

    return asked


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(ask: Ask, case: Json) -> None:
    status, answer = ask("apply", {"state": case["state"], "action": case["action"]})
    expected = case["expect"]
    if expected["legal"]:
        assert status == 200
        assert answer["state"] == expected["state"]
        assert answer["to_act"] == expected["state"]["to_act"]
        assert answer["outcome"] == expected["state"]["outcome"]
    else:
        assert (status, answer["code"]) == (422, "illegal_action")
        codes = [violation["code"] for violation in answer["violations"]]
        assert sorted(codes) == sorted(expected["codes"])


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_check_says_what_would_come_of_it(ask: Ask, case: Json) -> None:
    status, answer = ask("check", {"state": case["state"], "action": case["action"]})
    assert (status, answer["legal"]) == (200, case["expect"]["legal"])
    codes = [violation["code"] for violation in answer["violations"]]
    assert sorted(codes) == sorted(case["expect"].get("codes", []))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_no_state_of_a_case_contradicts_itself(ask: Ask, case: Json) -> None:
    states = [case["state"], *filter(None, [case["expect"].get("state")])]
    for state in states:
        assert ask("audit", {"state": state}) == (200, {"findings": []})


@pytest.mark.parametrize("case", DEALS, ids=lambda case: f"{case['seed']}-{case['seats']}")
def test_deal(ask: Ask, case: Json) -> None:
    asked = {name: case[name] for name in ("seats", "ruleset", "seed")}
    status, answer = ask("deal", asked)
    assert (status, answer["seed"], answer["seed_source"]) == (200, case["seed"], "caller")
    assert {name: answer["state"][name] for name in case["expect"]} == case["expect"]


def test_there_are_cases() -> None:
    assert len(CASES) == 18
    assert len(DEALS) == 1
    assert len({case["id"] for case in CASES}) == len(CASES)
