"""How long a state is: random games of four, compact JSON as it is answered."""

from __future__ import annotations

from benchmarks import play
from benchmarks.rounds import Figure, Goal, Report, Size
from splendor_api.wire import json_text

SEATS = 4
GAMES_A_ROUND = 4


def run(size: Size) -> Report:
    """Return the lengths of states in play and at the end; they are the same in every run."""
    in_play: list[int] = []
    final: list[int] = []
    for seed in range(size.rounds * GAMES_A_ROUND):
        *lengths, last = (
            len(json_text.write(play.SPLENDOR.wire.dump_state(state)))
            for state, _ in play.played(SEATS, seed)
        )
        in_play += lengths
        final.append(last)
    return Report(
        "wire",
        {"seats": str(SEATS), "games": str(len(final)), "states": str(len(in_play))},
        (
            Figure("state in play, 4 seats", tuple(in_play), "bytes", Goal(1_600, is_most=True)),
            Figure("state at the end, 4 seats", tuple(final), "bytes", Goal(1_900, is_most=True)),
        ),
        {},
    )
