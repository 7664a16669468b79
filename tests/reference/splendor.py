"""A second Splendor, written from the rules on plain JSON values, for comparison only.

It shares no code with the service and was written without looking at it: where the two differ,
one of them is wrong or the rules leave something open. It is naive on purpose: states are
dicts, legal actions are found by trying every candidate, and nothing is fast.

A state, an action and an event are the JSON objects that a client sees, already of the right
shape; what a schema refuses is not looked at here.
"""

import csv
import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Tokens = dict[str, int]
Broken = tuple[str, str]
"""A violation: its code and a JSON Pointer into the action."""

GEMS = ("white", "blue", "green", "red", "black")
TOKENS = (*GEMS, "gold")
LEVELS = (1, 2, 3)
SLOTS = (0, 1, 2, 3)
UNKNOWN = "unknown"

CODES = (
    "game_over",
    "wrong_seat",
    "wrong_phase",
    "duplicate_color",
    "too_many_colors",
    "too_few_colors",
    "color_unavailable",
    "pile_too_small",
    "reserve_limit",
    "gold_unavailable",
    "deck_empty",
    "card_not_available",
    "cannot_afford",
    "payment_not_owned",
    "payment_mismatch",
    "gold_not_needed",
    "return_not_due",
    "return_wrong_count",
    "return_not_owned",
    "return_not_drawn",
    "noble_not_eligible",
    "noble_not_yet",
    "pass_not_allowed",
    "reveal_not_owed",
    "card_not_possible",
)
"""Every code of an action, in the order of report."""

PHASES = {
    "take_different": "main",
    "take_same": "main",
    "reserve": "main",
    "buy": "main",
    "pass": "main",
    "return_tokens": "return_tokens",
    "choose_noble": "choose_noble",
    "reveal": "reveal",
}
"""The phase in which each type of action is possible; `resign` has no phase of its own."""

DATA = Path(__file__).parents[2] / "splendor_api" / "games" / "splendor" / "data"


def _read(name: str) -> dict[int, Json]:
    with (DATA / name).open(encoding="utf-8", newline="") as lines:
        return {int(row["id"]): _numbers(row) for row in csv.DictReader(lines)}


def _numbers(row: dict[str, str]) -> Json:
    return {key: int(text) if text.isdecimal() else text for key, text in row.items()}


CARDS = _read("development_cards.csv")
TILES = _read("noble_tiles.csv")


def copied(value: Any) -> Any:
    """Return a JSON value that shares nothing with this one."""
    if isinstance(value, dict):
        return {key: copied(inner) for key, inner in value.items()}
    return [copied(inner) for inner in value] if isinstance(value, list) else value


# Options and the deal


def options_of(seats: int, ruleset: str, chosen: Json | None = None) -> Json:
    """Return every option of a deal with its final value (rules/options.md)."""
    publisher = ruleset == "publisher"
    return {
        "target_prestige": 15,
        "token_limit": 10,
        "reserve_limit": 3,
        "gems_per_color": {2: 4, 3: 5, 4: 7}[seats],
        "gold_tokens": 5 if publisher or seats == 4 else 0,
        "nobles_revealed": seats + 1,
        "take_fewer": "when_scarce",
        "take_two_minimum": 4,
        "reserve_without_gold": True,
        "gold_payment": "free",
        "returns": "any",
        "pass": "when_stuck",
        "reserve_visibility": "drawn_hidden",
        "tie_break": "fewest_cards" if publisher else "shared",
        **(chosen or {}),
    }


def deal(seats: int, ruleset: str, options: Json | None, seed: str) -> Json:
    """Return the first state of a game (S5 to S11; formats.md, section 6)."""
    chosen = options_of(seats, ruleset, options)
    decks = {}
    for level in LEVELS:
        ids = [card for card in sorted(CARDS) if CARDS[card]["level"] == level]
        decks[str(level)] = _shuffled(ids, seed, f"splendor/deck/{level}")
    market = {level: [deck.pop() for _ in SLOTS] for level, deck in decks.items()}
    tiles = _shuffled(sorted(TILES), seed, "splendor/nobles")
    return {
        "game": "splendor",
        "format": 1,
        "ruleset": {"name": ruleset, "options": chosen},
        "turn": 0,
        "to_act": 0,
        "phase": "main",
        "drawn": None,
        "final_round": False,
        "outcome": None,
        "bank": dict.fromkeys(GEMS, chosen["gems_per_color"]) | {"gold": chosen["gold_tokens"]},
        "market": market,
        "decks": decks,
        "nobles": tiles[: chosen["nobles_revealed"]],
        "players": [
            {
                "tokens": dict.fromkeys(TOKENS, 0),
                "cards": [],
                "reserved": [],
                "nobles": [],
                "resigned": False,
            }
            for _ in range(seats)
        ],
    }


def _shuffled(ids: list[int], seed: str, label: str) -> list[int]:
    numbers = _stream(seed, label)
    ids = list(ids)
    for i in range(len(ids) - 1, 0, -1):
        j = _below(i + 1, numbers)
        ids[i], ids[j] = ids[j], ids[i]
    return ids


