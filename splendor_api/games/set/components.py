"""The cards of SET by id, and what a set is (T1 to T3, T9 to T12). Facts, read from `data/`."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import combinations
from typing import Final, NamedTuple

FEATURES: Final = ("number", "shading", "color", "shape")
SET_SIZE: Final = 3


class Card(NamedTuple):
    """A card, and its four features, each as one of three words or numbers."""

    id: int
    number: int
    shading: str
    color: str
    shape: str

    @property
    def features(self) -> tuple[int | str, ...]:
        """Return the values in the order of `FEATURES`."""
        return self[1:]


def _cards() -> Iterator[Card]:
    text = files("splendor_api.games.set").joinpath("data", "set_cards.csv").read_text("utf-8")
    for row in csv.DictReader(text.splitlines()):
        yield Card(int(row["id"]), int(row["number"]), row["shading"], row["color"], row["shape"])


CARDS: Final[Mapping[int, Card]] = {card.id: card for card in _cards()}

DECKS: Final[Mapping[str, frozenset[int]]] = {
    "full": frozenset(CARDS),
    "quick": frozenset(card.id for card in CARDS.values() if card.shading == "solid"),
}
"""The cards in each deck (T2, T3)."""

CERTAIN: Final[Mapping[str, int]] = {"full": 21, "quick": 10}
"""How many cards of a deck always hold a set (T33, T34)."""

_BY_FEATURES: Final = {card.features: card.id for card in CARDS.values()}
_VALUES: Final = tuple(
    frozenset(values) for values in zip(*(card.features for card in CARDS.values()), strict=True)
)


def _completing(first: int, second: int) -> int:
    """Return the value-wise third card: alike where both are, else the value of neither."""
    pairs = zip(CARDS[first].features, CARDS[second].features, _VALUES, strict=True)
    values = (
        one if one == other else next(iter(all_ - {one, other})) for one, other, all_ in pairs
    )
    return _BY_FEATURES[tuple(values)]


_THIRD: Final = {
    first: {second: _completing(first, second) for second in CARDS if second != first}
    for first in CARDS
}


def third_card(first: int, second: int) -> int:
    """Return the one card that makes a set with two different cards (T11)."""
    return _THIRD[first][second]


def is_set(cards: Sequence[int]) -> bool:
    """Return whether three different cards are a set (T9), in whatever order (T12)."""
    first, second, third = cards
    return third_card(first, second) == third


def spoiling_features(cards: Sequence[int]) -> tuple[str, ...]:
    """Return the features in which two cards are alike and the third is not (T10)."""
    columns = zip(*(CARDS[card].features for card in cards), strict=True)
    return tuple(
        feature
        for feature, values in zip(FEATURES, columns, strict=True)
        if len(set(values)) == SET_SIZE - 1
    )


def sets_among(cards: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield every set among `cards`, each ascending, in ascending order."""
    present = frozenset(cards)
    for first, second in combinations(sorted(present), SET_SIZE - 1):
        third = _THIRD[first][second]
        if third > second and third in present:
            yield first, second, third


def holds_set(cards: Sequence[int]) -> bool:
    """Return whether there is a set among `cards`."""
    present = frozenset(cards)
    return any(_THIRD[first][second] in present for first, second in combinations(present, 2))
