"""What SET looks like: its 81 cards, and a card face down, as symbols.

The letter of its colour stands in two corners of a card, so that nobody needs to tell colours
apart, and the colours differ in lightness too. Stripes are cut to their shape here: a clip or a
pattern is referred to by address, which does not survive everywhere a symbol is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Final, NamedTuple

from splendor_api.games.drawing import Markup, Symbol, box, group, moved, path, use, words
from splendor_api.games.set.components import CARDS, Card

CARD_WIDTH: Final = 140
CARD_HEIGHT: Final = 90
BACK: Final = "back"

COLORS: Final[Mapping[str, str]] = MappingProxyType(
    {"red": "#cf2a2f", "green": "#1fa35d", "purple": "#4f2a93"}
)
COLOR_LETTERS: Final[Mapping[str, str]] = MappingProxyType(
    {"red": "R", "green": "G", "purple": "P"}
)

_WIDTH: Final = 28  # of a shape
_HEIGHT: Final = 62
_MARGIN: Final = 2  # around a shape, for the width of its line
_APART: Final = 35  # from a shape to the next
_STRIPE: Final = 4.2  # from a stripe to the next


class Curve(NamedTuple):
    """A cubic curve: where it begins, what bends it, where it ends."""

    start: tuple[float, float]
    first: tuple[float, float]
    second: tuple[float, float]
    end: tuple[float, float]

    def at(self, share: float) -> tuple[float, float]:
        """Return the point after a share of the way, from 0 to 1."""
        rest = 1 - share
        a, b, c, d = rest**3, 3 * rest * rest * share, 3 * rest * share * share, share**3
        return (
            a * self.start[0] + b * self.first[0] + c * self.second[0] + d * self.end[0],
            a * self.start[1] + b * self.first[1] + c * self.second[1] + d * self.end[1],
        )


def _straight(start: tuple[float, float], end: tuple[float, float]) -> Curve:
    return Curve(start, start, end, end)


def _turned(curve: Curve) -> Curve:
    """Return the curve after half a turn of its shape around the middle."""
    return Curve(*((_WIDTH - x, _HEIGHT - y) for x, y in curve))


_HALF_SQUIGGLE: Final = (
    Curve((3.5, 51), (-5, 36), (12.5, 28), (4, 15)),
    Curve((4, 15), (-1, 5), (7, -0.5), (14, 1.5)),
    Curve((14, 1.5), (19, 3), (22, 6.5), (24.5, 11)),
)

SHAPES: Final[Mapping[str, tuple[Curve, ...]]] = MappingProxyType(
    {
        "diamond": (
            _straight((14, 1), (27, 31)),
            _straight((27, 31), (14, 61)),
            _straight((14, 61), (1, 31)),
            _straight((1, 31), (14, 1)),
        ),
        "oval": (
            Curve((1, 14), (1, -3.3), (27, -3.3), (27, 14)),
            _straight((27, 14), (27, 48)),
            Curve((27, 48), (27, 65.3), (1, 65.3), (1, 48)),
            _straight((1, 48), (1, 14)),
        ),
        "squiggle": (*_HALF_SQUIGGLE, *map(_turned, _HALF_SQUIGGLE)),
    }
)
"""The outline of each shape, closed, clockwise."""


def card(number: int) -> str:
    """Return the name of the symbol of a card."""
    return f"card-{number}"


def _outline(curves: tuple[Curve, ...]) -> str:
    first = curves[0].start
    bends = ("C" + " ".join(f"{x:.5g} {y:.5g}" for x, y in curve[1:]) for curve in curves)
    return f"M{first[0]:g} {first[1]:g}{''.join(bends)}Z"


def _stripes(curves: tuple[Curve, ...]) -> str:
    """Return lines across a shape, each as long as the shape is wide there."""
    points = [curve.at(step / 24) for curve in curves for step in range(24)]
    edges = list(pairwise([*points, points[0]]))
    lines = []
    for number in range(1, int(_HEIGHT / _STRIPE) + 1):
        y = number * _STRIPE
        crossed = sorted(
            a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
            for a, b in edges
            if (a[1] < y) != (b[1] < y)
        )
        lines += [
            f"M{left:.4g} {y:.4g}H{right:.4g}"
            for left, right in zip(crossed[::2], crossed[1::2], strict=True)
        ]
    return "".join(lines)


_OUTLINES: Final = {shape: _outline(curves) for shape, curves in SHAPES.items()}
_STRIPES: Final = {shape: _stripes(curves) for shape, curves in SHAPES.items()}


def figure(face: Card) -> str:
    """Return the name of the symbol of one of the shapes on a card."""
    return f"{face.color}-{face.shading}-{face.shape}"


def _figure(face: Card) -> Symbol:
    color, outline = COLORS[face.color], _OUTLINES[face.shape]
    drawn = [path(outline, fill="none", stroke=color, stroke_width=2.8, stroke_linejoin="round")]
    if face.shading == "solid":
        drawn.insert(0, path(outline, fill=color))
    elif face.shading == "striped":
        drawn.insert(0, path(_STRIPES[face.shape], stroke=color, stroke_width=1.5))
    margin = group(*drawn, transform=f"translate({_MARGIN} {_MARGIN})")
    return Symbol(figure(face), _WIDTH + 2 * _MARGIN, _HEIGHT + 2 * _MARGIN, margin)


def _figures(face: Card) -> Iterator[Markup]:
    symbol = _FIGURES[figure(face)]
    left = (CARD_WIDTH - symbol.width - _APART * (face.number - 1)) / 2
    for place in range(face.number):
        yield use(symbol, left + _APART * place, (CARD_HEIGHT - symbol.height) / 2, symbol.width)


_FIGURES: Final = {symbol.name: symbol for symbol in map(_figure, CARDS.values())}


def _corner(face: Card) -> Markup:
    letter, color = COLOR_LETTERS[face.color], COLORS[face.color]
    return words(6.5, 15.5, letter, 11, font_weight=800, fill=color)


def _card(face: Card) -> Symbol:
    corner = _corner(face)
    return Symbol(
        card(face.id),
        CARD_WIDTH,
        CARD_HEIGHT,
        group(
            box(
                0.75,
                0.75,
                138.5,
                88.5,
                rx=9,
                fill="#fffdf8",
                stroke="#2a2230",
                stroke_opacity=0.45,
                stroke_width=1.5,
            ),
            *_figures(face),
            corner,
            group(corner, transform=f"rotate(180 {CARD_WIDTH / 2:g} {CARD_HEIGHT / 2:g})"),
        ),
        (figure(face),),
    )


def _back() -> Symbol:
    tones = zip(SHAPES, COLORS.values(), strict=True)
    return Symbol(
        BACK,
        CARD_WIDTH,
        CARD_HEIGHT,
        group(
            box(
                0.75,
                0.75,
                138.5,
                88.5,
                rx=9,
                fill="#3b3350",
                stroke="#000",
                stroke_opacity=0.45,
                stroke_width=1.5,
            ),
            box(
                7,
                7,
                126,
                76,
                rx=5,
                fill="none",
                stroke="#fffdf8",
                stroke_opacity=0.7,
                stroke_width=1.5,
            ),
            *(
                moved(
                    20 + _APART * place,
                    14,
                    path(_OUTLINES[shape], fill=color, stroke="#fffdf8", stroke_width=1.5),
                )
                for place, (shape, color) in enumerate(tones)
            ),
        ),
    )


SYMBOLS: Final[Mapping[str, Symbol]] = MappingProxyType(
    {symbol.name: symbol for symbol in (_back(), *_FIGURES.values(), *map(_card, CARDS.values()))}
)
