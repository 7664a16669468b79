"""Writes the blocks of `openapi.yaml` that the code owns, or says which of them are stale.

A block stands between `# generated: <name>` and `# end generated`, both as far to the right as what
is between them. What it holds follows from the registries: codes, options with their bounds, types
of actions and events, and the answers to the examples.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from textwrap import indent

import yaml

from splendor_api import __version__
from splendor_api.contract import document, examples
from splendor_api.games.opponents import LEVELS, Fact
from splendor_api.games.protocol import Option, Value
from splendor_api.games.registry import GAMES, Entry
from splendor_api.games.violations import Code
from splendor_api.http.problems import PROBLEMS
from splendor_api.i18n.languages import NAMES
from splendor_api.wire.faults import FAULT_CODES

WIDTH = 100  # columns of a line in the document

Blocks = Mapping[str, Callable[[], str]]
"""How to write each block, without its indentation."""

_BLOCK = re.compile(
    r"^(?P<indent> *)# generated: (?P<name>[a-z ]+)\n(?P<body>.*?)^(?P=indent)# end generated\n",
    re.DOTALL | re.MULTILINE,
)
_MARK = re.compile(r"^ *# generated: ", re.MULTILINE)


class MarksError(Exception):
    """The blocks in the document are not the blocks that the code writes."""


def stale() -> tuple[str, ...]:
    """Return the names of the blocks that are not what the code says, in the order of the file."""
    source = document.text()
    return _differing(source, rewritten(source, blocks()))


def write() -> tuple[str, ...]:
    """Rewrite the blocks in the document; return the names of those that changed."""
    source = document.text()
    target = rewritten(source, blocks())
    if target != source:
        document.PATH.write_text(target, "utf-8")
    return _differing(source, target)


def rewritten(source: str, written: Blocks) -> str:
    """Return `source` with every block as `written` has it.

    Raises `MarksError` unless the marks name each block of `written` once, and nothing else.
    """
    marked = [match["name"] for match in _BLOCK.finditer(source)]
    if sorted(marked) != sorted(written) or len(_MARK.findall(source)) != len(marked):
        raise MarksError(f"marked are {sorted(marked)}; the code writes {sorted(written)}")
    return _BLOCK.sub(partial(_block, written), source)


def blocks() -> Blocks:
    """Return every block that the code owns."""
    return {
        "version": partial(_yaml, {"version": __version__}),
        "games": partial(_enum, GAMES),
        "languages": partial(_enum, NAMES),
        "opponent levels": partial(_enum, LEVELS),
        "problem codes": partial(_enum, PROBLEMS),
        "fault codes": partial(_enum, FAULT_CODES),
        "violation codes": partial(_yaml, {"anyOf": list(_code_schemas())}),
        "examples": examples.text,
        **{
            f"{name} {what}": block
            for name, entry in GAMES.items()
            for what, block in _blocks_of(name, entry).items()
        },
    }


def schema_name(game: str, type_: str) -> str:
    """Return the name of a game's schema: `AnyGameOver` for `game_over` of `any`."""
    return "".join(word.capitalize() for word in (game, *type_.split("_")))


def _blocks_of(name: str, entry: Entry) -> Blocks:
    """Return the blocks of one game."""
    rules = entry.rules
    opponents = entry.opponents
    facts = {} if opponents is None else {"reason codes": partial(_facts, opponents.facts)}
    return {
        **facts,
        "rulesets": partial(_enum, rules.rulesets),
        "options": partial(_yaml, _options(rules.options, required=True)),
        "option choices": partial(_yaml, _options(rules.options, required=False)),
        "outcomes": partial(_enum, rules.outcomes),
        "actions": partial(_union, name, [kind.type for kind in rules.actions]),
        "events": partial(_union, name, [kind.type for kind in rules.events]),
        "violation codes": partial(_codes, rules.codes),
        "finding codes": partial(_codes, rules.findings),
        "need codes": partial(_codes, rules.explaining.needs if rules.explaining else ()),
    }


def _block(written: Blocks, match: re.Match[str]) -> str:
    """Return a whole block, marks included, as it should be."""
    margin, name = match["indent"], match["name"]
    body = indent(written[name](), margin)
    return f"{margin}# generated: {name}\n{body}{margin}# end generated\n"


def _differing(source: str, target: str) -> tuple[str, ...]:
    found, wanted = _BLOCK.finditer(source), _BLOCK.finditer(target)
    return tuple(
        was["name"]
        for was, shall in zip(found, wanted, strict=True)
        if was["body"] != shall["body"]
    )


def _codes(codes: Iterable[Code]) -> str:
    return _enum(code.name for code in codes)


def _facts(facts: Iterable[Fact]) -> str:
    return _enum(fact.name for fact in facts)


def _code_schemas() -> Iterator[dict[str, str]]:
    """Yield a reference to each game's codes."""
    for game in GAMES:
        yield _reference(game, "violation_code")
        yield _reference(game, "finding_code")


def _enum(words: Iterable[str]) -> str:
    return _yaml({"enum": list(words)})


def _union(game: str, types: list[str]) -> str:
    """Return the union of the schemas of `types`, told apart by `type`."""
    schemas = [_reference(game, type_) for type_ in types]
    mapping = {type_: one["$ref"] for type_, one in zip(types, schemas, strict=True)}
    discriminator = {"propertyName": "type", "mapping": mapping}
    return _yaml({"oneOf": schemas, "discriminator": discriminator})


def _reference(game: str, type_: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{schema_name(game, type_)}"}


def _options(options: Iterable[Option], *, required: bool) -> dict[str, object]:
    """Return the schema of an object of options, all of which are there if `required`."""
    properties = {option.name: _option(option) for option in options}
    return (
        {"required": list(properties), "properties": properties}
        if required
        else {"properties": properties}
    )


def _option(option: Option) -> dict[str, object]:
    """Return the schema of an option's values."""
    return {
        "description": f"{option.says} ({', '.join(option.rules)})",
        **_values(option.values),
    }


def _values(values: range | tuple[Value, ...]) -> dict[str, object]:
    if isinstance(values, range):
        return {"type": "integer", "minimum": values[0], "maximum": values[-1]}
    if all(isinstance(value, bool) for value in values):
        return {"type": "boolean"}
    kind = "string" if all(isinstance(value, str) for value in values) else "integer"
    return {"type": kind, "enum": list(values)}


class _Dumper(yaml.SafeDumper):
    """Writes lists further to the right than their key, as the rest of the document does."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent, always."""
        del indentless
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data: object) -> bool:
        """Write everything out."""
        del data
        return True


def _yaml(value: object) -> str:
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH - 12)
