"""Every type of action: one module a type, with its violations and its effect."""

from __future__ import annotations

from splendor_api.games.protocol import Kind
from splendor_api.games.set.actions.call import Call
from splendor_api.games.set.actions.claim import Claim
from splendor_api.games.set.actions.forfeit import Forfeit
from splendor_api.games.set.actions.no_set import NoSet
from splendor_api.games.set.actions.resign import Resign

Action = Call | Claim | Forfeit | NoSet | Resign

ACTIONS = (
    Kind("call", "Call: the cards are the seat's own until it picks (T14)."),
    Kind(
        "claim",
        "Pick three cards, after a call or together with it (T16, T17). Listed among turns only.",
        listed="turns",
    ),
    Kind("forfeit", "Give a call up (T19)."),
    Kind("no_set", "Say that there is no set, where the seats decide about extra cards (T36)."),
    Kind(
        "resign",
        "Leave the game; for any seat, in any phase. Never listed as a choice.",
        listed="never",
    ),
)

__all__ = ["ACTIONS", "Action", "Call", "Claim", "Forfeit", "NoSet", "Resign"]
