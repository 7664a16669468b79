"""Tokens: six colours, and counts of each (S3)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final

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

# What can be written down; what there can be, the audit says, and what may be done, the rules.
MOST_TOKENS: Final = 100  # of a colour in one place
MOST_COLORS: Final = 5  # that an action may name


# What is drawn and returned in a turn are up to three tokens: few different ones.
@lru_cache(maxsize=1024)
def tokens_of(colors: tuple[Color, ...]) -> Tokens:
    """Return one token for each time that a colour is named."""
    return _tokens(colors.count(color) for color in Color)


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


def beyond(gems: Gems, others: Gems) -> Gems:
    """Return of each colour what `gems` has more than `others`; not below 0."""
    white, blue, green, red, black = gems
    w, u, g, r, k = others
    return (
        white - w if white > w else 0,
        blue - u if blue > u else 0,
        green - g if green > g else 0,
        red - r if red > r else 0,
        black - k if black > k else 0,
    )


_ONE_MORE: Final[tuple[Gems, ...]] = (
    (1, 0, 0, 0, 0), (0, 1, 0, 0, 0), (0, 0, 1, 0, 0), (0, 0, 0, 1, 0), (0, 0, 0, 0, 1),
)  # fmt: skip


def with_one_more(gems: Gems, color: Color) -> Gems:
    """Return `gems` and one more of `color`."""
    white, blue, green, red, black = gems
    w, u, g, r, k = _ONE_MORE[color]
    return white + w, blue + u, green + g, red + r, black + k


def gems_in(tokens: Tokens) -> Gems:
    """Return the counts without gold."""
    white, blue, green, red, black, _ = tokens
    return white, blue, green, red, black


def with_gold(gems: Gems, gold: int) -> Tokens:
    """Return the gems and so much gold as tokens."""
    white, blue, green, red, black = gems
    return white, blue, green, red, black, gold


def token_map(tokens: Tokens) -> dict[str, int]:
    """Return the counts by colour word, all six of them."""
    white, blue, green, red, black, gold = tokens
    return {
        "white": white, "blue": blue, "green": green, "red": red, "black": black, "gold": gold,
    }  # fmt: skip


def gem_map(gems: Gems) -> dict[str, int]:
    """Return the counts by gem colour word, all five of them."""
    return dict(zip(GEM_WORDS, gems, strict=True))


def subsets(tokens: Tokens, size: int) -> list[Tokens]:
    """Return every way to pick `size` tokens out of `tokens`, most of the first colours first."""
    white, blue, green, red, black, gold = tokens
    return [
        pick
        for pick in picks(size)
        if pick[0] <= white
        and pick[1] <= blue
        and pick[2] <= green
        and pick[3] <= red
        and pick[4] <= black
        and pick[5] <= gold
    ]


@lru_cache(maxsize=16)
def picks(size: int) -> tuple[Tokens, ...]:
    """Return every way to pick `size` tokens of any colours, most of the first colours first."""
    return tuple(map(tokens_of, combinations_with_replacement(Color, size)))


def _tokens(counts: Iterable[int]) -> Tokens:
    white, blue, green, red, black, gold = counts
    return white, blue, green, red, black, gold
