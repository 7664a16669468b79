"""A second SET, written from the rules on plain JSON values, for comparison only.

It is naive on purpose: states are dicts, a set is found by looking at every three cards, and what
is a set is decided feature by feature. The table is settled after each action by asking again and
again what has to happen next.

A state, an action and an event are the JSON objects that a client sees, already of the right
shape; what a schema refuses is not looked at here.
"""

import csv
import hashlib
import hmac
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Broken = tuple[str, str]
"""A violation: its code and a JSON Pointer into the action."""

FEATURES = ("number", "shading", "color", "shape")

CODES = (
    "game_over",
    "wrong_seat",
    "wrong_phase",
    "card_not_on_table",
    "duplicate_card",
    "not_called",
    "calls_off",
    "no_set_off",
    "no_set_repeated",
    "set_certain",
)
"""Every code of an action, in the order of report."""

DATA = Path(__file__).parents[2] / "splendor_api" / "games" / "set" / "data" / "set_cards.csv"


def _read() -> dict[int, Json]:
    with DATA.open(encoding="utf-8", newline="") as lines:
        return {int(row["id"]): dict(row) for row in csv.DictReader(lines)}


CARDS = _read()


def copied(value: Any) -> Any:
    """Return a JSON value that shares nothing with this one."""
    if isinstance(value, dict):
        return {key: copied(inner) for key, inner in value.items()}
    return [copied(inner) for inner in value] if isinstance(value, list) else value


# Cards and sets


def deck_of(state: Json) -> list[int]:
    """Return the cards that are played with (T2, T3)."""
    return _cards_of(option(state, "deck"))


def _cards_of(deck: str) -> list[int]:
    return [card for card in sorted(CARDS) if deck == "full" or CARDS[card]["shading"] == "solid"]


@cache
def spoilt(one: int, other: int, third: int) -> tuple[str, ...]:
    """Return the features in which two of three cards are alike and the third is not (T10)."""
    three = (CARDS[one], CARDS[other], CARDS[third])
    return tuple(feature for feature in FEATURES if len({card[feature] for card in three}) == 2)


def is_set(cards: Sequence[int]) -> bool:
    """Return whether three cards are different and alike or different in each feature (T9)."""
    return len(set(cards)) == 3 and not spoilt(*cards)


def has_set(state: Json) -> bool:
    """Return whether some three cards of the table are a set."""
    return any(not spoilt(*three) for three in combinations(lying(state), 3))


def lying(state: Json) -> list[int]:
    """Return the cards on the table."""
    return [card for card in state["table"] if card is not None]


# Options and the deal


def options_of(ruleset: str, chosen: Json | None = None) -> Json:
    """Return every option of a deal with its final value (rules/options.md)."""
    publisher = ruleset == "publisher"
    given = chosen or {}
    deck = given.get("deck", "full")
    return {
        "deck": "full",
        "table_size": 9 if publisher and deck == "quick" else 12,
        "caller_window": "phased",
        "penalty": 1,
        "extra_cards": "agreed" if publisher else "automatic",
        "solo_no_set": "lose" if publisher else "deal",
        **given,
    }


def deal(seats: int, ruleset: str, options: Json | None, seed: str) -> Json:
    """Return the first state of a game (T5 to T8; formats.md, section 6)."""
    chosen = options_of(ruleset, options)
    deck = _shuffled(_cards_of(chosen["deck"]), seed, "set/deck")
    state = {
        "game": "set",
        "format": 1,
        "ruleset": {"name": ruleset, "options": chosen},
        "turn": 0,
        "phase": "open",
        "to_act": None,
        "table": [deck.pop() for _ in range(chosen["table_size"])],
        "deck": deck,
        "no_set": [],
        "outcome": None,
        "players": [{"sets": [], "failed": 0, "score": 0, "resigned": False} for _ in range(seats)],
    }
    _settle(state, [])
    return state


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


def seats_left(state: Json) -> list[int]:
    """Return the seats that have not resigned."""
    return [seat for seat, player in enumerate(state["players"]) if not player["resigned"]]


def acting(state: Json) -> list[int]:
    """Return the seats that may act: the caller, else all that are left (T13, T14)."""
    if state["phase"] == "over":
        return []
    return seats_left(state) if state["to_act"] is None else [state["to_act"]]


