"""The documentation: its pages, and the blocks of code on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = tuple(
    path.relative_to(ROOT).as_posix()
    for folder in (ROOT, ROOT / "docs", ROOT / "examples", ROOT / "conformance")
    for path in sorted(folder.glob("*.md"))
)

RUN: Final = ("sh", "python", "javascript")
"""Languages that are run; a block of another that follows one of them is what it prints."""
PRINTED: Final = ("json", "text")
ELSEWHERE: Final = ("ebnf", "html", "js")
"""Languages of which other tests see to it that what is shown is so."""

_BLOCK: Final = re.compile(
    r"(?:^<!-- not run: (?P<reason>[^\n]+) -->\n\n?)?"
    r"^```(?P<language>[a-z]*)\n(?P<code>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_FENCE: Final = re.compile(r"^```", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A block of code, the line it begins at, and why it is not run, if it is not."""

    language: str
    code: str
    line: int
    reason: str | None

    @property
    def is_make(self) -> bool:
        """Whether every line calls make, which a test does not do: it would call the tests."""
        return self.language == "sh" and all(
            re.search(r"(^|\s)make\b", line) for line in self.code.splitlines()
        )

    @property
    def is_run(self) -> bool:
        """Whether the tests run it."""
        return self.language in RUN and self.reason is None and not self.is_make


def read(page: str) -> str:
    """Return the text of a page."""
    return (ROOT / page).read_text("utf-8")


def blocks(page: str) -> tuple[Block, ...]:
    """Return the blocks of a page; raise `ValueError` if a fence is left open or indented."""
    text = read(page)
    found = tuple(_blocks(text))
    if len(_FENCE.findall(text)) != 2 * len(found):
        raise ValueError(f"{page} has a fence without its other half")
    return found


def prose(page: str) -> str:
    """Return a page without its blocks of code."""
    return _BLOCK.sub("", read(page))


def _blocks(text: str) -> Iterator[Block]:
    for match in _BLOCK.finditer(text):
        line = text.count("\n", 0, match.start("language")) + 1
        yield Block(match["language"], match["code"], line, match["reason"])
