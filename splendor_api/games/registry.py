"""Every game, with its rules and its wire half: one line a game, the shell's only way in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from splendor_api.games.protocol import Game
from splendor_api.games.set.game import SET
from splendor_api.games.set.wire import SET_WIRE
from splendor_api.games.splendor.game import SPLENDOR
from splendor_api.games.splendor.wire import SPLENDOR_WIRE
from splendor_api.wire.requests import GameWire


@dataclass(frozen=True, slots=True)
class Entry:
    """A game: what it is, and how it is written. Its types are its own affair."""

    rules: Game[Any, Any, Any]
    wire: GameWire[Any, Any, Any, Any, Any]


GAMES: Final[Mapping[str, Entry]] = {
    "splendor": Entry(SPLENDOR, SPLENDOR_WIRE),
    "set": Entry(SET, SET_WIRE),
}
