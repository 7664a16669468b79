"""SET over HTTP: what no other game asks of the shell."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from splendor_api.games.registry import GAMES
from splendor_api.games.set.components import is_set
from splendor_api.wire import json_text
from tests.http.conftest import problem_of

Json = dict[str, Any]
Ask = Callable[..., TestResponse]


@pytest.fixture
def ask(client: FlaskClient) -> Ask:
    """Return a function that makes a call, of SET unless another game is named."""

    def asked(call: str, body: Json, game: str = "set") -> TestResponse:
        return client.post(
            f"/v1/games/{game}/{call}", data=json_text.write(body), content_type="application/json"
        )

    return asked


def dealt(ask: Ask, **others: Any) -> Json:
    answered: Json = ask("deal", {"seats": 2, "seed": "set", **others}).get_json()
    state: Json = answered["state"]
    return state


def test_an_observer_of_everything_is_told_where_the_sets_are(ask: Ask) -> None:
    state = dealt(ask)
    answer = ask("observe", {"state": state, "seat": None, "solutions": True}).get_json()
    expected = [list(three) for three in combinations(sorted(state["table"]), 3) if is_set(three)]
    assert answer["solutions"] == expected
    assert expected
    assert answer["state"]["deck"] == {"count": 69}


def test_t47_nobody_else_is(ask: Ask) -> None:
    state = dealt(ask)
    for seat in (0, 1, None):
        assert ask("observe", {"state": state, "seat": seat}).get_json().keys() == {"state"}
        silent = {"state": state, "seat": seat, "solutions": False}
        assert ask("observe", silent).get_json().keys() == {"state"}
    refused = ask("observe", {"state": state, "seat": 0, "solutions": True})
    (fault,) = problem_of(refused, 400, "invalid_request")["violations"]
    assert fault["code"] == "conflicting_fields"
    assert fault["params"]["fields"] == ["seat", "solutions"]


def test_t47_nobody_is_of_a_sealed_game(ask: Ask) -> None:
    sealed = dealt(ask, secrecy="sealed", seed="a seed that nobody else can guess")
    assert sealed["deck"] == {"count": 69}
    seen = ask("observe", {"state": sealed, "seat": None})
    assert seen.status_code == 200
    refused = ask("observe", {"state": sealed, "seat": None, "solutions": True})
    problem_of(refused, 400, "invalid_request")


def test_a_game_without_solutions_knows_no_such_field(ask: Ask) -> None:
    body = {"seats": 2, "seed": "set"}
    others = [name for name, entry in GAMES.items() if entry.rules.solutions is None]
    assert others
    for game in others:
        state = ask("deal", body, game).get_json()["state"]
        refused = ask("observe", {"state": state, "seat": None, "solutions": True}, game)
        (fault,) = problem_of(refused, 400, "invalid_request")["violations"]
        assert (fault["code"], fault["pointer"]) == ("unknown_field", "/solutions")


def test_t46_a_deck_as_a_count_is_no_state(ask: Ask) -> None:
    seen = ask("observe", {"state": dealt(ask), "seat": 0}).get_json()["state"]
    refused = ask("apply", {"state": seen, "action": {"type": "call", "seat": 0}})
    (fault,) = problem_of(refused, 400, "invalid_request")["violations"]
    assert (fault["code"], fault["pointer"]) == ("wrong_type", "/state/deck")


def test_t47_the_lists(ask: Ask) -> None:
    state = dealt(ask)
    listed = ask("legal-actions", {"state": state}).get_json()["actions"]
    assert [each["action"] for each in listed] == [
        {"type": "call", "seat": 0},
        {"type": "call", "seat": 1},
    ]
    assert [each["preview"] for each in listed] == [{"penalty": 1}] * 2
    turns = ask("legal-actions", {"state": state, "detail": "turns", "seat": 1}).get_json()
    assert len(turns["actions"]) == 1 + 220
    assert turns["next_cursor"] is None


def test_a_long_list_comes_page_by_page(ask: Ask) -> None:
    state = dealt(ask, seats=20, options={"table_size": 15})
    body = {"state": state, "detail": "turns"}
    found: list[Json] = []
    pages = 0
    while True:
        answer = ask("legal-actions", body).get_json()
        found += answer["actions"]
        pages += 1
        if answer["next_cursor"] is None:
            break
        body["cursor"] = answer["next_cursor"]
    assert pages == 5
    assert len(found) == 20 * (1 + 455)
    assert len({str(each["action"]) for each in found}) == len(found)


def test_t21_what_is_no_set_is_an_event_and_not_an_error(ask: Ask) -> None:
    state = dealt(ask)
    claim = {"type": "claim", "seat": 1, "cards": state["table"][:3]}
    answered = ask("apply", {"state": state, "action": claim})
    assert answered.status_code == 200
    assert answered.get_json()["events"] == [
        {
            "type": "set_rejected",
            "seat": 1,
            "cards": [6, 23, 25],
            "features": ["shading", "color"],
        }
    ]


def test_t16_a_claim_of_another_number_of_cards_is_no_claim(ask: Ask) -> None:
    state = dealt(ask)
    for count in (0, 2, 4):
        claim = {"type": "claim", "seat": 1, "cards": state["table"][:count]}
        refused = ask("check", {"state": state, "action": claim})
        (fault,) = problem_of(refused, 400, "invalid_request")["violations"]
        assert (fault["code"], fault["pointer"]) == ("wrong_length", "/action/cards")


@pytest.mark.parametrize("seats", [0, 21])
def test_t4_one_to_twenty_seats(ask: Ask, seats: int) -> None:
    refused = ask("deal", {"seats": seats})
    (fault,) = problem_of(refused, 400, "invalid_request")["violations"]
    assert fault["params"] == {"value": seats, "low": 1, "high": 20}


def test_no_seat_is_beyond_the_most_of_a_game(ask: Ask) -> None:
    for game, entry in GAMES.items():
        most = entry.rules.seats[-1]
        state = ask("deal", {"seats": most, "seed": "set"}, game).get_json()["state"]
        for call in ("observe", "legal-actions"):
            refused = ask(call, {"state": state, "seat": most}, game)
            (fault,) = problem_of(refused, 400, "invalid_request")["violations"]
            assert fault["params"] == {"value": most, "low": 0, "high": most - 1}
            assert ask(call, {"state": state, "seat": most - 1}, game).status_code == 200


def test_a_game_alone_is_played_over_http(ask: Ask) -> None:
    state = dealt(ask, seats=1, ruleset="publisher", options={"deck": "quick"})
    assert len(state["table"]) == 9
    while state["outcome"] is None:
        looked = {"state": state, "seat": None, "solutions": True}
        solutions = ask("observe", looked).get_json()["solutions"]
        claim = {"type": "claim", "seat": 0, "cards": solutions[0]}
        state = ask("apply", {"state": state, "action": claim}).get_json()["state"]
    assert state["outcome"]["reason"] in ("lost", "no_set_left")
    assert (state["outcome"]["winners"] == []) == (state["outcome"]["reason"] == "lost")


def sets_on(table: list[int | None]) -> list[list[int]]:
    """Return every set on a table, as a player finds them."""
    cards = sorted(card for card in table if card is not None)
    return [list(three) for three in combinations(cards, 3) if is_set(three)]


def test_t46_a_sealed_game_is_played_without_ever_showing_its_deck(ask: Ask) -> None:
    asked = {"seats": 2, "secrecy": "sealed", "options": {"deck": "quick"}}
    dealt_so = ask("deal", asked).get_json()
    state, keys = dealt_so["state"], dealt_so["seat_keys"]
    answer: Json = {}
    while state["outcome"] is None:
        assert state["deck"].keys() == {"count"}
        seat = state["turn"] % 2
        claim = {"type": "claim", "seat": seat, "cards": sets_on(state["table"])[0]}
        proposal = {"state": state, "action": claim}
        problem_of(ask("apply", proposal), 403, "forbidden")
        problem_of(ask("apply", {**proposal, "seat_key": keys[1 - seat]}), 403, "forbidden")
        answered = ask("apply", {**proposal, "seat_key": keys[seat]})
        assert answered.status_code == 200, answered.text
        answer = answered.get_json()
        state = answer["state"]
    assert state["deck"] == []
    assert "sealed" not in state
    assert sum(len(player["sets"]) for player in state["players"]) >= 6
    again = ask("deal", {"seats": 2, "options": {"deck": "quick"}, "seed": answer["seed"]})
    assert again.get_json()["state"]["table"] == dealt_so["state"]["table"]


def test_t14_any_key_lists_what_may_be_done_while_nobody_has_called(ask: Ask) -> None:
    asked = {"seats": 2, "secrecy": "sealed"}
    dealt_so = ask("deal", asked).get_json()
    state, keys = dealt_so["state"], dealt_so["seat_keys"]
    listed = ask("legal-actions", {"state": state, "seat_key": keys[1]}).get_json()["actions"]
    assert [each["action"]["seat"] for each in listed] == [0, 1]
    problem_of(ask("legal-actions", {"state": state}), 403, "forbidden")
    call = {"state": state, "action": {"type": "call", "seat": 1}, "seat_key": keys[1]}
    called = ask("apply", call).get_json()["state"]
    problem_of(ask("legal-actions", {"state": called, "seat_key": keys[0]}), 403, "forbidden")
    listed = ask("legal-actions", {"state": called, "seat_key": keys[1]}).get_json()["actions"]
    assert [each["action"] for each in listed] == [{"type": "forfeit", "seat": 1}]


def test_a_changed_table_breaks_the_seal(ask: Ask) -> None:
    asked = {"seats": 2, "secrecy": "sealed", "lock_seats": False}
    state = ask("deal", asked).get_json()["state"]
    state["table"][:2] = state["table"][1::-1]
    call = {"state": state, "action": {"type": "call", "seat": 1}}
    problem_of(ask("apply", call), 422, "seal_broken")
