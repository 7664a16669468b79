"""What the laws have to be told of SET, and what they draw of it."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import pairwise, product
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from splendor_api.games.set.actions import Action, Claim
from splendor_api.games.set.components import CARDS
from splendor_api.games.set.observe import solutions
from splendor_api.games.set.state import PHASES, State, cards_on
from splendor_api.games.set.turn import acting, normal
from tests.strategies.edits import Edit, both, changed, put

Json = dict[str, Any]

LAST_CARD: Final = max(CARDS)
LAST_SEAT: Final = 19
MOST_FOUND: Final = 3  # sets that are found at once
REASONS: Final = ("no_set_left", "agreed", "lost", "resigned")
EXTRAS: Final = {
    "call": ("seat",),
    "claim": ("seat", "cards"),
    "forfeit": ("seat",),
    "no_set": ("seat",),
    "resign": ("seat", "timeout"),
}


def first_states(dealt: State) -> SearchStrategy[State]:
    """Draw the state dealt: there is no other way to begin."""
    return st.just(dealt)


def found(state: State) -> list[Action]:
    """Return right claims, some for each seat that may make them."""
    sets = solutions(state)[:MOST_FOUND]
    return [Claim(seat, cards) for seat, cards in product(acting(state), sets)]


def actions(state: State) -> SearchStrategy[Json]:
    """Draw any well-formed action; what it names is mostly there."""
    there = st.sampled_from(cards_on(state.table) or [1])
    cards = st.one_of(there, there, there, st.integers(1, LAST_CARD))
    seats = st.one_of(
        st.integers(0, len(state.players) - 1),
        st.sampled_from(acting(state) or (0,)),
        st.integers(0, LAST_SEAT),
    )
    return st.one_of(
        _action("call", seat=seats),
        _action("claim", seat=seats, cards=st.lists(cards, min_size=3, max_size=3)),
        _action("claim", seat=seats, cards=st.lists(there, min_size=3, max_size=3, unique=True))
        if len(set(state.table)) > 3
        else _action("no_set", seat=seats),
        _action("forfeit", seat=seats),
        _action("no_set", seat=seats),
        _action("resign", seat=seats, timeout=st.booleans()),
    )


def _action(kind: str, **members: SearchStrategy[Any]) -> SearchStrategy[Json]:
    return st.fixed_dictionaries({"type": st.just(kind), **members})


def extras(action: Json) -> Collection[str]:
    """Return the members that an action of this type may carry in another way."""
    return EXTRAS[action["type"]]


def bare(state: State, action: Action) -> Action:
    """Return the choice in a legal action: all of it."""
    return normal(state, action)


@st.composite
def damages(draw: DrawFn, data: Json) -> Json:
    """Draw the state with one thing in it that now contradicts the rest."""
    damaged: Json = copy.deepcopy(data)
    draw(st.sampled_from(list(_edits(data))))(damaged)
    return damaged


def _edits(data: Json) -> Iterator[Edit]:
    """Yield every way to damage the state; each changes a copy of it."""
    yield from _card_edits(data)
    yield from _count_edits(data)
    yield from _call_edits(data)
    yield from _end_edits(data)


def _card_edits(data: Json) -> Iterator[Edit]:
    table, deck = data["table"], data["deck"]
    yield put(("table",), table[:-1])
    yield put(("table",), [*table, None, None, None])
    for slot, card in enumerate(table):
        if card is not None:
            yield put(("table", slot), None)
            yield put(("table", slot), 1 + card % LAST_CARD)
    if deck:
        yield put(("deck",), deck[1:])
        yield put(("deck",), [*deck, deck[0]])
    other = "quick" if data["ruleset"]["options"]["deck"] == "full" else "full"
    yield put(("ruleset", "options", "deck"), other)
    won = [
        (("players", seat, "sets", number, 0), triple[0])
        for seat, player in enumerate(data["players"])
        for number, triple in enumerate(player["sets"])
    ]
    for (here, mine), (there, theirs) in pairwise(won):
        yield both(put(here, theirs), put(there, mine))
        yield put(here, theirs)


def _count_edits(data: Json) -> Iterator[Edit]:
    for change in (-1, 1):
        yield changed(("turn",), change)
        for seat in range(len(data["players"])):
            yield changed(("players", seat, "failed"), change)
            yield changed(("players", seat, "score"), change)
        if any(player["failed"] for player in data["players"]):
            yield changed(("ruleset", "options", "penalty"), change)


def _call_edits(data: Json) -> Iterator[Edit]:
    phase, seats = data["phase"], len(data["players"])
    yield put(("to_act",), None if phase == "called" else 0)
    yield put(("to_act",), min(seats, LAST_SEAT) if seats <= LAST_SEAT else None)
    for other in PHASES:
        yield put(("phase",), other)
    yield put(("no_set",), [0, 0])
    if seats <= LAST_SEAT:
        yield put(("no_set",), [seats])
    if phase == "open":
        yield put(("no_set",), list(range(seats)))
    if phase == "called":
        yield put(("ruleset", "options", "caller_window"), "none")


def _end_edits(data: Json) -> Iterator[Edit]:
    outcome = data["outcome"]
    ranking = [{"seat": 0, "rank": 1, "score": 30}]
    yield put(("outcome",), {"reason": "no_set_left", "winners": [0], "ranking": ranking})
    if outcome is None:
        return
    yield put(("outcome",), None)
    for reason in REASONS:
        yield put(("outcome", "reason"), reason)
    yield put(("outcome", "winners"), [*outcome["winners"], 0])
    for place in range(len(outcome["ranking"])):
        for member in ("seat", "rank", "score"):
            yield changed(("outcome", "ranking", place, member), 1)


def hidden(state: State, _: int | None) -> frozenset[int]:
    """Return the cards that nobody sees: those in the deck, until the game is over (T46)."""
    if state.phase == "over" or isinstance(state.deck, int):
        return frozenset()
    return frozenset(state.deck)


@st.composite
def rearranged(draw: DrawFn, state: State, _: int | None) -> State:
    """Draw a state in which the cards of the deck lie in another order."""
    if state.phase == "over" or isinstance(state.deck, int):
        return state
    return state._replace(deck=tuple(draw(st.permutations(state.deck))))


def named(data: Json) -> frozenset[int]:
    """Return the cards that a state names, wherever it does."""
    return frozenset(_places(data))


def told(event: Json) -> frozenset[int]:
    """Return the cards that an event names; at the end of the game nothing is hidden."""
    moved = (move["card"] for move in event.get("moves", ()))
    return frozenset((*event.get("cards", ()), *moved))


def inventory(data: Json) -> dict[str, int]:
    """Return the places of each card."""
    return dict(Counter(f"card {card}" for card in _places(data)))


def _places(data: Json) -> list[int]:
    """Return every card that is named, as often as it is."""
    places = [card for card in data["table"] if card is not None]
    places += data["deck"] if isinstance(data["deck"], list) else ()
    for player in data["players"]:
        for triple in player["sets"]:
            places += triple
    return places
