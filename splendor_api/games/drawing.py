"""Drawings: SVG as text that is well-formed whatever stands in it, and lines for a terminal.

Markup is made by `element` and `text` alone, which escape what they are given. A drawing refers to
nothing outside itself and has neither script nor style sheet, so that it may be shown anywhere.
What is drawn often is a `Symbol`: a drawing that is defined once and used by its name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from types import MappingProxyType
from typing import Final, Generic, Literal, NamedTuple, NewType, TypeVar

Markup = NewType("Markup", str)
"""SVG elements, or escaped text within one."""

Say = Callable[[str, Mapping[str, object]], str]
"""Takes an English template and its parameters; returns the sentence as the caller speaks."""

Theme = Literal["light", "dark"]

StateT = TypeVar("StateT")

NAMESPACE: Final = "http://www.w3.org/2000/svg"
FONT: Final = "system-ui, 'Segoe UI', 'Noto Sans', 'Noto Sans Arabic', 'DejaVu Sans', sans-serif"

_UNSPEAKABLE: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot have, not even escaped (XML 1.0, 2.2)."""


class Symbol(NamedTuple):
    """A drawing to be used by name, `width` by `height` units large."""

    name: str
    width: int
    height: int
    drawn: Markup
    uses: tuple[str, ...] = ()
    """The symbols that it is made of."""


class View(NamedTuple):
    """For whom something is shown: the language's tag, how that is spoken, the theme."""

    language: str
    say: Say
    theme: Theme = "light"


@dataclass(frozen=True, slots=True)
class Picture(Generic[StateT]):
    """How a game looks. What is shown is an observation, of which everything may be seen.

    A state is shown as it is, whether or not a play can have led to it.
    """

    symbols: Mapping[str, Symbol]
    """What it is drawn with, by name: whoever makes an interface may use it as well."""
    draw: Callable[[StateT, View], str]
    """Returns a whole SVG document."""
    lay_out: Callable[[StateT, View], str]
    """Returns lines for a terminal, none wider than `COLUMNS`."""
    sayings: tuple[str, ...]
    """The template of every sentence that is said with it."""


class Tones(NamedTuple):
    """The colours of what lies around the things on a table."""

    ground: str
    panel: str
    edge: str
    ink: str
    faint: str
    accent: str


TONES: Final[Mapping[Theme, Tones]] = MappingProxyType(
    {
        "light": Tones("#e7e1d3", "#f7f3ea", "#cbbfa6", "#2a2230", "#6a5f6e", "#8a4b12"),
        "dark": Tones("#1d2622", "#2a3630", "#43544b", "#f1ece0", "#aebbb2", "#f0c36a"),
    }
)

COLUMNS: Final = 80  # of a terminal


def text(words: str) -> Markup:
    """Return `words` as markup that shows exactly them."""
    return Markup(escape(_UNSPEAKABLE.sub("\N{REPLACEMENT CHARACTER}", words)))


def number(value: float) -> str:
    """Return a length, short: two digits after the point at most."""
    return str(value) if isinstance(value, int) else f"{value:.2f}".rstrip("0").rstrip(".")


def element(name: str, *children: Markup, **attributes: str | float) -> Markup:
    """Return an element; an attribute's name has `_` where SVG has `-`, and one at its end goes."""
    opening = "".join(
        [f' {_attribute(key)}="{_value(value)}"' for key, value in attributes.items()]
    )
    if not children:
        return Markup(f"<{name}{opening}/>")
    return Markup(f"<{name}{opening}>{''.join(children)}</{name}>")


def group(*children: Markup, **attributes: str | float) -> Markup:
    """Return elements that share attributes."""
    return element("g", *children, **attributes)


def moved(x: float, y: float, *children: Markup) -> Markup:
    """Return elements as drawn from another origin."""
    return element("g", *children, transform=f"translate({number(x)} {number(y)})")


def box(x: float, y: float, width: float, height: float, **attributes: str | float) -> Markup:
    """Return a rectangle."""
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def path(commands: str, **attributes: str | float) -> Markup:
    """Return a path."""
    return element("path", d=commands, **attributes)


def words(x: float, y: float, said: str, size: float, **attributes: str | float) -> Markup:
    """Return a line of text whose baseline begins at a point."""
    return element("text", text(said), x=x, y=y, font_size=size, **attributes)


def heading(x: float, y: float, said: str, width: float, tones: Tones) -> Markup:
    """Return a line of large text, smaller if it is too long for the width."""
    size = max(8.0, min(22.0, width / (0.56 * max(1, len(said)))))
    return words(x, y, said, size, font_weight=600, fill=tones.ink, unicode_bidi="plaintext")


def use(symbol: Symbol, x: float, y: float, width: float) -> Markup:
    """Return a symbol, drawn so wide."""
    height = width * symbol.height / symbol.width
    return element("use", href=f"#{symbol.name}", x=x, y=y, width=width, height=height)


def defined(symbols: Iterable[Symbol]) -> Markup:
    """Return the definitions of symbols."""
    return Markup("".join(map(_definition, symbols)))


def sprite(symbols: Iterable[Symbol]) -> str:
    """Return a document that draws nothing by itself and defines symbols for others to use."""
    return element("svg", defined(symbols), xmlns=NAMESPACE, font_family=FONT)


def with_parts(names: Iterable[str], symbols: Mapping[str, Symbol]) -> list[Symbol]:
    """Return the symbols of these names and those that they are made of, each once, sorted."""
    found: dict[str, Symbol] = {}
    left = list(names)
    while left:
        name = left.pop()
        if name not in found:
            found[name] = symbols[name]
            left += symbols[name].uses
    return [found[name] for name in sorted(found)]


def document(
    width: int,
    height: int,
    language: str,
    title: str,
    description: Sequence[str],
    *children: Markup,
) -> str:
    """Return a whole picture with its text alternative: a name, and a sentence a line."""
    return element(
        "svg",
        element("title", text(title), id="picture-title"),
        element("desc", text("\n".join(description)), id="picture-desc"),
        *children,
        xmlns=NAMESPACE,
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        lang=language,
        role="img",
        aria_labelledby="picture-title picture-desc",
        font_family=FONT,
    )


def columns_of(said: str) -> int:
    """Return how many columns a line takes in a terminal."""
    return sum(
        2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in said
        if unicodedata.category(character) not in ("Mn", "Me", "Cf")
    )


def padded(said: str, columns: int) -> str:
    """Return a line with spaces up to so many columns."""
    return said + " " * (columns - columns_of(said))


def wrapped(pieces: Iterable[str], margin: int, first: str = "") -> Iterator[str]:
    """Yield lines of pieces, as many in each as fit; all but the `first` begin with a margin."""
    line, is_empty = padded(first, margin), True
    for piece in pieces:
        if not is_empty and columns_of(line) + 1 + columns_of(piece) > COLUMNS:
            yield line
            line, is_empty = " " * margin, True
        line += piece if is_empty else f" {piece}"
        is_empty = False
    yield line.rstrip()


def filled(said: str) -> list[str]:
    """Return a text as lines of a terminal."""
    return list(wrapped(said.split(), 0))


@lru_cache(maxsize=512)
def _definition(symbol: Symbol) -> Markup:
    view_box = f"0 0 {symbol.width} {symbol.height}"
    return element("symbol", symbol.drawn, id=symbol.name, viewBox=view_box)


@cache
def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _value(value: str | float) -> str:
    return text(value) if isinstance(value, str) else number(value)
