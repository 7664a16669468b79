"""The short cuts say the same as the long ways, of whole states and of states changed in any way.

`make short-cuts` tries a million changed states.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from itertools import islice, product
from typing import Any, get_args

import pytest

from splendor_api.games.splendor.actions import (
    Buy,
    Reserve,
    TakeDifferent,
    TakeSame,
    buy,
    return_tokens,
)
from splendor_api.games.splendor.audit import findings
from splendor_api.games.splendor.components import CARDS, LEVELS
from splendor_api.games.splendor.decoder import state_of
from splendor_api.games.splendor.events import Place
from splendor_api.games.splendor.glance import is_plainly_sound
from splendor_api.games.splendor.options import GoldPayment, Returns
from splendor_api.games.splendor.state import State, discounted_cost, with_deck, with_slot
from splendor_api.games.splendor.tokens import picks
from splendor_api.games.splendor.turn import choices, effect_of, turns
from splendor_api.games.splendor.wire import StateSchema
from splendor_api.wire import json_text
from splendor_api.wire.faults import Fault
from tests.games.splendor.table import SPLENDOR, counted, dealt, written
from tests.strategies.playing import Manner, moves

CHANGED = int(os.environ.get("CHANGED_STATES") or 4_000)
PLAYED = 24  # games from which states are taken
EVERY = 7  # states of a game, of which one is taken

SCHEMA = StateSchema()
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, 2, 3, -1, 4, 90, 91, 100, 101, 1.0, 0.0, 2**53, 2**64, "", "main",
    "over", "white", "unknown", "splendor", "set", [], {}, [1], {"count": 3}, {"count": True},
    {"card": 1, "hidden": False}, {"level": 1, "hidden": True}, {"card": 1, "level": 1},
)  # fmt: skip
NAMES = ("gold", "white", "1", "count", "hidden", "level", "card", "resigned", "x")


def states() -> Iterator[State]:
    """Yield states of all sorts: of tables, under house rules, of the end."""
    for game in range(PLAYED):
        options: dict[str, Any] = {"passing": "never"} if game % 5 == 1 else {}
        first = dealt(2 + game % 3, seed=f"short cuts {game}", **options)
        manner = Manner(("buy", "reserve") if game % 2 else (), firmness=4, resigning=game % 4 // 3)
        course = moves(SPLENDOR, counted(first) if game % 4 == 2 else first, manner, str(game))
        yield first
        yield from islice((state for _, state in course), game % EVERY, None, EVERY)


STATES = tuple(states())
WRITTEN = tuple(json_text.write(written(state)) for state in STATES)


def holders(value: Any) -> Iterator[Any]:
    """Yield every object and list in a value that have something in them."""
    if isinstance(value, dict | list) and value:
        yield value
        for part in value.values() if isinstance(value, dict) else value:
            yield from holders(part)


def change(value: Any, chance: random.Random) -> None:
    """Lose, add, move or change one part of the value."""
    holder = chance.choice([*holders(value)])
    keys = [*holder] if isinstance(holder, dict) else [*range(len(holder))]
    key, other = chance.choice(keys), chance.choice(keys)
    match chance.randrange(8):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.append(deepcopy(chance.choice((*ODD, holder[key]))))
        case 1:
            holder[chance.choice(NAMES)] = deepcopy(chance.choice(ODD))
        case 2:
            holder[key], holder[other] = holder[other], holder[key]
        case 3 | 4 if type(holder[key]) is int:
            holder[key] += chance.choice((-1, 1))
        case 5 if type(holder[key]) is int:
            holder[key] = chance.choice((float, str, bool))(holder[key])
        case _:
            holder[key] = deepcopy(chance.choice(ODD))


def changed_states(count: int) -> Iterator[Any]:
    """Yield so many states with a few changes; the same ones each time."""
    chance = random.Random("changed")
    for _ in range(count):
        value = json_text.read(chance.choice(WRITTEN))
        for _ in range(chance.choice((0, 1, 1, 1, 2, 3))):
            change(value, chance)
        yield value


@pytest.mark.parametrize("place", range(len(STATES)))
def test_an_ordinary_state_is_read_and_judged_at_once(place: int) -> None:
    state = STATES[place]
    if state.outcome is None:
        assert state_of(json_text.read(WRITTEN[place])) == state
    is_ordinary = (
        state.phase in ("main", "return_tokens")
        and state.options.passing != "never"
        and not state.final_round
        and not isinstance(state.decks[0], int)
        and not any(player.resigned for player in state.players)
    )
    assert is_plainly_sound(state) == is_ordinary


def test_a_return_is_owed_for_what_one_action_can_have_drawn() -> None:
    """Hold the glance to the audit whatever was drawn (S86)."""
    owing = [state for state in STATES if is_plainly_sound(state) and state.drawn is not None]
    sound = faulty = 0
    for state in owing:
        for drawn in (None, *(pick for count in range(5) for pick in picks(count))):
            changed = state._replace(drawn=drawn)
            found = [*findings(changed)]
            assert is_plainly_sound(changed) == (not found), (drawn, found)
            sound, faulty = sound + (not found), faulty + bool(found)
    assert min(sound, faulty) > len(owing) > 0


def test_a_slot_is_empty_only_where_its_deck_is() -> None:
    """Hold the glance to the audit where a card is back in its deck (S85)."""
    ordinary = [state for state in STATES if is_plainly_sound(state)]
    gaps = 0
    for state in ordinary:
        for level in LEVELS:
            card, deck = state.market[level - 1][0], state.decks[level - 1]
            if not isinstance(card, int) or isinstance(deck, int):
                continue
            emptied = state._replace(
                market=with_slot(state.market, Place(level, 0), None),
                decks=with_deck(state.decks, level, (card, *deck)),
            )
            assert not is_plainly_sound(emptied)
            assert [*findings(emptied)]
            gaps += 1
    assert gaps > len(ordinary) > 0


@pytest.mark.parametrize("gold_payment", get_args(GoldPayment))
def test_the_payments_made_at_once_are_those_that_break_no_rule(gold_payment: GoldPayment) -> None:
    """Hold the list to the rule, asked of every payment of the right sum (S47 to S51)."""
    several = 0
    for state in under(gold_payment=gold_payment):
        player = state.player
        for card in buy.candidates(state, player):
            due = discounted_cost(CARDS[card], player.bonuses)
            ways: list[Any] = [
                (*gems, sum(due) - sum(gems))
                for gems in product(*(range(count, -1, -1) for count in due))
            ]
            legal = [paid for paid in ways if not any(buy.violations(state, Buy(card, paid)))]
            assert list(buy.payments(player, CARDS[card], gold_payment)) == legal
            several += len(legal) > 1
    assert (several > 0) == (gold_payment == "free")


@pytest.mark.parametrize("allowed", get_args(Returns))
def test_the_returns_made_at_once_are_those_that_break_no_rule(allowed: Returns) -> None:
    """Hold the list to the rule, asked of every pick of the right size (S56, S57)."""
    owing = 0
    for state in under(returns=allowed):
        for action in choices(state, None):
            if not isinstance(action, TakeDifferent | TakeSame | Reserve):
                continue
            effect = effect_of(state, action)
            player, drawn, options = effect.player, effect.drawn, state.options
            surplus = return_tokens.surplus(player, options)
            legal: list[Any] = [
                returned
                for returned in picks(surplus)
                if surplus and not any(return_tokens.violations(player, drawn, returned, options))
            ]
            whole: list[Any] = [each for each in turns(state, None) if _is_same(each, action)]
            assert [each.returned for each in whole] == (legal or [None])
            owing += bool(legal)
    assert owing > len(STATES) / 10


def under(**options: Any) -> Iterator[State]:
    """Yield every state in which a turn begins with one noble at most to come, under an option."""
    for state in STATES:
        if state.phase == "main":
            yield state._replace(nobles=state.nobles[:1], options=state.options._replace(**options))


def _is_same(whole: Any, choice: Any) -> bool:
    return bool(replace(whole, returned=None) == choice) if type(whole) is type(choice) else False


def test_a_short_cut_leads_where_the_long_way_does() -> None:
    taken = refused = sound = faulty = 0
    for value in changed_states(CHANGED):
        faults: list[Fault] = []
        read = SCHEMA.read_members(value, faults) if isinstance(value, dict) else None
        at_once = state_of(value)
        if at_once is not None:
            assert not faults, value
            assert repr(at_once) == repr(read), value
        taken, refused = taken + (at_once is not None), refused + bool(faults)
        if read is None:
            continue
        found = [*findings(read)]
        is_sound = is_plainly_sound(read)
        assert not (is_sound and found), (value, found)
        sound, faulty = sound + is_sound, faulty + bool(found)
    assert min(taken, refused, sound, faulty) > CHANGED / 20
