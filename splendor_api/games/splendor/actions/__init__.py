"""Every type of action: one module a type, with its candidates, its violations, its effect."""

from __future__ import annotations

from splendor_api.games.protocol import Kind
from splendor_api.games.splendor.actions.buy import Buy
from splendor_api.games.splendor.actions.choose_noble import ChooseNoble
from splendor_api.games.splendor.actions.pass_turn import Pass
from splendor_api.games.splendor.actions.reserve import Reserve
from splendor_api.games.splendor.actions.resign import Resign
from splendor_api.games.splendor.actions.return_tokens import ReturnTokens
from splendor_api.games.splendor.actions.reveal import Reveal
from splendor_api.games.splendor.actions.take_different import TakeDifferent
from splendor_api.games.splendor.actions.take_same import TakeSame

TurnAction = TakeDifferent | TakeSame | Reserve | Buy | Pass | ReturnTokens | ChooseNoble | Reveal
"""What only the seat to act may do, each in one phase."""

Action = TurnAction | Resign

ACTIONS = (
    Kind("take_different", "Take gem tokens of different colours (S23)."),
    Kind("take_same", "Take two gem tokens of one colour (S28)."),
    Kind("reserve", "Reserve a card, face up or from a deck, with gold if there is some (S33)."),
    Kind("buy", "Buy a card, face up or from one's own reserve (S42)."),
    Kind("pass", "Pass, where the options allow it (S19)."),
    Kind(
        "resign",
        "Leave the game; for any seat, in any phase. Never listed as a choice.",
        listed="never",
    ),
    Kind("return_tokens", "Return the surplus, in its phase (S55)."),
    Kind("choose_noble", "Choose which noble comes, in its phase (S65)."),
    Kind("reveal", "Tell which card lies in a slot, in its phase."),
)

__all__ = [
    "ACTIONS",
    "Action",
    "Buy",
    "ChooseNoble",
    "Pass",
    "Reserve",
    "Resign",
    "ReturnTokens",
    "Reveal",
    "TakeDifferent",
    "TakeSame",
    "TurnAction",
]
