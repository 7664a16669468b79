"""Every game, with its rules, wire half and looks: one line a game, the shell's only way in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from splendor_api.games.drawing import Picture
from splendor_api.games.notation import Notation
from splendor_api.games.opponents import Opponents
from splendor_api.games.protocol import Game
from splendor_api.games.set.game import SET
from splendor_api.games.set.notation import SET_NOTATION
from splendor_api.games.set.opponents import SET_OPPONENTS
from splendor_api.games.set.picture import SET_PICTURE
from splendor_api.games.set.wire import SET_WIRE
from splendor_api.games.splendor.game import SPLENDOR
from splendor_api.games.splendor.notation import SPLENDOR_NOTATION
from splendor_api.games.splendor.opponents.advice import SPLENDOR_OPPONENTS
from splendor_api.games.splendor.picture import SPLENDOR_PICTURE
from splendor_api.games.splendor.wire import SPLENDOR_WIRE
from splendor_api.wire.game import GameWire


@dataclass(frozen=True, slots=True)
class Entry:
    """A game: what it is, how it is written, how it looks. Its types are its own affair."""

    rules: Game[Any, Any, Any]
    wire: GameWire[Any, Any, Any, Any, Any]
    picture: Picture[Any] | None = None
    """How it looks, if it can be shown."""
    opponents: Opponents[Any, Any] | None = None
    """Who plays it, if the service can."""
    notation: Notation[Any] | None = None
    """How its actions are a line of text, if they can be."""


GAMES: Final[Mapping[str, Entry]] = {
    "splendor": Entry(
        SPLENDOR, SPLENDOR_WIRE, SPLENDOR_PICTURE, SPLENDOR_OPPONENTS, SPLENDOR_NOTATION
    ),
    "set": Entry(SET, SET_WIRE, SET_PICTURE, SET_OPPONENTS, SET_NOTATION),
}
