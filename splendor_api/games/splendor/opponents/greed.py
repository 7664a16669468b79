"""The greedy way to play: buy the best card that can be paid, else take what the best ones need.

Searches play their games to the end in this way, so what is asked for most often is quick.
"""

from __future__ import annotations

from collections.abc import Sequence

from splendor_api.games.splendor import turn
from splendor_api.games.splendor.actions import (
    Action,
    Buy,
    ChooseNoble,
    Reserve,
    ReturnTokens,
    TakeDifferent,
    TakeSame,
    buy,
    take_different,
    take_same,
)
from splendor_api.games.splendor.components import NOBLES
from splendor_api.games.splendor.opponents.appraisal import (
    Appraisal,
    Weights,
    appraise,
    in_reach,
)
from splendor_api.games.splendor.state import State
from splendor_api.games.splendor.tokens import Color, Tokens

GREED = 1.0  # what lifts a purchase above all else, which is between -1 and 1
PASSING = -2.0  # below all else


def ranked(state: State, weights: Weights) -> list[tuple[Action, float]]:
    """Return every choice of the seat to act with its value, the best first."""
    appraisal = appraise(state, state.player, weights)
    valued = [(action, value_of(state, appraisal, action)) for action in choices(state)]
    return sorted(valued, key=lambda each: -each[1])


def choices(state: State) -> list[Action]:
    """Return every choice of the seat to act that it can judge.

    Left out is the purchase of a card of the hand that nobody has told: it could be any.
    """
    listed = turn.choices(state, None)
    if all(held.card is not None for held in state.player.reserved):
        return listed
    known = in_reach(state, state.player)
    return [action for action in listed if not isinstance(action, Buy) or action.card in known]


def best(state: State, weights: Weights) -> Action:
    """Return the first of `ranked`, without looking at more than it takes."""
    if state.phase != "main":
        return ranked(state, weights)[0][0]
    player = state.player
    affordable = buy.legal(state, player)
    if len(affordable) == 1:
        return affordable[0]
    appraisal = appraise(state, player, weights)
    if affordable:
        return max(affordable, key=lambda action: appraisal.worth.get(action.card, 0.0))
    takes: tuple[Action, ...] = (*take_different.legal(state), *take_same.legal(state))
    most, chosen = 0.0, None
    for take in takes:
        value = value_of(state, appraisal, take)
        if value > most:
            most, chosen = value, take
    return ranked(state, weights)[0][0] if chosen is None else chosen


def value_of(state: State, appraisal: Appraisal, action: Action) -> float:
    """Return what a legal action is worth to the seat to act."""
    demand = appraisal.demand
    match action:
        case Buy():
            return GREED + appraisal.worth.get(action.card, 0.0)
        case TakeDifferent():
            gain = sum([demand[color] for color in action.colors])
            return _between(gain - _lost(state, appraisal, action.colors))
        case TakeSame():
            color = action.color
            return _between(2 * demand[color] - _lost(state, appraisal, (color, color)))
        case Reserve():
            pull = 0.0 if action.card is None else appraisal.pull.get(action.card, 0.0)
            return -1 / (1 + pull)
        case ReturnTokens():
            return -_worth(action.returned, appraisal.loss)
        case ChooseNoble():
            return float(NOBLES[action.noble].points)
        case _:
            return PASSING


def _lost(state: State, appraisal: Appraisal, drawn: Sequence[Color]) -> float:
    """Return what must be returned for what is drawn, if the seat gives what it needs least."""
    held = state.player.tokens
    surplus = sum(held) + len(drawn) - state.options.token_limit
    if surplus <= 0:
        return 0.0
    losses = [appraisal.demand[color] for color in drawn]
    for loss, count in zip(appraisal.loss, held, strict=True):
        losses += [loss] * min(count, surplus)
    return sum(sorted(losses)[:surplus])


def _between(gain: float) -> float:
    """Return a number between -1 and 1 that grows with the gain."""
    return gain / (1 + abs(gain))


def _worth(tokens: Tokens, worth: Sequence[float]) -> float:
    return sum(count * each for count, each in zip(tokens, worth, strict=True))
