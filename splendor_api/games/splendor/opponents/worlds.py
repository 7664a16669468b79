"""Worlds: what a seat does not see, made up; all that it sees stays as it is."""

from __future__ import annotations

from splendor_api.games.shuffle import shuffled
from splendor_api.games.splendor.components import CARDS_OF_LEVEL, LEVELS
from splendor_api.games.splendor.state import Player, State, cards_in_play, deck_size


def world(seen: State, seed: str, number: int) -> State:
    """Return a state that looks like `seen` to whoever sees that; another for each number.

    Every card that may lie in a deck or in a hidden place of a hand is as likely there as any
    other of its level.
    """
    in_play = cards_in_play(seen)
    unseen = {
        level: list(
            shuffled(sorted(CARDS_OF_LEVEL[level] - in_play), seed, f"world/{number}/{level}")
        )
        for level in LEVELS
    }
    players = tuple(_with_a_hand(player, unseen) for player in seen.players)
    first, second, third = (
        tuple(unseen[level][: deck_size(deck)])
        for level, deck in zip(LEVELS, seen.decks, strict=True)
    )
    return seen._replace(decks=(first, second, third), players=players)


def _with_a_hand(player: Player, unseen: dict[int, list[int]]) -> Player:
    """Return the player with a card of `unseen` where the hand shows only a back."""
    if all(held.card is not None for held in player.reserved):
        return player
    hand = tuple(
        held if held.card is not None else held._replace(card=unseen[held.level].pop())
        for held in player.reserved
    )
    return player._replace(reserved=hand)