def loses_without_set(state: Json) -> bool:
    """Return whether a table without a set is the end of a seat alone (T40)."""
    return len(state["players"]) == 1 and bool(option(state, "solo_no_set") == "lose")


def says_nothing(state: Json) -> bool:
    """Return whether there is no `no_set` in this game (T36, T40)."""
    return bool(option(state, "extra_cards") != "agreed") or loses_without_set(state)


def certain(state: Json) -> int:
    """Return how many cards always hold a set (T33, T34, T38)."""
    return 21 if option(state, "deck") == "full" else 10


def score_of(state: Json, seat: int) -> int:
    """Return the score of a seat (T26)."""
    player = state["players"][seat]
    return len(player["sets"]) - int(player["failed"] * option(state, "penalty"))


# Violations


def violations(state: Json, action: Json) -> list[Broken]:
    """Return everything that forbids the action, in the order of report; nothing: it is legal."""
    if state["phase"] == "over":
        return [("game_over", "")]
    seat = action["seat"]
    if seat not in seats_left(state):
        return [("wrong_seat", "/seat")]
    if action["type"] == "resign":
        return []
    if seat not in acting(state):
        return [("wrong_seat", "/seat")]
    found = list(_BY_TYPE[action["type"]](state, action))
    return sorted(found, key=lambda broken: CODES.index(broken[0]))


def _call(state: Json, _action: Json) -> Iterator[Broken]:
    if option(state, "caller_window") == "none":
        yield "calls_off", "/type"
    elif state["phase"] == "called":
        yield "wrong_phase", "/type"


def _claim(state: Json, action: Json) -> Iterator[Broken]:
    cards = action["cards"]
    for place, card in enumerate(cards):
        if card in cards[:place]:
            yield "duplicate_card", f"/cards/{place}"
        elif card not in lying(state):
            yield "card_not_on_table", f"/cards/{place}"


def _forfeit(state: Json, _action: Json) -> Iterator[Broken]:
    if option(state, "caller_window") == "none":
        yield "calls_off", "/type"
    elif state["phase"] == "open":
        yield "not_called", "/type"


def _no_set(state: Json, action: Json) -> Iterator[Broken]:
    if state["phase"] == "called":
        yield "wrong_phase", "/type"
    elif says_nothing(state):
        yield "no_set_off", "/type"
    else:
        if action["seat"] in state["no_set"]:
            yield "no_set_repeated", "/seat"
        if len(lying(state)) >= certain(state):
            yield "set_certain", "/type"


_BY_TYPE = {"call": _call, "claim": _claim, "forfeit": _forfeit, "no_set": _no_set}


# Legal actions


def legal_choices(state: Json) -> list[Json]:
    """Return what each seat may do, but for claims and resigning."""
    named = ("call", "forfeit", "no_set")
    tried = [{"type": kind, "seat": seat} for seat in acting(state) for kind in named]
    return [action for action in tried if not violations(state, action)]


def legal_turns(state: Json) -> list[Json]:
    """Return the choices and every claim, right or wrong (T21)."""
    claims = [
        {"type": "claim", "seat": seat, "cards": list(three)}
        for seat in acting(state)
        for three in combinations(sorted(lying(state)), 3)
    ]
    return legal_choices(state) + claims


def normal(_state: Json, action: Json) -> Json:
    """Return the one spelling of an action: cards ascending (T12)."""
    return {**action, "cards": sorted(action["cards"])} if "cards" in action else action


# What an action does


def apply(state: Json, action: Json) -> tuple[Json, list[Json]]:
    """Return the next state and the events of a legal action."""
    state, events = copied(state), []
    seat, player = action["seat"], state["players"][action["seat"]]
    match action["type"]:
        case "call":
            state |= {"phase": "called", "to_act": seat}
            events.append({"type": "set_called", "seat": seat})
        case "claim":
            _pick(state, seat, sorted(action["cards"]), events)
        case "forfeit":
            player["failed"] += 1
            _decide(state)
            events.append({"type": "call_forfeited", "seat": seat})
        case "no_set":
            state["no_set"].append(seat)
            events.append({"type": "no_set_said", "seat": seat})
        case "resign":
            player["resigned"] = True
            state["no_set"] = [each for each in state["no_set"] if each != seat]
            if state["to_act"] == seat:
                state |= {"phase": "open", "to_act": None}
            timeout = action.get("timeout", False)
            events.append({"type": "resigned", "seat": seat, "timeout": timeout})
    for each, other in enumerate(state["players"]):
        other["score"] = score_of(state, each)
    _settle(state, events)
    return state, events