def _stream(seed: str, label: str) -> Iterator[int]:
    block = 0
    while True:
        message = f"{label}:{block}".encode()
        digest = hmac.new(seed.encode(), message, hashlib.sha256).digest()
        for start in range(0, 32, 8):
            yield int.from_bytes(digest[start : start + 8], "big")
        block += 1


def _below(n: int, numbers: Iterator[int]) -> int:
    for u in numbers:
        if u < 2**64 - 2**64 % n:
            return u % n
    raise AssertionError("a stream has no end")


# What a state says


def option(state: Json, name: str) -> Any:
    """Return the value of an option."""
    return state["ruleset"]["options"][name]


def whole(tokens: Tokens) -> Tokens:
    """Return a token map with all six kinds written out."""
    return {kind: tokens.get(kind, 0) for kind in TOKENS}


def total(tokens: Tokens) -> int:
    """Return how many tokens there are in a token map."""
    return sum(tokens.values())


def bonuses(player: Json, bought: int | None = None) -> Tokens:
    """Return the player's bonuses, with a card `bought` in this turn counted too (S45, S53)."""
    cards = player["cards"] if bought is None else [*player["cards"], bought]
    return {gem: sum(CARDS[card]["bonus"] == gem for card in cards) for gem in GEMS}


def prestige(player: Json) -> int:
    """Return the player's prestige (S68)."""
    points: list[int] = [CARDS[card]["points"] for card in player["cards"]]
    points += [TILES[tile]["points"] for tile in player["nobles"]]
    return sum(points)


def price(player: Json, card: int) -> Tokens:
    """Return what the card costs the player in gems, after bonuses (S43, S44)."""
    have = bonuses(player)
    return {gem: max(0, CARDS[card][gem] - have[gem]) for gem in GEMS}


def has_counts(state: Json) -> bool:
    """Return whether the decks are given as counts."""
    return isinstance(state["decks"]["1"], dict)


def deck_size(state: Json, level: int) -> int:
    """Return how many cards are left in a deck."""
    deck = state["decks"][str(level)]
    return int(deck["count"] if isinstance(deck, dict) else len(deck))


def slot_of(state: Json, card: int) -> tuple[int, int] | None:
    """Return level and slot of a face-up card, or None."""
    for level in LEVELS:
        for slot in SLOTS:
            if state["market"][str(level)][slot] == card:
                return level, slot
    return None


def unknown_slots(state: Json) -> list[Json]:
    """Return the slots that owe a reveal, by level and slot."""
    return [
        {"level": level, "slot": slot}
        for level in LEVELS
        for slot in SLOTS
        if state["market"][str(level)][slot] == UNKNOWN
    ]


def known_cards(state: Json) -> list[int]:
    """Return the id of every card whose place the state tells, as often as it tells one."""
    found = []
    for level in LEVELS:
        found += [card for card in state["market"][str(level)] if isinstance(card, int)]
        if not has_counts(state):
            found += state["decks"][str(level)]
    for player in state["players"]:
        found += player["cards"]
        found += [held["card"] for held in player["reserved"] if "card" in held]
    return found


def unseen_cards(state: Json, level: int) -> list[int]:
    """Return the cards of a level that an unknown slot or hand could hold."""
    seen = set(known_cards(state))
    return [card for card in CARDS if CARDS[card]["level"] == level and card not in seen]


def reserved_place(state: Json, player: Json, card: int) -> int | None:
    """Return where in the player's hand the card is: known, or the first unknown of its level."""
    level = CARDS[card]["level"]
    for place, held in enumerate(player["reserved"]):
        if held.get("card") == card:
            return place
    for place, held in enumerate(player["reserved"]):
        if "card" not in held and held["level"] == level and card in unseen_cards(state, level):
            return place
    return None


def could_visit(state: Json, seat: int, bought: int | None = None) -> list[int]:
    """Return the tiles on the table whose demand the seat's bonuses meet (S63)."""
    have = bonuses(state["players"][seat], bought)
    return [tile for tile in state["nobles"] if all(have[gem] >= TILES[tile][gem] for gem in GEMS)]


def seats_left(state: Json) -> list[int]:
    """Return the seats that have not resigned."""
    return [seat for seat, player in enumerate(state["players"]) if not player["resigned"]]


def default_payment(player: Json, card: int) -> Tokens:
    """Return the payment with the fewest gold tokens (S50), affordable or not."""
    due = price(player, card)
    paid = {gem: min(due[gem], player["tokens"][gem]) for gem in GEMS}
    return {**paid, "gold": total(due) - total(paid)}


# Violations


def violations(state: Json, action: Json) -> list[Broken]:
    """Return everything that forbids the action, in the order of report; nothing: it is legal."""
    if broken := _not_at_all(state, action):
        return [broken]
    if action["type"] == "resign":
        return []
    found = list(_BY_TYPE[action["type"]](state, action))
    if not found and "return" in action:
        found = list(_return_violations(state, action, action["return"], "/return"))
    if not found and "noble" in action:
        found = list(_noble_violations(state, action))
    return sorted(found, key=lambda broken: CODES.index(broken[0]))


