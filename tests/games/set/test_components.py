from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations, product
from math import comb

import pytest

from splendor_api.games.set.components import (
    CARDS,
    CERTAIN,
    DECKS,
    FEATURES,
    holds_set,
    is_set,
    sets_among,
    spoiling_features,
    third_card,
)
from tests.games.set.table import QUICK_WITHOUT_SET, SET, WITHOUT_SET

VALUES = {
    "number": (1, 2, 3),
    "shading": ("solid", "striped", "open"),
    "color": ("red", "green", "purple"),
    "shape": ("diamond", "oval", "squiggle"),
}

Vector = tuple[int, ...]


def test_t1_a_card_has_four_features_with_three_values_each() -> None:
    assert dict(zip(FEATURES, FEATURES, strict=True)).keys() == VALUES.keys()
    for place, feature in enumerate(FEATURES):
        assert {card.features[place] for card in CARDS.values()} == set(VALUES[feature])


def test_t2_the_full_deck_has_each_combination_once() -> None:
    assert DECKS["full"] == set(range(1, 82))
    assert len({card.features for card in CARDS.values()}) == 3**4


def test_t2_an_id_counts_number_shading_colour_and_shape() -> None:
    shapes, colors, shadings, numbers = (VALUES[name] for name in reversed(FEATURES))
    expected = enumerate(product(shapes, colors, shadings, numbers), start=1)
    assert {card.id: card.features for card in CARDS.values()} == {
        id_: tuple(reversed(values)) for id_, values in expected
    }


def test_t3_the_quick_deck_is_the_27_solid_cards() -> None:
    assert DECKS["quick"] == {card.id for card in CARDS.values() if card.shading == "solid"}
    assert len(DECKS["quick"]) == 27


def test_components_lists_every_card_with_its_features() -> None:
    cards = SET.wire.components()["cards"]
    assert isinstance(cards, list)
    assert len(cards) == 81
    assert cards[80] == {
        "id": 81,
        "number": 3,
        "shading": "open",
        "color": "purple",
        "shape": "squiggle",
    }


def test_t9_t10_a_set_is_alike_or_different_in_each_feature() -> None:
    found = 0
    for cards in combinations(CARDS, 3):
        different = [
            len(set(values))
            for values in zip(*(CARDS[card].features for card in cards), strict=True)
        ]
        spoiling = tuple(
            feature for feature, count in zip(FEATURES, different, strict=True) if count == 2
        )
        assert is_set(cards) == (not spoiling)
        assert spoiling_features(cards) == spoiling
        found += is_set(cards)
    assert found == 81 * 80 // 6  # each two cards belong to one set


@pytest.mark.parametrize("deck", DECKS)
def test_t11_any_two_cards_have_exactly_one_third(deck: str) -> None:
    for pair in combinations(sorted(DECKS[deck]), 2):
        completing = [card for card in DECKS[deck] - {*pair} if is_set((*pair, card))]
        assert completing == [third_card(*pair)]


def test_t12_the_order_of_cards_has_no_meaning() -> None:
    for cards in ((1, 2, 3), (1, 41, 81), (1, 2, 4), (7, 50, 60)):
        assert len({is_set(order) for order in permutations(cards)}) == 1
        assert len({spoiling_features(order) for order in permutations(cards)}) == 1


def test_sets_are_found_each_once_and_in_order() -> None:
    for cards in (range(1, 13), WITHOUT_SET, (*WITHOUT_SET, 2), sorted(CARDS)[::4]):
        expected = [triple for triple in combinations(sorted(cards), 3) if is_set(triple)]
        assert list(sets_among(tuple(reversed(cards)))) == expected
        assert holds_set(cards) == bool(expected)


def test_t33_twenty_cards_of_the_full_deck_may_hold_no_set() -> None:
    assert len(set(WITHOUT_SET)) == CERTAIN["full"] - 1
    assert not holds_set(WITHOUT_SET)


def test_t34_nine_cards_of_the_quick_deck_may_hold_no_set() -> None:
    assert len(set(QUICK_WITHOUT_SET)) == CERTAIN["quick"] - 1
    assert DECKS["quick"] >= set(QUICK_WITHOUT_SET)
    assert not holds_set(QUICK_WITHOUT_SET)


# That one card more always holds a set is proved in three steps. A card is a point with a
# coordinate of 0, 1 or 2 for each feature; three cards are a set exactly if their coordinates add
# up to a multiple of three, feature by feature. A direction divides the points into three equal
# parts, and each part is to itself what the next smaller deck is: one of its coordinates follows
# from the others.