def _decide(state: Json) -> None:
    """End the call, if there was one; the turn counts either way (T17, T25)."""
    state |= {"phase": "open", "to_act": None, "turn": state["turn"] + 1}


def _pick(state: Json, seat: int, cards: list[int], events: list[Json]) -> None:
    """Give the set, or let the claim fail (T23, T24)."""
    player = state["players"][seat]
    _decide(state)
    if spoilt(*cards):
        player["failed"] += 1
        features = [*spoilt(*cards)]
        rejected = {"type": "set_rejected", "seat": seat, "cards": cards, "features": features}
        events.append(rejected)
        return
    player["sets"].append(cards)
    events.append({"type": "set_claimed", "seat": seat, "cards": cards})
    state["no_set"] = []
    table = state["table"]
    gaps = [slot for slot, card in enumerate(table) if card in cards]
    for slot in gaps:
        table[slot] = None
    if len(table) > option(state, "table_size"):
        _shrink(state, events)
    elif state["deck"]:
        _deal_into(state, gaps, events)


def _shrink(state: Json, events: list[Json]) -> None:
    """Take the last three slots away, their cards moving into the gaps before them (T29, T30)."""
    table, moves = state["table"], []
    size = len(table) - 3
    for slot in range(size, len(table)):
        if table[slot] is not None:
            gap = table.index(None)
            moves.append({"card": table[slot], "from": slot, "to": gap})
            table[gap], table[slot] = table[slot], None
    del table[size:]
    events.append({"type": "table_shrunk", "moves": moves})


def _deal_into(state: Json, slots: list[int], events: list[Json]) -> None:
    """Deal a card into each slot, from the top of the deck (T28); sayings are void (T37)."""
    cards = [state["deck"].pop() for _ in slots]
    for slot, card in zip(slots, cards, strict=True):
        state["table"][slot] = card
    state["no_set"] = []
    events.append({"type": "cards_dealt", "slots": slots, "cards": cards})


def _deal_extra(state: Json, events: list[Json]) -> None:
    """Deal three cards in new slots after the last (T32, T36)."""
    size = len(state["table"])
    state["table"] += [None] * 3
    _deal_into(state, [size, size + 1, size + 2], events)


def _settle(state: Json, events: list[Json]) -> None:
    """Let happen what happens by itself, until nothing more does."""
    while reason_or_cards := _due(state):
        if reason_or_cards == "cards":
            _deal_extra(state, events)
        else:
            state |= {"phase": "over", "to_act": None}
            state["outcome"] = scored(state, reason_or_cards)
            events.append({"type": "game_over", "outcome": state["outcome"]})
            return


def _due(state: Json) -> str | None:
    """Return why the game is over now, "cards" if three more come, None if play goes on."""
    left, players = seats_left(state), state["players"]
    if not left or (len(left) == 1 and len(players) > 1):
        return "resigned"
    if state["phase"] == "called":
        return None
    if state["no_set"] and all(seat in state["no_set"] for seat in left):
        return "cards" if state["deck"] else "agreed"
    if has_set(state):
        return None
    if not state["deck"]:
        return "no_set_left"
    if loses_without_set(state):
        return "lost"
    return "cards" if option(state, "extra_cards") == "automatic" else None


def scored(state: Json, reason: str) -> Json:
    """Return the outcome of a game that ends so (T42, T43)."""
    players = state["players"]

    def better(one: int, other: int) -> bool:
        if players[one]["resigned"] != players[other]["resigned"]:
            return bool(players[other]["resigned"])
        return bool(players[one]["score"] > players[other]["score"])

    seats = range(len(players))
    ranking = [
        {
            "seat": seat,
            "rank": 1 + sum(better(other, seat) for other in seats),
            "score": players[seat]["score"],
        }
        for seat in seats
    ]
    ranking.sort(key=lambda standing: (standing["rank"], standing["seat"]))
    winners = [
        standing["seat"]
        for standing in ranking
        if standing["rank"] == 1 and not players[standing["seat"]]["resigned"]
    ]
    return {"reason": reason, "winners": [] if reason == "lost" else winners, "ranking": ranking}


