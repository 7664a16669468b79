"""Pictures, as the service sends them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from splendor_api.app import create_app
from splendor_api.games.drawing import sprite
from splendor_api.games.registry import GAMES
from splendor_api.settings import Settings
from tests.games import svg
from tests.http.conftest import problem_of
from tests.http.nim import CLUELESS_NIM
from tests.http.sitting import opened

Json = dict[str, Any]
Post = Callable[..., TestResponse]


@pytest.mark.parametrize("game", GAMES)
def test_the_art_of_a_game_is_served_as_it_is(client: FlaskClient, game: str) -> None:
    response = client.get(f"/v1/games/{game}/art.svg")
    picture = GAMES[game].picture
    assert picture is not None
    assert response.content_type == "image/svg+xml"
    assert response.text == sprite(picture.symbols.values())
    svg.read(response.text)
    tag = response.headers["ETag"]
    again = client.get(f"/v1/games/{game}/art.svg", headers={"If-None-Match": tag})
    assert again.status_code == 304


def test_a_picture_can_do_nothing_where_it_is_opened(client: FlaskClient) -> None:
    headers = client.get("/v1/games/set/art.svg").headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    policy = headers["Content-Security-Policy"].split("; ")
    assert {"default-src 'none'", "sandbox"} <= set(policy)


def _dealt(client: FlaskClient, game: str, **others: Any) -> Json:
    dealt: Json = client.post(f"/v1/games/{game}/deal", json={"seats": 2, **others}).get_json()
    return dealt


def _drawn(client: FlaskClient, game: str, body: Json, **fields: str) -> TestResponse:
    return client.post(f"/v1/games/{game}/picture", json=body, headers=fields)


@pytest.mark.parametrize("game", GAMES)
def test_a_state_is_drawn(client: FlaskClient, game: str) -> None:
    response = _drawn(client, game, {"state": _dealt(client, game)["state"]})
    assert response.status_code == 200
    assert response.content_type == "image/svg+xml"
    assert svg.read(response.text).get("lang") == "en"
    assert response.headers["Content-Language"] == "en"
    assert set(response.headers["Vary"].split(", ")) >= {"Accept", "Accept-Language"}
    assert "sandbox" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize("game", GAMES)
def test_a_terminal_gets_lines(client: FlaskClient, game: str) -> None:
    body = {"state": _dealt(client, game)["state"]}
    response = _drawn(client, game, body, Accept="text/plain")
    assert response.content_type == "text/plain; charset=utf-8"
    assert response.text.startswith(GAMES[game].rules.title)
    assert _drawn(client, game, body, Accept="text/plain, image/*;q=0.9").data == response.data


@pytest.mark.parametrize("accept", ["image/png", "application/json"])
def test_no_other_kind_of_picture_is_made(client: FlaskClient, accept: str) -> None:
    body = {"state": _dealt(client, "set")["state"]}
    document = problem_of(_drawn(client, "set", body, Accept=accept), 406, "not_acceptable")
    assert document["offers"] == ["image/svg+xml", "text/plain; charset=utf-8"]


def test_a_picture_speaks_the_language_of_who_asks(client: FlaskClient) -> None:
    body = {"state": _dealt(client, "splendor")["state"], "theme": "dark"}
    response = _drawn(client, "splendor", body, Accept_Language="sq")
    assert response.headers["Content-Language"] == "sq"
    root = svg.read(response.text)
    assert root.get("lang") == "sq"
    assert root[0].text == "Splendor. Radha 0: vepron vendi 0, faza: veprimi kryesor."
    assert response.data != _drawn(client, "splendor", {**body, "theme": "light"}).data


@pytest.mark.parametrize("game", GAMES)
def test_an_observation_is_drawn_like_its_state(client: FlaskClient, game: str) -> None:
    state = _dealt(client, game)["state"]
    seen = client.post(f"/v1/games/{game}/observe", json={"state": state, "seat": 1}).get_json()
    of_state = _drawn(client, game, {"state": state, "seat": 1})
    assert _drawn(client, game, {"state": seen["state"], "seat": 1}).data == of_state.data


def test_an_impossible_state_is_drawn_as_it_is(client: FlaskClient) -> None:
    state = _dealt(client, "splendor")["state"]
    state["bank"]["gold"] = 3
    response = _drawn(client, "splendor", {"state": state}, Accept="text/plain")
    assert "★ O 3" in response.text


def test_what_is_no_state_is_told_as_such(client: FlaskClient) -> None:
    state = _dealt(client, "set")["state"]
    document = problem_of(
        _drawn(client, "set", {"state": {**state, "phase": "x"}}), 400, "invalid_request"
    )
    assert [each["pointer"] for each in document["violations"]] == ["/state/phase"]
    response = _drawn(client, "set", {"state": state, "seat": 2})
    (fault,) = problem_of(response, 400, "invalid_request")["violations"]
    assert (fault["code"], fault["pointer"]) == ("out_of_range", "/seat")


def test_a_sealed_state_is_drawn_for_whoever_shows_its_key(client: FlaskClient) -> None:
    """T18: what a seat sees needs its key, what a spectator sees needs none."""
    dealt = _dealt(client, "splendor", secrecy="sealed", lock_seats=True)
    state, keys = dealt["state"], dealt["seat_keys"]
    body = {"state": state, "action": {"type": "reserve", "level": 3}, "seat_key": keys[0]}
    state = client.post("/v1/games/splendor/apply", json=body).get_json()["state"]

    def hand(**others: Any) -> str:
        response = _drawn(client, "splendor", {"state": state, **others}, Accept="text/plain")
        assert response.status_code == 200, response.text
        return response.text

    assert "[III ?]" in hand()
    assert "[III ?]" in hand(seat=1, seat_key=keys[1])
    assert "[III ?]" not in hand(seat=0, seat_key=keys[0])
    for others in ({"seat": 0}, {"seat": 0, "seat_key": keys[1]}):
        response = _drawn(client, "splendor", {"state": state, **others})
        problem_of(response, 403, "forbidden")
    spoilt = {**state, "turn": 7}
    problem_of(_drawn(client, "splendor", {"state": spoilt}), 422, "seal_broken")


def test_a_session_is_drawn_as_its_bearer_sees_it(client: FlaskClient) -> None:
    sitting = opened(client, 2)
    sitting.acted({"type": "reserve", "level": 2})
    text = {"Accept": "text/plain"}
    own = sitting.ask("GET", "/picture", token=sitting.seats[0], **text)
    assert own.content_type == "text/plain; charset=utf-8"
    assert own.headers["Cache-Control"] == "private, no-store"
    assert "[II ?]" not in own.text
    for token in (sitting.seats[1], sitting.host, None):
        assert "[II ?]" in sitting.ask("GET", "/picture", token=token, **text).text
    again = sitting.ask(
        "GET", "/picture", token=sitting.seats[0], If_None_Match=own.headers["ETag"], **text
    )
    assert (again.status_code, again.data) == (304, b"")


def test_a_session_is_drawn_in_either_theme(client: FlaskClient) -> None:
    sitting = opened(client, 2)
    light, dark = (sitting.ask("GET", f"/picture?theme={each}") for each in ("light", "dark"))
    assert sitting.ask("GET", "/picture").data == light.data
    svg.read(dark.text)
    assert light.data != dark.data
    problem_of(sitting.ask("GET", "/picture?theme=neon"), 400, "invalid_request")


def test_the_shell_draws_any_game(nim: FlaskClient, call: Post, state: Json) -> None:
    svg.read(nim.get("/v1/games/nim/art.svg").text)
    first, second = (
        call("picture", {"state": state, "seat": seat}, headers={"Accept": "text/plain"}).text
        for seat in (0, 1)
    )
    assert first == "10 stones; lucky numbers: 3 and none.\n"
    assert second == "10 stones; lucky numbers: none and 4.\n"


def test_a_game_that_is_not_drawn_says_so(settings: Settings, state: Json) -> None:
    plain = create_app(settings, {"nim": CLUELESS_NIM}).test_client()
    problem_of(plain.get("/v1/games/nim/art.svg"), 404, "not_offered")
    problem_of(plain.post("/v1/games/nim/picture", json={"state": state}), 404, "not_offered")
    sitting = opened(plain, 2, game="nim")
    problem_of(sitting.ask("GET", "/picture"), 404, "not_offered")
