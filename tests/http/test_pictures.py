"""Pictures, as the service sends them."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from splendor_api.games.drawing import sprite
from splendor_api.games.registry import GAMES
from tests.games import svg
from tests.http.conftest import problem_of


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


def test_a_game_that_is_not_drawn_says_so(nim: FlaskClient) -> None:
    problem_of(nim.get("/v1/games/nim/art.svg"), 404, "not_offered")
