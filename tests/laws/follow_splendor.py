"""What a client does with the events that it is sent: from one observation to the next.

Nothing is known here but the JSON of the observation, that of the events, and whose eyes see them
(`seat`; None is a spectator). It is the model for clients in other languages.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]

NO_TOKENS = {"white": 0, "blue": 0, "green": 0, "red": 0, "black": 0, "gold": 0}


def follow(observation: Json, events: list[Json], seat: int | None) -> Json:
    """Return what the seat sees after the events of one action."""
    state = copy.deepcopy(observation)
    drawn = dict(state["drawn"] or NO_TOKENS)
    for event in events:
        _STEPS[event["type"]](state, event, seat, drawn)
    if state["phase"] == "reveal" and not _unknown_slots(state):
        state["phase"] = "main"  # the cards of a table that nobody has acted at are told
    state["drawn"] = drawn if _is_return_ahead(state) else None
    return state


def _tokens_taken(state: Json, event: Json, seat: int | None, drawn: Json) -> None:
    _move(state["bank"], state["players"][event["seat"]]["tokens"], event["tokens"])
    for color, count in event["tokens"].items():
        drawn[color] += count


def _tokens_returned(state: Json, event: Json, seat: int | None, drawn: Json) -> None:
    _move(state["players"][event["seat"]]["tokens"], state["bank"], event["tokens"])


def _card_reserved(state: Json, event: Json, seat: int | None, drawn: Json) -> None:
    player, level = state["players"][event["seat"]], str(event["level"])
    _move(state["bank"], player["tokens"], {"gold": event["gold"]})
    drawn["gold"] += event["gold"]
    if event["slot"] is None:
        _draw(state, level)
    else:
        state["market"][level][event["slot"]] = None
    keeps_seeing = event["seat"] == seat or not _hides_all(state)
    if "card" in event and keeps_seeing:
        held = {"card": event["card"], "hidden": event["hidden"]}
    else:
        held = {"level": event["level"], "hidden": True}
    player["reserved"].append(held)


def _card_bought(state: Json, event: Json, seat: int | None, drawn: Json) -> None:
    player, level = state["players"][event["seat"]], str(event["level"])
    _move(player["tokens"], state["bank"], event["payment"])
    player["cards"].append(event["card"])
    if event["slot"] is not None:
        state["market"][level][event["slot"]] = None
        return
    reserved = player["reserved"]
    if "place" in event:
        del reserved[event["place"]]
    else:
        reserved[:] = [held for held in reserved if held.get("card") != event["card"]]


def _card_revealed(state: Json, event: Json, seat: int | None, drawn: Json) -> None:
    row = state["market"][str(event["level"])]
    if event["card"] is not None and row[event["slot"]] != "unknown":
        _draw(state, str(event["level"]))
    row[event["slot"]] = event["card"]


def _reveal_owed(state: Json, event: Json, seat: int | None, drawn: Json) -> None:
    for slot in event["slots"]:
        row = state["market"][str(slot["level"])]
        if row[slot["slot"]] != "unknown":
            _draw(state, str(slot["level"]))
        row[slot["slot"]] = "unknown"
    state["phase"] = "reveal"


def _noble_visited(state: Json, event: Json, seat: int | None, drawn: Json) -> None:
    state["nobles"].remove(event["noble"])
    state["players"][event["seat"]]["nobles"].append(event["noble"])


def _resigned(state: Json, event: Json, seat: int | None, drawn: Json) -> None:
    state["players"][event["seat"]]["resigned"] = True


def _final_round_started(state: Json, event: Json, seat: int | None, drawn: Json) -> None:
    state["final_round"] = True


def _return_owed(state: Json, event: Json, seat: int | None, drawn: Json) -> None:
    state["phase"] = "return_tokens"


def _noble_owed(state: Json, event: Json, seat: int | None, drawn: Json) -> None:
    state["phase"] = "choose_noble"


def _turn_ended(state: Json, event: Json, seat: int | None, drawn: Json) -> None:
    state["turn"] = event["turn"]
    state["to_act"] = event["turn"] % len(state["players"])
    state["phase"] = "main"
    drawn.update(NO_TOKENS)


def _cards_shown(state: Json, event: Json, seat: int | None, drawn: Json) -> None:
    state["decks"] = event["decks"]
    for player, reserved in zip(state["players"], event["reserved"], strict=True):
        player["reserved"] = reserved


def _game_over(state: Json, event: Json, seat: int | None, drawn: Json) -> None:
    state |= {"phase": "over", "to_act": None, "outcome": event["outcome"]}


def _told(state: Json, event: Json, seat: int | None, drawn: Json) -> None:
    """Change nothing: the event is for the eyes."""


_STEPS: dict[str, Callable[[Json, Json, int | None, Json], None]] = {
    "tokens_taken": _tokens_taken,
    "tokens_returned": _tokens_returned,
    "card_reserved": _card_reserved,
    "card_bought": _card_bought,
    "card_revealed": _card_revealed,
    "noble_visited": _noble_visited,
    "passed": _told,
    "turn_skipped": _told,
    "resigned": _resigned,
    "final_round_started": _final_round_started,
    "return_owed": _return_owed,
    "noble_owed": _noble_owed,
    "reveal_owed": _reveal_owed,
    "turn_ended": _turn_ended,
    "cards_shown": _cards_shown,
    "game_over": _game_over,
}


def _move(giver: Json, taker: Json, tokens: Json) -> None:
    for color, count in tokens.items():
        giver[color] -= count
        taker[color] += count


def _draw(state: Json, level: str) -> None:
    """Take the top card of a deck, of which an observer knows but the count."""
    state["decks"][level]["count"] -= 1


def _hides_all(state: Json) -> bool:
    visibility: str = state["ruleset"]["options"]["reserve_visibility"]
    return visibility == "all_hidden"


def _unknown_slots(state: Json) -> int:
    return sum(row.count("unknown") for row in state["market"].values())


def _is_return_ahead(state: Json) -> bool:
    """Return whether the seat to act owes tokens, now or once the market is full again."""
    if state["phase"] not in ("return_tokens", "reveal"):
        return False
    player = state["players"][state["to_act"]]
    held: int = sum(player["tokens"].values())
    limit: int = state["ruleset"]["options"]["token_limit"]
    return held > limit and not player["resigned"]
