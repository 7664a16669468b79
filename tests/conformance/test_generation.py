"""What is published is what is made from the seeds, byte for byte."""

from __future__ import annotations

import pytest

from splendor_api.games.registry import GAMES
from tests.conformance.kit import HERE, PERFT, cases, lines
from tests.conformance.perft import counts, read_case

DEPTH = 3


@pytest.mark.parametrize("game", GAMES)
def test_the_kit_is_made_again(game: str) -> None:
    published = (HERE / f"{game}.jsonl").read_bytes()
    assert lines(cases(game)) == published, "`python -m tests.conformance` writes it"


def test_choices_are_counted_again() -> None:
    for line in (HERE / PERFT).read_bytes().splitlines():
        entry, state, case = read_case(line)
        assert list(counts(entry, state, "choices", DEPTH)) == case["choices"][:DEPTH], case["id"]
