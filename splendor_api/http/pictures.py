"""What games look like."""

from __future__ import annotations

from typing import Final

from splendor_api.games.drawing import sprite
from splendor_api.http.headers import REVALIDATE, SVG
from splendor_api.http.operations import Answer, Operation, Served, refusal
from splendor_api.http.problems import NOT_OFFERED


def get_art(game: Served) -> Answer:
    """Answer with everything that the game is drawn with, each by its name."""
    if game.picture is None:
        return refusal(NOT_OFFERED.document())
    return Answer(200, sprite(game.picture.symbols.values()).encode(), SVG)


OPERATIONS: Final = (
    Operation(
        "GET", "/v1/games/{game}/art.svg", "get_art", get_art, offers=(SVG,), keeps=REVALIDATE
    ),
)
