"""Who has won, and in which order the seats stand (S68 to S74)."""

from __future__ import annotations

from splendor_api.games.protocol import Outcome
from splendor_api.games.splendor.events import Standing
from splendor_api.games.splendor.options import Options
from splendor_api.games.splendor.state import Player, State

REASONS = {
    "target_prestige": "A seat reached the target prestige and the round is complete (S70).",
    "deadlock": "Nothing can ever change again (S22).",
    "resigned": "One seat is left.",
}


def outcome(state: State, reason: str) -> Outcome[Standing]:
    """Return the outcome of a game that ends with `state`; resigned seats come last."""
    merits = [_merit(player, state.options) for player in state.players]
    order = sorted(range(len(merits)), key=lambda seat: (merits[seat], seat))
    ranking = tuple(
        Standing(
            seat,
            rank=1 + sum(other < merits[seat] for other in merits),
            prestige=state.players[seat].prestige,
            cards=len(state.players[seat].cards),
        )
        for seat in order
    )
    winners = tuple(standing.seat for standing in ranking if standing.rank == 1)
    return Outcome(reason, winners, ranking)


def _merit(player: Player, options: Options) -> tuple[bool, int, int]:
    """Return what the seats are ordered by, the best being the least (S72, S73)."""
    cards = len(player.cards) if options.tie_break == "fewest_cards" else 0
    return player.resigned, -player.prestige, cards
