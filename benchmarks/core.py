"""The rules alone: random play against python-chess, in CPU time of one thread."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from time import process_time

import chess

from benchmarks import play
from benchmarks.rounds import Figure, Goal, Rates, Report, Size, interleaved, ratios

CHESS = "python-chess"
PLAYERS: dict[str, Callable[[int], int]] = {
    CHESS: play.chess_game,
    "2 seats": partial(play.splendor, 2),
    "4 seats": partial(play.splendor, 4),
    "2 seats, complete turns": partial(play.splendor, 2, turns=True),
    "4 seats, complete turns": partial(play.splendor, 4, turns=True),
    "2 seats, an audit a step": partial(play.splendor, 2, audit=True),
    "4 seats, an audit a step": partial(play.splendor, 4, audit=True),
}
"""What plays one game from a seed, and returns its steps."""

GOALS = {"2 seats": Goal(2.5), "4 seats": Goal(2.5)}

NAMED: dict[str, tuple[float, str, Goal]] = {
    "PySplendor": (0.27, "2 seats", Goal(6)),
    "gym-splendor, fast": (0.13, "2 seats", Goal(6)),
    "csplendor (C++) through Python": (2.4, "2 seats, complete turns", Goal(1)),
}
"""Engines that no package index has, so that they cannot be run beside: what they made of
python-chess's steps when they were measured, and what they are compared with.
"""
SHARE = 0.4  # of a round's seconds that a contender has


def run(size: Size) -> Report:
    """Return the steps and the complete games a second, each against python-chess."""
    games: Rates = {name: [] for name in PLAYERS}

    def contender(name: str) -> Callable[[int], float]:
        def steps_a_second(place: int) -> float:
            steps, finished, seconds = _played(PLAYERS[name], place, size.seconds * SHARE)
            games[name].append(finished / seconds)
            return steps / seconds

        return steps_a_second

    steps = interleaved({name: contender(name) for name in PLAYERS}, size.rounds)
    others = [name for name in PLAYERS if name != CHESS]
    return Report(
        "core",
        {
            "unit of work": "list what is legal, choose at random, apply; games to their end",
            "time": "CPU time of the process (time.process_time)",
            "named": "not run beside, but by their ratio to python-chess when they were measured: "
            + ", ".join(f"{engine} {by}" for engine, (by, _, _) in NAMED.items()),
            "against": f"python-chess {chess.__version__}, list(legal_moves), choose, push",
        },
        (
            *(
                Figure(
                    f"steps, {name}, against {CHESS}",
                    ratios(steps[name], steps[CHESS]),
                    goal=GOALS.get(name),
                )
                for name in others
            ),
            *(
                Figure(
                    f"steps, {name}, against {engine}, named",
                    tuple(each / by for each in ratios(steps[name], steps[CHESS])),
                    goal=goal,
                )
                for engine, (by, name, goal) in NAMED.items()
            ),
            *(
                Figure(f"whole games, {name}, against {CHESS}", ratios(games[name], games[CHESS]))
                for name in others[:2]
            ),
        ),
        {f"steps a CPU second, {name}": rates for name, rates in steps.items()}
        | {f"games a CPU second, {name}": rates for name, rates in games.items()},
    )


def _played(game: Callable[[int], int], place: int, budget: float) -> tuple[int, int, float]:
    """Return the steps and games played until the budget is spent, and the CPU seconds taken."""
    steps, began = 0, process_time()
    for finished in count(1):
        steps += game(1_000 * place + finished)
        seconds = process_time() - began
        if seconds >= budget:
            return steps, finished, seconds
    raise AssertionError("counting does not end")
