from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from splendor_api.games.protocol import Step
from splendor_api.games.splendor.observe import observe, observe_step
from splendor_api.games.splendor.state import Reserved, State
from tests.games.splendor.table import (
    RESERVING,
    SPLENDOR,
    Json,
    after,
    buy,
    counted,
    dealt,
    draw,
    give,
    pair,
    passing,
    played,
    reached,
    reserve,
    resign,
    step,
    take,
    written,
)

DRAWN, OPEN = 32, 22  # on top of the deck of level 1, and in the market


def with_hands(**options: Any) -> State:
    """Return a state in which seat 0 holds a drawn card and one of the market."""
    state = dealt(3, passing="always", **options)
    return after(state, draw(1), passing(), passing(), reserve(OPEN), passing(), passing())


def seen(state: State, seat: int | None) -> Json:
    """Return what the seat sees, as JSON."""
    return written(observe(state, seat))


def told(happened: Step[State, Any], seat: int | None) -> list[Json]:
    """Return what the seat is told of a step, as JSON."""
    return [SPLENDOR.wire.dump_event(event) for event in observe_step(happened, seat)]


def hand(state: State, holder: int, seat: int | None) -> list[Json]:
    """Return what the seat sees of the holder's hand."""
    cards: list[Json] = seen(state, seat)["players"][holder]["reserved"]
    return cards


def test_s76_everybody_sees_what_lies_open() -> None:
    for state in played(seats=3, steps=80):
        whole = written(state)
        for seat in (None, 0, 1, 2):
            view = seen(state, seat)
            for name in ("bank", "market", "nobles", "turn", "to_act", "phase", "drawn"):
                assert view[name] == whole[name]
            if state.phase == "over":
                continue
            for player, other in zip(view["players"], whole["players"], strict=True):
                for name in ("tokens", "cards", "nobles", "resigned"):
                    assert player[name] == other[name]
                assert len(player["reserved"]) == len(other["reserved"])


def test_s76_the_number_of_cards_in_each_deck() -> None:
    assert seen(dealt(), 0)["decks"] == {
        "1": {"count": 36},
        "2": {"count": 26},
        "3": {"count": 16},
    }


def test_s76_the_levels_of_reserved_cards() -> None:
    state = after(dealt(), draw(3), draw(2))
    assert hand(state, 0, 1) == [{"level": 3, "hidden": True}]
    assert hand(state, 1, 0) == [{"level": 2, "hidden": True}]


@pytest.mark.parametrize(
    ("visibility", "others"),
    [
        ("drawn_hidden", [{"level": 1, "hidden": True}, {"card": OPEN, "hidden": False}]),
        ("all_hidden", [{"level": 1, "hidden": True}, {"level": 1, "hidden": True}]),
        ("open", [{"card": DRAWN, "hidden": True}, {"card": OPEN, "hidden": False}]),
    ],
)
def test_s77_s78_who_sees_a_reserved_card(visibility: str, others: list[Json]) -> None:
    state = with_hands(reserve_visibility=visibility)
    assert hand(state, 0, 1) == hand(state, 0, None) == others
    assert hand(state, 0, 0) == [
        {"card": DRAWN, "hidden": True},
        {"card": OPEN, "hidden": False},
    ]


@pytest.mark.parametrize("visibility", ["drawn_hidden", "all_hidden"])
def test_s77_the_event_does_not_name_a_drawn_card(visibility: str) -> None:
    happened = step(dealt(reserve_visibility=visibility), draw(1))
    assert "card" not in told(happened, 1)[0]
    assert "card" not in told(happened, None)[0]
    assert told(happened, 0)[0]["card"] == DRAWN


def test_s77_unless_all_are_open() -> None:
    happened = step(dealt(reserve_visibility="open"), draw(1))
    assert told(happened, 1)[0]["card"] == told(happened, None)[0]["card"] == DRAWN


