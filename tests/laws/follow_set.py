"""What a client does with the events that it is sent: from one observation to the next.

Nothing is known here but the JSON of the observation and that of the events; all seats and
spectators see the same. It is the model for clients in other languages.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]

LOST_SLOTS = 3  # that the table loses as it shrinks


def follow(observation: Json, events: list[Json], _: int | None) -> Json:
    """Return what is seen after the events of one action."""
    state = copy.deepcopy(observation)
    for event in events:
        _STEPS[event["type"]](state, event)
    return state


def _set_called(state: Json, event: Json) -> None:
    state |= {"phase": "called", "to_act": event["seat"]}


def _set_claimed(state: Json, event: Json) -> None:
    _decide(state)
    player = state["players"][event["seat"]]
    player["sets"].append(event["cards"])
    player["score"] += 1
    state["table"] = [None if card in event["cards"] else card for card in state["table"]]
    state["no_set"] = []


def _failed(state: Json, event: Json) -> None:
    _decide(state)
    player = state["players"][event["seat"]]
    player["failed"] += 1
    player["score"] -= state["ruleset"]["options"]["penalty"]


def _cards_dealt(state: Json, event: Json) -> None:
    table, slots = state["table"], event["slots"]
    table += [None] * (max(slots) + 1 - len(table))
    for slot, card in zip(slots, event["cards"], strict=True):
        table[slot] = card
    state["deck"]["count"] -= len(slots)
    state["no_set"] = []


def _table_shrunk(state: Json, event: Json) -> None:
    table = state["table"]
    for move in event["moves"]:
        assert table[move["from"]] == move["card"]
        table[move["to"]] = move["card"]
    del table[-LOST_SLOTS:]


def _no_set_said(state: Json, event: Json) -> None:
    state["no_set"].append(event["seat"])


def _resigned(state: Json, event: Json) -> None:
    seat = event["seat"]
    state["players"][seat]["resigned"] = True
    state["no_set"] = [other for other in state["no_set"] if other != seat]
    if state["to_act"] == seat:
        _free(state)


def _cards_shown(state: Json, event: Json) -> None:
    state["deck"] = event["deck"]


def _game_over(state: Json, event: Json) -> None:
    state |= {"phase": "over", "to_act": None, "outcome": event["outcome"]}
    if state["deck"] == {"count": 0}:
        state["deck"] = []


_STEPS: dict[str, Callable[[Json, Json], None]] = {
    "set_called": _set_called,
    "set_claimed": _set_claimed,
    "set_rejected": _failed,
    "call_forfeited": _failed,
    "cards_dealt": _cards_dealt,
    "table_shrunk": _table_shrunk,
    "no_set_said": _no_set_said,
    "resigned": _resigned,
    "cards_shown": _cards_shown,
    "game_over": _game_over,
}


def _decide(state: Json) -> None:
    state["turn"] += 1
    _free(state)


def _free(state: Json) -> None:
    state |= {"phase": "open", "to_act": None}