def _not_at_all(state: Json, action: Json) -> Broken | None:
    if state["phase"] == "over":
        return "game_over", ""
    if action["type"] == "resign":
        return None if action["seat"] in seats_left(state) else ("wrong_seat", "/seat")
    if action.get("seat", state["to_act"]) != state["to_act"]:
        return "wrong_seat", "/seat"
    if PHASES[action["type"]] != state["phase"]:
        return "wrong_phase", "/type"
    return None


def _take_different(state: Json, action: Json) -> Iterator[Broken]:
    colors = action["colors"]
    there = sum(state["bank"][gem] > 0 for gem in GEMS)
    scarce = max(1, min(3, there))
    required = {"when_scarce": scarce, "never": 3, "always": 1}[option(state, "take_fewer")]
    if len(colors) > 3:
        yield "too_many_colors", "/colors"
    if len(colors) < required:
        yield "too_few_colors", "/colors"
    for place, color in enumerate(colors):
        if color in colors[:place]:
            yield "duplicate_color", f"/colors/{place}"
        elif state["bank"][color] == 0:
            yield "color_unavailable", f"/colors/{place}"


def _take_same(state: Json, action: Json) -> Iterator[Broken]:
    if state["bank"][action["color"]] < option(state, "take_two_minimum"):
        yield "pile_too_small", "/color"


def _reserve(state: Json, action: Json) -> Iterator[Broken]:
    player = state["players"][state["to_act"]]
    if len(player["reserved"]) >= option(state, "reserve_limit"):
        yield "reserve_limit", "/type"
    gold_demanded = not option(state, "reserve_without_gold") and option(state, "gold_tokens") > 0
    if gold_demanded and state["bank"]["gold"] == 0:
        yield "gold_unavailable", "/type"
    if "level" in action and deck_size(state, action["level"]) == 0:
        yield "deck_empty", "/level"
    if "card" in action and slot_of(state, action["card"]) is None:
        yield "card_not_available", "/card"


def _buy(state: Json, action: Json) -> Iterator[Broken]:
    player = state["players"][state["to_act"]]
    card = action["card"]
    if slot_of(state, card) is None and reserved_place(state, player, card) is None:
        has_unknown = any("card" not in held for held in player["reserved"])
        yield ("card_not_possible" if has_unknown else "card_not_available"), "/card"
        return
    due = price(player, card)
    held = player["tokens"]
    if default_payment(player, card)["gold"] > held["gold"]:
        yield "cannot_afford", "/card"
    if "payment" not in action:
        return
    paid = whole(action["payment"])
    for kind in TOKENS:
        if paid[kind] > held[kind]:
            yield "payment_not_owned", f"/payment/{kind}"
    if total(paid) != total(due) or any(paid[gem] > due[gem] for gem in GEMS):
        yield "payment_mismatch", "/payment"
    elif option(state, "gold_payment") == "needed_only":
        for gem in GEMS:
            if paid[gem] < min(due[gem], held[gem]):
                yield "gold_not_needed", "/payment/gold"


def _pass(state: Json, _action: Json) -> Iterator[Broken]:
    when = option(state, "pass")
    if when == "never" or (when == "when_stuck" and can_act(state, state["to_act"])):
        yield "pass_not_allowed", "/type"


def _return_tokens(state: Json, action: Json) -> Iterator[Broken]:
    return _return_violations(state, action, action["tokens"], "/tokens")


def _choose_noble(_state: Json, _action: Json) -> Iterator[Broken]:
    return iter(())


def _reveal(state: Json, action: Json) -> Iterator[Broken]:
    level, slot, card = action["level"], action["slot"], action["card"]
    if state["market"][str(level)][slot] != UNKNOWN:
        yield "reveal_not_owed", "/slot"
    if card not in unseen_cards(state, level):
        yield "card_not_possible", "/card"


_BY_TYPE = {
    "take_different": _take_different,
    "take_same": _take_same,
    "reserve": _reserve,
    "buy": _buy,
    "pass": _pass,
    "return_tokens": _return_tokens,
    "choose_noble": _choose_noble,
    "reveal": _reveal,
}


def _return_violations(state: Json, action: Json, back: Tokens, at: str) -> Iterator[Broken]:
    """Yield what is wrong with giving `back` after the action (S56 to S58)."""
    drawn = drawn_by(state, action)
    held = state["players"][state["to_act"]]["tokens"]
    if action["type"] != "return_tokens":
        held = {kind: held[kind] + drawn[kind] for kind in TOKENS}
    surplus = total(held) - option(state, "token_limit")
    if surplus <= 0:
        yield "return_not_due", at
        return
    back = whole(back)
    if total(back) != surplus:
        yield "return_wrong_count", at
    for kind in TOKENS:
        if back[kind] > held[kind]:
            yield "return_not_owned", f"{at}/{kind}"
        if option(state, "returns") == "drawn" and back[kind] > drawn[kind]:
            yield "return_not_drawn", f"{at}/{kind}"