@pytest.mark.parametrize("visibility", ["drawn_hidden", "all_hidden", "open"])
def test_s78_all_saw_a_card_of_the_market_go(visibility: str) -> None:
    happened = step(dealt(reserve_visibility=visibility), reserve(OPEN))
    for seat in (None, 0, 1):
        assert told(happened, seat)[0]["card"] == OPEN


def test_s79_the_holder_sees_the_card_before_the_return() -> None:
    state = after(dealt(token_limit=3, passing="always"), take("white", "blue", "green"))
    owing = after(state, passing(), draw(1))
    assert owing.phase == "return_tokens"
    assert observe(owing, 0).players[0].reserved == (Reserved(DRAWN, 1, hidden=True),)
    assert after(owing, give({"gold": 1})).players[0].reserved == owing.players[0].reserved


def test_s80_a_hidden_card_that_is_bought_is_open() -> None:
    for before, later in pairwise(played(RESERVING, seats=2, seed="4", steps=200)):
        for holder, (old, new) in enumerate(zip(before.players, later.players, strict=True)):
            bought = set(new.cards) - set(old.cards)
            was_hidden = {held.card for held in old.reserved if held.hidden}
            for card in bought & was_hidden:
                assert card in seen(later, 1 - holder)["players"][holder]["cards"]


def test_s80_the_event_names_it_to_all() -> None:
    state = after(dealt(passing="always", gems_per_color=9), draw(1), passing())
    state = after(state, pair("white"), passing(), pair("white"), passing())
    happened = step(state, buy(DRAWN))
    assert told(happened, 1)[0]["card"] == DRAWN
    assert told(happened, 1)[0]["place"] == 0


def test_s81_nobody_sees_the_decks() -> None:
    for seat in (None, 0, 1):
        assert observe(dealt(), seat).decks == (36, 26, 16)


def test_s81_a_spectator_sees_what_is_open_to_all() -> None:
    state = with_hands()
    for seat in range(3):
        assert observe(observe(state, seat), None) == observe(state, None)


def test_s81_no_tile_that_was_left_out_is_shown() -> None:
    assert len(seen(dealt(), None)["nobles"]) == 3


def test_s82_at_the_end_nothing_is_hidden() -> None:
    state = after(with_hands(), resign(0), resign(1))
    for seat in (None, 0, 1, 2):
        assert observe(state, seat) == state


def test_s82_what_was_hidden_is_told_before_the_end() -> None:
    happened = step(after(with_hands(), resign(1)), resign(2))
    for seat in (None, 0, 1, 2):
        *_, shown, over = told(happened, seat)
        assert over["type"] == "game_over"
        assert shown["type"] == "cards_shown"
        assert shown["decks"] == SPLENDOR.wire.dump_state(happened.state)["decks"]
        assert shown["reserved"] == [
            [{"card": DRAWN, "hidden": True}, {"card": OPEN, "hidden": False}],
            [],
            [],
        ]


def test_s82_not_before_the_end() -> None:
    happened = step(dealt(), draw(1))
    assert all(event["type"] != "cards_shown" for event in told(happened, 1))


def test_s82_what_nobody_knows_is_not_told() -> None:
    happened = step(after(counted(dealt()), draw(1)), resign(0))
    *_, shown, _ = told(happened, 1)
    assert shown["decks"]["1"] == {"count": 35}
    assert shown["reserved"] == [[{"level": 1, "hidden": True}], []]


def test_a_seat_sees_its_own_hand_only() -> None:
    state = after(dealt(3), draw(1), draw(2), draw(3))
    for seat in range(3):
        faces = [observe(state, seat).players[holder].reserved[0].card for holder in range(3)]
        assert [face is not None for face in faces] == [holder == seat for holder in range(3)]


def test_what_is_open_stays_the_same_value() -> None:
    state = reached(lambda state: not any(player.reserved for player in state.players))
    assert observe(state, None).players == state.players
