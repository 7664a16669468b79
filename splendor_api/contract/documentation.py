"""Writes the blocks of `docs/` that the code owns, or says which of them are stale.

A block stands between `<!-- generated: <name> -->` and `<!-- end generated -->`. What it lists
follows from the registries: every game's options, types and codes, every problem, every fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from splendor_api.contract import document
from splendor_api.games.opponents import Opponents
from splendor_api.games.protocol import Game, Kind, Option, Value
from splendor_api.games.registry import GAMES
from splendor_api.games.violations import Code
from splendor_api.http.problems import PROBLEMS
from splendor_api.i18n.catalogue import ENGLISH
from splendor_api.i18n.languages import MACHINE_MADE, NAMES, text_of
from splendor_api.wire.faults import FAULT_CODES, FaultCode

FOLDER: Final = document.PATH.parent / "docs"

AnyGame = Game[Any, Any, Any]
AnyOpponents = Opponents[Any, Any]
Lines = Iterator[str]
Blocks = Mapping[str, Callable[[], Lines]]

_BLOCK: Final = re.compile(
    r"^<!-- generated: (?P<name>[a-z ]+) -->\n.*?^<!-- end generated -->\n",
    re.DOTALL | re.MULTILINE,
)


class MarksError(Exception):
    """The blocks in the documentation are not the blocks that the code writes."""


def stale() -> tuple[str, ...]:
    """Return page and name of each block that is not what the code says.

    Raises `MarksError` unless each block of the code stands on one page, once.
    """
    return tuple(name for page in _pages() for name, _, _ in _differing(page))


def write() -> tuple[str, ...]:
    """Rewrite the blocks; return page and name of those that changed. Raises as `stale` does."""
    changed = []
    for page in _pages():
        for name, was, shall in list(_differing(page)):
            page.write_text(page.read_text("utf-8").replace(was, shall), "utf-8")
            changed.append(name)
    return tuple(changed)


def blocks() -> Blocks:
    """Return every block that the code owns."""
    return {
        "rulesets": partial(_of_each_game, _rulesets),
        "options": partial(_of_each_game, _options),
        "actions": partial(_of_each_game, lambda game: _kinds(game.actions)),
        "events": partial(_of_each_game, lambda game: _kinds(game.events)),
        "outcomes": partial(_of_each_game, _outcomes),
        "problems": _problems,
        "faults": partial(_faults, FAULT_CODES.values()),
        "violations": partial(_of_each_game, lambda game: _codes(game.codes)),
        "findings": partial(_of_each_game, lambda game: _codes(game.findings)),
        "needs": partial(_of_each_game, _needs),
        "languages": _languages,
        "opponents": partial(_of_each_opponents, _levels),
        "reasons": partial(_of_each_opponents, _reasons),
    }


def _pages() -> list[Path]:
    """Return the pages that hold blocks."""
    marked = {page: _BLOCK.findall(page.read_text("utf-8")) for page in sorted(FOLDER.glob("*.md"))}
    names = sorted(name for found in marked.values() for name in found)
    if names != sorted(blocks()):
        raise MarksError(f"marked are {names}; the code writes {sorted(blocks())}")
    return [page for page, found in marked.items() if found]


def _differing(page: Path) -> Iterator[tuple[str, str, str]]:
    """Yield each block of a page that differs: its name, what it is, what it should be."""
    written = blocks()
    for match in _BLOCK.finditer(page.read_text("utf-8")):
        name = match["name"]
        lines = "".join(f"{line}\n" for line in written[name]())
        shall = f"<!-- generated: {name} -->\n{lines}<!-- end generated -->\n"
        if match[0] != shall:
            yield f"{page.name}: {name}", match[0], shall


def _of_each_game(lines: Callable[[AnyGame], Lines]) -> Lines:
    for entry in GAMES.values():
        yield from ("", f"### {entry.rules.title}", "")
        yield from lines(entry.rules)
        yield ""


def _of_each_opponents(lines: Callable[[AnyOpponents], Lines]) -> Lines:
    for entry in GAMES.values():
        if entry.opponents is not None:
            yield from ("", f"### {entry.rules.title}", "")
            yield from lines(entry.opponents)
            yield ""


def _levels(opponents: AnyOpponents) -> Lines:
    rows = (
        (f"`{level}`", says, "yes" if level in opponents.searches else "no")
        for level, says in opponents.levels.items()
    )
    return _table(("level", "what it does", "searches"), rows)


def _reasons(opponents: AnyOpponents) -> Lines:
    rows = (
        (f"`{fact.name}`", fact.means, _words(fact.params), fact.says) for fact in opponents.facts
    )
    return _table(("code", "when", "params", "message"), rows)


def _rulesets(game: AnyGame) -> Lines:
    rows = ((f"`{name}`", says) for name, says in game.rulesets.items())
    return _table(("ruleset", "what it is"), rows)


def _options(game: AnyGame) -> Lines:
    rulesets = tuple(game.rulesets)
    rows = (
        (
            f"`{option.name}`",
            _values(option.values),
            *(_default(option, ruleset) for ruleset in rulesets),
            option.says,
            ", ".join(option.rules),
        )
        for option in game.options
    )
    defaults = (f"`{ruleset}`" for ruleset in rulesets)
    return _table(("option", "values", *defaults, "meaning", "rules"), rows)


def _languages() -> Lines:
    rows = ((f"`{tag}`", name, *_counts(tag)) for tag, name in NAMES.items())
    return _table(("tag", "language", "sentences and words", "of these machine-made"), rows)


def _counts(tag: str) -> tuple[str, str]:
    """Return how many entries a catalogue has, and how many nobody has read."""
    if tag == ENGLISH.tag:
        return "all", "0"
    text = text_of(tag)
    return str(text.count("\nmsgid ") - 1), str(text.count(MACHINE_MADE))


def _values(values: range | tuple[Value, ...]) -> str:
    """Return the type of an option and what it may be."""
    if isinstance(values, range):
        return f"integer, {values[0]} to {values[-1]}"
    if all(isinstance(value, bool) for value in values):
        return "boolean"
    return ", ".join(map(_literal, values))


def _default(option: Option, ruleset: str) -> str:
    default = option.defaults[ruleset]
    if not isinstance(default, Mapping):
        return _literal(default)
    return ", ".join(f"{seats} seats: {_literal(value)}" for seats, value in default.items())


def _literal(value: Value) -> str:
    """Return a value as JSON has it, words without their quotes."""
    return f"`{str(value).lower()}`" if isinstance(value, bool) else f"`{value}`"


def _kinds(kinds: Iterable[Kind]) -> Lines:
    return _table(("type", "what it is"), ((f"`{kind.type}`", kind.says) for kind in kinds))


def _outcomes(game: AnyGame) -> Lines:
    rows = ((f"`{reason}`", says) for reason, says in game.outcomes.items())
    return _table(("reason", "why the game ended"), rows)


def _problems() -> Lines:
    rows = (
        (str(problem.status), f"`{code}`", problem.means, problem.what_to_do)
        for code, problem in PROBLEMS.items()
    )
    return _table(("status", "code", "when", "what to do"), rows)


def _faults(codes: Iterable[FaultCode]) -> Lines:
    rows = ((f"`{code.name}`", code.means, _words(code.params), code.says) for code in codes)
    return _table(("code", "when", "params", "message"), rows)


def _codes(codes: Iterable[Code]) -> Lines:
    rows = (
        (f"`{code.name}`", code.rule, code.means, _words(code.params), code.says) for code in codes
    )
    return _table(("code", "rule", "when", "params", "message"), rows)


def _needs(game: AnyGame) -> Lines:
    rows = (
        (f"`{code.name}`", code.means, _words(code.params), code.says)
        for code in (game.explaining.needs if game.explaining else ())
    )
    return _table(("code", "what is lacking", "params", "message"), rows)


def _words(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Lines:
    """Yield the lines of a Markdown table."""
    titles = tuple(head)
    yield _row(titles)
    yield _row("---" for _ in titles)
    yield from map(_row, rows)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"
