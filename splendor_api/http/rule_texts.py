"""The numbered rules of a game, read from the text that people read.

A rule is an item of a list under a heading, in the Markdown file of its game:

    - **S24** The three tokens are of three different colours. [source: tokens]

The text up to the bracket is the rule, the bracket says where it comes from. Prose between the
headings explains and is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

_HEADING: Final = re.compile(r"^## +(?P<section>.+)$", re.MULTILINE)
_RULE: Final = re.compile(
    r"^- \*\*(?P<number>[A-Z][0-9]+)\*\* (?P<text>.*?)\[(?P<origin>[^\]]*)\]$",
    re.MULTILINE | re.DOTALL,
)
_NUMBER: Final = re.compile(r"^- \*\*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Rule:
    """One numbered rule; words in code font stand between backquotes in `text`."""

    number: str
    section: str
    text: str
    origin: str


@cache
def of_game(name: str) -> tuple[Rule, ...]:
    """Return the rules of a game, in their order; none if the game has no text of them."""
    path = files("splendor_api.games") / name / "data" / "rules.md"
    return tuple(read(path.read_text("utf-8"))) if path.is_file() else ()


def read(source: str) -> Iterator[Rule]:
    """Yield the rules in `source`; raise `ValueError` if one of them is not written as above."""
    _, *parts = _HEADING.split(source)
    for section, text in zip(parts[::2], parts[1::2], strict=True):
        found = list(_RULE.finditer(text))
        if len(found) != len(_NUMBER.findall(text)):
            raise ValueError(f"a rule under {section!r} does not end in its origin")
        for match in found:
            yield Rule(match["number"], section, _line(match["text"]), _line(match["origin"]))


def _line(text: str) -> str:
    return " ".join(text.split())
