from __future__ import annotations

from typing import Any

import pytest

from splendor_api.games.splendor.state import State
from tests.games.splendor.table import (
    GEMS,
    TAKING,
    after,
    codes,
    dealt,
    events,
    is_legal,
    listed,
    only,
    passing,
    reached,
    take,
    written,
)


def with_colors(count: int, **options: Any) -> State:
    """Return a state in which the bank has so many colours of gems."""
    return reached(
        lambda state: state.phase == "main" and sum(map(bool, state.bank[:5])) == count,
        liked=TAKING,
        **options,
    )


def there(state: State) -> list[str]:
    return [color for color, count in zip(GEMS, state.bank, strict=False) if count]


def test_s23_one_token_of_each_of_three_colors() -> None:
    state = after(dealt(), take("red", "white", "black"))
    assert state.bank == (3, 4, 4, 3, 3, 5)
    assert state.players[0].tokens == (1, 0, 0, 1, 1, 0)
    assert state.to_act == 1


def test_s23_four_colors_are_too_many() -> None:
    action = take("white", "blue", "green", "red")
    assert only(dealt(), action) == ("too_many_colors", "/colors", {"count": 4, "limit": 3})
    assert codes(dealt(), take(*GEMS)) == ["too_many_colors"]


def test_s23_each_color_must_be_in_the_bank() -> None:
    state = with_colors(4)
    (gone,) = set(GEMS) - set(there(state))
    first, second, *_ = there(state)
    action = take(first, gone, second)
    assert only(state, action) == ("color_unavailable", "/colors/1", {"color": gone})


def test_s23_the_order_of_the_colors_does_not_matter() -> None:
    assert after(dealt(), take("red", "white", "black")) == after(
        dealt(), take("black", "red", "white")
    )


@pytest.mark.parametrize("count", [1, 2])
def test_s24_three_must_be_taken_where_three_are_there(count: int) -> None:
    action = take(*GEMS[:count])
    assert only(dealt(), action) == (
        "too_few_colors",
        "/colors",
        {"count": count, "required": 3},
    )


def test_s24_exactly_three_colors_left_are_all_taken() -> None:
    state = with_colors(3)
    assert is_legal(state, take(*there(state)))
    assert codes(state, take(*there(state)[:2])) == ["too_few_colors"]


@pytest.mark.parametrize("count", [1, 2])
def test_s24_of_fewer_colors_all_are_taken(count: int) -> None:
    state = with_colors(count)
    assert listed(state, "take_different") == [take(*there(state))]
    assert is_legal(state, take(*there(state)))


def test_s24_of_two_colors_one_is_too_few() -> None:
    state = with_colors(2)
    action = take(there(state)[0])
    assert only(state, action) == ("too_few_colors", "/colors", {"count": 1, "required": 2})


@pytest.mark.parametrize("count", [1, 2])
def test_s25_never_fewer(count: int) -> None:
    state = with_colors(count, take_fewer="never")
    assert listed(state, "take_different") == []
    assert only(state, take(*there(state))) == (
        "too_few_colors",
        "/colors",
        {"count": count, "required": 3},
    )


def test_s25_always_as_many_as_one_likes() -> None:
    state = dealt(take_fewer="always")
    assert len(listed(state, "take_different")) == 5 + 10 + 10
    for count in (1, 2, 3):
        assert after(state, take(*GEMS[:count])).players[0].tokens[:3] == tuple(
            int(place < count) for place in range(3)
        )


def test_s26_nothing_can_be_taken_from_an_empty_bank() -> None:
    state = with_colors(0)
    assert listed(state, "take_different") == []
    for take_one in map(take, GEMS):
        assert codes(state, take_one) == ["color_unavailable"]


def test_s26_no_option_allows_it() -> None:
    state = with_colors(0, take_fewer="always", passing="always")
    assert listed(state, "take_different") == []
    assert is_legal(state, passing())


def test_s27_a_color_may_not_be_named_twice() -> None:
    action = take("red", "red", "blue")
    assert only(dealt(), action) == ("duplicate_color", "/colors/1", {"color": "red"})
    assert codes(dealt(), take("red", "red")) == ["duplicate_color", "too_few_colors"]
    assert codes(dealt(), take("red", "red", "red", "red")) == [
        "duplicate_color",
        "duplicate_color",
        "duplicate_color",
        "too_many_colors",
    ]


def test_s27_an_absent_color_named_twice_is_unavailable_once() -> None:
    state = with_colors(4)
    (gone,) = set(GEMS) - set(there(state))
    action = take(gone, gone, there(state)[0])
    assert codes(state, action) == ["duplicate_color", "color_unavailable"]


def test_s31_gold_is_no_color_to_be_taken() -> None:
    for action in listed(dealt(take_fewer="always")):
        if action.type in ("take_different", "take_same"):
            assert after(dealt(take_fewer="always"), action).bank[5] == 5


def test_s32_the_limit_does_not_forbid_taking() -> None:
    state = reached(
        lambda state: state.phase == "main" and sum(state.player.tokens) == 10 and min(state.bank),
        liked=TAKING,
        gems_per_color=9,
    )
    owing = after(state, take("white", "blue", "green"))
    assert owing.phase == "return_tokens"
    assert sum(owing.player.tokens) == 13


def test_what_is_told() -> None:
    assert events(dealt(), take("red", "white", "black")) == [
        {
            "type": "tokens_taken",
            "seat": 0,
            "tokens": {"white": 1, "blue": 0, "green": 0, "red": 1, "black": 1, "gold": 0},
        },
        {"type": "turn_ended", "seat": 0, "turn": 1},
    ]


def test_nothing_else_changes() -> None:
    before, later = written(dealt()), written(after(dealt(), take("red", "white", "black")))
    changed = {name for name in before if before[name] != later[name]}
    assert changed == {"bank", "players", "turn", "to_act"}


def test_the_choices_are_in_order() -> None:
    takes = listed(dealt(take_fewer="always"), "take_different")
    assert takes[0] == take("white")
    assert takes[5] == take("white", "blue")
    assert takes[-1] == take("green", "red", "black")
