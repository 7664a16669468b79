"""A race between actions: each is played out in the same worlds, until one is clearly the best.

A world is everything that is not known, made up. Two actions are compared world by world, which
takes most of the luck out of the difference; whoever is behind by more than luck explains is out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import TypeVar

from splendor_api.games.opponents import Effort

ActionT = TypeVar("ActionT")
WorldT = TypeVar("WorldT")

FIRST_LOOK = 6  # worlds before anybody is out
BEHIND = 1.5  # standard errors behind the best that put an action out


def race(
    actions: Sequence[ActionT],
    world: Callable[[int], WorldT],
    playout: Callable[[WorldT, ActionT], float],
    effort: Effort,
) -> tuple[tuple[float, ...], ...]:
    """Return what each action has scored in the worlds that it was played out in, in their order.

    An action is played out in the worlds 0, 1, 2 and so on, all that are left in each, until one
    is left, or the effort is spent. The best of those with the most worlds has won.
    """
    scores: list[list[float]] = [[] for _ in actions]
    left = list(range(len(actions)))
    spent = worlds = 0
    while len(left) > 1 and spent + len(left) <= effort.playouts and effort.has_time():
        made_up = world(worlds)
        for place in left:
            scores[place].append(playout(made_up, actions[place]))
        spent += len(left)
        worlds += 1
        if worlds >= FIRST_LOOK:
            left = _in_the_race(left, scores)
    return tuple(map(tuple, scores))


def _in_the_race(left: Sequence[int], scores: Sequence[Sequence[float]]) -> list[int]:
    """Return the places of those that luck alone may have put behind the best."""
    best = max(left, key=lambda place: sum(scores[place]))
    return [place for place in left if not _is_behind(scores[place], scores[best])]


def _is_behind(scores: Sequence[float], best: Sequence[float]) -> bool:
    differences = [one - other for one, other in zip(best, scores, strict=True)]
    count = len(differences)
    mean = sum(differences) / count
    squares = sum((difference - mean) ** 2 for difference in differences)
    return mean > BEHIND * sqrt(squares / (count - 1) / count)
