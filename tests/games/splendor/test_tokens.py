from __future__ import annotations

import pytest

from splendor_api.games.splendor.tokens import (
    COLOR_WORDS,
    GEM_WORDS,
    GEMS,
    GOLD,
    NONE,
    Color,
    fewer,
    gem_map,
    minus,
    plus,
    subsets,
    token_map,
    tokens_of,
    with_gold,
    with_one_more,
)

SOME = (1, 2, 3, 4, 5, 6)


def test_colors_have_their_order_and_their_words() -> None:
    assert COLOR_WORDS == ("white", "blue", "green", "red", "black", "gold")
    assert COLOR_WORDS[:5] == GEM_WORDS
    assert [color.word for color in Color] == list(COLOR_WORDS)
    assert (*GEMS, GOLD) == tuple(Color)


def test_tokens_are_counted_by_color() -> None:
    assert tokens_of(()) == NONE == (0, 0, 0, 0, 0, 0)
    assert tokens_of((Color.RED, Color.WHITE, Color.RED, Color.GOLD)) == (1, 0, 0, 2, 0, 1)


def test_arithmetic() -> None:
    assert plus(SOME, (1, 0, 1, 0, 1, 0)) == (2, 2, 4, 4, 6, 6)
    assert minus(SOME, (1, 0, 1, 0, 1, 7)) == (0, 2, 2, 4, 4, -1)
    assert fewer(SOME, (6, 5, 4, 3, 2, 1)) == (1, 2, 3, 3, 2, 1)
    assert with_gold((1, 2, 3, 4, 5), 9) == (1, 2, 3, 4, 5, 9)


@pytest.mark.parametrize("color", GEMS)
def test_one_more_of_a_color(color: Color) -> None:
    gems = with_one_more((0, 0, 0, 0, 0), color)
    assert gems[color] == sum(gems) == 1


def test_maps_name_every_color() -> None:
    assert token_map(SOME) == dict(zip(COLOR_WORDS, SOME, strict=True))
    assert gem_map((1, 2, 3, 4, 5)) == dict(zip(GEM_WORDS, SOME, strict=False))


def test_subsets_are_all_the_ways_most_of_the_first_colors_first() -> None:
    assert list(subsets((2, 0, 1, 0, 0, 1), 2)) == [
        (2, 0, 0, 0, 0, 0),
        (1, 0, 1, 0, 0, 0),
        (1, 0, 0, 0, 0, 1),
        (0, 0, 1, 0, 0, 1),
    ]
    assert list(subsets(SOME, 0)) == [NONE]
    assert list(subsets(NONE, 1)) == []
    assert list(subsets((1, 0, 0, 0, 0, 0), 1)) == [(1, 0, 0, 0, 0, 0)]