def _points(features: int) -> list[Vector]:
    return list(product(range(3), repeat=features))


def _directions(features: int) -> list[Vector]:
    """Return each direction once: of a vector and its double, the one that begins with 1."""
    return [each for each in _points(features) if next(filter(None, each), 0) == 1]


def _part(point: Vector, direction: Vector) -> int:
    return sum(map(int.__mul__, point, direction)) % 3


def _is_set(points: Iterable[Vector]) -> bool:
    return all(sum(values) % 3 == 0 for values in zip(*points, strict=True))


def _shared(points: Sequence[Vector], directions: Sequence[Vector]) -> int:
    """Return in how many directions all points lie in the same part."""
    return sum(len({_part(each, way) for each in points}) == 1 for way in directions)


def _divisions(cards: int, most: int) -> Iterator[tuple[int, int, int]]:
    """Yield every way to divide cards into three parts with at most so many in each."""
    for first in range(most, -1, -1):
        for second in range(min(first, cards - first), -1, -1):
            third = cards - first - second
            if third <= second:
                yield first, second, third


def test_t9_a_set_is_a_sum_of_nothing() -> None:
    coordinates = {
        card.id: tuple(
            VALUES[name].index(value) for name, value in zip(FEATURES, card.features, strict=True)
        )
        for card in CARDS.values()
    }
    for cards in combinations(list(CARDS)[::2], 3):
        assert is_set(cards) == _is_set(coordinates[card] for card in cards)


@pytest.mark.parametrize("features", [3, 4])
def test_t33_t34_a_part_of_a_deck_is_like_the_next_smaller_deck(features: int) -> None:
    smaller = _points(features - 1)
    for direction in _directions(features):
        left_out = next(place for place, value in enumerate(direction) if value)
        for part in range(3):
            within = [each for each in _points(features) if _part(each, direction) == part]
            seen = [each[:left_out] + each[left_out + 1 :] for each in within]
            assert sorted(seen) == smaller
            for chosen in combinations(within[:9], 3):
                kept = [each[:left_out] + each[left_out + 1 :] for each in chosen]
                assert _is_set(chosen) == _is_set(kept)


def test_t33_t34_of_nine_cards_with_two_features_five_hold_a_set() -> None:
    for cards in combinations(_points(2), 5):
        assert any(map(_is_set, combinations(cards, 3)))


def test_t34_ten_cards_of_the_quick_deck_hold_a_set() -> None:
    directions = _directions(3)
    first, *others = _points(3)
    assert {_shared((first, other), directions) for other in others} == {4}
    # Ten cards without a set would be divided in each direction, with at most 4 in a part, and
    # have each of their pairs in one part in 4 directions.
    assert list(_divisions(10, 4)) == [(4, 4, 2), (4, 3, 3)]
    pairs = [sum(comb(part, 2) for part in parts) for parts in _divisions(10, 4)]
    sums = {
        often * pairs[0] + (len(directions) - often) * pairs[1]
        for often in range(len(directions) + 1)
    }
    assert 4 * comb(10, 2) not in sums


def test_t33_twenty_one_cards_of_the_full_deck_hold_a_set() -> None:
    directions = _directions(4)
    first, *others = _points(4)
    assert {_shared((first, other), directions) for other in others} == {13}
    threes = [each for each in combinations(others, 2) if not _is_set((first, *each))]
    assert {_shared((first, *each), directions) for each in threes} == {4}
    # Twenty-one cards without a set would be divided in each of 40 directions, with at most 9 in
    # a part, and have each pair in one part in 13 directions and each three in 4.
    counts = {
        parts: (sum(comb(part, 2) for part in parts), sum(comb(part, 3) for part in parts))
        for parts in _divisions(21, 9)
    }
    pairs, triples = 13 * comb(21, 2), 4 * comb(21, 3)
    # 3 threes less 16 pairs are at least so many for every division, and on average just so many:
    # so only the divisions that reach it occur.
    weights = {parts: 3 * three - 16 * two for parts, (two, three) in counts.items()}
    least = min(weights.values())
    assert 3 * triples - 16 * pairs == least * len(directions)
    reaching = [parts for parts, weight in weights.items() if weight == least]
    assert reaching == [(9, 9, 3), (7, 7, 7)]
    (high, _), (low, _) = (counts[parts] for parts in reaching)
    sums = {often * high + (40 - often) * low for often in range(41)}
    assert pairs not in sums
