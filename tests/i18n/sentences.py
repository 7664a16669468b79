"""Every sentence and word that the service may say, found where each is written."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import splendor_api
from splendor_api.games.registry import GAMES
from splendor_api.http import site
from splendor_api.http.problems import PROBLEMS
from splendor_api.wire.faults import FAULT_CODES

FOLDER = Path(splendor_api.__file__).parent

PLACES = {
    "Denial": 1,
    "Malformed": 0,
    "Unreadable": 0,
    "document": 0,
    "sentence": 0,
    "unauthorized": 0,
    "_refuse": 2,
}
"""What takes a sentence, by name, and which of its arguments that is."""

ROOMS = ("http", "sessions", "wire/json_text.py")
"""Where details of problems are written; what is answered before a header is read is English."""

WORDS = (
    *("white", "blue", "green", "red", "black", "gold", "purple"),
    *("diamond", "oval", "squiggle", "solid", "striped", "outlined"),
    *("main", "return_tokens", "choose_noble", "reveal", "over", "open", "called"),
    *("object", "list", "text", "integer", "number", "boolean", "null", "other", "unicode_text"),
    *("true", "false", "none", "and", "or", "{count} more", ", ", ","),
)
"""Words that are put into sentences: colours, figures, phases, types, what holds lists together."""


def sentences() -> set[str]:
    """Return the English of every sentence."""
    said = {*_of_games(), *_of_problems(), *site.words().values()}
    return said | {text for _, text in details() if text}


def details() -> Iterator[tuple[str, str | None]]:
    """Yield each detail of a problem and where it is; `None` for text that is put together."""
    for room in ROOMS:
        place = FOLDER / room
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            yield from _of_module(path)


def _of_games() -> Iterator[str]:
    for entry in GAMES.values():
        yield from (code.says for code in (*entry.rules.codes, *entry.rules.findings))
        yield from (event.says for event in entry.rules.events)
        yield from (option.says for option in entry.rules.options)
        yield from (*entry.rules.rulesets.values(), *entry.rules.outcomes.values())
        if entry.opponents is not None:
            yield from (fact.says for fact in entry.opponents.facts)
        if entry.picture is not None:
            yield from entry.picture.sayings
        if entry.rules.explaining:
            yield from (code.says for code in entry.rules.explaining.needs)


def _of_problems() -> Iterator[str]:
    yield from (code.says for code in FAULT_CODES.values())
    for problem in PROBLEMS.values():
        yield from (problem.title, problem.means)


def _of_module(path: Path) -> Iterator[tuple[str, str | None]]:
    tree = ast.parse(path.read_text("utf-8"))
    named = {name: text for node in tree.body for name, text in _assigned(node)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        place = PLACES.get(_name(node.func), -1)
        if not 0 <= place < len(node.args):
            continue
        given = node.args[place]
        where = f"{path.relative_to(FOLDER)}:{node.lineno}"
        if isinstance(given, ast.JoinedStr | ast.BinOp):
            yield where, None
        elif isinstance(given, ast.Constant) and isinstance(given.value, str):
            yield where, given.value
        elif isinstance(given, ast.Name) and given.id in named:
            yield where, named[given.id]


def _assigned(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of a constant of a module."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield from ((target.id, value.value) for target in targets if isinstance(target, ast.Name))


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
