"""What the laws have to be told of Splendor, and what they draw of it."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from splendor_api.games.splendor.actions import (
    Action,
    Buy,
    ChooseNoble,
    Pass,
    Resign,
    ReturnTokens,
    Reveal,
)
from splendor_api.games.splendor.components import CARDS, NOBLES
from splendor_api.games.splendor.observe import observe
from splendor_api.games.splendor.state import PHASES, State, owed_reveals
from splendor_api.games.splendor.turn import normal
from splendor_api.games.splendor.wire import SPLENDOR_WIRE
from tests.strategies.edits import Edit, both, changed, put

Json = dict[str, Any]
Path = tuple[str | int, ...]

COLORS: Final = ("white", "blue", "green", "red", "black", "gold")
GEMS: Final = COLORS[:5]
LEVELS: Final = ("1", "2", "3")
EXTRAS: Final = {
    "take_different": ("seat", "return", "noble", "colors"),
    "take_same": ("seat", "return", "noble", "color"),
    "reserve": ("seat", "return", "noble"),
    "buy": ("seat", "payment", "noble", "card"),
    "pass": ("seat", "noble"),
    "resign": ("seat", "timeout"),
    "return_tokens": ("seat", "noble", "tokens"),
    "choose_noble": ("seat", "noble"),
    "reveal": ("seat", "level", "slot", "card"),
}


@st.composite
def first_states(draw: DrawFn, dealt: State) -> State:
    """Draw the state dealt, or the same table with decks that are only counted, perhaps with some
    cards still lying face down in the market.
    """
    kind = draw(st.sampled_from(("list", "list", "counts", "unknown")))
    if kind == "list":
        return dealt
    counted = observe(dealt, None)
    if kind == "counts":
        return counted
    unknown = draw(st.sets(st.tuples(st.sampled_from(LEVELS), st.integers(0, 3)), min_size=1))
    data = dump(counted)
    data["phase"] = "reveal"
    for level, slot in unknown:
        data["market"][level][slot] = "unknown"
    return load(data)


def dump(state: State) -> Json:
    """Return the state as JSON that may be changed."""
    data: Json = listed(SPLENDOR_WIRE.dump_state(state))
    return data


def load(data: Json) -> State:
    """Return the state that `data` stands for; it must be well formed."""
    faults: list[Any] = []
    state = SPLENDOR_WIRE.state.read(data, faults)
    assert state is not None, faults
    assert not faults, faults
    return state


def listed(value: Any) -> Any:
    """Return a copy of plain data, with lists for tuples, as JSON has it."""
    if isinstance(value, dict):
        return {name: listed(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [listed(item) for item in value]
    return value


def token_maps() -> SearchStrategy[Json]:
    """Draw a token map: mostly of few tokens."""
    counts = st.one_of(st.integers(0, 3), st.integers(0, 3), st.integers(0, 100))
    return st.dictionaries(st.sampled_from(COLORS), counts, max_size=4)


def actions(state: State) -> SearchStrategy[Json]:
    """Draw any well-formed action; what it names is mostly there."""
    there = [card for row in state.market for card in row if isinstance(card, int)]
    for player in state.players:
        there += [held.card for held in player.reserved if held.card is not None]
        there += player.cards[:2]
    cards = st.one_of(st.sampled_from(there or [1]), st.integers(1, 90))
    nobles = st.one_of(st.sampled_from(state.nobles or (1,)), st.integers(1, 10))
    seats = st.one_of(st.just(state.seat), st.integers(0, 3))
    slots = [(place.level, place.slot) for place in owed_reveals(state.market)]
    slot = st.one_of(
        st.sampled_from(slots or [(1, 0)]), st.tuples(st.integers(1, 3), st.integers(0, 3))
    )
    beside = {"seat": seats, "noble": nobles}
    with_return = {**beside, "return": token_maps()}
    gems = st.sampled_from(GEMS)
    return st.one_of(
        _action(
            "take_different",
            {"colors": st.lists(gems, min_size=1, max_size=5)},
            with_return,
        ),
        _action(
            "take_different",
            {"colors": st.lists(gems, min_size=2, max_size=3, unique=True)},
            with_return,
        ),
        _action("take_same", {"color": gems}, with_return),
        _action("reserve", {"card": cards}, with_return),
        _action("reserve", {"level": st.integers(1, 3)}, with_return),
        _action("buy", {"card": cards}, {**beside, "payment": token_maps()}),
        _action("pass", {}, beside),
        _action("resign", {"seat": seats}, {"timeout": st.booleans()}),
        _action("return_tokens", {"tokens": token_maps()}, beside),
        _action("choose_noble", {"noble": nobles}, {"seat": seats}),
        slot.flatmap(
            lambda place: _action(
                "reveal",
                {"level": st.just(place[0]), "slot": st.just(place[1]), "card": cards},
                {"seat": seats},
            )
        ),
    )


def _action(
    kind: str, members: dict[str, SearchStrategy[Any]], beside: dict[str, SearchStrategy[Any]]
) -> SearchStrategy[Json]:
    return st.fixed_dictionaries({"type": st.just(kind), **members}, optional=beside)


def extras(action: Json) -> Collection[str]:
    """Return the members that an action of this type may carry, or carry in another way."""
    return EXTRAS[action["type"]]


def bare(state: State, action: Action) -> Action:
    """Return the choice in a legal action: without payment, return and noble."""
    choice = normal(state, action)
    match choice:
        case Resign() | ChooseNoble() | Reveal():
            return choice
        case Buy():
            return Buy(choice.card)
        case ReturnTokens():
            return ReturnTokens(choice.returned)
        case Pass():
            return Pass()
        case _:
            return replace(choice, returned=None, noble=None)


@st.composite
def damages(draw: DrawFn, data: Json) -> Json:
    """Draw the state with one thing in it that now contradicts the rest."""
    damaged: Json = copy.deepcopy(data)
    draw(st.sampled_from(list(_edits(data))))(damaged)
    return damaged


def _edits(data: Json) -> Iterator[Edit]:
    """Yield every way to damage the state; each changes a copy of it."""
    yield from _token_edits(data)
    yield from _card_edits(data)
    yield from _noble_edits(data)
    yield from _duty_edits(data)
    yield from _end_edits(data)


def _token_edits(data: Json) -> Iterator[Edit]:
    holders = [("bank",), *(("players", seat, "tokens") for seat in range(len(data["players"])))]
    for holder in holders:
        for color in COLORS:
            for change in (-1, 1):
                yield changed((*holder, color), change)
    for option in ("gems_per_color", "gold_tokens", "nobles_revealed"):
        for change in (-1, 1):
            yield changed(("ruleset", "options", option), change)


def _card_edits(data: Json) -> Iterator[Edit]:
    for level in LEVELS:
        deck, row = data["decks"][level], data["market"][level]
        if isinstance(deck, dict):
            yield changed(("decks", level, "count"), 1)
            yield changed(("decks", level, "count"), -1)
        elif deck:
            yield put(("decks", level), deck[1:])
            yield put(("decks", level), [*deck, deck[0]])
        for slot, card in enumerate(row):
            if isinstance(card, int):
                yield put(("market", level, slot), None)
                yield put(("market", level, slot), _stranger(card))
    for seat, player in enumerate(data["players"]):
        for place, card in enumerate(player["cards"]):
            yield put(("players", seat, "cards", place), _stranger(card))
    if data["phase"] != "over" and any(len(each["cards"]) > 1 for each in data["players"]):
        yield put(("turn",), data["turn"] % len(data["players"]))


def _stranger(card: int) -> int:
    """Return a card of another level."""
    return max(CARDS) if CARDS[card].level == 1 else min(CARDS)


def _noble_edits(data: Json) -> Iterator[Edit]:
    nobles = data["nobles"]
    yield put(("nobles",), [*nobles, 1 + sum(nobles) % 10])
    if not nobles:
        return
    yield put(("nobles",), nobles[1:])
    yield put(("nobles",), [*nobles[1:], *nobles[1:2], nobles[0]])
    for seat, player in enumerate(data["players"]):
        if not player["cards"]:
            yield both(put(("nobles",), nobles[1:]), put(("players", seat, "nobles"), nobles[:1]))


def _duty_edits(data: Json) -> Iterator[Edit]:
    seats, phase = len(data["players"]), data["phase"]
    for seat in (None, *range(4)):
        yield put(("to_act",), seat)
    if phase != "over":
        for turns in range(1, seats):
            yield changed(("turn",), turns)
    # A seat that could have two nobles may have had them in view at the start of its turn, too.
    alike = {"main", "choose_noble"}
    for other in PHASES:
        if {phase, other} != alike:
            yield put(("phase",), other)
    drawn = dict.fromkeys(COLORS, 0)
    yield put(("drawn",), None)
    yield put(("drawn",), drawn)
    yield put(("drawn",), drawn | {"white": 2, "gold": 1})
    if data["drawn"] is None:
        yield put(("drawn",), drawn | {"white": 1})


def _end_edits(data: Json) -> Iterator[Edit]:
    yield put(("final_round",), not data["final_round"])
    outcome = data["outcome"]
    ranking = [{"seat": 0, "rank": 1, "prestige": 0, "cards": 0}]
    yield put(("outcome",), {"reason": "resigned", "winners": [0], "ranking": ranking})
    if outcome is None:
        return
    yield put(("outcome",), None)
    for reason in ("target_prestige", "deadlock", "resigned"):
        yield put(("outcome", "reason"), reason)
    yield put(("outcome", "winners"), [*outcome["winners"], outcome["winners"][0]])
    for place in range(len(outcome["ranking"])):
        for member in ("seat", "rank", "prestige", "cards"):
            yield changed(("outcome", "ranking", place, member), 1)


def _is_hidden_from(seat: int | None, state: State, holder: int, *, drawn: bool) -> bool:
    """Return whether a card in the holder's hand is hidden from the seat (S77, S78)."""
    visibility = state.options.reserve_visibility
    return holder != seat and (
        visibility == "all_hidden" or (visibility == "drawn_hidden" and drawn)
    )


