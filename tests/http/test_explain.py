"""Explanations over HTTP: told from what a seat sees, and to nobody else."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from splendor_api.app import create_app
from splendor_api.games.registry import GAMES, Entry
from splendor_api.http import limits
from splendor_api.http.batch import CALLS
from splendor_api.sealing.keys import master_text
from splendor_api.settings import Secret, Settings
from splendor_api.wire import json_text
from tests.http.conftest import Post, problem_of
from tests.strategies.habits import HABITS
from tests.strategies.states import played_states

Json = dict[str, Any]


def ask(client: FlaskClient, game: str, call: str, **body: object) -> TestResponse:
    """Return the answer to a call."""
    return client.post(
        f"/v1/games/{game}/{call}",
        data=json_text.write(body),
        content_type="application/json",
    )


def dealt(client: FlaskClient, game: str, **body: object) -> Json:
    """Return what a deal for two answers."""
    seed = "a seed of so many letters"
    answer: Json = ask(client, game, "deal", seats=2, seed=seed, **body).get_json()
    return answer


def test_a_game_that_does_not_explain_says_so(call: Post, state: Json) -> None:
    problem_of(call("explain", {"state": state}), 404, "not_offered")


@pytest.mark.parametrize("game", GAMES)
def test_illegal_actions_are_those_that_are_listed_as_such(client: FlaskClient, game: str) -> None:
    state = dealt(client, game)["state"]
    explained = ask(client, game, "explain", state=state).get_json()["actions"]
    listed = ask(client, game, "legal-actions", state=state, include_illegal=True).get_json()
    assert explained
    assert [each["action"] for each in explained] == [
        each["action"] for each in listed["actions"] if not each["legal"]
    ]
    assert not any(each["legal"] for each in explained)
    assert all(each["needs"] for each in explained)


@pytest.mark.parametrize("game", GAMES)
def test_a_legal_action_lacks_nothing(client: FlaskClient, game: str) -> None:
    state = dealt(client, game)["state"]
    (first, *_) = ask(client, game, "legal-actions", state=state).get_json()["actions"]
    answer = ask(client, game, "explain", state=state, action=first["action"]).get_json()
    (explained,) = answer["actions"]
    assert explained["legal"]
    assert explained["needs"] == []
    assert explained["would_be"]["rulesets"] == {"gamerules": True, "publisher": True}


@given(data=st.data())
@pytest.mark.parametrize("entry", GAMES.values(), ids=list(GAMES))
def test_nothing_hidden_makes_a_difference(
    client: FlaskClient, entry: Entry, data: st.DataObject
) -> None:
    """Two states that a seat cannot tell apart are explained to it alike."""
    state = data.draw(played_states(entry))
    seat = data.draw(st.sampled_from((None, *range(entry.rules.seats_of(state)))))
    other = data.draw(HABITS[entry.rules.name].rearranged(state, seat))
    one, two = (
        ask(client, entry.rules.name, "explain", state=entry.wire.dump_state(each), seat=seat)
        for each in (state, other)
    )
    assert one.status_code == two.status_code == 200
    assert one.get_json() == two.get_json()


@pytest.mark.parametrize("game", GAMES)
def test_an_impossible_state_is_not_explained(client: FlaskClient, game: str) -> None:
    state = dealt(client, game)["state"] | {"turn": 7}
    problem_of(ask(client, game, "explain", state=state), 422, "impossible_state")


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_that_does_not_play_sees_nothing(client: FlaskClient, game: str) -> None:
    state = dealt(client, game)["state"]
    problem_of(ask(client, game, "explain", state=state, seat=2), 400, "invalid_request")


def test_how_many_solutions_there_are_is_for_observers_of_everything(client: FlaskClient) -> None:
    state = dealt(client, "set")["state"]
    shown = ask(client, "set", "observe", state=state, seat=None, solutions=True).get_json()
    counted = ask(client, "set", "explain", state=state, solutions=True).get_json()
    assert counted["solutions"] == len(shown["solutions"]) > 0
    assert "solutions" not in ask(client, "set", "explain", state=state).get_json()
    by_a_seat = ask(client, "set", "explain", state=state, seat=0, solutions=True)
    problem_of(by_a_seat, 400, "invalid_request")
    refused = ask(client, "splendor", "explain", state=dealt(client, "splendor")["state"],
                  solutions=True)  # fmt: skip
    problem_of(refused, 400, "invalid_request")


@pytest.mark.parametrize("game", GAMES)
def test_of_a_sealed_state_a_seats_view_takes_its_key(game: str) -> None:
    """The seal keeps what it hides."""
    ring = Secret(master_text(b"\1", b"\1" * 32))
    client = create_app(Settings(seal_keys=(ring,))).test_client()
    sealed = dealt(client, game, secrecy="sealed")
    state, keys = sealed["state"], sealed["seat_keys"]
    assert ask(client, game, "explain", state=state).status_code == 200
    assert ask(client, game, "explain", state=state, seat=0, seat_key=keys[0]).status_code == 200
    problem_of(ask(client, game, "explain", state=state, seat=0), 403, "forbidden")
    problem_of(
        ask(client, game, "explain", state=state, seat=0, seat_key=keys[1]), 403, "forbidden"
    )
    if game == "set":
        asked = ask(client, game, "explain", state=state, solutions=True)
        problem_of(asked, 400, "invalid_request")


def test_needs_are_told_in_the_callers_language(client: FlaskClient) -> None:
    body = {
        "state": dealt(client, "splendor")["state"],
        "action": {"type": "take_different", "colors": ["red", "red"]},
    }
    answer = client.post(
        "/v1/games/splendor/explain",
        data=json_text.write(body),
        content_type="application/json",
        headers={"Accept-Language": "sq"},
    )
    assert answer.headers["Content-Language"] == "sq"
    (explained,) = answer.get_json()["actions"]
    assert explained["needs"][0]["message"].startswith("Ngjyra të ndryshme")


def test_the_catalogue_lists_every_need(client: FlaskClient, nim: FlaskClient) -> None:
    for game, entry in GAMES.items():
        assert entry.rules.explaining is not None
        listed = client.get(f"/v1/games/{game}").get_json()["needs"]
        assert [each["code"] for each in listed] == [
            code.name for code in entry.rules.explaining.needs
        ]
    assert nim.get("/v1/games/nim").get_json()["needs"] == []


def test_a_batch_pays_for_explanations(client: FlaskClient) -> None:
    state = dealt(client, "set")["state"]
    item = {"game": "set", "call": "explain", "body": {"state": state}}
    body = json_text.write({"items": [item] * 3})
    answer = client.post("/v1/batch", data=body, content_type="application/json").get_json()
    assert [each["status"] for each in answer["items"]] == [200] * 3
    assert CALLS["explain"].work(None) == limits.WORK_OF_EXPLAINING > 1


@pytest.mark.parametrize("game", GAMES)
def test_what_is_seen_of_a_state_is_explained_as_the_state_is(
    client: FlaskClient, game: str
) -> None:
    """Whoever plays in a session has no more than that."""
    state = dealt(client, game)["state"]
    seen = ask(client, game, "observe", state=state, seat=None).get_json()["state"]
    explained = ask(client, game, "explain", state=state).get_json()
    assert ask(client, game, "explain", state=seen).get_json() == explained
    asked = ask(client, game, "explain", state=seen, solutions=True)
    problem_of(asked, 400, "invalid_request")
