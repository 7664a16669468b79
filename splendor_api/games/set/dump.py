"""SET as JSON values: functions that dump its states, actions and events.

What they return, `wire.py` loads again.
"""

from __future__ import annotations

from splendor_api.games.protocol import Outcome
from splendor_api.games.set.actions import Action
from splendor_api.games.set.components import CARDS
from splendor_api.games.set.events import CardsDealt, Event, GameOver, Standing, TableShrunk
from splendor_api.games.set.options import option_map
from splendor_api.games.set.state import FORMAT, Deck, State


def dump_state(state: State) -> dict[str, object]:
    """Return the state as JSON values."""
    return {
        "game": "set",
        "format": FORMAT,
        "ruleset": {"name": state.ruleset, "options": option_map(state.options)},
        "turn": state.turn,
        "phase": state.phase,
        "to_act": state.to_act,
        "table": state.table,
        "deck": _dump_deck(state.deck),
        "no_set": state.no_set,
        "outcome": None if state.outcome is None else dump_outcome(state.outcome),
        "players": [player._asdict() for player in state.players],
    }


def dump_outcome(outcome: Outcome[Standing]) -> dict[str, object]:
    """Return the outcome as JSON values."""
    return {
        "reason": outcome.reason,
        "winners": outcome.winners,
        "ranking": [standing._asdict() for standing in outcome.ranking],
    }


def dump_action(action: Action) -> dict[str, object]:
    """Return the action as JSON values."""
    return {"type": action.type} | {name: getattr(action, name) for name in action.__slots__}


def dump_event(event: Event) -> dict[str, object]:
    """Return the event as JSON values."""
    match event:
        case TableShrunk():
            moves = [
                {"card": move.card, "from": move.origin, "to": move.target} for move in event.moves
            ]
            return {"type": event.type, "moves": moves}
        case CardsDealt():
            return {"type": event.type, "slots": event.slots, "cards": event.cards}
        case GameOver():
            return {"type": event.type, "outcome": dump_outcome(event.outcome)}
        case _:
            return {"type": event.type} | {name: getattr(event, name) for name in event.__slots__}


def components() -> dict[str, object]:
    """Return the cards with their features as JSON values."""
    return {"cards": [card._asdict() for card in CARDS.values()]}


def _dump_deck(deck: Deck) -> object:
    return {"count": deck} if isinstance(deck, int) else deck
