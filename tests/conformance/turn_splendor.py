"""At which actions of Splendor each rule is at work, told from JSON values alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from tests.conformance.turn import Json, Rulebook, Turn
from tests.reference import splendor as reference

MAIN: Final = ("take_different", "take_same", "reserve", "buy")


def _player(turn: Turn) -> Json:
    """Return whose turn it is, before the action."""
    player: Json = turn.state["players"][_seat(turn)]
    return player


def _seat(turn: Turn) -> int:
    """Return the seat whose turn it is."""
    return int(turn.state["turn"] % len(turn.state["players"]))


def _payment(turn: Turn) -> Json:
    """Return what was paid, empty if nothing was bought."""
    paid: Json = turn.first("card_bought").get("payment", {})
    return paid


def _refilled(turn: Turn) -> list[int | None]:
    """Return the cards that came into slots, None where a deck has run out."""
    return [event["card"] for event in turn.events if event["type"] == "card_revealed"]


def _drawn(turn: Turn) -> Json:
    """Return what the action itself drew."""
    return reference.drawn_by(turn.state, turn.action) if turn.kind in MAIN else {}


def _returned(turn: Turn) -> Json:
    """Return the tokens that were given back in this action."""
    back: Json = turn.first("tokens_returned").get("tokens", {})
    return back


def _costs(turn: Turn) -> Iterator[tuple[int, int]]:
    """Yield for each colour what the card that is bought costs, and the bonuses for it."""
    if turn.kind == "buy":
        card, bonuses = reference.CARDS[turn.action["card"]], reference.bonuses(_player(turn))
        yield from ((card[gem], bonuses[gem]) for gem in reference.GEMS)


def _is_discounted(turn: Turn) -> bool:
    return any(cost and bonus for cost, bonus in _costs(turn))


def _has_idle_bonus(turn: Turn) -> bool:
    """Return whether a bonus beyond the cost of its colour paid for nothing else (S44)."""
    return any(bonus > cost > 0 for cost, bonus in _costs(turn)) and any(_payment(turn).values())


def _is_affordable(turn: Turn) -> bool:
    """Return whether a card that is reserved could have been bought (S41)."""
    if turn.kind != "reserve" or "card" not in turn.action:
        return False
    due = reference.default_payment(_player(turn), turn.action["card"])
    return bool(due["gold"] <= _player(turn)["tokens"]["gold"])


def _is_gold_spent_freely(turn: Turn) -> bool:
    """Return whether gold was paid where a gem token was held (S49)."""
    if turn.kind != "buy":
        return False
    fewest = reference.default_payment(_player(turn), turn.action["card"])
    return bool(_payment(turn)["gold"] > fewest["gold"])


def _has_tie(turn: Turn) -> bool:
    """Return whether seats are level on most prestige at the end."""
    prestige = [standing["prestige"] for standing in turn.outcome.get("ranking", ())]
    return len(prestige) > 1 and prestige.count(max(prestige)) > 1


def _reaches_target_late(turn: Turn) -> bool:
    """Return whether the seat reaches the target in a round that is the last already (S71)."""
    before = reference.prestige(_player(turn))
    after = reference.prestige(turn.after["players"][_seat(turn)])
    return bool(turn.state["final_round"] and before < turn.option("target_prestige") <= after)


def _seat_follows(turn: Turn) -> bool:
    """Return whether the turn passes to the next seat (S12)."""
    following = (_seat(turn) + 1) % len(turn.state["players"])
    return turn.has("turn_ended") and turn.after["to_act"] == following


def _is_scarce(turn: Turn) -> bool:
    return turn.kind == "take_different" and len(turn.action["colors"]) < 3


_APPLIED: Final[Mapping[str, Callable[[Turn], object]]] = {
    "S12": _seat_follows,
    "S13": lambda turn: turn.kind in MAIN,
    "S15": lambda turn: (
        turn.has("card_revealed", "noble_visited", "turn_ended")
        or turn.has("tokens_returned", "noble_visited")
    ),
    "S16": lambda turn: any(_refilled(turn)),
    "S17": lambda turn: None in _refilled(turn),
    "S18": lambda turn: (
        turn.has("card_revealed", "return_owed") or turn.has("card_revealed", "noble_owed")
    ),
    "S19": lambda turn: turn.kind == "pass" and turn.option("pass") == "when_stuck",
    "S20": lambda turn: turn.option("pass") != "when_stuck" and turn.has("passed"),
    "S21": lambda turn: turn.has("passed", "turn_ended") or turn.has("turn_skipped", "turn_ended"),
    "S22": lambda turn: turn.outcome.get("reason") == "deadlock",
    "S23": lambda turn: turn.kind == "take_different" and len(turn.action["colors"]) == 3,
    "S24": lambda turn: _is_scarce(turn) and turn.option("take_fewer") == "when_scarce",
    "S25": lambda turn: _is_scarce(turn) and turn.option("take_fewer") == "always",
    "S28": lambda turn: (
        turn.kind == "take_same"
        and turn.state["bank"][turn.action["color"]] == turn.option("take_two_minimum")
    ),
    "S29": lambda turn: (
        turn.kind == "take_same" and _player(turn)["tokens"][turn.action["color"]] > 0
    ),
    "S30": lambda turn: turn.kind == "take_same",
    "S31": lambda turn: turn.kind == "take_different" and turn.state["bank"]["gold"],
    "S32": lambda turn: (
        turn.kind.startswith("take") and (turn.has("return_owed") or _returned(turn))
    ),
    "S33": lambda turn: turn.kind == "reserve" and "level" in turn.action,
    "S35": lambda turn: turn.first("card_reserved").get("gold") == 1,
    "S36": lambda turn: turn.first("card_reserved").get("gold") == 0 and turn.option("gold_tokens"),
    "S37": lambda turn: _drawn(turn).get("gold"),
    "S38": lambda turn: turn.kind == "reserve" and ("card" in turn.action) == bool(_refilled(turn)),
    "S40": lambda turn: turn.kind == "buy" and turn.first("card_bought")["slot"] is None,
    "S41": _is_affordable,
    "S42": lambda turn: turn.kind == "buy",
    "S43": _is_discounted,
    "S44": _has_idle_bonus,
    "S45": lambda turn: _is_discounted(turn) and turn.has("card_bought"),
    "S46": lambda turn: _payment(turn).get("gold"),
    "S49": _is_gold_spent_freely,
    "S50": lambda turn: _payment(turn).get("gold") and "payment" not in turn.action,
    "S51": lambda turn: _payment(turn) and not any(_payment(turn).values()),
    "S52": lambda turn: any(_payment(turn).values()),
    "S53": lambda turn: turn.has("card_bought", "noble_visited"),
    "S54": lambda turn: turn.kind == "buy" and not _refilled(turn),
    "S55": lambda turn: turn.has("return_owed"),
    "S56": _returned,
    "S57": lambda turn: (
        turn.kind in MAIN
        and any(count > _drawn(turn).get(color, 0) for color, count in _returned(turn).items())
    ),
    "S59": lambda turn: turn.kind.startswith("take") and _returned(turn) == _drawn(turn),
    "S60": lambda turn: turn.has("tokens_returned", "turn_ended"),
    "S61": lambda turn: turn.option("returns") == "drawn" and _returned(turn),
    "S62": lambda turn: turn.has("noble_visited") and turn.kind != "buy",
    "S63": lambda turn: turn.has("noble_visited"),
    "S64": lambda turn: turn.has("noble_visited") and "noble" not in turn.action,
    "S65": lambda turn: turn.has("noble_owed"),
    "S66": lambda turn: turn.has("noble_visited") and "noble" not in turn.action,
    "S67": lambda turn: turn.has("noble_visited"),
    "S68": lambda turn: turn.has("game_over"),
    "S69": lambda turn: turn.has("final_round_started"),
    "S70": lambda turn: turn.outcome.get("reason") == "target_prestige",
    "S71": _reaches_target_late,
    "S72": lambda turn: turn.outcome.get("reason") == "target_prestige",
    "S73": _has_tie,
    "S74": lambda turn: (
        _has_tie(turn)
        and turn.option("tie_break") == "fewest_cards"
        and len(turn.outcome["winners"]) > 1
    ),
    "S75": lambda turn: turn.has("turn_ended") and None in _refilled(turn) and not turn.outcome,
    "S80": lambda turn: "place" in turn.first("card_bought"),
}
"""For each rule that governs actions whether it is at work in one."""


def _refused(state: Json, action: Json, codes: list[str]) -> set[str]:
    """Return the rules behind a refusal that its codes do not name."""
    found = {"S14"} if {"wrong_seat", "game_over"} & set(codes) else set()
    has_no_gem = not any(state["bank"][gem] for gem in reference.GEMS)
    if action["type"] == "take_different" and has_no_gem and len(codes) > 0:
        found.add("S26")
    if "wrong_phase" in codes:
        found.add("S15")
    if {"deck_empty", "card_not_available"} & set(codes):
        found.add("S39")
    return found


def _observed(state: Json, seen: Json, seat: int | None) -> set[str]:
    """Return the rules by which an observation is what it is."""
    if state["phase"] == "over":
        return {"S82"}
    found = {"S76", "S81"}
    hands = [
        (held, told)
        for whole, shown in zip(state["players"], seen["players"], strict=True)
        for held, told in zip(whole["reserved"], shown["reserved"], strict=True)
    ]
    if any(held != told and held["hidden"] for held, told in hands):
        found.add("S77")
    if any(held != told and not held["hidden"] for held, told in hands):
        found.add("S78")
    if state["phase"] == "return_tokens" and seat == state["to_act"]:
        own = state["players"][seat]["reserved"]
        found |= {"S79"} if own and own[-1].get("hidden") and state["drawn"]["gold"] else set()
    return found


SPLENDOR: Final = Rulebook(
    applied=_APPLIED,
    refused=_refused,
    observed=_observed,
    audited=lambda _state, _codes: set(),
    dealt=tuple(f"S{number}" for number in range(1, 12)),
)
