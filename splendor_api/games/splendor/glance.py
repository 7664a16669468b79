"""Whether a state of an ordinary moment passes the audit: the same rules again, seen at a glance.

Nearly every state that is asked about is sound, and in it a turn is about to begin, or tokens are
to be returned. That such a state is sound takes a third of the time to see that it takes to look
for all that could be wrong. The audit alone says what is; a law holds that it has nothing to say
about what passes here.
"""

from __future__ import annotations

from typing import Final

from splendor_api.games.splendor.actions import take_different, take_same
from splendor_api.games.splendor.components import CARDS, CARDS_OF_LEVEL
from splendor_api.games.splendor.state import Player, State, eligible_nobles
from splendor_api.games.splendor.tokens import GOLD, Tokens, fewer, tokens_of

_ALL_CARDS: Final = frozenset(CARDS)
_FIRST, _SECOND, _THIRD = (frozenset({None, *cards}) for cards in CARDS_OF_LEVEL.values())
_DRAWS: Final = frozenset(
    {
        *map(take_different.tokens_drawn, take_different.CANDIDATES),
        *map(take_same.tokens_drawn, take_same.CANDIDATES),
        tokens_of((GOLD,)),
    }
)
"""What one action can draw."""


def is_plainly_sound(state: State) -> bool:
    """Return whether the state is an ordinary one that passes the audit; `False` says nothing.

    Ordinary: it is somebody's turn, nothing but a return is owed, all cards are known, nobody has
    resigned or reached the target, and no seat is skipped for being stuck.
    """
    options, turn, players, drawn = state.options, state.turn, state.players, state.drawn
    if (
        state.phase != ("main" if drawn is None else "return_tokens")
        or state.outcome is not None
        or state.final_round
        or state.to_act != turn % len(players)
        or options.passing == "never"
    ):
        return False
    if drawn is not None:
        owing = players[turn % len(players)]
        if sum(owing.tokens) <= options.token_limit or not _has_drawn(owing, drawn):
            return False
    seats = len(players)
    for seat, player in enumerate(players):
        acted, limit = (turn - seat + seats - 1) // seats, options.token_limit
        if drawn is not None and seat == state.to_act:
            acted, limit = acted + 1, limit + sum(drawn)
        if not _is_within_limits(state, player, acted, limit):
            return False
    return _is_supply_whole(state) and _are_tiles_whole(state) and _are_cards_whole(state)


def _has_drawn(player: Player, drawn: Tokens) -> bool:
    """Return whether one action can have drawn this, and the player has it (S86)."""
    return drawn in _DRAWS and fewer(player.tokens, drawn) == drawn


def _is_within_limits(state: State, player: Player, acted: int, limit: int) -> bool:
    """Return whether what a player has after so many turns is not too much (S86 to S91)."""
    tokens, cards, reserved, nobles, resigned, bonuses, prestige = player
    options = state.options
    return (
        not resigned
        and prestige < options.target_prestige
        and sum(tokens) <= limit
        and len(reserved) <= options.reserve_limit
        and len(cards) + len(reserved) <= acted
        and (not nobles or (len(nobles) <= acted and eligible_nobles(nobles, bonuses) == nobles))
    )


def _is_supply_whole(state: State) -> bool:
    """Return whether all tokens are there, and no others (S84)."""
    gems, gold = state.options.gems_per_color, state.options.gold_tokens
    held = [player.tokens for player in state.players]
    return [*map(sum, zip(state.bank, *held, strict=True))] == [gems, gems, gems, gems, gems, gold]


def _are_tiles_whole(state: State) -> bool:
    """Return whether the right number of tiles is there, each of them once (S88)."""
    tiles = [*state.nobles]
    for player in state.players:
        tiles += player.nobles
    return len(set(tiles)) == len(tiles) == state.options.nobles_revealed


def _are_cards_whole(state: State) -> bool:
    """Return whether every card lies in one place, face up and in decks at its level, and no slot
    is empty without need (S83, S85, S9).
    """
    (first, second, third), (deck, middle, last) = state.market, state.decks
    if isinstance(deck, int) or isinstance(middle, int) or isinstance(last, int):
        return False
    low, mean, high = (*first, *deck), (*second, *middle), (*third, *last)
    cards = [*low, *mean, *high]
    if None in (*first, *second, *third):
        if (deck and None in first) or (middle and None in second) or (last and None in third):
            return False
        cards = [card for card in cards if card is not None]
    for player in state.players:
        cards += player.cards
        if player.reserved:
            cards += [held[0] for held in player.reserved]
    return (
        len(cards) == len(_ALL_CARDS)
        and _ALL_CARDS.issuperset(cards)
        and len(set(cards)) == len(cards)
        and _FIRST.issuperset(low)
        and _SECOND.issuperset(mean)
        and _THIRD.issuperset(high)
    )
