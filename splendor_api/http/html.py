"""The frame of every page to read: markup, and the policy that allows its styles and nothing else.

Pages work without a script, and look as the site does, whose styles they wear. All text is escaped
on its way in (`text`), whoever it comes from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

MEDIA_TYPE: Final = "text/html; charset=utf-8"

POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy of a page: styles and a sign of this service, nothing else."""

_WEARS: Final = """<link rel="icon" href="/site/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/site/base.css">
<link rel="stylesheet" href="/site/text.css">
"""
_TOP: Final = """<header class="top">
<a class="brand" href="/"><img src="/site/icon.svg" alt=""><span>splendor-api</span></a>
<nav aria-label="Pages">
<a href="/play">Play</a>
<a href="/docs">Documentation</a>
<a href="/problems">Problems</a>
</nav>
</header>
"""

_CODE: Final = re.compile(r"`([^`]+)`")


def text(value: object) -> str:
    """Return `value` as markup that shows exactly its text."""
    return escape(str(value))


def prose(value: str) -> str:
    """Return a sentence as markup; what stands in backquotes is set as code."""
    return _CODE.sub(r"<code>\1</code>", escape(value))


def link(url: str, words: str) -> str:
    """Return a link; `url` is one of ours. A long name may be broken after each underscore."""
    return f'<a href="{escape(url)}">{escape(words).replace("_", "_<wbr>")}</a>'


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of cells that are markup already."""
    titles = "".join(f'<th scope="col">{escape(title)}</th>' for title in head)
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{lines}</tbody></table>"


def page(title: str, *parts: str) -> str:
    """Return a whole page; `parts` are markup already."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n{_WEARS}</head>\n<body>\n{_TOP}"
        f'<main class="text">\n<h1>{escape(title)}</h1>\n'
        + "\n".join(parts)
        + "\n</main>\n</body>\n</html>\n"
    )