def hidden(state: State, seat: int | None) -> frozenset[int]:
    """Return the cards that the seat does not see: in the decks, in the hands of others."""
    if state.phase == "over":
        return frozenset()
    cards = {card for deck in state.decks if not isinstance(deck, int) for card in deck}
    for holder, player in enumerate(state.players):
        for held in player.reserved:
            if held.card and _is_hidden_from(seat, state, holder, drawn=held.hidden):
                cards.add(held.card)
    return frozenset(cards)


@st.composite
def rearranged(draw: DrawFn, state: State, seat: int | None) -> State:
    """Draw a state in which the cards hidden from the seat lie elsewhere, among their places."""
    unseen = sorted(hidden(state, seat))
    new = {card: card for card in unseen}
    for level in (1, 2, 3):
        cards = [card for card in unseen if CARDS[card].level == level]
        new |= zip(cards, draw(st.permutations(cards)), strict=True)
    data = dump(state)
    for deck in data["decks"].values():
        if isinstance(deck, list):
            deck[:] = [new.get(card, card) for card in deck]
    for player in data["players"]:
        for held in player["reserved"]:
            if "card" in held:
                held["card"] = new.get(held["card"], held["card"])
    return load(data)


def named(data: Json) -> frozenset[int]:
    """Return the cards that a state names, wherever it does."""
    return frozenset(_places(data))


