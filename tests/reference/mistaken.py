"""A copy of a reference with one mistake in it, for the comparison to find."""

from pathlib import Path
from types import ModuleType
from typing import cast

import pytest

from tests.reference.differential import Effort, Rules, Subject, play

BROKEN_DOWN = (AssertionError, IndexError, KeyError, RecursionError, TypeError, ValueError)


def mistaken(reference: ModuleType, right: str, wrong: str) -> Rules:
    """Return a copy of the reference in which the right text is replaced by the wrong one."""
    path = str(reference.__file__)
    source = Path(path).read_text(encoding="utf-8")
    assert right in source
    copy = ModuleType("copy")
    copy.__dict__["__file__"] = path
    exec(compile(source.replace(right, wrong), "copy.py", "exec"), copy.__dict__)
    return cast(Rules, copy)


def find(subject: Subject, other: Rules, games: int, steps: int, effort: Effort) -> None:
    """Fail unless the comparison finds a difference within so many games."""
    for game in range(games):
        try:
            if play(subject, f"mistake {game}", steps, other, effort=effort):
                return
        except BROKEN_DOWN:
            return  # the mistaken copy broke down, which nobody overlooks
    pytest.fail(f"not found in {games} games of {steps} steps")
