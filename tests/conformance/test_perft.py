"""The counts that are published are those of the core."""

from __future__ import annotations

import pytest

from tests.conformance.kit import HERE, PERFT
from tests.conformance.perft import DETAILS, POSITIONS, Detail, counts, read_case, table

LINES = (HERE / PERFT).read_bytes().splitlines()
PAGE = HERE.parent / "docs" / "perft.md"
DEPTH = 2  # `test_generation.py` counts to the end


@pytest.mark.parametrize("line", LINES, ids=lambda line: read_case(line)[2]["id"])
@pytest.mark.parametrize("detail", DETAILS)
def test_counts_are_those_published(line: bytes, detail: Detail) -> None:
    entry, state, case = read_case(line)
    assert list(counts(entry, state, detail, DEPTH)) == case[detail][:DEPTH]


def test_every_position_is_counted_to_its_depth() -> None:
    depths = [
        {detail: len(case[detail]) for detail in DETAILS} for _, _, case in map(read_case, LINES)
    ]
    assert depths == [dict(position.depths) for position in POSITIONS]


def test_the_page_shows_every_count() -> None:
    assert table(LINES) in PAGE.read_text("utf-8")
