"""Every law is held to by every game."""

from __future__ import annotations

import pytest

from splendor_api.games.registry import GAMES, Entry


@pytest.fixture(params=tuple(GAMES.values()), ids=tuple(GAMES), scope="session")
def entry(request: pytest.FixtureRequest) -> Entry:
    """Return a game and how it is written."""
    game: Entry = request.param
    return game
