"""The calls of the rules API, on a game that the shell has never heard of."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from splendor_api.app import create_app
from splendor_api.http.rules import PAGE
from splendor_api.settings import Settings
from tests.http.conftest import Post, problem_of
from tests.http.nim import CLUELESS_NIM

State = dict[str, Any]


def test_a_seed_of_the_caller_deals_the_same_state_each_time(call: Post) -> None:
    first = call("deal", {"seats": 3, "seed": "abc", "options": {"heap": 7}}).get_json()
    again = call("deal", {"seats": 3, "seed": "abc", "options": {"heap": 7}}).get_json()
    assert first == again
    assert first["state"]["stones"] == 7
    assert (first["seed"], first["seed_source"]) == ("abc", "caller")


def test_without_a_seed_the_service_draws_256_bits(call: Post) -> None:
    drawn = [call("deal", {"seats": 2}).get_json() for _ in range(2)]
    assert all(re.fullmatch(r"[0-9a-f]{64}", answer["seed"]) for answer in drawn)
    assert drawn[0]["seed"] != drawn[1]["seed"]
    assert drawn[0]["seed_source"] == "service"


def test_a_legal_action_gives_the_next_state_and_its_events(call: Post, state: State) -> None:
    response = call("apply", {"state": state, "action": {"type": "take", "count": 3}})
    assert response.status_code == 200
    assert response.get_json() == {
        "state": {**state, "stones": 7, "turn": 1},
        "events": [{"type": "taken", "seat": 0, "count": 3}],
        "to_act": 1,
        "outcome": None,
    }


def test_the_end_has_an_outcome_and_nobody_to_act(call: Post, state: State) -> None:
    last = {"state": {**state, "stones": 2}, "action": {"type": "take", "count": 2}}
    answer = call("apply", last).get_json()
    assert answer["to_act"] is None
    assert answer["outcome"] == {
        "reason": "last_stone",
        "winners": [0],
        "ranking": [{"seat": 0, "rank": 1}],
    }


def test_an_illegal_action_is_told_with_place_parameters_sentence_and_rule(
    call: Post, state: State
) -> None:
    response = call("apply", {"state": state, "action": {"type": "take", "count": 4}})
    document = problem_of(response, 422, "illegal_action")
    assert document["violations"] == [
        {
            "code": "too_many",
            "pointer": "/action/count",
            "params": {"count": 4, "limit": 3},
            "message": "4 stones are more than 3.",
            "rule": "N2",
            "rule_url": "/rules/nim#N2",
        }
    ]
    assert "truncated" not in document


def test_an_impossible_state_is_refused_before_the_action_is_judged(
    call: Post, state: State
) -> None:
    body = {"state": {**state, "stones": 12}, "action": {"type": "take", "count": 4}}
    for name in ("apply", "check"):
        document = problem_of(call(name, body), 422, "impossible_state")
        assert [each["pointer"] for each in document["violations"]] == ["/state/stones"] * 2
        assert document["violations"][0]["rule"] is None
        assert document["violations"][0]["rule_url"] is None


def test_check_answers_legal_or_not(call: Post, state: State) -> None:
    legal = call("check", {"state": state, "action": {"type": "take", "count": 1}})
    assert legal.get_json() == {"legal": True, "violations": []}
    illegal = call("check", {"state": state, "action": {"type": "take", "count": 9}})
    assert illegal.status_code == 200
    assert illegal.get_json()["legal"] is False
    assert [each["code"] for each in illegal.get_json()["violations"]] == ["too_many"]


def test_a_listed_action_can_be_sent_back_as_it_is(call: Post, state: State) -> None:
    answer = call("legal-actions", {"state": state}).get_json()
    assert answer["next_cursor"] is None
    assert [item["preview"] for item in answer["actions"]] == [
        {"left": 9},
        {"left": 8},
        {"left": 7},
    ]
    for item in answer["actions"]:
        assert item["legal"] is True
        assert "violations" not in item
        assert call("apply", {"state": state, "action": item["action"]}).status_code == 200


def test_an_illegal_candidate_has_violations_and_no_preview(call: Post, state: State) -> None:
    answer = call("legal-actions", {"state": state, "include_illegal": True}).get_json()
    *legal, illegal = answer["actions"]
    assert all(item["legal"] for item in legal)
    assert illegal["legal"] is False
    assert illegal["preview"] is None
    assert [each["pointer"] for each in illegal["violations"]] == ["/count"]


def test_a_long_list_comes_in_pages_that_join(call: Post) -> None:
    body: dict[str, Any] = {
        "detail": "turns",
        "state": call(
            "deal", {"seats": 1, "options": {"heap": 2 * PAGE + 1, "most": 2 * PAGE + 1}}
        ).get_json()["state"],
    }
    sizes: list[int] = []
    counts: list[int] = []
    cursor = None
    while cursor or not counts:
        answer = call("legal-actions", {**body, "cursor": cursor}).get_json()
        sizes.append(len(answer["actions"]))
        counts += [item["action"]["count"] for item in answer["actions"]]
        cursor = answer["next_cursor"]
    assert sizes == [PAGE, PAGE, 1]
    assert counts == list(range(1, 2 * PAGE + 2))


@pytest.mark.parametrize(
    "cursor", ["x", "from-0", "from--1", "from-1 ", "from-9999999999", "\u0661"]
)
def test_a_cursor_of_the_caller_s_own_making_is_a_fault(
    call: Post, state: State, cursor: str
) -> None:
    response = call("legal-actions", {"state": state, "cursor": cursor})
    document = problem_of(response, 400, "invalid_request")
    assert [each["pointer"] for each in document["violations"]] == ["/cursor"]


def test_replay_goes_through_all_actions(call: Post, state: State) -> None:
    actions = [{"type": "take", "count": count} for count in (1, 2, 3)]
    answer = call("replay", {"state": state, "actions": actions}).get_json()
    assert answer["state"]["stones"] == 4
    assert [event["count"] for event in answer["events"]] == [1, 2, 3]


def test_replay_names_the_first_illegal_action(call: Post, state: State) -> None:
    actions = [{"type": "take", "count": count} for count in (1, 4, 5)]
    response = call("replay", {"state": state, "actions": actions})
    document = problem_of(response, 422, "illegal_action")
    assert document["index"] == 1
    assert [each["pointer"] for each in document["violations"]] == ["/actions/1/count"]


def _record(*counts: int) -> dict[str, Any]:
    return {
        "record": {
            "game": "nim",
            "format": 1,
            "engine": "tests",
            "seats": 2,
            "ruleset": {"name": "gamerules", "options": {"heap": 6}},
            "seed": "abc",
            "actions": [{"type": "take", "count": count} for count in counts],
        }
    }


def test_replay_takes_a_record(call: Post) -> None:
    answer = call("replay", _record(3, 3)).get_json()
    assert answer["outcome"]["winners"] == [1]


def test_pointers_of_a_record_s_violations_start_at_the_body(call: Post) -> None:
    document = problem_of(call("replay", _record(3, 4)), 422, "illegal_action")
    assert [each["pointer"] for each in document["violations"]] == ["/record/actions/1/count"]


@pytest.mark.parametrize(("seat", "lucky"), [(0, [3, None]), (1, [None, 4]), (None, [None, None])])
def test_a_seat_sees_its_own(
    call: Post, state: State, seat: int | None, lucky: list[int | None]
) -> None:
    answer = call("observe", {"state": state, "seat": seat}).get_json()
    assert answer == {"state": {**state, "lucky": lucky}}


def test_a_seat_that_is_not_there_sees_nothing(call: Post, state: State) -> None:
    document = problem_of(call("observe", {"state": state, "seat": 2}), 400, "invalid_request")
    assert [(each["code"], each["pointer"]) for each in document["violations"]] == [
        ("out_of_range", "/seat")
    ]


def test_an_impossible_state_is_not_observed(call: Post, state: State) -> None:
    response = call("observe", {"state": {**state, "stones": 11}, "seat": 0})
    problem_of(response, 422, "impossible_state")


def test_solutions_are_told_where_a_game_has_them(call: Post, state: State) -> None:
    body = {"state": state, "seat": None, "solutions": True}
    assert call("observe", body).get_json()["solutions"] == [[2]]
    assert "solutions" not in call("observe", {**body, "solutions": False}).get_json()


def test_solutions_are_not_told_to_a_seat(call: Post, state: State) -> None:
    response = call("observe", {"state": state, "seat": 0, "solutions": True})
    document = problem_of(response, 400, "invalid_request")
    assert [each["code"] for each in document["violations"]] == ["conflicting_fields"]


def test_solutions_are_an_unknown_field_where_a_game_has_none(state: State) -> None:
    clueless = create_app(Settings(), {"nim": CLUELESS_NIM}).test_client()
    body = {"state": state, "seat": None, "solutions": True}
    document = problem_of(clueless.post("/v1/games/nim/observe", json=body), 400, "invalid_request")
    assert [(each["code"], each["pointer"]) for each in document["violations"]] == [
        ("unknown_field", "/solutions")
    ]


def test_audit_answers_with_findings(call: Post, state: State) -> None:
    assert call("audit", {"state": state}).get_json() == {"findings": []}
    answer = call("audit", {"state": {**state, "stones": 11}}).get_json()
    assert [each["pointer"] for each in answer["findings"]] == ["/state/stones"]
    assert "truncated" not in answer


def test_audit_lists_fifty_findings_and_says_that_there_are_more(call: Post, state: State) -> None:
    answer = call("audit", {"state": {**state, "stones": 61}}).get_json()
    assert len(answer["findings"]) == 50
    assert answer["truncated"] is True


def test_answers_are_not_stored(call: Post, state: State) -> None:
    assert call("audit", {"state": state}).headers["Cache-Control"] == "no-store"


def test_a_whole_game_of_each_kind_can_be_played(client: FlaskClient) -> None:
    for game in client.get("/v1/games").get_json()["games"]:
        path = game["links"]["self"]
        dealt = client.post(f"{path}/deal", json={"seats": game["seats"]["min"], "seed": "abc"})
        step: dict[str, Any] = dealt.get_json()
        for _ in range(30):
            asked = client.post(f"{path}/legal-actions", json={"state": step["state"]})
            action = asked.get_json()["actions"][-1]["action"]
            played = client.post(f"{path}/apply", json={"state": step["state"], "action": action})
            assert played.status_code == 200
            step = played.get_json()