def told(event: Json) -> frozenset[int]:
    """Return the cards that an event names; at the end of the game nothing is hidden."""
    card = event.get("card")
    return frozenset() if card is None else frozenset({card})


def inventory(data: Json) -> dict[str, int]:
    """Return the tokens of each colour, the cards of each level, the places of each known card and
    of each tile.
    """
    counted: Counter[str] = Counter(dict.fromkeys(map(_noble_name, NOBLES), 0))
    for tokens in (data["bank"], *(player["tokens"] for player in data["players"])):
        counted.update({f"{color} tokens": count for color, count in tokens.items()})
    for level in LEVELS:
        deck = data["decks"][level]
        unseen = deck["count"] if isinstance(deck, dict) else len(deck)
        unseen += sum(card is not None for card in data["market"][level])
        counted[f"cards of level {level}"] += unseen
    for player in data["players"]:
        counted.update(f"cards of level {CARDS[card].level}" for card in player["cards"])
        for held in player["reserved"]:
            of = held["level"] if "level" in held else CARDS[held["card"]].level
            counted[f"cards of level {of}"] += 1
    for nobles in (data["nobles"], *(player["nobles"] for player in data["players"])):
        counted.update(map(_noble_name, nobles))
    assert len(_places(data)) == len(named(data)), "a card is in two places"
    return dict(counted)


def _noble_name(noble: int) -> str:
    return f"tile {noble}"


def _places(data: Json) -> list[int]:
    """Return every card that is named, as often as it is."""
    places = [card for row in data["market"].values() for card in row if isinstance(card, int)]
    for deck in data["decks"].values():
        places += deck if isinstance(deck, list) else ()
    for player in data["players"]:
        places += player["cards"]
        places += [held["card"] for held in player["reserved"] if "card" in held]
    return places
