"""Splendor as JSON values: functions that dump its states, actions and events.

What they return, `wire.py` loads again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, get_args

from splendor_api.games.protocol import Outcome
from splendor_api.games.splendor.actions import Action, ReturnTokens
from splendor_api.games.splendor.components import CARDS, COLOR_LETTERS, GEM_NAMES, LEVELS, NOBLES
from splendor_api.games.splendor.events import (
    CardBought,
    CardReserved,
    CardsShown,
    Event,
    GameOver,
    RevealOwed,
    Standing,
)
from splendor_api.games.splendor.options import option_map
from splendor_api.games.splendor.state import FORMAT, Deck, Player, State
from splendor_api.games.splendor.tokens import COLOR_WORDS, gem_map, token_map

LEVEL_WORDS: Final = tuple(map(str, LEVELS))


def dump_state(state: State) -> dict[str, object]:
    """Return the state as JSON values."""
    return {
        "game": "splendor",
        "format": FORMAT,
        "ruleset": {"name": state.ruleset, "options": option_map(state.options)},
        "turn": state.turn,
        "to_act": state.to_act,
        "phase": state.phase,
        "drawn": None if state.drawn is None else token_map(state.drawn),
        "final_round": state.final_round,
        "outcome": None if state.outcome is None else dump_outcome(state.outcome),
        "bank": token_map(state.bank),
        "market": dict(zip(LEVEL_WORDS, state.market, strict=True)),
        "decks": _dump_decks(state.decks),
        "nobles": state.nobles,
        "players": [_dump_player(player) for player in state.players],
    }


def dump_outcome(outcome: Outcome[Standing]) -> dict[str, object]:
    """Return the outcome as JSON values."""
    return {
        "reason": outcome.reason,
        "winners": outcome.winners,
        "ranking": [standing._asdict() for standing in outcome.ranking],
    }


def dump_action(action: Action) -> dict[str, object]:
    """Return the action as JSON values, without what it does not carry."""
    dumped: dict[str, object] = {"type": action.type}
    for name, member, plain in _ACTION_MEMBERS[type(action)]:
        value = getattr(action, name)
        if value is not None:
            dumped[member] = value if plain is None else plain(value)
    return dumped


def dump_event(event: Event) -> dict[str, object]:
    """Return the event as JSON values."""
    match event:
        case CardReserved(card=None):
            dumped = _event_map(event)
            del dumped["card"]
            return dumped
        case CardBought(place=None):
            dumped = _event_map(event)
            del dumped["place"]
            return dumped
        case RevealOwed():
            return _event_map(event) | {"slots": [place._asdict() for place in event.slots]}
        case CardsShown():
            reserved = [_dump_hand(hand) for hand in event.reserved]
            return {"type": event.type, "decks": _dump_decks(event.decks), "reserved": reserved}
        case GameOver():
            return {"type": event.type, "outcome": dump_outcome(event.outcome)}
        case _:
            return _event_map(event)


def components() -> dict[str, object]:
    """Return colours, cards and tiles as JSON values."""
    return {
        "colors": [
            {"color": name, "letter": COLOR_LETTERS[name], "gem": GEM_NAMES[name]}
            for name in COLOR_WORDS
        ],
        "cards": [
            {
                "id": card.id,
                "level": card.level,
                "bonus": card.bonus.word,
                "points": card.points,
                "cost": gem_map(card.cost),
            }
            for card in CARDS.values()
        ],
        "nobles": [
            {
                "id": noble.id,
                "points": noble.points,
                "requires": gem_map(noble.required),
                "name": noble.name,
            }
            for noble in NOBLES.values()
        ],
    }


_MEMBERS: Final = {("", "returned"): "return", (ReturnTokens.type, "returned"): "tokens"}
"""Where a member's name in JSON is not the field's: of one type of action, or of any."""

_PLAIN: Final[Mapping[str, Callable[[Any], object]]] = {
    "returned": token_map,
    "payment": token_map,
    "tokens": token_map,
    "colors": lambda colors: [COLOR_WORDS[color] for color in colors],
    "color": COLOR_WORDS.__getitem__,
}
"""What makes a field JSON, by its name in actions and events; other fields are it already."""


def _members_of(action: type[Action]) -> tuple[_Member, ...]:
    return tuple(
        (name, _MEMBERS.get((action.type, name), _MEMBERS.get(("", name), name)), _PLAIN.get(name))
        for name in action.__slots__
    )


_Member = tuple[str, str, Callable[[Any], object] | None]
"""A field's name, its name in JSON, and what makes it JSON."""

_ACTION_MEMBERS: Final = {kind: _members_of(kind) for kind in get_args(Action)}


def _event_map(event: Event) -> dict[str, object]:
    dumped: dict[str, object] = {"type": event.type}
    for name in event.__slots__:
        value = getattr(event, name)
        dumped[name] = _PLAIN[name](value) if name in _PLAIN else value
    return dumped


def _dump_decks(decks: tuple[Deck, ...]) -> dict[str, object]:
    return {
        level: {"count": deck} if isinstance(deck, int) else deck
        for level, deck in zip(LEVEL_WORDS, decks, strict=True)
    }


def _dump_player(player: Player) -> dict[str, object]:
    tokens, cards, reserved, nobles, resigned, _, _ = player
    return {
        "tokens": token_map(tokens),
        "cards": cards,
        "reserved": _dump_hand(reserved) if reserved else (),
        "nobles": nobles,
        "resigned": resigned,
    }


def _dump_hand(hand: Iterable[tuple[int | None, int, bool]]) -> list[dict[str, object]]:
    return [
        {"level": level, "hidden": hidden} if card is None else {"card": card, "hidden": hidden}
        for card, level, hidden in hand
    ]
