"""What a seat wants: which cards are worth going for, and which tokens they need.

A card is worth its prestige and the use of its bonus for what else lies there, nobles included; the
sooner it can be paid, the more it is gone for. None of this is a rule: it is a player's opinion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from splendor_api.games.splendor.components import CARDS, NOBLES, Card
from splendor_api.games.splendor.state import Player, State, discounted_cost, face_up
from splendor_api.games.splendor.tokens import GEMS, GOLD, Gems, beyond, gems_in

WINNING = 20.0  # prestige that a card is worth on top if it reaches the target
AT_ONCE = 3  # tokens that a turn brings at most (S23)
GOALS = 4  # cards that are gone for at a time
SPARE = 0.001  # what a token is worth that nothing here asks for

_GEMS = range(len(GEMS))  # plain numbers find their places sooner


class Weights(NamedTuple):
    """How a player weighs things up; what has no unit of its own is in prestige."""

    bonus: float
    """Of any bonus."""
    cheaper: float
    """Of a bonus, for each card that it makes cheaper."""
    cheaper_point: float
    """The same, for each prestige on such a card."""
    noble: float
    """Of a noble, shared out between the bonuses that it still asks for."""
    noble_distance: float
    """Bonuses that a noble is thought to be further away than it is."""
    wait: float
    """Turns that a card is thought to be further away than it is."""
    focus: float
    """Power to which the nearest and best card is preferred to the rest."""


class _Offer(NamedTuple):
    """A card in reach: its id, its prestige, the use of its bonus, and what it still costs."""

    card: int
    points: int
    use: float
    due: Gems


class Appraisal(NamedTuple):
    """What a player thinks of a state."""

    worth: Mapping[int, float]
    """Of each card in reach, in prestige."""
    pull: Mapping[int, float]
    """Of each card that cannot be paid yet: how much it is gone for."""
    demand: tuple[float, ...]
    """Of one more token, by colour; gold last."""
    loss: tuple[float, ...]
    """Of one token less, by colour; gold last."""


def appraise(state: State, player: Player, weights: Weights) -> Appraisal:
    """Return what `player`, who need not be the seat to act, thinks of the state."""
    gems, gold = gems_in(player.tokens), player.tokens[GOLD]
    target = state.options.target_prestige - player.prestige
    wait, focus = weights.wait, weights.focus
    worths, pulls, goals = {}, {}, []
    cards = tuple(in_reach(state, player))
    for card, points, use, due in _offers(cards, state.nobles, player.bonuses, weights):
        worths[card] = worth = points + use + (WINNING if points >= target else 0.0)
        missing = beyond(due, gems)
        short = sum(missing) - gold
        if short > 0:
            turns = max(max(missing) - gold, -(-short // AT_ONCE))
            pulls[card] = pull = (worth / (turns + wait)) ** focus
        else:
            pull = (worth / wait) ** focus
        goals.append((pull, short, due, missing))
    goals.sort(reverse=True)
    demand, loss = [SPARE] * 6, [0.0] * 6
    for pull, short, due, missing in goals[:GOALS]:
        share = pull / short if short > 0 else 0.0
        for gem in _GEMS:
            if missing[gem]:
                demand[gem] += share
            if due[gem] >= gems[gem] > 0:
                loss[gem] += pull
        demand[GOLD] += share
        loss[GOLD] += pull
    return Appraisal(worths, pulls, tuple(demand), tuple(loss))


def in_reach(state: State, player: Player) -> list[int]:
    """Return the cards that `player` can go for and knows: face up, then in the hand."""
    cards = face_up(state.market)
    if player.reserved:
        cards += [held.card for held in player.reserved if held.card is not None]
    return cards


# Most turns leave all this as it is, and many worlds have it in common.
@lru_cache(maxsize=4096)
def _offers(
    cards: tuple[int, ...], nobles: tuple[int, ...], bonuses: Gems, weights: Weights
) -> tuple[_Offer, ...]:
    """Return what the cards in reach are worth to a player with these bonuses."""
    dues = [(CARDS[card], discounted_cost(CARDS[card], bonuses)) for card in cards]
    uses = _uses(dues, nobles, bonuses, weights)
    return tuple(_Offer(card.id, card.points, uses[card.bonus], due) for card, due in dues)


def _uses(
    dues: Sequence[tuple[Card, Gems]], nobles: tuple[int, ...], bonuses: Gems, weights: Weights
) -> list[float]:
    """Return what one more bonus is worth, by colour."""
    uses = [weights.bonus] * len(GEMS)
    for card, due in dues:
        saved = weights.cheaper + weights.cheaper_point * card.points
        for gem in GEMS:
            if due[gem]:
                uses[gem] += saved
    for noble in nobles:
        missing = beyond(NOBLES[noble].required, bonuses)
        share = weights.noble / (sum(missing) + weights.noble_distance)
        for gem in GEMS:
            if missing[gem]:
                uses[gem] += share
    return uses
