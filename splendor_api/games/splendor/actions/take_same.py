"""Take two gem tokens of one colour (S28 to S30)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from splendor_api.games.splendor.actions import return_tokens
from splendor_api.games.splendor.actions.effect import Effect
from splendor_api.games.splendor.events import TokensTaken
from splendor_api.games.splendor.options import Options
from splendor_api.games.splendor.state import Player, State
from splendor_api.games.splendor.tokens import (
    GEMS,
    NONE,
    Color,
    Tokens,
    minus,
    picks,
    plus,
    tokens_of,
)
from splendor_api.games.splendor.violations import PILE_TOO_SMALL
from splendor_api.games.violations import Violation


@dataclass(frozen=True, slots=True)
class TakeSame:
    """Two gem tokens of one colour (S30)."""

    type: ClassVar[str] = "take_same"
    color: Color
    returned: Tokens | None = None
    noble: int | None = None
    seat: int | None = None


CANDIDATES = tuple(map(TakeSame, GEMS))
"""Every choice a player could name."""

Tall = tuple[bool, bool, bool, bool, bool]
"""For each gem colour, whether the bank, and it alone, allows two of it (S28, S29)."""

_PAIRS = tuple(tokens_of((gem, gem)) for gem in GEMS)

# As many as are taken may have to be returned, but no more: there are few cases.
_RETURNING: Mapping[Color, Mapping[Tokens, TakeSame]] = {
    action.color: {NONE: action}
    | {returned: TakeSame(action.color, returned) for count in (1, 2) for returned in picks(count)}
    for action in CANDIDATES
}


def legal(state: State) -> tuple[TakeSame, ...]:
    """Return the legal ones of `CANDIDATES`."""
    return _legal(_tall(state))


def with_returns(player: Player, action: TakeSame, options: Options) -> tuple[TakeSame, ...]:
    """Return the take once for each way to return what is beyond the limit then."""
    drawn = _PAIRS[action.color]
    ways = return_tokens.returns(plus(player.tokens, drawn), drawn, options)
    return tuple(map(_RETURNING[action.color].__getitem__, ways))


def violations(state: State, action: TakeSame) -> Iterator[Violation]:
    """Yield everything that forbids `action`; pointers start at the action."""
    if not _tall(state)[action.color]:
        yield PILE_TOO_SMALL.at(
            "/color",
            color=action.color.word,
            available=state.bank[action.color],
            required=state.options.take_two_minimum,
        )


def tokens_drawn(action: TakeSame) -> Tokens:
    """Return what the seat takes."""
    return _PAIRS[action.color]


def effect(state: State, action: TakeSame) -> Effect:
    """Move the tokens from the bank to the seat to act; `action` must be legal."""
    player, drawn = state.player, tokens_drawn(action)
    return Effect(
        minus(state.bank, drawn),
        player.with_tokens(plus(player.tokens, drawn)),
        state.market,
        state.decks,
        drawn,
        (TokensTaken(state.seat, drawn),),
    )


def _tall(state: State) -> Tall:
    least = state.options.take_two_minimum
    white, blue, green, red, black, _ = state.bank
    return white >= least, blue >= least, green >= least, red >= least, black >= least


@cache
def _legal(tall: Tall) -> tuple[TakeSame, ...]:
    return tuple(action for action in CANDIDATES if tall[action.color])
