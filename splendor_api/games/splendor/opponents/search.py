"""The strong way to play: what looks best, each played to the end in made-up worlds."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from splendor_api.games.opponents import Effort
from splendor_api.games.race import race
from splendor_api.games.splendor import turn
from splendor_api.games.splendor.actions import Action, Reserve
from splendor_api.games.splendor.opponents.appraisal import Weights
from splendor_api.games.splendor.opponents.greed import best, ranked
from splendor_api.games.splendor.opponents.worlds import world
from splendor_api.games.splendor.state import State

MOST_TRIED = 8  # choices that are played out
MOST_RESERVES = 2  # of these
LONGEST = 100  # actions of a playout for each seat
MARGIN = 0.01  # of a win: what a prestige more or less than the best other seat's is worth
WIDEST = 20  # prestige by which that counts


class Tried(NamedTuple):
    """A choice, how often it was played out, how many of these were won, and its mean score."""

    action: Action
    playouts: int
    won: float
    score: float


def tried(
    seen: State, seat: int, weights: Weights, seed: str, effort: Effort
) -> tuple[list[Tried], int]:
    """Return the choices worth trying, the best first, and how many playouts were made.

    `seen` is what the seat, which is to act, sees.
    """
    choices = _worth_trying(seen, weights)
    scores = race(choices, partial(world, seen, seed), partial(_playout, weights, seat), effort)
    judged = [_judged(choice, scored) for choice, scored in zip(choices, scores, strict=True)]
    judged.sort(key=lambda one: (-one.playouts, -one.score))
    return judged, sum(map(len, scores))


def _worth_trying(seen: State, weights: Weights) -> list[Action]:
    """Return the choices that look best, few reserves among them, which look much alike."""
    choices = [action for action, _ in ranked(seen, weights)]
    reserves = [action for action in choices if isinstance(action, Reserve)][:MOST_RESERVES]
    others = [action for action in choices if not isinstance(action, Reserve)]
    return others[: MOST_TRIED - len(reserves)] + reserves


def _playout(weights: Weights, seat: int, state: State, action: Action) -> float:
    """Return what comes of an action if every seat then plays greedily: 1 for a win, and margin."""
    state = turn.apply(state, action).state
    actions_left = LONGEST * len(state.players)
    while state.to_act is not None and actions_left:
        state = turn.apply(state, best(state, weights)).state
        actions_left -= 1
    return _share(state, seat) + _margin(state, seat)


def _share(state: State, seat: int) -> float:
    """Return which part of the win is the seat's."""
    if state.outcome is None or seat not in state.outcome.winners:
        return 0.0
    return 1 / len(state.outcome.winners)


def _margin(state: State, seat: int) -> float:
    own = state.players[seat].prestige
    others = max(player.prestige for other, player in enumerate(state.players) if other != seat)
    return MARGIN * max(-WIDEST, min(WIDEST, own - others))


def _judged(action: Action, scores: tuple[float, ...]) -> Tried:
    """Return what the scores say of an action; a win scores more than half, whatever the margin."""
    count = len(scores)
    won = sum(score > 1 / 2 for score in scores)
    return Tried(action, count, won, sum(scores) / count if count else 0.0)
