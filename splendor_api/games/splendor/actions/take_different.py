"""Take gem tokens of different colours (S23 to S27)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product
from typing import ClassVar, get_args

from splendor_api.games.splendor.actions import return_tokens
from splendor_api.games.splendor.actions.effect import Effect
from splendor_api.games.splendor.events import TokensTaken
from splendor_api.games.splendor.options import Options, TakeFewer
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
from splendor_api.games.splendor.violations import (
    COLOR_UNAVAILABLE,
    DUPLICATE_COLOR,
    TOO_FEW_COLORS,
    TOO_MANY_COLORS,
)
from splendor_api.games.violations import Violation

MOST = 3  # colours in one turn (S23)

Presence = tuple[bool, bool, bool, bool, bool]
"""For each gem colour, whether the bank has a token of it."""


@dataclass(frozen=True, slots=True)
class TakeDifferent:
    """One gem token of each of `colors`, in the order of the request: pointers count on it."""

    type: ClassVar[str] = "take_different"
    colors: tuple[Color, ...]
    returned: Tokens | None = None
    noble: int | None = None
    seat: int | None = None


CANDIDATES = tuple(
    TakeDifferent(colors) for count in range(1, MOST + 1) for colors in combinations(GEMS, count)
)
"""Every choice a player could name, fewer colours first; each legal one is among them."""


def legal(state: State) -> tuple[TakeDifferent, ...]:
    """Return the legal ones of `CANDIDATES`."""
    return _LEGAL[state.options.take_fewer][_presence(state.bank)]


def with_returns(
    player: Player, action: TakeDifferent, options: Options
) -> tuple[TakeDifferent, ...]:
    """Return the take once for each way to return what is beyond the limit then."""
    drawn = tokens_of(action.colors)
    ways = return_tokens.returns(plus(player.tokens, drawn), drawn, options)
    return tuple(map(_RETURNING[action.colors].__getitem__, ways))


def violations(state: State, action: TakeDifferent) -> Iterator[Violation]:
    """Yield everything that forbids `action`; pointers start at the action."""
    return _violations(_presence(state.bank), state.options.take_fewer, action)


def tokens_drawn(action: TakeDifferent) -> Tokens:
    """Return what the seat takes."""
    return tokens_of(action.colors)


def effect(state: State, action: TakeDifferent) -> Effect:
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


def _violations(
    presence: Presence, take_fewer: TakeFewer, action: TakeDifferent
) -> Iterator[Violation]:
    colors, count, required = action.colors, len(action.colors), _required(presence, take_fewer)
    for place, color in enumerate(colors):
        if color in colors[:place]:
            yield DUPLICATE_COLOR.at(f"/colors/{place}", color=color.word)
    if count > MOST:
        yield TOO_MANY_COLORS.at("/colors", count=count, limit=MOST)
    if count < required:
        yield TOO_FEW_COLORS.at("/colors", count=count, required=required)
    for place, color in enumerate(colors):
        if not presence[color] and color not in colors[:place]:
            yield COLOR_UNAVAILABLE.at(f"/colors/{place}", color=color.word)


def _required(presence: Presence, take_fewer: TakeFewer) -> int:
    """Return the least number of colours to take (S24, S25, S26)."""
    scarce = max(1, min(MOST, sum(presence)))
    return {"always": 1, "never": MOST, "when_scarce": scarce}[take_fewer]


def _presence(bank: Tokens) -> Presence:
    white, blue, green, red, black, _ = bank
    return white > 0, blue > 0, green > 0, red > 0, black > 0


def _legal(presence: Presence, take_fewer: TakeFewer) -> tuple[TakeDifferent, ...]:
    return tuple(
        action for action in CANDIDATES if not any(_violations(presence, take_fewer, action))
    )


# As many as are taken may have to be returned, but no more: there are few cases.
_RETURNING: Mapping[tuple[Color, ...], Mapping[Tokens, TakeDifferent]] = {
    action.colors: {NONE: action}
    | {
        returned: TakeDifferent(action.colors, returned)
        for count in range(1, len(action.colors) + 1)
        for returned in picks(count)
    }
    for action in CANDIDATES
}

# Nothing else of a state matters to this rule, and there are 96 cases: the rule is asked once each.
_NO_YES = (False, True)
_LEGAL: Mapping[TakeFewer, Mapping[Presence, tuple[TakeDifferent, ...]]] = {
    take_fewer: {
        presence: _legal(presence, take_fewer)
        for presence in product(_NO_YES, _NO_YES, _NO_YES, _NO_YES, _NO_YES)
    }
    for take_fewer in get_args(TakeFewer)
}
