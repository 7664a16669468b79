"""What Splendor looks like: gems, tokens, development cards, backs and noble tiles as symbols.

Each colour has a shape and a letter of its own, so that nobody needs to tell colours apart. Fills
are flat: a gradient is referred to by address, which does not survive everywhere a symbol is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from splendor_api.games.drawing import Markup, Symbol, box, element, group, moved, path, words
from splendor_api.games.splendor.components import (
    CARDS,
    COLOR_LETTERS,
    LEVELS,
    NOBLES,
    Card,
    Noble,
)
from splendor_api.games.splendor.tokens import GEMS, Color, Gems

CARD_WIDTH: Final = 100
CARD_HEIGHT: Final = 140
TILE: Final = 100


class Palette(NamedTuple):
    """The tones of a colour; `ink` is legible upon `base`, `ground` lies behind a card."""

    base: str
    light: str
    dark: str
    edge: str
    ink: str
    ground: str


PALETTES: Final[Mapping[Color, Palette]] = MappingProxyType(
    {
        Color.WHITE: Palette("#e6ecf2", "#ffffff", "#9fb0c0", "#8296a8", "#33414f", "#a9b8c6"),
        Color.BLUE: Palette("#2c6bd1", "#6ba2f2", "#173f88", "#173f88", "#ffffff", "#27508f"),
        Color.GREEN: Palette("#25935a", "#5cc48c", "#125a34", "#125a34", "#ffffff", "#1f6b45"),
        Color.RED: Palette("#cf343b", "#f0787a", "#861a22", "#861a22", "#ffffff", "#98323a"),
        Color.BLACK: Palette("#413b48", "#8d849a", "#1c1921", "#a79db4", "#ffffff", "#4a4350"),
        Color.GOLD: Palette("#e2b13a", "#f8de8b", "#94690f", "#94690f", "#4a3300", "#b98a22"),
    }
)

_LEVEL_TONES: Final = {
    1: ("#2f6b4f", "#1f4a36"),
    2: ("#b5812b", "#7d5717"),
    3: ("#2f5d96", "#1d3c66"),
}
_PAPER: Final = "#f3e9d2"
_BROWN: Final = "#5b4630"

_OUTLINES: Final[Mapping[Color, str]] = {
    Color.WHITE: "M8 5H24L30 12L16 29L2 12Z",
    Color.BLUE: "M16 2C20 8 26 13 26 20A10 10 0 0 1 6 20C6 13 12 8 16 2Z",
    Color.GREEN: "M10 2H22L26 6V26L22 30H10L6 26V6Z",
    Color.RED: "M16 3L30 27H2Z",
    Color.BLACK: "M16 3A13 13 0 0 1 16 29A13 13 0 0 1 16 3Z",
    Color.GOLD: "M16 1.5L20.4 11L30.5 12.2L23 19.2L25 29.5L16 24.4L7 29.5L9 19.2L1.5 12.2L11.6 11Z",
}
"""The shape of each colour, 32 units square: brilliant, drop, step cut, triangle, round, star."""

_FACETS: Final[Mapping[Color, tuple[tuple[str, str], ...]]] = {
    Color.WHITE: (
        ("light", "M8 5H24L21 12H11Z"),
        ("dark", "M2 12H11L16 29Z"),
        ("dark", "M30 12H21L16 29Z"),
        ("light", "M8 5L11 12H2Z"),
    ),
    Color.BLUE: (
        ("light", "M16 2C12 8 6 13 6 20A10 10 0 0 0 9 27Z"),
        ("dark", "M26 20A10 10 0 0 1 9 27L16 24L22 20Z"),
    ),
    Color.GREEN: (
        ("light", "M10 2H22L19 7H13L11 9L6 6Z"),
        ("light", "M6 6L11 9V23L6 26Z"),
        ("dark", "M26 6L21 9V23L26 26Z"),
        ("dark", "M10 30H22L26 26L21 23L19 25H13L11 23L6 26Z"),
    ),
    Color.RED: (
        ("light", "M16 3L2 27L11 22L16 12Z"),
        ("dark", "M30 27H2L11 22H21Z"),
    ),
    Color.BLACK: (
        ("light", "M5.5 12A12 12 0 0 1 20 4A11 11 0 0 0 5.5 12Z"),
        ("dark", "M3.4 19A13 13 0 0 0 28.6 19A16 9 0 0 1 3.4 19Z"),
    ),
    Color.GOLD: (
        ("light", "M16 1.5V16L11.6 11Z"),
        ("light", "M1.5 12.2L11.6 11L16 16Z"),
        ("dark", "M30.5 12.2L23 19.2L16 16Z"),
        ("dark", "M25 29.5L16 24.4V16Z"),
        ("light", "M7 29.5L9 19.2L16 16Z"),
    ),
}


def gem(color: Color) -> str:
    """Return the name of the symbol of a gem, 32 units square."""
    return f"gem-{color.word}"


def token(color: Color) -> str:
    """Return the name of the symbol of a token, 48 units square."""
    return f"token-{color.word}"


def card(number: int) -> str:
    """Return the name of the symbol of a development card."""
    return f"card-{number}"


def back(level: int) -> str:
    """Return the name of the symbol of a card of a level, face down."""
    return f"back-{level}"


def noble(number: int) -> str:
    """Return the name of the symbol of a noble tile."""
    return f"noble-{number}"


def _gem(color: Color) -> Symbol:
    palette = PALETTES[color]
    facets = (
        path(commands, fill=palette.light if tone == "light" else palette.dark, opacity=0.55)
        for tone, commands in _FACETS[color]
    )
    edge = palette.edge
    outline = path(
        _OUTLINES[color], fill="none", stroke=edge, stroke_width=1.4, stroke_linejoin="round"
    )
    return Symbol(
        gem(color), 32, 32, group(path(_OUTLINES[color], fill=palette.base), *facets, outline)
    )


_LETTER_PLACES: Final = {
    Color.WHITE: 18.5,
    Color.BLUE: 25,
    Color.GREEN: 21,
    Color.RED: 24.5,
    Color.BLACK: 21,
    Color.GOLD: 21.5,
}


def _letter(color: Color) -> Markup:
    return words(
        16,
        _LETTER_PLACES[color],
        COLOR_LETTERS[color.word].upper(),
        12,
        font_weight=800,
        text_anchor="middle",
        fill=PALETTES[color].ink,
    )


def _used(name: str, x: float, y: float, size: float) -> Markup:
    return element("use", href=f"#{name}", x=x, y=y, width=size, height=size)


def _token(color: Color) -> Symbol:
    palette = PALETTES[color]
    return Symbol(
        token(color),
        48,
        48,
        group(
            element("circle", cx=24, cy=25, r=22.5, fill="#000", opacity=0.25),
            element("circle", cx=24, cy=24, r=22.5, fill=palette.dark),
            element("circle", cx=24, cy=24, r=21, fill=palette.ground),
            element(
                "circle",
                cx=24,
                cy=24,
                r=19,
                fill="none",
                stroke=palette.light,
                stroke_width=2.2,
                stroke_dasharray="7 4.94",
                opacity=0.8,
            ),
            element("circle", cx=24, cy=24, r=16, fill=palette.dark, opacity=0.35),
            moved(8, 8, _used(gem(color), 1, 1, 30), _letter(color)),
        ),
        (gem(color),),
    )


_FOOT: Final = "V132A8 8 0 0 1 92 140H8A8 8 0 0 1 0 132Z"
"""Closes what fills a card from its right edge down to its rounded foot."""


def _scenery(level: int) -> Markup:
    """Return what stands behind a card of a level: hills, sails, or a town of arches."""
    match level:
        case 1:
            return group(
                _lit(element("circle", cx=72, cy=54, r=13), 0.28),
                _shaded(path(f"M0 94L24 60L42 84L62 52L100 98{_FOOT}"), 0.2),
                _lit(path("M24 60L31 69L24 73L17 70ZM62 52L71 62L63 68L54 65Z"), 0.4),
                _shaded(path(f"M0 108C24 88 42 112 64 100S92 94 100 100{_FOOT}"), 0.22),
                _shaded(path(f"M0 124C30 110 58 128 100 114{_FOOT}"), 0.25),
            )
        case 2:
            return group(
                _lit(path("M56 42V108H26C32 86 46 66 56 42Z"), 0.34),
                _lit(path("M60 52C78 66 84 88 84 106H60Z"), 0.22),
                _shaded(path("M57 38H59V114H57Z"), 0.5),
                _shaded(path("M20 112H90L80 126H32Z"), 0.45),
                _shaded(path(f"M0 122Q12 114 25 122T50 122T75 122T100 122{_FOOT}"), 0.24),
                _lit(path(f"M0 130Q12 124 25 130T50 130T75 130T100 130{_FOOT}"), 0.24),
            )
        case _:
            return group(
                _shaded(path(f"M0 92H8V72L18 58L28 72V92H100{_FOOT}"), 0.2),
                _lit(path("M50 80A22 22 0 0 1 94 80V92H50Z"), 0.3),
                _lit(path("M71 58V48H73V58ZM72 42L77 48L72 52L67 48Z"), 0.55),
                _lit(path("M44 88H100V96H44Z"), 0.22),
                _lit(path("M0 100H100V103H0Z"), 0.2),
                _shaded(
                    path("M6 136V116A8 8 0 0 1 22 116V136ZM29 136V116A8 8 0 0 1 45 116V136Z"), 0.4
                ),
                _shaded(
                    path("M54 136V112A7 7 0 0 1 68 112V136ZM77 136V112A7 7 0 0 1 91 112V136Z"), 0.4
                ),
            )


def _lit(drawn: Markup, by: float) -> Markup:
    return group(drawn, fill="#fff", opacity=by)


def _shaded(drawn: Markup, by: float) -> Markup:
    return group(drawn, fill="#000", opacity=by)


def _scene(level: int) -> Symbol:
    return Symbol(f"scene-{level}", CARD_WIDTH, CARD_HEIGHT, _scenery(level))


def _pips(counts: Gems, x: float, bottom: float, step: float) -> Iterator[Markup]:
    """Yield a number and a gem for each colour that is asked for, the last at the bottom."""
    asked = [(color, counts[color]) for color in GEMS if counts[color]]
    for place, (color, count) in enumerate(reversed(asked)):
        top = bottom - step * (place + 1)
        yield moved(
            x,
            top,
            box(0, 0.5, 47, 22, rx=11, fill="#17131c", opacity=0.78),
            _used(gem(color), 2.5, 2, 19),
            words(24.5, 17.6, str(count), 17, font_weight=700, fill="#fff"),
            words(
                39,
                16.6,
                COLOR_LETTERS[color.word].upper(),
                9,
                font_weight=700,
                fill="#fff",
                opacity=0.8,
                text_anchor="middle",
            ),
        )


def _parts(counts: Gems) -> tuple[str, ...]:
    return tuple(gem(color) for color in GEMS if counts[color])


def _card(face: Card) -> Symbol:
    palette = PALETTES[face.bonus]
    prestige = (
        words(10, 28.5, str(face.points), 28, font_weight=800, fill="#2a2230")
        if face.points
        else ""
    )
    return Symbol(
        card(face.id),
        CARD_WIDTH,
        CARD_HEIGHT,
        group(
            box(0.5, 0.5, 99, 139, rx=8, fill=palette.ground),
            element("use", href=f"#scene-{face.level}", width=CARD_WIDTH, height=CARD_HEIGHT),
            path(
                "M0.5 36V8.5A8 8 0 0 1 8.5 0.5H91.5A8 8 0 0 1 99.5 8.5V36Z",
                fill="#fff",
                opacity=0.82,
            ),
            Markup(prestige),
            moved(
                66,
                2.5,
                _used(gem(face.bonus), 0, 0, 31),
                group(_letter(face.bonus), transform="scale(.97)"),
            ),
            *_pips(face.cost, 5, 136, 24),
            *_dots(face.level, 93, 131),
            box(
                0.75,
                0.75,
                98.5,
                138.5,
                rx=8,
                fill="none",
                stroke="#000",
                stroke_opacity=0.45,
                stroke_width=1.5,
            ),
        ),
        (gem(face.bonus), f"scene-{face.level}", *_parts(face.cost)),
    )


def _dots(level: int, right: float, y: float) -> Iterator[Markup]:
    """Yield as many dots as the level is high."""
    for place in range(level):
        yield element(
            "circle", cx=right - 9 * place, cy=y, r=3, fill="#fff", stroke="#000", stroke_width=0.8
        )


def _back(level: int) -> Symbol:
    base, dark = _LEVEL_TONES[level]
    return Symbol(
        back(level),
        CARD_WIDTH,
        CARD_HEIGHT,
        group(
            box(0.5, 0.5, 99, 139, rx=8, fill=base),
            element(
                "use", href=f"#scene-{level}", width=CARD_WIDTH, height=CARD_HEIGHT, opacity=0.55
            ),
            box(
                7,
                7,
                86,
                126,
                rx=5,
                fill="none",
                stroke="#f3e9d2",
                stroke_opacity=0.7,
                stroke_width=1.5,
            ),
            path("M50 44L70 70L50 96L30 70Z", fill=dark, stroke="#f3e9d2", stroke_width=2),
            *(
                element(
                    "circle", cx=50 + 9 * (2 * place - level + 1) / 2, cy=70, r=3.4, fill="#f3e9d2"
                )
                for place in range(level)
            ),
            box(
                0.75,
                0.75,
                98.5,
                138.5,
                rx=8,
                fill="none",
                stroke="#000",
                stroke_opacity=0.45,
                stroke_width=1.5,
            ),
        ),
        (f"scene-{level}",),
    )


_HEADGEAR: Final[Mapping[int, str]] = {
    1: "M14 24C12 8 36 4 42 14L46 20L38 18C30 14 22 18 18 26Z",
    2: "M12 22C8 4 44 4 44 22C36 14 20 14 12 22ZM26 6L30 -2L33 7Z",
    3: "M12 26C10 14 18 8 24 12L28 9L32 12C38 8 46 14 44 26C40 18 34 16 28 20C22 16 16 18 12 26Z",
    4: "M8 18C14 8 42 6 48 16L44 21C34 17 22 17 12 22ZM38 9C44 0 52 4 50 8C46 6 42 8 40 12Z",
    5: "M14 20L12 6L20 13L28 3L36 13L44 6L42 20C34 16 22 16 14 20Z",
    6: "M11 30C8 10 20 6 28 6S48 10 45 30L40 34C42 20 36 14 28 14S14 20 16 34Z",
    7: "M16 18L28 -4L40 18C34 13 22 13 16 18ZM28 -4C40 0 48 14 50 30L44 16Z",
    8: "M10 17C18 6 40 6 48 15C40 20 20 20 10 20ZM14 11C16 3 24 2 28 6C24 6 20 8 18 11Z",
    9: "M14 19V11H42V19C34 15 22 15 14 19ZM26 11V3H24V0H32V3H30V11Z",
    10: "M14 22C16 8 40 8 42 22C34 12 22 12 14 22ZM18 10L22 4L25 9L28 2L31 9L34 4L38 10Z",
}
"""What each noble wears, above a head that is 28 units wide around (28, 28)."""

_SKIN: Final = ("#e9c9a4", "#c99a6b", "#f0d5b8")


def _bust(tile: Noble) -> Markup:
    """Return an abstract portrait: a robe in the colours asked for, a head, what it wears."""
    first, *_, last = (color for color in GEMS if tile.required[color])
    middle = next((c for c in GEMS if tile.required[c] and c not in (first, last)), first)
    robe, trim, hat = (PALETTES[color] for color in (first, last, middle))
    return group(
        path("M-2 84C-2 58 12 50 28 50S58 58 58 84Z", fill=robe.ground),
        path("M28 50C36 50 44 53 49 57L28 84L7 57C12 53 20 50 28 50Z", fill=trim.base),
        path("M22 42H34V52L28 60L22 52Z", fill=_SKIN[tile.id % 3]),
        path("M22 44C26 48 30 48 34 44V48C30 51 26 51 22 48Z", fill="#000", opacity=0.2),
        path("M15 24C15 12 41 12 41 24V30C41 40 34 46 28 46S15 40 15 30Z", fill=_SKIN[tile.id % 3]),
        path("M28 13C36 14 41 18 41 24V30C41 40 34 46 28 46Z", fill="#000", opacity=0.1),
        path(
            _HEADGEAR[tile.id],
            fill=hat.dark if hat is robe else hat.base,
            stroke=_BROWN,
            stroke_width=1,
        ),
        *(element("circle", cx=28, cy=y, r=1.8, fill="#f8de8b") for y in (66, 73, 80)),
    )


def _noble(tile: Noble) -> Symbol:
    counts = [(color, tile.required[color]) for color in GEMS if tile.required[color]]
    return Symbol(
        noble(tile.id),
        TILE,
        TILE,
        group(
            box(0.5, 0.5, 99, 99, rx=8, fill=_PAPER),
            path("M34 99.5V0.5H91.5A8 8 0 0 1 99.5 8.5V91.5A8 8 0 0 1 91.5 99.5Z", fill="#c9b48a"),
            path(
                "M66 16L98 72V92A8 8 0 0 1 90 99H42A8 8 0 0 1 36 92V72Z", fill="#fff", opacity=0.18
            ),
            moved(39, 15, _bust(tile)),
            words(
                17, 29, str(tile.points), 28, font_weight=800, fill="#2a2230", text_anchor="middle"
            ),
            *(
                moved(
                    3,
                    97 - 21 * (len(counts) - place),
                    box(0, 0, 29, 19, rx=4, fill="#17131c", opacity=0.8),
                    _used(gem(color), 1, 1.5, 16),
                    words(
                        22.5,
                        14.5,
                        str(count),
                        14,
                        font_weight=700,
                        fill="#fff",
                        text_anchor="middle",
                    ),
                )
                for place, (color, count) in enumerate(counts)
            ),
            box(0.75, 0.75, 98.5, 98.5, rx=8, fill="none", stroke=_BROWN, stroke_width=1.5),
        ),
        _parts(tile.required),
    )


SYMBOLS: Final[Mapping[str, Symbol]] = MappingProxyType(
    {
        symbol.name: symbol
        for symbol in (
            *map(_gem, Color),
            *map(_token, Color),
            *map(_scene, LEVELS),
            *map(_back, LEVELS),
            *map(_card, CARDS.values()),
            *map(_noble, NOBLES.values()),
        )
    }
)
