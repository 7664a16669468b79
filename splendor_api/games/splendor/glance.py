"""Whether a state of an ordinary moment passes the audit: the same rules again, seen at a glance.

Nearly every state that is asked about is sound, and a turn is about to begin in it. That such a
state is sound takes a third of the time to see that it takes to look for all that could be wrong.
The audit alone says what is; a law holds that it has nothing to say about what passes here.
"""

from __future__ import annotations

from typing import Final

from splendor_api.games.splendor.components import CARDS, CARDS_OF_LEVEL
from splendor_api.games.splendor.state import Player, State, eligible_nobles

_ALL_CARDS: Final = frozenset(CARDS)
_FIRST, _SECOND, _THIRD = CARDS_OF_LEVEL.values()


def is_plainly_sound(state: State) -> bool:
    """Return whether the state is an ordinary one that passes the audit; `False` says nothing.

    Ordinary: it is somebody's turn, nothing is owed, all cards are known, each slot has one, nobody
    has resigned or reached the target, and no seat is skipped for being stuck.
    """
    options, turn, players = state.options, state.turn, state.players
    if (
        state.phase != "main"
        or state.drawn is not None
        or state.outcome is not None
        or state.final_round
        or state.to_act != turn % len(players)
        or options.passing == "never"
    ):
        return False
    seats = len(players)
    for seat, player in enumerate(players):
        if not _is_within_limits(state, player, (turn - seat + seats - 1) // seats):
            return False
    return _is_supply_whole(state) and _are_tiles_whole(state) and _are_cards_whole(state)


def _is_within_limits(state: State, player: Player, acted: int) -> bool:
    """Return whether what a player has after so many turns is not too much (S86 to S91)."""
    tokens, cards, reserved, nobles, resigned, bonuses, prestige = player
    options = state.options
    return (
        not resigned
        and prestige < options.target_prestige
        and sum(tokens) <= options.token_limit
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
    """Return whether every card lies in one place, face up and in decks at its level (S83, S9)."""
    (first, second, third), (deck, middle, last) = state.market, state.decks
    if isinstance(deck, int) or isinstance(middle, int) or isinstance(last, int):
        return False
    low, mean, high = (*first, *deck), (*second, *middle), (*third, *last)
    cards = [*low, *mean, *high]
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
