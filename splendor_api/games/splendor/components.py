"""Development cards and noble tiles by id (S1, S2). The values are facts, read from `data/`."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import NamedTuple

from splendor_api.games.splendor.tokens import GEM_WORDS, Color, Gems

LEVELS = (1, 2, 3)
SLOTS = 4  # face-up cards of a level (S9)

GEM_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "white": "diamond",
        "blue": "sapphire",
        "green": "emerald",
        "red": "ruby",
        "black": "onyx",
        "gold": "gold",
    }
)
COLOR_LETTERS: Mapping[str, str] = MappingProxyType(
    {"white": "w", "blue": "u", "green": "g", "red": "r", "black": "k", "gold": "o"}
)


class Card(NamedTuple):
    """A development card; `cost` is printed on it, bonuses not yet counted (S43)."""

    id: int
    level: int
    bonus: Color
    points: int
    cost: Gems


class Noble(NamedTuple):
    """A noble tile, and the bonuses that it asks for."""

    id: int
    points: int
    required: Gems
    name: str


def _rows(name: str) -> Iterator[dict[str, str]]:
    text = files("splendor_api.games.splendor").joinpath("data", name).read_text("utf-8")
    return iter(csv.DictReader(text.splitlines()))


def _gems(row: Mapping[str, str]) -> Gems:
    white, blue, green, red, black = (int(row[word]) for word in GEM_WORDS)
    return white, blue, green, red, black


def _card(row: Mapping[str, str]) -> Card:
    bonus = Color[row["bonus"].upper()]
    return Card(int(row["id"]), int(row["level"]), bonus, int(row["points"]), _gems(row))


def _noble(row: Mapping[str, str]) -> Noble:
    return Noble(int(row["id"]), int(row["points"]), _gems(row), row["name"])


CARDS: Mapping[int, Card] = {card.id: card for card in map(_card, _rows("development_cards.csv"))}
NOBLES: Mapping[int, Noble] = {noble.id: noble for noble in map(_noble, _rows("noble_tiles.csv"))}
CARDS_OF_LEVEL: Mapping[int, frozenset[int]] = {
    level: frozenset(card.id for card in CARDS.values() if card.level == level) for level in LEVELS
}
