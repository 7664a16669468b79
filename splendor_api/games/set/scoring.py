"""Who has won, and in which order the seats stand (T26, T42, T43)."""

from __future__ import annotations

from splendor_api.games.protocol import Outcome
from splendor_api.games.set.events import Standing
from splendor_api.games.set.options import Options
from splendor_api.games.set.state import Player, State

REASONS = {
    "no_set_left": "The deck is empty and the table holds no set (T41).",
    "agreed": "The deck is empty and every seat says that there is no set (T39).",
    "lost": "A seat alone has no set on the table (T40).",
    "resigned": "At most one seat is left.",
}


def score(player: Player, options: Options) -> int:
    """Return the sets less the failed calls times the penalty (T26)."""
    return len(player.sets) - player.failed * options.penalty


def outcome(state: State, reason: str) -> Outcome[Standing]:
    """Return the outcome of a game that ends with `state`; resigned seats come last."""
    merits = [(player.resigned, -player.score) for player in state.players]
    order = sorted(range(len(merits)), key=lambda seat: (merits[seat], seat))
    ranking = tuple(
        Standing(
            seat,
            rank=1 + sum(other < merits[seat] for other in merits),
            score=state.players[seat].score,
        )
        for seat in order
    )
    winners = tuple(
        standing.seat
        for standing in ranking
        if standing.rank == 1 and not state.players[standing.seat].resigned
    )
    return Outcome(reason, () if reason == "lost" else winners, ranking)