# What is seen


def observe(state: Json, _seat: int | None) -> Json:
    """Return what a seat sees, or a spectator: all the same (T45, T46)."""
    seen: Json = copied(state)
    if state["phase"] != "over":
        seen["deck"] = {"count": len(state["deck"])}
    return seen


# The audit


def audit(state: Json) -> set[str]:
    """Return the names of everything that is wrong with a state (T48 to T52)."""
    return set(_findings(state))


def _findings(state: Json) -> Iterator[str]:
    yield from _card_findings(state)
    if not _is_table_possible(state):
        yield "table_size"
    if _lacks_cards(state):
        yield "no_set_on_table"
    if any(
        player["score"] != score_of(state, seat) for seat, player in enumerate(state["players"])
    ):
        yield "score_mismatch"
    if state["turn"] != sum(len(each["sets"]) + each["failed"] for each in state["players"]):
        yield "turn_mismatch"
    if not _is_phase_possible(state):
        yield "phase_mismatch"
    if not _is_outcome_possible(state):
        yield "outcome_mismatch"


def _card_findings(state: Json) -> Iterator[str]:
    """Find cards in several places, in none, or not of this deck, and threes that are no set."""
    won = [three for player in state["players"] for three in player["sets"]]
    places = [*lying(state), *state["deck"], *(card for three in won for card in three)]
    if len(set(places)) < len(places):
        yield "card_duplicate"
    if set(deck_of(state)) - set(places):
        yield "card_missing"
    if set(places) - set(deck_of(state)):
        yield "card_not_in_deck"
    if not all(is_set(three) for three in won):
        yield "not_a_set"


def _is_table_possible(state: Json) -> bool:
    size, slots, cards = option(state, "table_size"), len(state["table"]), len(lying(state))
    if len(state["deck"]) % 3 or cards % 3 or slots < size or (slots - size) % 3:
        return False
    if cards < slots:
        return not state["deck"] and bool(slots == size)  # T31, T50
    if slots == size:
        return True
    return slots - 3 < certain(state) and not loses_without_set(state)  # T33, T34, T38


def _lacks_cards(state: Json) -> bool:
    """Return whether cards should have come, or the end (T51, T40)."""
    if state["phase"] == "over" or not state["deck"] or has_set(state):
        return False
    return loses_without_set(state) or bool(option(state, "extra_cards") == "automatic")


def _is_phase_possible(state: Json) -> bool:
    left, said, caller = seats_left(state), state["no_set"], state["to_act"]
    if state["phase"] == "called":
        if caller not in left or option(state, "caller_window") == "none":
            return False
    elif caller is not None:
        return False
    if not said:
        return True
    if len(set(said)) < len(said) or any(seat not in left for seat in said):
        return False
    if says_nothing(state) or len(lying(state)) >= certain(state):
        return False
    have_all = all(seat in said for seat in left)
    if state["phase"] == "open":
        return not have_all
    if state["phase"] == "called":
        # Who had not said so may have resigned meanwhile; what follows waits for the call.
        return not have_all or any(player["resigned"] for player in state["players"])
    return _end_without_sayings(state) == "resigned" or (
        _end_without_sayings(state) is None and have_all
    )


def _end_without_sayings(state: Json) -> str | None:
    """Return why the game would be over if nobody had said anything, None if it went on."""
    silent = {**state, "no_set": [], "phase": "open"}
    due = _due(silent)
    return None if due == "cards" else due


def _is_outcome_possible(state: Json) -> bool:
    due = _end_without_sayings(state)
    if not seats_left(state) and len(state["players"]) > 1:
        return False
    if state["phase"] != "over":
        return state["outcome"] is None and due in (None, "lost")
    have_all = state["no_set"] and all(seat in state["no_set"] for seat in seats_left(state))
    if due is None and have_all and not state["deck"]:
        due = "agreed"
    return due is not None and bool(state["outcome"] == scored(state, due))
