"""Return surplus tokens, at once or in a phase of its own (S55 to S61)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from splendor_api.games.splendor.actions.effect import Effect, unchanged
from splendor_api.games.splendor.options import Options
from splendor_api.games.splendor.state import Player, State
from splendor_api.games.splendor.tokens import COLOR_WORDS, NONE, Tokens, fewer, picks, subsets
from splendor_api.games.splendor.violations import (
    RETURN_NOT_DRAWN,
    RETURN_NOT_DUE,
    RETURN_NOT_OWNED,
    RETURN_WRONG_COUNT,
)
from splendor_api.games.violations import Violation


@dataclass(frozen=True, slots=True)
class ReturnTokens:
    """The tokens that go back, in the phase that asks for them."""

    type: ClassVar[str] = "return_tokens"
    returned: Tokens
    noble: int | None = None
    seat: int | None = None


MOST = 3  # tokens drawn in a turn that began within the limit, so that can be beyond it
PLAIN = {returned: ReturnTokens(returned) for count in range(MOST + 1) for returned in picks(count)}
"""Every return there can be."""


def surplus(player: Player, options: Options) -> int:
    """Return how many tokens beyond the limit the player holds; not below 0 (S55)."""
    return beyond_limit(player.tokens, options)


def beyond_limit(held: Tokens, options: Options) -> int:
    """Return how many tokens beyond the limit are held; not below 0 (S55)."""
    beyond = sum(held) - options.token_limit
    return max(0, beyond)


def returns(held: Tokens, drawn: Tokens, options: Options) -> tuple[Tokens, ...]:
    """Return every way to return the surplus of what is held (S56, S57)."""
    which = fewer(held, drawn) if options.returns == "drawn" else held
    return _ways(which, beyond_limit(held, options))


def violations(
    player: Player, drawn: Tokens, returned: Tokens, options: Options
) -> Iterator[Violation]:
    """Yield what is wrong with a return by `player`, who has drawn `drawn` in this turn.

    Pointers start at the token map.
    """
    required, count = surplus(player, options), sum(returned)
    if not required:
        yield RETURN_NOT_DUE.at()
        return
    if count != required:
        yield RETURN_WRONG_COUNT.at(required=required, returned=count)
    for word, given, owned in zip(COLOR_WORDS, returned, player.tokens, strict=True):
        if given > owned:
            yield RETURN_NOT_OWNED.at(f"/{word}", color=word, returned=given, owned=owned)
    if options.returns == "drawn":
        for word, given, fresh in zip(COLOR_WORDS, returned, drawn, strict=True):
            if given > fresh:
                yield RETURN_NOT_DRAWN.at(f"/{word}", color=word)


def legal(state: State) -> list[ReturnTokens]:
    """Return every way for the seat to act to settle what it owes."""
    ways = returns(state.player.tokens, state.drawn or NONE, state.options)
    return [PLAIN[returned] for returned in ways]


def effect(state: State, _: ReturnTokens) -> Effect:
    """Change nothing by itself: the return is a duty of the turn."""
    return unchanged(state)


# The same few hands recur all through a game, and the list is long.
@lru_cache(maxsize=4096)
def _ways(held: Tokens, count: int) -> tuple[Tokens, ...]:
    return tuple(subsets(held, count))
