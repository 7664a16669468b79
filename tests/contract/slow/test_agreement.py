"""Document and code give every body the same verdict: a hundred thousand mutations."""

from __future__ import annotations

import pytest

from splendor_api.games.registry import GAMES
from tests.contract.agreement import MUTATIONS, compare
from tests.contract.bodies import CALLS

EXAMPLES = 100_000 // (len(CALLS) * MUTATIONS)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("game", GAMES)
def test_a_body_gets_one_verdict(game: str, call: str) -> None:
    assert compare(game, call, EXAMPLES).total() >= EXAMPLES * MUTATIONS
