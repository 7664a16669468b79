"""Every law is held to by every game, one on an optional part by every game that has that part."""

from __future__ import annotations

import pytest

from splendor_api.games.registry import GAMES

PARTS = {"test_notation": "notation", "test_opponents": "opponents", "test_pictures": "picture"}
"""The optional part that a module of laws is about."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give `entry`, a game and how it is written, to each law that asks for one."""
    if "entry" not in metafunc.fixturenames:
        return
    part = PARTS.get(metafunc.module.__name__.rpartition(".")[2], "rules")
    games = {name: entry for name, entry in GAMES.items() if getattr(entry, part) is not None}
    metafunc.parametrize("entry", games.values(), ids=games, scope="session")
