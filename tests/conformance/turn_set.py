"""At which actions of SET each rule is at work, told from JSON values alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tests.conformance.turn import Json, Rulebook, Turn
from tests.reference import set as reference


def _is_won(turn: Turn) -> bool:
    return turn.has("set_claimed")


def _is_at_once(turn: Turn) -> bool:
    """Return whether a seat picks that has not called (T17)."""
    return turn.kind == "claim" and bool(turn.state["phase"] == "open")


def _is_refilled(turn: Turn) -> bool:
    """Return whether cards were dealt into the slots just emptied (T28)."""
    slots = turn.first("cards_dealt").get("slots", ())
    return _is_won(turn) and len(slots) == 3 and max(slots) < len(turn.state["table"])


def _has_extra_cards(turn: Turn) -> bool:
    """Return whether cards came in new slots (T32, T36)."""
    dealt = [event["slots"] for event in turn.events if event["type"] == "cards_dealt"]
    return any(max(slots) >= len(turn.state["table"]) for slots in dealt)


def _are_last_dealt_needed(turn: Turn) -> bool:
    """Return whether every set has one of the extra cards just dealt (T35)."""
    before = [card for card in turn.after["table"][:-3] if card is not None]
    return (
        _has_extra_cards(turn)
        and turn.option("extra_cards") == "automatic"
        and not reference.has_set({"table": before})
    )


_APPLIED: Final[Mapping[str, Callable[[Turn], object]]] = {
    "T9": _is_won,
    "T10": lambda turn: turn.has("set_rejected"),
    "T11": _is_won,
    "T12": lambda turn: _is_won(turn) and turn.action["cards"] != sorted(turn.action["cards"]),
    "T13": lambda turn: turn.kind == "call" and turn.action["seat"] > 0,
    "T14": lambda turn: turn.kind == "call",
    "T16": lambda turn: turn.kind == "claim",
    "T17": _is_at_once,
    "T18": lambda turn: _is_at_once(turn) and turn.option("caller_window") == "none",
    "T19": lambda turn: turn.has("call_forfeited"),
    "T21": lambda turn: turn.has("set_rejected"),
    "T23": _is_won,
    "T24": lambda turn: turn.has("set_rejected") or turn.has("call_forfeited"),
    "T25": lambda turn: turn.has("set_rejected"),
    "T26": lambda turn: any(player["score"] < 0 for player in turn.after["players"]),
    "T27": lambda turn: turn.has("game_over"),
    "T28": _is_refilled,
    "T29": lambda turn: turn.has("table_shrunk"),
    "T30": lambda turn: turn.first("table_shrunk").get("moves"),
    "T31": lambda turn: _is_won(turn) and None in turn.after["table"],
    "T32": lambda turn: _has_extra_cards(turn) and turn.option("extra_cards") == "automatic",
    "T33": lambda turn: len(turn.after["table"]) > 12 and turn.option("extra_cards") == "automatic",
    "T35": _are_last_dealt_needed,
    "T36": lambda turn: turn.has("no_set_said", "cards_dealt"),
    "T37": lambda turn: turn.has("no_set_said"),
    "T39": lambda turn: turn.outcome.get("reason") == "agreed",
    "T40": lambda turn: turn.outcome.get("reason") == "lost",
    "T41": lambda turn: turn.outcome.get("reason") == "no_set_left",
    "T42": lambda turn: turn.has("game_over") and len(turn.state["players"]) > 1,
    "T43": lambda turn: turn.has("game_over") and len(turn.state["players"]) == 1,
    "T44": lambda turn: turn.outcome.get("reason") == "no_set_left",
}
"""For each rule that governs actions whether it is at work in one."""


def _refused(state: Json, action: Json, codes: list[str]) -> set[str]:
    found = {"T22"} if {"wrong_seat", "game_over", "wrong_phase"} & set(codes) else set()
    if state["phase"] == "called":
        found |= {"T14", "T20"} if "wrong_seat" in codes else set()
        found |= {"T15"} if action["seat"] == state["to_act"] and "wrong_phase" in codes else set()
    if "set_certain" in codes and state["ruleset"]["options"]["deck"] == "quick":
        found.add("T34")
    return found


def _observed(_state: Json, _seen: Json, _seat: int | None) -> set[str]:
    return {"T45", "T46", "T47"}


def _audited(state: Json, codes: list[str]) -> set[str]:
    counts = (len(state["deck"]), len(reference.lying(state)))
    return {"T52"} if "table_size" in codes and any(count % 3 for count in counts) else set()


SET: Final = Rulebook(
    applied=_APPLIED,
    refused=_refused,
    observed=_observed,
    audited=_audited,
    dealt=tuple(f"T{number}" for number in range(1, 9)),
)