def drawn_by(state: Json, action: Json) -> Tokens:
    """Return the tokens drawn in the turn that the action is, or ends."""
    if action["type"] == "return_tokens":
        return whole(state["drawn"])
    if action["type"] == "take_different":
        return whole(Counter(action["colors"]))
    if action["type"] == "take_same":
        return whole({action["color"]: 2})
    if action["type"] == "reserve":
        return whole({"gold": min(1, state["bank"]["gold"])})
    return whole({})


def _noble_violations(state: Json, action: Json) -> Iterator[Broken]:
    """Yield what is wrong with the noble that the action names (S66)."""
    if _leaves_a_return(state, action) or _leaves_a_reveal(state, action):
        yield "noble_not_yet", "/noble"
    elif action["noble"] not in _visitors(state, action):
        yield "noble_not_eligible", "/noble"


def _leaves_a_return(state: Json, action: Json) -> bool:
    if "return" in action or action["type"] not in ("take_different", "take_same", "reserve"):
        return False
    held = total(state["players"][state["to_act"]]["tokens"]) + total(drawn_by(state, action))
    return bool(held > option(state, "token_limit"))


def _leaves_a_reveal(state: Json, action: Json) -> bool:
    if action["type"] not in ("reserve", "buy") or not has_counts(state):
        return False
    place = slot_of(state, action["card"]) if "card" in action else None
    return place is not None and deck_size(state, place[0]) > 0


def _visitors(state: Json, action: Json) -> list[int]:
    bought = action["card"] if action["type"] == "buy" else None
    return could_visit(state, state["to_act"], bought)


def can_act(state: Json, seat: int) -> bool:
    """Return whether the seat, were it its turn, had a legal action other than `pass`."""
    turn = {**state, "phase": "main", "to_act": seat}
    return any(
        not violations(turn, action) for action in _main_candidates() if action["type"] != "pass"
    )


def is_deadlocked(state: Json) -> bool:
    """Return whether nothing can change any more (S22).

    A card of unknown face counts as one that could still be bought. Not so where stuck seats are
    skipped: nobody would ever be asked for it again.
    """
    if option(state, "pass") != "never" and any(
        "card" not in held
        for seat in seats_left(state)
        for held in state["players"][seat]["reserved"]
    ):
        return False
    return not any(can_act(state, seat) or could_visit(state, seat) for seat in seats_left(state))


# Applying an action


def apply(state: Json, action: Json) -> tuple[Json, list[Json]]:
    """Return the next state and what happened, for a legal action."""
    state = copied(state)
    events: list[Json] = []
    _EFFECTS[action["type"]](state, action, events)
    return state, events


def _apply_take(state: Json, action: Json, events: list[Json]) -> None:
    drawn = drawn_by(state, action)
    _move_tokens(state, drawn, to_player=True)
    _tell(state, events, "tokens_taken", tokens=drawn)
    _settle(state, action, drawn, events)


def _apply_reserve(state: Json, action: Json, events: list[Json]) -> None:
    player = state["players"][state["to_act"]]
    drawn = drawn_by(state, action)
    _move_tokens(state, drawn, to_player=True)
    told: Json
    if "level" in action:
        level = action["level"]
        deck = state["decks"][str(level)]
        if has_counts(state):
            deck["count"] -= 1
            player["reserved"].append({"level": level, "hidden": True})
            told = {}
        else:
            told = {"card": deck.pop()}
            player["reserved"].append({**told, "hidden": True})
        told |= {"level": level, "slot": None, "hidden": True}
        _tell(state, events, "card_reserved", **told, gold=drawn["gold"])
    else:
        level, slot = slot_of(state, action["card"]) or (0, 0)
        player["reserved"].append({"card": action["card"], "hidden": False})
        told = {"card": action["card"], "level": level, "slot": slot, "hidden": False}
        _tell(state, events, "card_reserved", **told, gold=drawn["gold"])
        _refill(state, level, slot, events)
    _settle(state, action, drawn, events)


def _apply_buy(state: Json, action: Json, events: list[Json]) -> None:
    player = state["players"][state["to_act"]]
    card = action["card"]
    payment = whole(action.get("payment", default_payment(player, card)))
    place = slot_of(state, card)
    told = {
        "card": card,
        "level": CARDS[card]["level"],
        "slot": place[1] if place else None,
        "payment": payment,
    }
    _tell(state, events, "card_bought", **told)
    _move_tokens(state, payment, to_player=False)
    if place is None:
        player["reserved"].pop(reserved_place(state, player, card))
    player["cards"].append(card)
    if place is not None:
        _refill(state, *place, events)
    _settle(state, action, whole({}), events)


def _apply_pass(state: Json, action: Json, events: list[Json]) -> None:
    _tell(state, events, "passed")
    _settle(state, action, whole({}), events)


def _apply_return_tokens(state: Json, action: Json, events: list[Json]) -> None:
    action = {**action, "return": action["tokens"]}
    _settle(state, action, state["drawn"], events)


