"""The frame of every page: markup, style, and the policy that allows this style and nothing else.

Pages work without a script. All text is escaped on its way in (`text`), whoever it comes from.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from html import escape
from typing import Final

MEDIA_TYPE: Final = "text/html; charset=utf-8"

STYLE: Final = """
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem; font: 1rem/1.6 system-ui, sans-serif; }
h1, h2 { line-height: 1.2; }
h2 { margin-top: 2.5rem; }
a { color: LinkText; }
nav a { margin-right: 1rem; }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
dt { font-weight: bold; margin-top: 1rem; }
dd { margin-left: 0; }
dt:target, :target + dd { background: Mark; color: MarkText; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; }
tr { border-bottom: 1px solid GrayText; }
small { opacity: .8; }
"""

POLICY: Final = (
    "default-src 'none'; "
    f"style-src 'sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy of a page: its own style, known by its hash."""

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
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<nav>{link('/', 'Service')}{link('/problems', 'Problems')}</nav>\n"
        f"<main>\n<h1>{escape(title)}</h1>\n" + "\n".join(parts) + "\n</main>\n</body>\n</html>\n"
    )
