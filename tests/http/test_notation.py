"""Actions and games as lines of text, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from splendor_api.wire import json_text
from splendor_api.wire.requests import LONGEST_NOTATION, MOST_ACTIONS
from tests.http.conftest import Post, problem_of
from tests.http.sitting import TAKE, asked, opened

Json = dict[str, Any]

GAME = "splendor/1 gamerules seats=2 seed=abc"
TEXT = {"Accept": "text/plain"}


def _converted(client: FlaskClient, body: Json, game: str = "splendor") -> Json:
    answered = asked(client, "POST", f"/v1/games/{game}/notation", body)
    assert answered.status_code == 200, answered.text
    told: Json = answered.get_json()
    return told


def _fault(client: FlaskClient, call: str, text: str) -> Json:
    body = {"notation": text}
    answered = asked(client, "POST", f"/v1/games/splendor/{call}", body)
    (fault,) = problem_of(answered, 400, "invalid_request")["violations"]
    told: Json = fault
    return told


def test_an_action_goes_both_ways(client: FlaskClient) -> None:
    action = {"type": "take_same", "color": "red", "return": {"white": 1}, "seat": 1}
    told = _converted(client, {"action": action})
    assert told["notation"] == "1:+2r-w"
    again = _converted(client, {"notation": "1:+2r-1w"})
    assert again == told
    assert "record" not in told


def test_a_record_goes_both_ways(client: FlaskClient) -> None:
    line = f'{GAME} engine="me 1" : +wug R?3 1:X'
    told = _converted(client, {"notation": line})
    assert told["notation"] == line
    record = told["record"]
    assert record["seed"] == "abc"
    assert record["engine"] == "me 1"
    assert [action["type"] for action in record["actions"]] == [
        *("take_different", "reserve", "resign")
    ]
    assert _converted(client, {"record": record}) == told


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"deck": "quick"}, "publisher(deck=quick)"),
        ({"deck": "quick", "table_size": 9}, "publisher(deck=quick)"),
        ({"deck": "quick", "table_size": 12}, "publisher(deck=quick,table_size=12)"),
        ({"table_size": 9}, "publisher(table_size=9)"),
    ],
)
def test_t5_a_record_and_its_line_lead_to_the_same_table(
    client: FlaskClient, options: Json, told: str
) -> None:
    record = {
        "game": "set",
        "format": 1,
        "engine": "me",
        "seats": 2,
        "ruleset": {"name": "publisher", "options": options},
        "seed": "abc",
        "actions": [],
    }
    line = _converted(client, {"record": record}, "set")["notation"]
    assert line == f"set/1 {told} seats=2 seed=abc engine=me :"
    replayed = [
        asked(client, "POST", "/v1/games/set/replay", body).get_json()["state"]
        for body in ({"record": record}, {"notation": line})
    ]
    assert replayed[0] == replayed[1]


def test_a_record_without_a_writer_is_written_by_the_service(client: FlaskClient) -> None:
    told = _converted(client, {"notation": "set/1 gamerules seats=1 : *"}, "set")
    assert told["record"]["engine"].startswith("splendor-api ")
    assert told["record"]["complete"] is False
    assert not {"seed", "state"} & told["record"].keys()


def test_a_game_is_replayed_from_its_line(client: FlaskClient) -> None:
    line = f"{GAME} : +wug R?3 1:X"
    told = _converted(client, {"notation": line})
    by_line, by_record = (
        asked(client, "POST", "/v1/games/splendor/replay", body)
        for body in ({"notation": line}, {"record": told["record"]})
    )
    assert by_line.status_code == 200
    assert by_line.data == by_record.data
    assert by_line.get_json()["outcome"]["winners"] == [0]


def test_a_game_that_began_from_a_state_is_replayed_from_its_line(client: FlaskClient) -> None:
    state = asked(client, "POST", "/v1/games/splendor/deal", {"seats": 2, "seed": "abc"})
    record = {
        "game": "splendor",
        "format": 1,
        "engine": "me",
        "seats": 2,
        "ruleset": {"name": "gamerules", "options": {}},
        "state": state.get_json()["state"],
        "actions": [TAKE],
    }
    line = _converted(client, {"record": record})["notation"]
    assert "\n" not in line
    replayed = asked(client, "POST", "/v1/games/splendor/replay", {"notation": line})
    assert replayed.get_json()["state"]["turn"] == 1
    assert _converted(client, {"notation": line})["record"]["state"] == record["state"]


def test_an_illegal_line_is_refused_by_the_rules(client: FlaskClient) -> None:
    body = {"notation": f"{GAME} : +wug +ww"}
    answered = asked(client, "POST", "/v1/games/splendor/replay", body)
    problem = problem_of(answered, 422, "illegal_action")
    assert problem["index"] == 1
    assert {violation["pointer"] for violation in problem["violations"]} == {"/notation"}
    assert {violation["code"] for violation in problem["violations"]} == {
        *("duplicate_color", "too_few_colors")
    }


@pytest.mark.parametrize("call", ["notation", "replay"])
def test_a_line_that_cannot_be_read_says_where(client: FlaskClient, call: str) -> None:
    fault = _fault(client, call, f"{GAME} : +wug R91")
    assert fault["code"] == "unreadable_notation"
    assert fault["pointer"] == "/notation"
    place = len(f"{GAME} : +wug R")
    assert fault["params"] == {"position": place, "expected": ["card 1..90"], "found": "91"}
    assert fault["message"] == f"At position {place}, expected: card 1..90; found: 91."


def test_a_state_in_a_line_is_read_like_any(client: FlaskClient) -> None:
    head = "splendor/1 gamerules seats=2 state="
    fault = _fault(client, "notation", f'{head}{{"a":01}} :')
    assert fault["code"] == "unreadable_notation"
    assert fault["params"]["expected"] == ["state"]
    assert fault["params"]["position"] >= len(head)
    twice = _fault(client, "notation", f'{head}{{"a":1,"a":2}} :')
    assert (twice["code"], twice["pointer"]) == ("duplicate_key", "/notation/a")
    body = {"notation": f'{head}{{"game":"splendor","b":1}} :'}
    answered = asked(client, "POST", "/v1/games/splendor/notation", body)
    faults = problem_of(answered, 400, "invalid_request")["violations"]
    assert {"/notation/b", "/notation/turn"} <= {fault["pointer"] for fault in faults}


def test_a_line_without_a_beginning_cannot_be_replayed(client: FlaskClient) -> None:
    fault = _fault(client, "replay", "splendor/1 gamerules seats=2 : +wug *")
    assert (fault["code"], fault["params"]) == ("required", {"fields": ["seed", "state"]})


def test_a_line_has_its_bounds(client: FlaskClient) -> None:
    fault = _fault(client, "replay", f"{GAME} :" + " P" * (MOST_ACTIONS + 1))
    assert fault["code"] == "unreadable_notation"
    place = len(f"{GAME} : ") + 2 * MOST_ACTIONS
    assert fault["params"] == {"position": place, "expected": ['"*"', "end"], "found": "P"}
    fault = _fault(client, "notation", " " * (LONGEST_NOTATION + 1))
    assert (fault["code"], fault["params"]["longest"]) == ("wrong_length", LONGEST_NOTATION)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"action": TAKE, "notation": "+wug"},
        {"notation": None},
        {"notation": ""},
        {"line": "+wug"},
    ],
)
def test_a_body_is_one_of_three(client: FlaskClient, body: Json) -> None:
    answered = asked(client, "POST", "/v1/games/splendor/notation", body)
    problem_of(answered, 400, "invalid_request")


@pytest.mark.parametrize("other", [{"record": {}}, {"actions": []}, {"seat_keys": ["x"]}])
def test_a_replay_takes_a_line_alone(client: FlaskClient, other: Json) -> None:
    body = {"notation": f"{GAME} :", **other}
    answered = asked(client, "POST", "/v1/games/splendor/replay", body)
    codes = [each["code"] for each in problem_of(answered, 400, "invalid_request")["violations"]]
    assert "conflicting_fields" in codes


def test_a_batch_counts_the_actions_of_a_line(client: FlaskClient) -> None:
    line = f"{GAME} :" + " P" * 999
    call = {"game": "splendor", "call": "replay", "body": {"notation": line}}
    answered = asked(client, "POST", "/v1/batch", {"items": [call] * 11})
    statuses = [item["status"] for item in answered.get_json()["items"]]
    assert statuses == [422] * 9 + [413] * 2


def test_a_game_without_a_notation_says_so(call: Post) -> None:
    problem_of(call("notation", {"notation": "x"}), 404, "not_offered")
    problem_of(call("replay", {"notation": "x"}), 404, "not_offered")


def test_a_session_tells_its_record_as_a_line(client: FlaskClient) -> None:
    table = opened(client, game="splendor", seats=2)
    table.acted(TAKE, 0)
    told = table.ask("GET", "/record", token=table.seats[1], Accept="text/plain")
    assert told.content_type == "text/plain; charset=utf-8"
    assert told.headers["Vary"] == "Accept, Authorization"
    assert told.text.endswith(" : 0:+wug *\n")
    assert "seed=" not in told.text
    table.acted({"type": "resign"}, 1)
    record = table.ask("GET", "/record").get_json()
    over = table.ask("GET", "/record", Accept="text/plain, application/json;q=0.5")
    line = over.text.rstrip("\n")
    assert f"seed={record['seed']}" in line
    read = _converted(client, {"notation": line})["record"]
    assert {**record, **read} == record
    replayed = asked(client, "POST", "/v1/games/splendor/replay", {"notation": line})
    assert replayed.get_json()["outcome"] == table.seen()["outcome"]


def test_a_record_and_its_line_have_tags_of_their_own(client: FlaskClient) -> None:
    table = opened(client, game="splendor", seats=2)
    as_json = table.ask("GET", "/record")
    as_text = table.ask("GET", "/record", Accept="text/plain")
    assert as_json.headers["ETag"] != as_text.headers["ETag"]
    acted = table.act(TAKE, 0, If_Match=as_text.headers["ETag"])
    assert acted.status_code == 200


def test_a_session_of_cards_without_turns_tells_its_record_as_a_line(client: FlaskClient) -> None:
    table = opened(client, game="set", seats=2)
    table.acted({"type": "call"}, 1)
    told = table.ask("GET", "/record", Accept="text/plain")
    assert told.text.startswith("set/1 gamerules seats=2 ")
    assert told.text.endswith(" : 1:C *\n")


def test_what_is_neither_is_not_acceptable(client: FlaskClient) -> None:
    table = opened(client, game="set", seats=1)
    problem = problem_of(table.ask("GET", "/record", Accept="image/png"), 406, "not_acceptable")
    assert problem["offers"] == ["application/json", "text/plain; charset=utf-8"]
    assert json_text.write(problem)
