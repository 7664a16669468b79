from __future__ import annotations

import hashlib
from collections import Counter
from importlib.resources import files

import pytest

from splendor_api.games.splendor.components import (
    CARDS,
    CARDS_OF_LEVEL,
    COLOR_LETTERS,
    GEM_NAMES,
    NOBLES,
)
from splendor_api.games.splendor.tokens import COLOR_WORDS, GEM_WORDS
from tests.games.splendor.table import COLORS, GEMS, SPLENDOR
from tests.strategies.playing import as_json

DATA = files("splendor_api.games.splendor") / "data"
DIGESTS = {
    "development_cards.csv": "d225091a18cdd874f097061304aa249ea9982837fb4ada4ce3cf79cfa4410692",
    "noble_tiles.csv": "324298fe481e28b797f9bedb8ac635d81aade5316b28e4b42ecdcf02ec85c5c5",
}


@pytest.mark.parametrize("name", DIGESTS)
def test_the_data_are_what_they_were(name: str) -> None:
    assert hashlib.sha256((DATA / name).read_bytes()).hexdigest() == DIGESTS[name]


def test_s1_there_are_90_cards_of_three_levels() -> None:
    assert Counter(card.level for card in CARDS.values()) == {1: 40, 2: 30, 3: 20}
    assert sorted(CARDS) == list(range(1, 91))
    assert {level: len(cards) for level, cards in CARDS_OF_LEVEL.items()} == {1: 40, 2: 30, 3: 20}


def test_s1_each_color_gives_its_bonus_as_often() -> None:
    counts = Counter((card.level, card.bonus.word) for card in CARDS.values())
    assert counts == {
        (level, color): count for level, count in ((1, 8), (2, 6), (3, 4)) for color in GEMS
    }


def test_s1_the_points_of_the_cards() -> None:
    counts = Counter((card.level, card.points) for card in CARDS.values())
    assert counts == {
        (1, 0): 35,
        (1, 1): 5,
        (2, 1): 10,
        (2, 2): 15,
        (2, 3): 5,
        (3, 3): 5,
        (3, 4): 10,
        (3, 5): 5,
    }


def test_s1_the_costs_of_the_cards() -> None:
    for level, asked in ((1, 33), (2, 41), (3, 43)):
        cards = [card for card in CARDS.values() if card.level == level]
        assert [sum(card.cost[color] for card in cards) for color in range(5)] == [asked] * 5
    assert CARDS[66].cost == (3, 2, 2, 0, 0)
    assert CARDS[78].cost == (7, 3, 0, 0, 0)


def test_s2_there_are_10_tiles_of_3_points() -> None:
    assert sorted(NOBLES) == list(range(1, 11))
    assert {noble.points for noble in NOBLES.values()} == {3}
    assert len({noble.name for noble in NOBLES.values()}) == 10


def test_s2_a_tile_asks_for_four_of_two_or_three_of_three() -> None:
    asked = Counter(tuple(sorted(noble.required, reverse=True)) for noble in NOBLES.values())
    assert asked == {(4, 4, 0, 0, 0): 5, (3, 3, 3, 0, 0): 5}
    each = [sum(noble.required[color] for noble in NOBLES.values()) for color in range(5)]
    assert each == [17, 17, 17, 17, 17]


def test_s3_gold_is_a_token_but_no_gem() -> None:
    assert COLOR_WORDS == COLORS
    assert GEM_WORDS == GEMS
    assert {card.bonus.word for card in CARDS.values()} == set(GEMS)
    assert {len(card.cost) for card in CARDS.values()} == {5}
    assert GEM_NAMES == {
        "white": "diamond",
        "blue": "sapphire",
        "green": "emerald",
        "red": "ruby",
        "black": "onyx",
        "gold": "gold",
    }


def test_every_color_has_a_letter_of_its_own() -> None:
    assert COLOR_LETTERS.keys() == set(COLORS)
    assert len(set(COLOR_LETTERS.values())) == 6


def test_the_components_in_json() -> None:
    data = as_json(SPLENDOR.wire.components())
    assert data["colors"][0] == {"color": "white", "letter": "w", "gem": "diamond"}
    assert [each["color"] for each in data["colors"]] == list(COLORS)
    assert len(data["cards"]) == 90
    assert data["cards"][65] == {
        "id": 66,
        "level": 2,
        "bonus": "black",
        "points": 1,
        "cost": {"white": 3, "blue": 2, "green": 2, "red": 0, "black": 0},
    }
    assert len(data["nobles"]) == 10
    assert data["nobles"][0] == {
        "id": 1,
        "points": 3,
        "requires": {"white": 4, "blue": 4, "green": 0, "red": 0, "black": 0},
        "name": "Niccolo Machiavelli",
    }
