"""Tokens: six colours, and counts of each (S3)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

Tokens = tuple[int, int, int, int, int, int]
"""How many of each colour, in the order of `Color`; gold last."""

Gems = tuple[int, int, int, int, int]
"""How many of each gem colour, in the order of `Color`."""


class Color(IntEnum):
    """A colour of tokens, as its place in counts; all but gold are gem colours."""

    WHITE = 0
    BLUE = 1
    GREEN = 2
    RED = 3
    BLACK = 4
    GOLD = 5

    @property
    def word(self) -> str:
        """Return the colour's word in JSON."""
        return COLOR_WORDS[self]


COLOR_WORDS = tuple(color.name.lower() for color in Color)
GEMS = tuple(color for color in Color if color is not Color.GOLD)
GEM_WORDS = tuple(color.word for color in GEMS)
GOLD = Color.GOLD
NONE: Tokens = (0, 0, 0, 0, 0, 0)
NO_GEMS: Gems = (0, 0, 0, 0, 0)


def tokens_of(colors: Iterable[Color]) -> Tokens:
    """Return one token for each time that a colour is named."""
    named = list(colors)
    return _tokens(named.count(color) for color in Color)


def gems_of(colors: Iterable[Color]) -> Gems:
    """Return one gem for each time that a gem colour is named."""
    named = list(colors)
    white, blue, green, red, black = (named.count(gem) for gem in GEMS)
    return white, blue, green, red, black


def fewer(some: Tokens, others: Tokens) -> Tokens:
    """Return of each colour the smaller count of the two."""
    return _tokens(map(min, some, others))


def plus(some: Tokens, more: Tokens) -> Tokens:
    """Return the tokens of both."""
    white, blue, green, red, black, gold = some
    w, u, g, r, k, o = more
    return white + w, blue + u, green + g, red + r, black + k, gold + o


def minus(some: Tokens, less: Tokens) -> Tokens:
    """Return `some` without `less`; a count may come out negative."""
    white, blue, green, red, black, gold = some
    w, u, g, r, k, o = less
    return white - w, blue - u, green - g, red - r, black - k, gold - o


def with_one_more(gems: Gems, color: Color) -> Gems:
    """Return `gems` and one more of `color`."""
    white, blue, green, red, black = (count + (place == color) for place, count in enumerate(gems))
    return white, blue, green, red, black


def with_gold(gems: Gems, gold: int) -> Tokens:
    """Return the gems and so much gold as tokens."""
    white, blue, green, red, black = gems
    return white, blue, green, red, black, gold


def token_map(tokens: Tokens) -> dict[str, int]:
    """Return the counts by colour word, all six of them."""
    return dict(zip(COLOR_WORDS, tokens, strict=True))


def gem_map(gems: Gems) -> dict[str, int]:
    """Return the counts by gem colour word, all five of them."""
    return dict(zip(GEM_WORDS, gems, strict=True))


def subsets(tokens: Tokens, size: int) -> Iterable[Tokens]:
    """Yield every way to pick `size` tokens out of `tokens`, most of the first colours first."""
    return map(_tokens, _picks(tokens, size))


def _picks(counts: tuple[int, ...], size: int) -> Iterable[tuple[int, ...]]:
    if not counts:
        return
    first, rest = counts[0], counts[1:]
    if not rest:
        if size <= first:
            yield (size,)
        return
    for taken in range(min(first, size), -1, -1):
        for others in _picks(rest, size - taken):
            yield (taken, *others)


def _tokens(counts: Iterable[int]) -> Tokens:
    white, blue, green, red, black, gold = counts
    return white, blue, green, red, black, gold
