from __future__ import annotations

import pytest

from splendor_api.games.shuffle import shuffled
from splendor_api.games.splendor.components import CARDS, CARDS_OF_LEVEL
from tests.games.splendor.table import SPLENDOR, dealt, written


def test_s5_two_three_or_four_seats_play() -> None:
    assert list(SPLENDOR.rules.seats) == [2, 3, 4]
    for seats in (2, 3, 4):
        assert len(dealt(seats).players) == seats


@pytest.mark.parametrize(("seats", "gems"), [(2, 4), (3, 5), (4, 7)])
def test_s6_the_bank_starts_with_gems_by_seats(seats: int, gems: int) -> None:
    assert dealt(seats).bank[:5] == (gems,) * 5
    assert dealt(seats, "gamerules").bank[:5] == (gems,) * 5


def test_s6_the_gems_may_be_named() -> None:
    assert dealt(gems_per_color=9).bank[:5] == (9,) * 5


@pytest.mark.parametrize(("seats", "gold"), [(2, 0), (3, 0), (4, 5)])
def test_s7_the_bank_starts_with_gold_for_four_only(seats: int, gold: int) -> None:
    assert dealt(seats, "gamerules").bank[5] == gold


def test_s7_the_box_has_gold_for_any_number_of_seats() -> None:
    assert [dealt(seats).bank[5] for seats in (2, 3, 4)] == [5, 5, 5]


def test_s8_each_level_is_shuffled_by_itself() -> None:
    state = dealt(seed="s")
    for level, deck in enumerate(state.decks, start=1):
        assert isinstance(deck, tuple)
        order = shuffled(sorted(CARDS_OF_LEVEL[level]), "s", f"splendor/deck/{level}")
        assert order[:-4] == deck
        assert {CARDS[card].level for card in deck} == {level}


def test_s8_another_seed_is_another_order() -> None:
    first, second = dealt(seed="a"), dealt(seed="b")
    assert all(one != other for one, other in zip(first.decks, second.decks, strict=True))
    assert first.nobles != second.nobles


def test_s9_the_market_is_dealt_from_the_top() -> None:
    state = dealt(seed="s")
    for level, row in enumerate(state.market, start=1):
        order = shuffled(sorted(CARDS_OF_LEVEL[level]), "s", f"splendor/deck/{level}")
        assert row == (order[-1], order[-2], order[-3], order[-4])
    assert [len(row) for row in state.market] == [4, 4, 4]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_s10_one_tile_more_than_seats_is_revealed(seats: int) -> None:
    state = dealt(seats)
    assert len(state.nobles) == seats + 1
    assert state.nobles == shuffled(range(1, 11), "splendor", "splendor/nobles")[: seats + 1]


def test_s10_the_tiles_may_be_none_or_all() -> None:
    assert dealt(nobles_revealed=0).nobles == ()
    assert sorted(dealt(nobles_revealed=10).nobles) == list(range(1, 11))


def test_s11_every_player_starts_with_nothing() -> None:
    for player in written(dealt(4))["players"]:
        assert player == {
            "tokens": {"white": 0, "blue": 0, "green": 0, "red": 0, "black": 0, "gold": 0},
            "cards": [],
            "reserved": [],
            "nobles": [],
            "resigned": False,
        }


def test_s12_seat_0_has_the_first_turn() -> None:
    state = dealt(3)
    assert (state.turn, state.to_act, state.phase) == (0, 0, "main")
    assert (state.drawn, state.final_round, state.outcome) == (None, False, None)


def test_a_deal_says_its_ruleset_and_every_option() -> None:
    data = written(dealt(3, "gamerules", token_limit=11))
    assert data["ruleset"]["name"] == "gamerules"
    assert data["ruleset"]["options"]["token_limit"] == 11
    assert data["ruleset"]["options"]["gems_per_color"] == 5
