"""The first state of a game, from a seed (S5 to S12)."""

from __future__ import annotations

from collections.abc import Mapping

from splendor_api.games.protocol import Value
from splendor_api.games.shuffle import shuffled
from splendor_api.games.splendor.components import CARDS_OF_LEVEL, NOBLES, SLOTS
from splendor_api.games.splendor.options import resolve
from splendor_api.games.splendor.state import Row, State, player_of
from splendor_api.games.splendor.tokens import Tokens


def deal(seats: int, ruleset: str, given: Mapping[str, Value], seed: str) -> State:
    """Return the first state: the same for the same seats, ruleset, options and seed."""
    options = resolve(ruleset, seats, given)
    gems = options.gems_per_color
    bank: Tokens = (gems, gems, gems, gems, gems, options.gold_tokens)
    (row_1, deck_1), (row_2, deck_2), (row_3, deck_3) = (
        _row_and_deck(level, seed) for level in (1, 2, 3)
    )
    nobles = shuffled(sorted(NOBLES), seed, "splendor/nobles")[: options.nobles_revealed]
    return State(
        ruleset=ruleset,
        options=options,
        turn=0,
        to_act=0,
        phase="main",
        drawn=None,
        final_round=False,
        outcome=None,
        bank=bank,
        market=(row_1, row_2, row_3),
        decks=(deck_1, deck_2, deck_3),
        nobles=nobles,
        players=(player_of(),) * seats,
    )


def _row_and_deck(level: int, seed: str) -> tuple[Row, tuple[int, ...]]:
    """Return the first face-up cards of a level, dealt from the top, and the deck left (S8, S9)."""
    deck = shuffled(sorted(CARDS_OF_LEVEL[level]), seed, f"splendor/deck/{level}")
    first, second, third, fourth = reversed(deck[-SLOTS:])
    return (first, second, third, fourth), deck[:-SLOTS]
