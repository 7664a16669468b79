"""What a seat wants: which cards are worth going for, and which tokens they need.

A card is worth its prestige and the use of its bonus for what else lies there, nobles included; the
sooner it can be paid, the more it is gone for. None of this is a rule: it is a player's opinion.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from splendor_api.games.splendor.components import CARDS, NOBLES, Card
from splendor_api.games.splendor.state import Player, State, discounted_cost, face_up
from splendor_api.games.splendor.tokens import GEMS, GOLD, Color, Gems, beyond, gems_in

WINNING = 20.0  # prestige that a card is worth on top if it reaches the target
AT_ONCE = 3  # tokens that a turn brings at most (S23)
SPARE = 0.001  # what a token is worth that nothing here asks for


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
    fading: float
    """Share of a bonus that is gone once somebody has the target."""
    wait: float
    """Turns that a card is thought to be further away than it is."""
    focus: float
    """Power to which the nearest and best card is preferred to the rest."""


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
    dues = [
        (CARDS[card], discounted_cost(CARDS[card], player.bonuses))
        for card in in_reach(state, player)
    ]
    uses = _uses(state, player, dues, weights)
    gems, gold = gems_in(player.tokens), player.tokens[GOLD]
    target = state.options.target_prestige - player.prestige
    worths, pulls = {}, {}
    demand, loss = [SPARE] * 6, [0.0] * 6
    for card, due in dues:
        worth = card.points + uses[card.bonus] + (WINNING if card.points >= target else 0.0)
        worths[card.id] = worth
        missing = beyond(due, gems)
        short = sum(missing) - gold
        pull = (worth / (turns_away(missing, gold) + weights.wait)) ** weights.focus
        if short > 0:
            pulls[card.id] = pull
            share = pull / short
            demand[GOLD] += share
            for gem in GEMS:
                if missing[gem]:
                    demand[gem] += share
        for gem in GEMS:
            if gems[gem] and due[gem] >= gems[gem]:
                loss[gem] += pull
        if gold:
            loss[GOLD] += pull
    return Appraisal(worths, pulls, tuple(demand), tuple(loss))


def in_reach(state: State, player: Player) -> list[int]:
    """Return the cards that `player` can go for and knows: face up, then in the hand."""
    cards = face_up(state.market)
    if player.reserved:
        cards += [held.card for held in player.reserved if held.card is not None]
    return cards


def turns_away(missing: Gems, gold: int) -> int:
    """Return in how many turns of taking tokens a card can be paid, if the bank has them all."""
    short = sum(missing) - gold
    return 0 if short <= 0 else max(max(missing) - gold, -(-short // AT_ONCE))


def _uses(
    state: State, player: Player, dues: Iterable[tuple[Card, Gems]], weights: Weights
) -> list[float]:
    """Return what one more bonus is worth, by colour."""
    uses = [weights.bonus] * len(GEMS)
    for card, (white, blue, green, red, black) in dues:
        saved = weights.cheaper + weights.cheaper_point * card.points
        if white:
            uses[Color.WHITE] += saved
        if blue:
            uses[Color.BLUE] += saved
        if green:
            uses[Color.GREEN] += saved
        if red:
            uses[Color.RED] += saved
        if black:
            uses[Color.BLACK] += saved
    for noble in state.nobles:
        missing = beyond(NOBLES[noble].required, player.bonuses)
        share = weights.noble / (sum(missing) + weights.noble_distance)
        for gem in GEMS:
            if missing[gem]:
                uses[gem] += share
    lead = max(other.prestige for other in state.players)
    left = 1 - weights.fading * min(1.0, lead / state.options.target_prestige)
    return [use * left for use in uses]
