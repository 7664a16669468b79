"""The first state of a game, from a seed (T5 to T8)."""

from __future__ import annotations

from collections.abc import Mapping

from splendor_api.games.protocol import Value
from splendor_api.games.set.components import DECKS
from splendor_api.games.set.options import resolve
from splendor_api.games.set.state import NEW_PLAYER, State
from splendor_api.games.set.turn import begun
from splendor_api.games.shuffle import shuffled


def deal(seats: int, ruleset: str, given: Mapping[str, Value], seed: str) -> State:
    """Return the first state: the same for the same seats, ruleset, options and seed."""
    options = resolve(ruleset, seats, given)
    deck = shuffled(sorted(DECKS[options.deck]), seed, "set/deck")
    size = options.table_size
    return begun(
        State(
            ruleset=ruleset,
            options=options,
            turn=0,
            phase="open",
            to_act=None,
            table=tuple(reversed(deck[-size:])),
            deck=deck[:-size],
            no_set=(),
            outcome=None,
            players=(NEW_PLAYER,) * seats,
        )
    )