def _apply_choose_noble(state: Json, action: Json, events: list[Json]) -> None:
    _welcome(state, action["noble"], events)
    _end_turn(state, events)


def _apply_reveal(state: Json, action: Json, events: list[Json]) -> None:
    level, slot, card = action["level"], action["slot"], action["card"]
    state["market"][str(level)][slot] = card
    events.append({"type": "card_revealed", "level": level, "slot": slot, "card": card})
    if unknown_slots(state):
        return
    if state["turn"] == 0 and all(_is_empty_handed(player) for player in state["players"]):
        _begin_turn(state, events)
    elif state["players"][state["to_act"]]["resigned"]:
        _end_turn(state, events)
    else:
        _settle(state, action, state["drawn"], events)


def _apply_resign(state: Json, action: Json, events: list[Json]) -> None:
    seat = action["seat"]
    state["players"][seat]["resigned"] = True
    timeout = action.get("timeout", False)
    events.append({"type": "resigned", "seat": seat, "timeout": timeout})
    if len(seats_left(state)) == 1:
        _end_game(state, "resigned", events)
    elif seat != state["to_act"]:
        return
    elif state["phase"] == "reveal":
        state["drawn"] = None
    else:
        if state["phase"] == "main":
            _tell(state, events, "turn_skipped")
        _end_turn(state, events)


_EFFECTS = {
    "take_different": _apply_take,
    "take_same": _apply_take,
    "reserve": _apply_reserve,
    "buy": _apply_buy,
    "pass": _apply_pass,
    "return_tokens": _apply_return_tokens,
    "choose_noble": _apply_choose_noble,
    "reveal": _apply_reveal,
    "resign": _apply_resign,
}


def _tell(state: Json, events: list[Json], kind: str, **fields: Any) -> None:
    events.append({"type": kind, "seat": state["to_act"], **fields})


def _is_empty_handed(player: Json) -> bool:
    held = [*player["cards"], *player["reserved"], *player["nobles"]]
    return not held and total(player["tokens"]) == 0


def _move_tokens(state: Json, tokens: Tokens, *, to_player: bool) -> None:
    held = state["players"][state["to_act"]]["tokens"]
    for kind, count in tokens.items():
        held[kind] += count if to_player else -count
        state["bank"][kind] -= count if to_player else -count


def _refill(state: Json, level: int, slot: int, events: list[Json]) -> None:
    """Fill an empty slot from its deck, or let it owe a reveal (S16, S17)."""
    row, deck = state["market"][str(level)], state["decks"][str(level)]
    if has_counts(state) and deck["count"] > 0:
        deck["count"] -= 1
        row[slot] = UNKNOWN
        _tell(state, events, "reveal_owed", slots=unknown_slots(state))
        return
    row[slot] = None if has_counts(state) or not deck else deck.pop()
    events.append({"type": "card_revealed", "level": level, "slot": slot, "card": row[slot]})


def _settle(state: Json, action: Json, drawn: Tokens | None, events: list[Json]) -> None:
    """Do what is left of the turn after its action: return, noble, end (S15)."""
    player = state["players"][state["to_act"]]
    if "return" in action:
        back = whole(action["return"])
        _move_tokens(state, back, to_player=False)
        _tell(state, events, "tokens_returned", tokens=back)
    surplus = total(player["tokens"]) - option(state, "token_limit")
    state["drawn"] = drawn if surplus > 0 else None
    if unknown_slots(state):
        state["phase"] = "reveal"
        return
    if surplus > 0:
        state["phase"] = "return_tokens"
        _tell(state, events, "return_owed", count=surplus)
        return
    if _receive_noble(state, action.get("noble"), events):
        _end_turn(state, events)


def _receive_noble(state: Json, named: int | None, events: list[Json]) -> bool:
    """Let a noble come to the seat to act; return False if the choice is owed (S62 to S66)."""
    visitors = could_visit(state, state["to_act"])
    if len(visitors) > 1 and named is None:
        state["phase"] = "choose_noble"
        _tell(state, events, "noble_owed", nobles=visitors)
        return False
    if visitors:
        _welcome(state, visitors[0] if named is None else named, events)
    return True


def _welcome(state: Json, tile: int, events: list[Json]) -> None:
    state["nobles"].remove(tile)
    state["players"][state["to_act"]]["nobles"].append(tile)
    _tell(state, events, "noble_visited", noble=tile)


def _end_turn(state: Json, events: list[Json]) -> None:
    """End the turn of the seat to act, and the game if that is due (S22, S69 to S71)."""
    state["drawn"] = None
    reached = prestige(state["players"][state["to_act"]]) >= option(state, "target_prestige")
    if reached and not state["final_round"]:
        state["final_round"] = True
        _tell(state, events, "final_round_started")
    state["turn"] += 1
    _tell(state, events, "turn_ended", turn=state["turn"])
    if state["final_round"] and state["turn"] % len(state["players"]) == 0:
        _end_game(state, "target_prestige", events)
    elif is_deadlocked(state):
        _end_game(state, "deadlock", events)
    else:
        _begin_turn(state, events)


