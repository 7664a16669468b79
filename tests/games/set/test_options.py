from __future__ import annotations

from typing import Any, get_args, get_type_hints

import pytest

from splendor_api.games.set.options import (
    OPTION_NAMES,
    OPTIONS,
    RULESETS,
    SEATS,
    Options,
    option_map,
    resolve,
)
from splendor_api.games.set.state import cards_on
from tests.games.set.table import dealt, last, right, step, wrong

GAMERULES: dict[str, Any] = {
    "deck": "full",
    "table_size": 12,
    "caller_window": "phased",
    "penalty": 1,
    "extra_cards": "automatic",
    "solo_no_set": "deal",
}
PUBLISHER = GAMERULES | {"extra_cards": "agreed", "solo_no_set": "lose"}
VALUES: dict[str, tuple[object, ...]] = {
    "deck": ("full", "quick"),
    "table_size": (9, 12, 15),
    "caller_window": ("phased", "none"),
    "penalty": (0, 1, 2, 3),
    "extra_cards": ("automatic", "agreed"),
    "solo_no_set": ("deal", "lose"),
}


@pytest.mark.parametrize("seats", SEATS)
def test_every_ruleset_has_its_defaults(seats: int) -> None:
    assert option_map(resolve("gamerules", seats, {})) == GAMERULES
    assert option_map(resolve("publisher", seats, {})) == PUBLISHER


def test_t5_the_box_has_another_size_for_the_quick_deck() -> None:
    quick = {"deck": "quick"}
    assert option_map(resolve("publisher", 2, quick)) == PUBLISHER | quick | {"table_size": 9}
    assert option_map(resolve("gamerules", 2, quick)) == GAMERULES | quick
    twelve = quick | {"table_size": 12}
    assert option_map(resolve("publisher", 2, twelve)) == PUBLISHER | twelve


def test_every_option_has_its_values() -> None:
    assert {option.name: tuple(option.values) for option in OPTIONS} == VALUES


def test_the_default_ruleset_is_the_first() -> None:
    assert tuple(RULESETS) == ("gamerules", "publisher")


def test_options_are_in_the_order_of_the_fields() -> None:
    assert Options._fields == OPTION_NAMES


def test_the_words_of_an_option_are_those_of_its_type() -> None:
    for name, kind in get_type_hints(Options).items():
        values = VALUES[name]
        assert (get_args(kind) or values) == values
        assert get_args(kind) or kind is int


@pytest.mark.parametrize("name", VALUES)
def test_what_is_given_stands_before_the_ruleset(name: str) -> None:
    for ruleset in RULESETS:
        for value in VALUES[name]:
            assert isinstance(value, int | str)
            assert option_map(resolve(ruleset, 2, {name: value}))[name] == value


@pytest.mark.parametrize("deck", VALUES["deck"])
@pytest.mark.parametrize("size", VALUES["table_size"])
def test_t2_t3_t28_every_deck_and_size_is_played_to_its_end(deck: str, size: int) -> None:
    state = dealt(deck=deck, table_size=size)
    end = last(state)
    cards = {card for player in end.players for triple in player.sets for card in triple}
    assert len(cards) + len(cards_on(end.table)) == (81 if deck == "full" else 27)
    assert end.outcome is not None
    assert end.outcome.reason == "no_set_left"


@pytest.mark.parametrize("penalty", VALUES["penalty"])
def test_t24_every_penalty_is_taken(penalty: int) -> None:
    state = dealt(penalty=penalty)
    after = step(state, wrong(state)).state
    assert after.players[0].score == -penalty
    assert step(after, right(after)).state.players[0].score == 1 - penalty
