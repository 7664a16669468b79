"""Who wins, and what the end leaves as it is (T26, T27, T41 to T44)."""

from __future__ import annotations

from typing import Any

import pytest

from splendor_api.games.set.actions import Call, Forfeit, NoSet, Resign
from splendor_api.games.set.components import holds_set
from splendor_api.games.set.events import GameOver, Standing
from splendor_api.games.set.state import State, cards_on, deck_size
from tests.games.set.table import (
    AGREED,
    ROWS,
    after,
    claim,
    dealt,
    events,
    kinds,
    laid,
    last,
    played,
    step,
    without_deck,
)

LAST_ROW = (1, 2, 3)
SEEDS = tuple(map(str, range(40)))
ENDS = {"full": {0, 6, 9, 12, 15, 18}, "quick": {0, 6, 9}}


def shared(*shares: int, failed: tuple[int, ...] = (), **options: Any) -> State:
    """Return a game before its last set: each seat has its share of the sets and failed calls."""
    rows = iter(row for row in ROWS if row != LAST_ROW)
    won = [(seat, next(rows)) for seat, share in enumerate(shares) for _ in range(share)]
    state = laid(LAST_ROW + (None,) * 0 or LAST_ROW, won=won, seats=len(shares), **options)
    for seat, count in enumerate(failed):
        for _ in range(count):
            state = after(state, Call(seat), Forfeit(seat))
    return state
