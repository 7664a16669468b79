"""Every threat to requests and sessions has a test that names it (`T12`, `test_t12_…`).

The rules of SET have numbers of the same kind, so the tests of SET are not looked at.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
ROOMS: Final = ("http", "sessions", "launch", "sealing", "wire", "telemetry", "faults", "contract")

THREATS: Final[Mapping[int, str]] = {
    1: "reading what is hidden in any answer",
    2: "probing for hidden cards by violations",
    3: "findings that name a hidden card",
    4: "the length of a seal",
    5: "guessing a short seed",
    6: "a host who chose the seed",
    7: "a commitment that can be opened early or in two ways",
    8: "secrets in logs, metrics and problems",
    9: "acting with no token, or another's",
    10: "guessing tokens and ids",
    11: "a foreign idempotency key",
    12: "a seat in the body against the token",
    13: "unknown members",
    14: "requests of a foreign web page",
    15: "tokens in addresses",
    21: "hostile JSON",
    22: "impossible states",
    23: "smuggled requests",
    24: "bodies that are cut",
    25: "form parsers",
    26: "text that becomes a header or a field of a stream",
    27: "markup in pages",
    28: "dear requests",
    29: "floods of faults",
    30: "slow readers and many streams",
    31: "floods of sessions",
    32: "histories without end",
    34: "ids that become keys",
    35: "scripts and commands",
    36: "other users of the machine",
    37: "a store that is set otherwise",
}

NUMBER: Final = re.compile(r"(?:\b|_)[Tt]([0-9]{1,2})(?:\b|_)")


def sources() -> Iterator[Path]:
    for room in ROOMS:
        yield from (
            path
            for path in (ROOT / room).rglob("test_*.py")
            if not path.name.startswith("test_set")
        )


def named(path: Path) -> Iterator[int]:
    """Yield the numbers that the names of tests and their documentation have."""
    tree = ast.parse(path.read_text("utf-8"))
    is_wholly = ast.get_docstring(tree) or ""
    tests = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    texts = [f"{node.name} {ast.get_docstring(node) or ''}" for node in tests]
    for text in [is_wholly, *texts] if tests and path != Path(__file__) else []:
        yield from (int(number) for number in NUMBER.findall(text))


NAMED: Final = frozenset(number for path in sources() for number in named(path))


@pytest.mark.parametrize("number", THREATS)
def test_a_threat_has_its_test(number: int) -> None:
    assert number in NAMED, f"no test names T{number}: {THREATS[number]}"