def _begin_turn(state: Json, events: list[Json]) -> None:
    """Let the next seat act, or skip its turn if it has resigned or is stuck (S20)."""
    state["to_act"] = state["turn"] % len(state["players"])
    state["phase"] = "main"
    if state["players"][state["to_act"]]["resigned"]:
        _tell(state, events, "turn_skipped")
        _end_turn(state, events)
    elif option(state, "pass") == "never" and not can_act(state, state["to_act"]):
        _tell(state, events, "turn_skipped")
        if _receive_noble(state, None, events):
            _end_turn(state, events)


def _end_game(state: Json, reason: str, events: list[Json]) -> None:
    state["to_act"] = state["drawn"] = None
    state["phase"] = "over"
    state["outcome"] = scored(state, reason)
    events.append({"type": "game_over", "outcome": copied(state["outcome"])})


def scored(state: Json, reason: str) -> Json:
    """Return the outcome of a game that ends now for this reason (S72 to S74)."""
    ranking = [
        {
            "seat": seat,
            "rank": 1 + sum(_merit(state, other) > _merit(state, seat) for other in _seats(state)),
            "prestige": prestige(player),
            "cards": len(player["cards"]),
        }
        for seat, player in enumerate(state["players"])
    ]
    ranking.sort(key=lambda place: (place["rank"], place["seat"]))
    winners = [place["seat"] for place in ranking if place["rank"] == 1]
    return {"reason": reason, "winners": winners, "ranking": ranking}


def _seats(state: Json) -> range:
    return range(len(state["players"]))


def _merit(state: Json, seat: int) -> tuple[bool, int, int]:
    """Return what ranks a seat: the greater, the better."""
    player = state["players"][seat]
    few = option(state, "tie_break") == "fewest_cards"
    return not player["resigned"], prestige(player), -len(player["cards"]) if few else 0


# Legal actions, by trying everything


def legal_choices(state: Json) -> list[Json]:
    """Return every legal choice of the present phase, without `return`, `noble` and `payment`."""
    return [action for action in _candidates(state) if not violations(state, action)]


def legal_turns(state: Json) -> list[Json]:
    """Return every legal action that leaves nothing owed which it could settle itself."""
    return [turn for choice in legal_choices(state) for turn in _completions(state, choice)]


def normal(state: Json, action: Json) -> Json:
    """Return the one spelling of all legal actions that do the same as this one."""
    action = {key: value for key, value in action.items() if key != "seat"}
    if action["type"] == "take_different":
        action["colors"] = [gem for gem in GEMS if gem in action["colors"]]
    if action["type"] == "buy" and "payment" not in action:
        action["payment"] = default_payment(state["players"][state["to_act"]], action["card"])
    for key in {"return", "payment", "tokens"} & set(action):
        action[key] = {kind: action[key][kind] for kind in TOKENS if action[key].get(kind, 0)}
    is_choice = action["type"] == "choose_noble"
    if "noble" in action and not is_choice and len(_visitors(state, action)) == 1:
        del action["noble"]
    return action


def _candidates(state: Json) -> Iterator[Json]:
    if state["phase"] == "main":
        yield from _main_candidates()
    if state["phase"] == "return_tokens":
        yield from ({"type": "return_tokens", "tokens": tokens} for tokens in _handfuls())
    if state["phase"] == "choose_noble":
        yield from ({"type": "choose_noble", "noble": tile} for tile in TILES)
    if state["phase"] == "reveal":
        for card, slot in product(CARDS, SLOTS):
            yield {"type": "reveal", "level": CARDS[card]["level"], "slot": slot, "card": card}


def _main_candidates() -> Iterator[Json]:
    for count in (3, 2, 1):
        for colors in combinations(GEMS, count):
            yield {"type": "take_different", "colors": list(colors)}
    yield from ({"type": "take_same", "color": gem} for gem in GEMS)
    yield from ({"type": "reserve", "level": level} for level in LEVELS)
    yield from ({"type": "reserve", "card": card} for card in CARDS)
    yield from ({"type": "buy", "card": card} for card in CARDS)
    yield {"type": "pass"}


def _handfuls() -> Iterator[Tokens]:
    """Yield every token map that a return could be: three tokens at most (S86)."""
    for counts in product(range(4), repeat=len(TOKENS)):
        if 1 <= sum(counts) <= 3:
            yield {kind: count for kind, count in zip(TOKENS, counts, strict=True) if count}


def _completions(state: Json, choice: Json) -> Iterator[Json]:
    for paid in _with_payments(state, choice):
        for settled in _with_returns(state, paid):
            yield from _with_nobles(state, settled)


def _with_payments(state: Json, action: Json) -> Iterator[Json]:
    if action["type"] != "buy":
        yield action
        return
    due = price(state["players"][state["to_act"]], action["card"])
    for counts in product(*(range(due[gem] + 1) for gem in GEMS)):
        payment = dict(zip(GEMS, counts, strict=True)) | {"gold": total(due) - sum(counts)}
        paid = {**action, "payment": {kind: payment[kind] for kind in TOKENS if payment[kind]}}
        if not violations(state, paid):
            yield paid


