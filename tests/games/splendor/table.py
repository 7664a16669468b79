"""A table to play at in tests: deals, actions in short, and states found by playing up to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from splendor_api.games import referee
from splendor_api.games.protocol import Step
from splendor_api.games.referee import Refusal
from splendor_api.games.registry import GAMES
from splendor_api.games.splendor.actions import Action
from splendor_api.games.splendor.deal import deal
from splendor_api.games.splendor.observe import observe
from splendor_api.games.splendor.state import State
from splendor_api.games.violations import Violation
from tests.strategies.playing import Manner, as_json, moves, read_action, read_state

Json = dict[str, Any]
Tokens = Mapping[str, int]
Wanted = Callable[[State], object]

SPLENDOR = GAMES["splendor"]
GEMS = ("white", "blue", "green", "red", "black")
COLORS = (*GEMS, "gold")
MOST_SEEDS = 200
LONGEST = 250

# What a seat likes that plays to win, that fills its hands, and that fills its pockets.
BUYING = ("choose_noble", "reveal", "buy", "take_different", "take_same", "reserve")
RESERVING = ("choose_noble", "reveal", "reserve", "buy")
TAKING = ("reveal", "take_different", "take_same", "reserve")
RICH: Mapping[str, Any] = {"gems_per_color": 20, "token_limit": 50}
"""Options under which every card can be bought before long."""


def dealt(
    seats: int = 2, ruleset: str = "publisher", seed: str = "splendor", **options: Any
) -> State:
    """Return a first state. The option `pass` is written `passing` here."""
    if "passing" in options:
        options["pass"] = options.pop("passing")
    return deal(seats, ruleset, options, seed)


def counted(state: State) -> State:
    """Return the state of the same game on a table: its decks are only counted."""
    return observe(state, None)


def face_down(state: State, *places: tuple[int, int]) -> State:
    """Return a first state with counted decks and with these slots (level, slot) not told yet."""
    data = written(counted(state))
    for level, slot in places:
        data["market"][str(level)][slot] = "unknown"
    return loaded(data | {"phase": "reveal"})


def written(state: State) -> Json:
    """Return the state as JSON that may be changed."""
    data: Json = as_json(SPLENDOR.wire.dump_state(state))
    return data


def loaded(data: Json) -> State:
    """Return the state that `data` stands for."""
    state: State = read_state(SPLENDOR, data)
    return state


def _action(kind: str, back: Tokens | None = None, **members: Any) -> Action:
    if back is not None:
        members["return"] = back
    given = {name: value for name, value in members.items() if value is not None}
    action: Action = read_action(SPLENDOR, as_json({"type": kind, **given}))
    return action


def take(*colors: str, back: Tokens | None = None, **beside: Any) -> Action:
    """Take gem tokens of these colours."""
    return _action("take_different", back, colors=colors, **beside)


def pair(color: str, back: Tokens | None = None, **beside: Any) -> Action:
    """Take two gem tokens of one colour."""
    return _action("take_same", back, color=color, **beside)


def reserve(card: int, back: Tokens | None = None, **beside: Any) -> Action:
    """Reserve a card of the market."""
    return _action("reserve", back, card=card, **beside)


def draw(level: int, back: Tokens | None = None, **beside: Any) -> Action:
    """Reserve the top card of a deck."""
    return _action("reserve", back, level=level, **beside)


def buy(card: int, **beside: Any) -> Action:
    """Buy a card, perhaps for a `payment`."""
    return _action("buy", card=card, **beside)


def passing(**beside: Any) -> Action:
    """Pass."""
    return _action("pass", **beside)


def give(tokens: Tokens, **beside: Any) -> Action:
    """Return tokens, in the phase that asks for it."""
    return _action("return_tokens", tokens=tokens, **beside)


def choose(noble: int, **beside: Any) -> Action:
    """Choose a noble, in the phase that asks for it."""
    return _action("choose_noble", noble=noble, **beside)


def tell(level: int, slot: int, card: int, **beside: Any) -> Action:
    """Tell which card lies in a slot."""
    return _action("reveal", level=level, slot=slot, card=card, **beside)


def resign(seat: int, **beside: Any) -> Action:
    """Leave the game."""
    return _action("resign", seat=seat, **beside)


def step(state: State, action: Action) -> Step[State, Any]:
    """Return what a legal action leads to."""
    verdict = referee.apply(SPLENDOR.rules, state, action)
    assert not isinstance(verdict, Refusal), verdict
    return verdict


def after(state: State, *actions: Action) -> State:
    """Return the state after legal actions."""
    for action in actions:
        state = step(state, action).state
    return state


def events(state: State, action: Action) -> list[Json]:
    """Return the events of a legal action, as JSON."""
    told = [SPLENDOR.wire.dump_event(event) for event in step(state, action).events]
    data: list[Json] = as_json(told)
    return data


def kinds(state: State, action: Action) -> list[str]:
    """Return the types of the events of a legal action."""
    return [event["type"] for event in events(state, action)]


def broken(state: State, action: Action) -> list[Violation]:
    """Return everything that forbids an action, in a state that is possible."""
    verdict = referee.check(SPLENDOR.rules, state, action)
    assert not isinstance(verdict, Refusal), verdict
    return [Violation(each.code, each.pointer[len("/action") :], each.params) for each in verdict]


def codes(state: State, action: Action) -> list[str]:
    """Return the codes of everything that forbids an action."""
    return [violation.code.name for violation in broken(state, action)]


def only(state: State, action: Action) -> tuple[str, str, Json]:
    """Return code, pointer and parameters of the one violation of an action."""
    (violation,) = broken(state, action)
    return violation.code.name, violation.pointer, dict(violation.params)


def is_legal(state: State, action: Action) -> bool:
    """Return whether nothing forbids the action."""
    return not broken(state, action)


def listed(state: State, kind: str | None = None) -> list[Any]:
    """Return the choices of the seat to act, or those of one type."""
    choices: Sequence[Any] = SPLENDOR.rules.choices(state, None)
    return [action for action in choices if kind in (None, action.type)]


def affordable(state: State) -> list[int]:
    """Return the cards that the seat to act may buy now."""
    return [action.card for action in listed(state, "buy")]


def deck(state: State, level: int) -> tuple[int, ...]:
    """Return a deck whose cards are known."""
    cards = state.decks[level - 1]
    assert not isinstance(cards, int)
    return cards


def face_up(state: State, level: int, slot: int = 0) -> int:
    """Return the card that lies in a slot."""
    card = state.market[level - 1][slot]
    assert isinstance(card, int)
    return card


def findings(data: Json) -> list[str]:
    """Return the codes that the audit finds in a state, given as JSON."""
    return [finding.code.name for finding in SPLENDOR.rules.audit(loaded(data))]


def reached(
    wanted: Wanted,
    liked: tuple[str, ...] = BUYING,
    seats: int = 2,
    ruleset: str = "publisher",
    firmness: int = 7,
    start: Callable[[State], State] = lambda state: state,
    **options: Any,
) -> State:
    """Return the first state that play comes to and that is `wanted`.

    Raises `LookupError` where many games have none.
    """
    manner = Manner(liked, firmness)
    for seed in map(str, range(MOST_SEEDS)):
        first = start(dealt(seats, ruleset, seed, **options))
        for _, (_, state) in zip(
            range(LONGEST), moves(SPLENDOR, first, manner, seed), strict=False
        ):
            found: State = state
            if wanted(found):
                return found
    raise LookupError(wanted)


def played(
    liked: tuple[str, ...] = BUYING,
    seats: int = 2,
    ruleset: str = "publisher",
    seed: str = "0",
    steps: int = LONGEST,
    **options: Any,
) -> list[State]:
    """Return every state of a game, from the deal on."""
    first = dealt(seats, ruleset, seed, **options)
    going = moves(SPLENDOR, first, Manner(liked), seed)
    return [first, *(state for _, state in islice(going, steps))]
