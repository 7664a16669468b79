"""What is played and asked of SET when two implementations are compared."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

from tests.reference import set as reference
from tests.reference.differential import Chance, Subject
from tests.reference.set import CARDS, Json

RULESETS = ("gamerules", "publisher")
CARD_IDS = tuple(CARDS)
MOST_SEATS = 20

RANGES: dict[str, Sequence[Any]] = {
    "deck": ("full", "quick"),
    "table_size": (9, 12, 15),
    "caller_window": ("phased", "none"),
    "penalty": (0, 1, 2, 3),
    "extra_cards": ("automatic", "agreed"),
    "solo_no_set": ("deal", "lose"),
}
"""Every value of each option."""


def deal(chance: Chance, seed: str) -> tuple[int, str, Json, str]:
    """Return the arguments of a deal: mostly for few seats, often such that cards have to come."""
    options = {name: chance.one_of(values) for name, values in RANGES.items() if chance.happens(40)}
    if chance.happens(30):
        options["extra_cards"] = "agreed"
    if chance.happens(40):
        options["table_size"] = 9
    seats = chance.one_of((1, 1, 2, 2, 3, 4, MOST_SEATS))
    return seats, chance.one_of(RULESETS), options, seed


def start(state: Json, chance: Chance) -> Json:
    """Return the state as dealt, or after claims that were right and some that were not."""
    for _ in range(chance.one_of((0, 0, 5, 15, 22, 26))):
        right = _right(state)
        if right is None:
            break
        seat = chance.one_of(reference.acting(state))
        wrong = chance.some_of(reference.lying(state), 3) if chance.happens(20) else right
        state = reference.apply(state, {"type": "claim", "seat": seat, "cards": wrong})[0]
    return state


def _right(state: Json) -> list[int] | None:
    """Return three cards on the table that are a set, if the game goes on and there are any."""
    if state["phase"] == "over":
        return None
    threes = combinations(reference.lying(state), 3)
    return next((list(three) for three in threes if reference.is_set(three)), None)


def advance(state: Json, choices: list[Json], chance: Chance) -> Json | None:
    """Return the state after a legal action, or None after the end."""
    if state["phase"] == "over":
        return None
    return reference.apply(state, _legal(state, choices, chance))[0]


def _legal(state: Json, choices: list[Json], chance: Chance) -> Json:
    """Return a legal action: a claim, mostly right, one of the choices, a resignation."""
    if chance.happens(2):
        return {"type": "resign", "seat": chance.one_of(reference.seats_left(state))}
    sayings = [action for action in choices if action["type"] == "no_set"]
    if sayings and chance.happens(35):
        return chance.one_of(sayings)
    if choices and chance.happens(45):
        return chance.one_of(choices)
    seat = chance.one_of(reference.acting(state))
    right = _right(state)
    if right is None or chance.happens(25):
        right = chance.some_of(reference.lying(state), 3)
    return {"type": "claim", "seat": seat, "cards": right}


def batch(state: Json, choices: list[Json], chance: Chance, count: int) -> Iterator[Json]:
    """Yield actions to judge: some played well, some out of thin air."""
    for _ in range(count):
        if state["phase"] != "over" and chance.happens(40):
            yield _legal(state, choices, chance)
        else:
            yield _absurd(state, chance)


def _absurd(state: Json, chance: Chance) -> Json:
    """Return an action of the right shape and nothing else."""
    seats = len(state["players"])
    seat = chance.below(seats) if chance.happens(85) else chance.below(MOST_SEATS)
    if state["to_act"] is not None and chance.happens(50):
        seat = state["to_act"]
    kind = chance.one_of(("call", "claim", "claim", "forfeit", "no_set", "no_set", "resign"))
    action: Json = {"type": kind, "seat": seat}
    if kind == "claim":
        action["cards"] = [_any_card(state, chance) for _ in range(3)]
    elif kind == "resign" and chance.happens(50):
        action["timeout"] = chance.happens(50)
    return action


def _any_card(state: Json, chance: Chance) -> int:
    lying = reference.lying(state)
    return chance.one_of(lying if lying and chance.happens(80) else CARD_IDS)


# Damages to a state, each of the right shape


def _damage_card(state: Json, chance: Chance) -> None:
    """Put another card in the place of one."""
    rows = [state["table"], state["deck"]]
    rows += [three for player in state["players"] for three in player["sets"]]
    row = chance.one_of([row for row in rows if row])
    row[chance.below(len(row))] = chance.one_of(CARD_IDS)


def _damage_by_swap(state: Json, chance: Chance) -> None:
    """Let two cards change places."""
    rows = [row for row in (state["table"], state["deck"]) if row]
    rows += [three for player in state["players"] for three in player["sets"]]
    one, other = chance.one_of(rows), chance.one_of(rows)
    place, there = chance.below(len(one)), chance.below(len(other))
    one[place], other[there] = other[there], one[place]
    for row in (one, other):
        if None in row and row is not state["table"]:
            row[:] = [card for card in row if card is not None] or row[:0]
    for player in state["players"]:
        player["sets"] = [three for three in player["sets"] if len(three) == 3]


def _damage_table(state: Json, chance: Chance) -> None:
    """Add or take slots, full or not."""
    table = state["table"]
    if chance.happens(50):
        table += [chance.one_of((None, chance.one_of(CARD_IDS))) for _ in range(3)]
    else:
        del table[-chance.one_of((1, 2, 3)) :]


def _damage_by_deal(state: Json, chance: Chance) -> None:
    """Deal three cards out of turn."""
    if len(state["deck"]) > 2:
        state["table"] += [state["deck"].pop() for _ in range(3)]


def _damage_by_gap(state: Json, chance: Chance) -> None:
    """Take a card off the table."""
    if state["table"]:
        state["table"][chance.below(len(state["table"]))] = None


def _damage_deck(state: Json, chance: Chance) -> None:
    """Lose cards of the deck, or all of it."""
    del state["deck"][-chance.one_of((1, 3, 81)) :]


def _damage_sets(state: Json, chance: Chance) -> None:
    """Give a seat three cards, or take a set away."""
    player = chance.one_of(state["players"])
    if player["sets"] and chance.happens(50):
        player["sets"].pop()
    else:
        player["sets"].append(sorted(chance.some_of(CARD_IDS, 3)))


def _damage_score(state: Json, chance: Chance) -> None:
    chance.one_of(state["players"])["score"] += chance.one_of((-1, 1))


def _damage_failed(state: Json, chance: Chance) -> None:
    """Count another failed call, and perhaps let the score go with it."""
    seat = chance.below(len(state["players"]))
    state["players"][seat]["failed"] += 1
    if chance.happens(50):
        state["players"][seat]["score"] = reference.score_of(state, seat)


def _damage_turn(state: Json, chance: Chance) -> None:
    state["turn"] += chance.one_of((1, 2)) if state["turn"] == 0 else chance.one_of((-1, 1))


def _damage_phase(state: Json, chance: Chance) -> None:
    state["phase"] = chance.one_of(("open", "called", "over"))


def _damage_to_act(state: Json, chance: Chance) -> None:
    state["to_act"] = chance.one_of((None, *range(len(state["players"]))))


def _damage_by_call(state: Json, chance: Chance) -> None:
    """Let some seat have called."""
    state |= {"phase": "called", "to_act": chance.below(len(state["players"]))}


def _damage_sayings(state: Json, chance: Chance) -> None:
    """Let seats have said that there is no set."""
    seats = len(state["players"])
    count = chance.one_of((1, seats - 1, seats))
    state["no_set"] = chance.some_of(range(seats), count)
    if state["no_set"] and chance.happens(10):
        state["no_set"].append(state["no_set"][0])


def _damage_resigned(state: Json, chance: Chance) -> None:
    player = chance.one_of(state["players"])
    player["resigned"] = not player["resigned"]


def _damage_outcome(state: Json, chance: Chance) -> None:
    """Declare the game over, or not, or to another effect."""
    reason = chance.one_of(("no_set_left", "agreed", "lost", "resigned"))
    if chance.happens(30):
        state["outcome"] = None
        return
    state["outcome"] = reference.scored(state, reason)
    if chance.happens(50):
        state |= {"phase": "over", "to_act": None}
    elif chance.happens(50):
        state["outcome"]["winners"] = [chance.below(len(state["players"]))]


def _damage_option(state: Json, chance: Chance) -> None:
    name = chance.one_of(tuple(RANGES))
    state["ruleset"]["options"][name] = chance.one_of(RANGES[name])


DAMAGES: tuple[Callable[[Json, Chance], None], ...] = (
    _damage_card,
    _damage_by_swap,
    _damage_table,
    _damage_by_deal,
    _damage_by_gap,
    _damage_deck,
    _damage_sets,
    _damage_score,
    _damage_failed,
    _damage_turn,
    _damage_phase,
    _damage_to_act,
    _damage_by_call,
    _damage_sayings,
    _damage_resigned,
    _damage_outcome,
    _damage_option,
)

SET = Subject(reference, deal, start, advance, batch, DAMAGES)