def _with_returns(state: Json, action: Json) -> Iterator[Json]:
    if not _leaves_a_return(state, action):
        yield action
        return
    for back in _handfuls():
        settled = {**action, "return": back}
        if not violations(state, settled):
            yield settled


def _with_nobles(state: Json, action: Json) -> Iterator[Json]:
    has_choice = action["type"] not in ("choose_noble", "reveal")
    if not has_choice or _leaves_a_reveal(state, action) or len(_visitors(state, action)) < 2:
        yield action
        return
    for tile in TILES:
        named = {**action, "noble": tile}
        if not violations(state, named):
            yield named


# What a seat sees


def observe(state: Json, seat: int | None) -> Json:
    """Return the state as a seat sees it, or a spectator if `seat` is None (S76 to S82)."""
    seen: Json = copied(state)
    if state["phase"] == "over":
        return seen
    seen["decks"] = {str(level): {"count": deck_size(state, level)} for level in LEVELS}
    for holder, player in enumerate(seen["players"]):
        if holder != seat:
            player["reserved"] = [_from_outside(state, held) for held in player["reserved"]]
    return seen


def _from_outside(state: Json, held: Json) -> Json:
    shown = {
        "open": "card" in held,
        "drawn_hidden": not held["hidden"],
        "all_hidden": False,
    }
    if "card" not in held or shown[option(state, "reserve_visibility")]:
        return held
    return {"level": CARDS[held["card"]]["level"], "hidden": True}


# The audit


def audit(state: Json) -> set[str]:
    """Return the code of everything that play can not have produced (S83 to S92)."""
    checks = (
        _audit_cards,
        _audit_tokens,
        _audit_hands,
        _audit_nobles,
        _audit_turn,
        _audit_phase,
        _audit_end,
    )
    return {code for check in checks for code in check(state)}


def _audit_cards(state: Json) -> Iterator[str]:
    """S83 and S85."""
    known = known_cards(state)
    if len(known) > len(set(known)):
        yield "card_duplicate"
    for level in LEVELS:
        places = len(_unknown_places(state, level))
        unseen = len(unseen_cards(state, level))
        if unseen > places:
            yield "card_missing"
        if unseen < places:
            yield "card_duplicate"
        row, deck = state["market"][str(level)], state["decks"][str(level)]
        there = [card for card in row if isinstance(card, int)]
        there += [] if has_counts(state) else deck
        if any(CARDS[card]["level"] != level for card in there):
            yield "deck_level"
        if None in row and deck_size(state, level) > 0:
            yield "market_gap"


def _unknown_places(state: Json, level: int) -> list[str]:
    """Return a word for every place that holds a card of this level which the state hides."""
    deck = ["deck"] * deck_size(state, level) if has_counts(state) else []
    slots = ["slot" for place in unknown_slots(state) if place["level"] == level]
    hands = [held for player in state["players"] for held in player["reserved"]]
    return deck + slots + ["hand" for held in hands if held.get("level") == level]


def _audit_tokens(state: Json) -> Iterator[str]:
    """S84 and S86."""
    for kind in TOKENS:
        supply = option(state, "gold_tokens" if kind == "gold" else "gems_per_color")
        held = sum(player["tokens"][kind] for player in state["players"])
        if state["bank"][kind] + held != supply:
            yield "token_count"
    for seat, player in enumerate(state["players"]):
        surplus = total(player["tokens"]) - option(state, "token_limit")
        if surplus > 0 and surplus > _surplus_allowed(state, seat):
            yield "token_limit_exceeded"
    if state["drawn"] is not None and not _may_have_drawn(state):
        yield "drawn_mismatch"
    if state["drawn"] is None and _owes_a_return(state):
        yield "drawn_mismatch"


def _surplus_allowed(state: Json, seat: int) -> int:
    if state["players"][seat]["resigned"]:
        return 3  # what it held in the turn in which it resigned
    if state["phase"] == "over":
        stopped_in_turn = _was_stopped(state) and seat == _turn_of(state)
        gold_only = 1 if unknown_slots(state) else 3  # only a reservation owes a reveal too
        return gold_only if stopped_in_turn else 0
    if seat != _turn_of(state) or state["phase"] not in ("return_tokens", "reveal"):
        return 0
    return 3 if state["drawn"] is None else min(3, total(state["drawn"]))


def _owes_a_return(state: Json) -> bool:
    """Return whether the turn must remember what was drawn in it."""
    if state["phase"] == "return_tokens":
        return True
    return state["phase"] == "reveal" and _acting_surplus(state) > 0


def _acting_surplus(state: Json) -> int:
    """Return by how much the seat to act exceeds the limit; a resigned seat owes nothing."""
    player = _acting(state)
    if player["resigned"]:
        return 0
    return max(0, total(player["tokens"]) - int(option(state, "token_limit")))


