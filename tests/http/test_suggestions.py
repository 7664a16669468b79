"""Suggestions over HTTP: what a seat sees decides, whoever asks for it, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from splendor_api.app import SEARCHERS, create_app
from splendor_api.games.opponents import LEVELS
from splendor_api.games.registry import GAMES
from splendor_api.http.suggestions import MOST_RANKED
from splendor_api.settings import Settings
from splendor_api.wire import json_text
from splendor_api.wire.requests import LONGEST_SEARCH, OPPONENT_LEVELS
from tests.contract.validation import WatchedClient
from tests.http.conftest import Post, problem_of

Json = dict[str, Any]

SEED = "a seed that nobody guesses"
QUICK: Json = {"level": "strong", "playouts": 30, "budget_ms": LONGEST_SEARCH, "seed": "any"}


@pytest.fixture(scope="module")
def asking(settings: Settings) -> Any:
    """Return a client of a service whose searchers end with the tests."""
    app = create_app(settings)
    app.test_client_class = WatchedClient
    yield app.test_client()
    app.extensions[SEARCHERS].close()


def post(client: FlaskClient, game: str, call: str, **body: Any) -> Any:
    """Return the answer to a call of a game."""
    path = f"/v1/games/{game}/{call}"
    return client.post(path, data=json_text.write(body), content_type="application/json")


def dealt(client: FlaskClient, game: str, **body: Any) -> Json:
    """Return what is dealt for two."""
    told: Json = post(client, game, "deal", **{"seats": 2, "seed": SEED, **body}).get_json()
    return told


def suggested(client: FlaskClient, game: str, state: Json, **body: Any) -> Json:
    """Return a suggestion that must be given."""
    answered = post(client, game, "suggest", state=state, **body)
    assert answered.status_code == 200, answered.text
    told: Json = answered.get_json()
    return told


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", GAMES)
def test_what_is_suggested_can_be_sent_back(asking: FlaskClient, game: str, level: str) -> None:
    state = dealt(asking, game)["state"]
    told = suggested(asking, game, state, **{**QUICK, "level": level, "seat": 0})
    assert told["action"] == told["ranked"][0]["action"]
    assert len(told["ranked"]) <= MOST_RANKED
    assert all(reason["message"] for one in told["ranked"] for reason in one["reasons"])
    for one in told["ranked"]:
        assert post(asking, game, "apply", state=state, action=one["action"]).status_code == 200


def test_a_seed_that_was_not_given_is_told_and_repeats_the_answer(asking: FlaskClient) -> None:
    state = dealt(asking, "splendor")["state"]
    first = suggested(asking, "splendor", state, level="random")
    assert suggested(asking, "splendor", state, level="random", seed=first["seed"]) == first
    others = [suggested(asking, "splendor", state, level="random") for _ in range(20)]
    assert any(other["action"] != first["action"] for other in others)


def test_a_search_cut_short_is_repeated_by_its_playouts(asking: FlaskClient) -> None:
    state = dealt(asking, "splendor")["state"]
    cut = suggested(asking, "splendor", state, level="strong", budget_ms=150, seed="any")
    again = suggested(asking, "splendor", state, **{**QUICK, "playouts": max(1, cut["playouts"])})
    assert again == cut


def test_what_is_hidden_changes_no_suggestion(asking: FlaskClient) -> None:
    """The decks turned over, the same is suggested: nobody looks at them."""
    state = dealt(asking, "splendor")["state"]
    other = {**state, "decks": {level: deck[::-1] for level, deck in state["decks"].items()}}
    assert other != state
    for level in LEVELS:
        body = {**QUICK, "level": level}
        told = suggested(asking, "splendor", state, **body)
        assert suggested(asking, "splendor", other, **body) == told


def test_the_seat_of_a_sealed_state_is_advised_as_in_an_open_one(asking: FlaskClient) -> None:
    plain = dealt(asking, "splendor")["state"]
    sealed = dealt(asking, "splendor", secrecy="sealed")
    key = sealed["seat_keys"][0]
    told = suggested(asking, "splendor", sealed["state"], seat_key=key, **QUICK)
    assert told == suggested(asking, "splendor", plain, **QUICK)


@pytest.mark.parametrize("lock_seats", [True, False])
def test_a_sealed_state_is_advised_on_with_the_key_of_the_seat_only(
    asking: FlaskClient, lock_seats: bool
) -> None:
    sealed = dealt(asking, "splendor", secrecy="sealed", lock_seats=lock_seats)
    other = sealed["seat_keys"][1]
    for shown in ({}, {"seat_key": other}, {"seat_key": "x"}, {"seat": 1, "seat_key": "x"}):
        answered = post(
            asking, "splendor", "suggest", state=sealed["state"], level="greedy", **shown
        )
        problem_of(answered, 403, "forbidden")


def test_a_seat_that_is_not_to_act_has_nothing_to_decide(asking: FlaskClient) -> None:
    told = suggested(asking, "splendor", dealt(asking, "splendor")["state"], seat=1, level="strong")
    assert (told["action"], told["ranked"], told["seat"]) == (None, [], 1)


def test_nothing_is_suggested_after_the_end(asking: FlaskClient) -> None:
    for game in GAMES:
        state = dealt(asking, game)["state"]
        resigned = {"type": "resign", "seat": 0}
        over = post(asking, game, "apply", state=state, action=resigned).get_json()["state"]
        told = suggested(asking, game, over, level="greedy")
        assert (told["action"], told["ranked"], told["seat"]) == (None, [], None)


def test_where_any_seat_may_act_one_must_be_named(asking: FlaskClient) -> None:
    answered = post(asking, "set", "suggest", state=dealt(asking, "set")["state"], level="greedy")
    (fault,) = problem_of(answered, 400, "invalid_request")["violations"]
    assert (fault["code"], fault["pointer"]) == ("required", "/seat")


def test_a_seat_must_be_there(asking: FlaskClient) -> None:
    state = dealt(asking, "splendor")["state"]
    answered = post(asking, "splendor", "suggest", state=state, level="greedy", seat=2)
    (fault,) = problem_of(answered, 400, "invalid_request")["violations"]
    assert (fault["code"], fault["pointer"]) == ("out_of_range", "/seat")


def test_an_impossible_state_is_refused(asking: FlaskClient) -> None:
    state = dealt(asking, "splendor")["state"]
    minted = {**state, "bank": {**state["bank"], "gold": 3}}
    for level in LEVELS:
        answered = post(asking, "splendor", "suggest", state=minted, level=level)
        problem_of(answered, 422, "impossible_state")


def test_reasons_are_told_in_the_callers_language(asking: FlaskClient) -> None:
    state = dealt(asking, "splendor")["state"]
    body = json_text.write({"state": state, "level": "random"})
    answered = asking.post(
        "/v1/games/splendor/suggest",
        data=body,
        content_type="application/json",
        headers={"Accept-Language": "sq"},
    )
    assert answered.headers["Content-Language"] == "sq"
    said = {reason["message"] for one in answered.get_json()["ranked"] for reason in one["reasons"]}
    assert said == {"U zgjodh rastësisht."}


def test_one_search_too_many_is_told_when_to_come_back(settings: Settings) -> None:
    """A place is taken for as long as a search runs; here by nobody who would give it back."""
    app = create_app(settings)
    app.test_client_class = WatchedClient
    client = app.test_client()
    state = dealt(client, "splendor")["state"]
    with app.extensions[SEARCHERS].place():
        answered = post(client, "splendor", "suggest", state=state, **QUICK)
        problem_of(answered, 503, "busy")
        assert int(answered.headers["Retry-After"]) > 0
        assert suggested(client, "splendor", state, level="greedy")["ranked"]
    assert suggested(client, "splendor", state, **QUICK)["playouts"] > 0
    app.extensions[SEARCHERS].close()


def test_a_game_without_opponents_says_so(call: Post, state: Json) -> None:
    problem_of(call("suggest", {"state": state, "level": "greedy"}), 404, "not_offered")


def test_the_levels_of_a_request_are_those_of_opponents() -> None:
    assert OPPONENT_LEVELS == LEVELS
