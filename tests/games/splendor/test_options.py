from __future__ import annotations

from typing import Any, get_args, get_type_hints

import pytest

from splendor_api.games.splendor.options import (
    OPTION_NAMES,
    OPTIONS,
    RULESETS,
    SEATS,
    Options,
    option_map,
    resolve,
)
from tests.games.splendor.table import after, broken, dealt, draw

BOTH: dict[str, Any] = {
    "target_prestige": 15,
    "token_limit": 10,
    "reserve_limit": 3,
    "take_fewer": "when_scarce",
    "take_two_minimum": 4,
    "reserve_without_gold": True,
    "gold_payment": "free",
    "returns": "any",
    "pass": "when_stuck",
    "reserve_visibility": "drawn_hidden",
}
GAMERULES_GOLD = {2: 0, 3: 0, 4: 5}
GEMS_PER_COLOR = {2: 4, 3: 5, 4: 7}
RANGES: dict[str, object] = {
    "target_prestige": (1, 50),
    "token_limit": (3, 50),
    "reserve_limit": (0, 10),
    "gems_per_color": (1, 20),
    "gold_tokens": (0, 20),
    "nobles_revealed": (0, 10),
    "take_fewer": ("when_scarce", "never", "always"),
    "take_two_minimum": (2, 20),
    "reserve_without_gold": (False, True),
    "gold_payment": ("free", "needed_only"),
    "returns": ("any", "drawn"),
    "pass": ("when_stuck", "never", "always"),
    "reserve_visibility": ("drawn_hidden", "all_hidden", "open"),
    "tie_break": ("shared", "fewest_cards"),
}


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_s4_s6_s7_s10_every_ruleset_has_its_defaults(ruleset: str, seats: int) -> None:
    is_box = ruleset == "publisher"
    assert option_map(resolve(ruleset, seats, {})) == BOTH | {
        "gems_per_color": GEMS_PER_COLOR[seats],
        "gold_tokens": 5 if is_box else GAMERULES_GOLD[seats],
        "nobles_revealed": seats + 1,
        "tie_break": "fewest_cards" if is_box else "shared",
    }


def test_s4_the_box_holds_40_tokens() -> None:
    assert sum(dealt(seats=4, ruleset="gamerules").bank) == 40
    assert sum(dealt(seats=4, ruleset="publisher").bank) == 40


def test_s4_the_other_list_has_42() -> None:
    assert sum(dealt(seats=4, gold_tokens=7).bank) == 42


def test_every_option_has_its_range() -> None:
    for option in OPTIONS:
        values = option.values
        found = (values[0], values[-1]) if isinstance(values, range) else values
        assert found == RANGES[option.name]


def test_the_default_ruleset_is_the_first() -> None:
    assert tuple(RULESETS) == ("gamerules", "publisher")


def test_options_are_in_the_order_of_the_fields() -> None:
    assert tuple(name.replace("passing", "pass") for name in Options._fields) == OPTION_NAMES


def test_the_words_of_an_option_are_those_of_its_type() -> None:
    for field, kind in get_type_hints(Options).items():
        option = OPTIONS[Options._fields.index(field)]
        if get_args(kind):
            assert get_args(kind) == option.values
        else:
            assert type(option.values[0]) is kind


def test_what_is_given_stands_before_the_ruleset() -> None:
    for option in OPTIONS:
        for value in (option.values[0], option.values[-1]):
            assert option_map(resolve("publisher", 3, {option.name: value}))[option.name] == value


def test_options_differ_between_rulesets_only_where_they_say_so() -> None:
    different = {
        option.name
        for option in OPTIONS
        for seats in SEATS
        if option.default("gamerules", seats) != option.default("publisher", seats)
    }
    assert different == {"gold_tokens", "tie_break"}


def test_without_gold_in_the_game_a_card_can_be_reserved_all_the_same() -> None:
    assert after(dealt(gold_tokens=0, reserve_without_gold=False), draw(1)).turn == 1


def test_without_reserves_there_is_no_way_to_gold() -> None:
    state = dealt(reserve_limit=0)
    assert [each.code.name for each in broken(state, draw(1))] == ["reserve_limit"]