def _acting(state: Json) -> Json:
    """Return the player whose turn it is by the number of turns; `to_act` is judged by itself."""
    player: Json = state["players"][_turn_of(state)]
    return player


def _may_have_drawn(state: Json) -> bool:
    player, drawn = _acting(state), whole(state["drawn"])
    if not _owes_a_return(state) or total(player["tokens"]) <= option(state, "token_limit"):
        return False
    if any(drawn[kind] > player["tokens"][kind] for kind in TOKENS):
        return False
    counts = sorted(count for count in drawn.values() if count)
    if drawn["gold"]:
        return counts == [1]
    return counts in ([1], [1, 1], [1, 1, 1], [2])


def _audit_hands(state: Json) -> Iterator[str]:
    """S87 and S90."""
    for seat, player in enumerate(state["players"]):
        if len(player["reserved"]) > option(state, "reserve_limit"):
            yield "reserve_limit_exceeded"
        acted = _turns_ended(state, seat) + _has_acted_in_this_turn(state, seat)
        if max(len(player["cards"]) + len(player["reserved"]), len(player["nobles"])) > acted:
            yield "too_many_cards"


def _turn_of(state: Json) -> int:
    return int(state["turn"] % len(state["players"]))


def _turns_ended(state: Json, seat: int) -> int:
    return len(range(seat, state["turn"], len(state["players"])))


def _has_acted_in_this_turn(state: Json, seat: int) -> bool:
    """Return whether the seat may have performed the action of a turn that has not ended."""
    if seat != _turn_of(state):
        return False
    if state["phase"] == "over":
        return _was_stopped(state)
    return bool(state["phase"] != "main")


def _was_stopped(state: Json) -> bool:
    """Return whether the game ended in the middle of a turn, when one seat was left."""
    return state["outcome"] is not None and state["outcome"]["reason"] == "resigned"


def _audit_nobles(state: Json) -> Iterator[str]:
    """S88."""
    tiles = [*state["nobles"], *(tile for player in state["players"] for tile in player["nobles"])]
    if len(tiles) != option(state, "nobles_revealed"):
        yield "noble_count"
    if len(tiles) > len(set(tiles)):
        yield "noble_duplicate"
    for player in state["players"]:
        have = bonuses(player)
        if any(have[gem] < TILES[tile][gem] for tile in player["nobles"] for gem in GEMS):
            yield "noble_undeserved"


def _audit_turn(state: Json) -> Iterator[str]:
    """S89."""
    if state["phase"] != "over" and state["to_act"] != _turn_of(state):
        yield "turn_mismatch"


def _audit_phase(state: Json) -> Iterator[str]:
    """S92, and what formats.md says of phases."""
    if not _is_possible_phase(state):
        yield "phase_mismatch"


def _is_possible_phase(state: Json) -> bool:
    phase, player = state["phase"], _acting(state)
    if phase == "over":
        is_settled = _was_stopped(state) or not unknown_slots(state)
        return state["to_act"] is None and is_settled
    if phase == "reveal":
        return bool(unknown_slots(state)) and has_counts(state)
    if unknown_slots(state):
        return False
    if player["resigned"]:
        return False
    if phase == "return_tokens":
        return _acting_surplus(state) > 0
    if phase == "choose_noble":
        return _acting_surplus(state) == 0 and len(could_visit(state, _turn_of(state))) > 1
    return option(state, "pass") != "never" or can_act(state, _turn_of(state))


def _audit_end(state: Json) -> Iterator[str]:
    """S91, and the outcome."""
    reached = _seats_that_reached(state)
    is_complete = bool(reached) and _turn_of(state) == 0
    is_late = not is_complete and any(seat >= _turn_of(state) for seat in reached)
    goes_on = state["phase"] != "over" and (is_complete or is_late)
    if state["final_round"] != bool(reached) or goes_on:
        yield "final_round_mismatch"
    if is_late or not _has_right_outcome(state, is_complete=is_complete):
        yield "outcome_mismatch"


def _has_right_outcome(state: Json, *, is_complete: bool) -> bool:
    """Return whether the game is over if it has to be, for the right reason and rightly scored."""
    reasons = []
    if not seats_left(state):
        return False
    if len(seats_left(state)) < 2:
        reasons.append("resigned")
    if is_complete:
        reasons.append("target_prestige")
    if state["phase"] != "over":
        return not reasons and state["outcome"] is None
    if not reasons and is_deadlocked(state):
        reasons.append("deadlock")
    return len(reasons) == 1 and state["outcome"] == scored(state, reasons[0])


def _seats_that_reached(state: Json) -> list[int]:
    """Return the seats that have surely ended a turn at or above the target.

    A card bought in a turn that has not ended does not count yet; no return follows a purchase.
    """
    return [
        seat
        for seat, player in enumerate(state["players"])
        if prestige(player) >= option(state, "target_prestige")
        and _turns_ended(state, seat) > 0
        and (state["phase"] == "return_tokens" or not _has_acted_in_this_turn(state, seat))
    ]
