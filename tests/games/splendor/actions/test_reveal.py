from __future__ import annotations

from splendor_api.games.splendor.state import State
from tests.games.splendor.table import (
    RICH,
    after,
    buy,
    codes,
    counted,
    dealt,
    draw,
    events,
    face_down,
    give,
    is_legal,
    kinds,
    listed,
    only,
    pair,
    reached,
    reserve,
    resign,
    take,
    tell,
)

TOP = 32  # of the deck of level 1, if it were known


def owing() -> State:
    """Return a state in which a card has been reserved and its slot not been told."""
    return after(counted(dealt()), reserve(22))


def test_s16_a_counted_deck_owes_the_card() -> None:
    state = owing()
    assert (state.phase, state.to_act, state.turn) == ("reveal", 0, 0)
    assert state.market[0] == (16, "unknown", 33, 20)
    assert state.decks == (35, 26, 16)
    assert events(counted(dealt()), reserve(22))[-1] == {
        "type": "reveal_owed",
        "seat": 0,
        "slots": [{"level": 1, "slot": 1}],
    }


def test_s16_the_card_is_told_and_the_turn_goes_on() -> None:
    state = after(owing(), tell(1, 1, TOP))
    assert (state.phase, state.to_act, state.turn) == ("main", 1, 1)
    assert state.market[0] == (16, TOP, 33, 20)
    assert state.decks == (35, 26, 16)
    assert events(owing(), tell(1, 1, TOP)) == [
        {"type": "card_revealed", "level": 1, "slot": 1, "card": TOP},
        {"type": "turn_ended", "seat": 0, "turn": 1},
    ]


def test_s16_a_slot_that_owes_nothing() -> None:
    for level, slot in ((1, 0), (2, 1)):
        assert only(owing(), tell(level, slot, 40 if level == 1 else 70)) == (
            "reveal_not_owed",
            "/slot",
            {"level": level, "slot": slot},
        )


def test_s83_a_card_that_is_in_play() -> None:
    state = after(owing(), tell(1, 1, TOP), reserve(33))
    for card in (16, TOP, 33, 22):
        assert only(state, tell(1, 2, card)) == ("card_not_possible", "/card", {"card": card})


def test_s83_a_card_of_another_level() -> None:
    assert codes(owing(), tell(1, 1, 41)) == ["card_not_possible"]


def test_both_are_told() -> None:
    assert codes(owing(), tell(1, 0, 41)) == ["reveal_not_owed", "card_not_possible"]


def test_nothing_else_may_be_done_before() -> None:
    assert codes(owing(), draw(1)) == ["wrong_phase"]
    assert codes(dealt(), tell(1, 1, TOP)) == ["wrong_phase"]


def test_every_card_that_it_may_be_is_listed() -> None:
    choices = listed(owing())
    assert {(action.level, action.slot) for action in choices} == {(1, 1)}
    cards = [action.card for action in choices]
    assert cards == sorted(set(range(1, 41)) - {16, 22, 33, 20})


def test_a_bought_card_owes_the_next_as_well() -> None:
    state = after(counted(dealt()), take("white", "blue", "red"), pair("green"))
    state = after(state, take("white", "black", "red"), take("blue", "green", "black"))
    later = after(state, buy(20))
    assert later.phase == "reveal"
    assert kinds(state, buy(20)) == ["card_bought", "reveal_owed"]
    assert after(later, tell(1, 3, TOP)).turn == state.turn + 1


def test_an_empty_counted_deck_owes_nothing() -> None:
    state = counted(
        reached(
            lambda state: (
                state.phase == "main"
                and state.decks[2] == ()
                and None not in state.market[2]
                and len(state.player.reserved) < 10
            ),
            liked=("reserve",),
            firmness=8,
            seats=4,
            reserve_limit=10,
        )
    )
    card = next(card for card in state.market[2] if isinstance(card, int))
    later = after(state, reserve(card))
    assert later.phase != "reveal"
    assert later.market[2][0] is None
    assert kinds(state, reserve(card))[1] == "card_revealed"
    assert events(state, reserve(card))[1]["card"] is None


def test_a_card_held_without_gold_is_a_turn_as_well() -> None:
    state = after(counted(dealt(gold_tokens=0)), reserve(22))
    assert (state.phase, state.turn) == ("reveal", 0)
    assert not any(state.player.tokens)
    assert after(state, tell(1, 1, TOP)).turn == 1


def test_a_return_waits_for_the_reveal() -> None:
    state = after(counted(dealt(token_limit=3)), take("white", "blue", "green"), pair("red"))
    later = after(state, reserve(22))
    assert (later.phase, later.drawn) == ("reveal", (0, 0, 0, 0, 0, 1))
    told = after(later, tell(1, 1, TOP))
    assert (told.phase, told.drawn) == ("return_tokens", (0, 0, 0, 0, 0, 1))
    assert kinds(later, tell(1, 1, TOP)) == ["card_revealed", "return_owed"]
    assert after(told, give({"gold": 1})).turn == 3


def test_a_return_may_come_with_the_action() -> None:
    state = after(counted(dealt(token_limit=3)), take("white", "blue", "green"), pair("red"))
    later = after(state, reserve(22, back={"white": 1}))
    assert (later.phase, later.drawn) == ("reveal", None)
    assert kinds(state, reserve(22, back={"white": 1})) == [
        "card_reserved",
        "reveal_owed",
        "tokens_returned",
    ]
    assert after(later, tell(1, 1, TOP)).turn == 3


def test_a_noble_may_not_be_named_while_a_card_is_owed() -> None:
    state = counted(dealt())
    assert only(state, reserve(22, noble=1)) == ("noble_not_yet", "/noble", {})
    assert codes(state, draw(1, noble=1)) == ["noble_not_eligible"]


def test_a_noble_comes_after_the_reveal() -> None:
    def visits(state: State) -> bool:
        return state.phase == "reveal" and any(
            "noble_visited" in kinds(state, action) for action in listed(state)[:1]
        )

    state = reached(visits, start=counted, nobles_revealed=10, **RICH)
    later = after(state, listed(state)[0])
    assert len(later.players[state.seat].nobles) == len(state.player.nobles) + 1


def test_a_game_may_begin_with_cards_face_down() -> None:
    state = face_down(dealt(), (1, 0), (3, 2))
    assert state.phase == "reveal"
    one = after(state, tell(3, 2, 90))
    assert (one.phase, one.turn) == ("reveal", 0)
    assert kinds(state, tell(3, 2, 90)) == ["card_revealed"]
    both = after(one, tell(1, 0, 16))
    assert (both.phase, both.to_act, both.turn) == ("main", 0, 0)
    assert both == counted(dealt())


def test_they_are_told_in_any_order() -> None:
    state = face_down(dealt(), (1, 0), (3, 2))
    assert after(state, tell(1, 0, 16), tell(3, 2, 90)) == counted(dealt())
    assert {(action.level, action.slot) for action in listed(state)} == {(1, 0), (3, 2)}


def test_a_seat_that_resigns_leaves_the_reveal_to_the_table() -> None:
    state = after(counted(dealt(seats=3, token_limit=3)), take("white", "blue", "green"))
    state = after(state, pair("red"), pair("black"), reserve(22), resign(0))
    assert (state.phase, state.to_act, state.drawn) == ("reveal", 0, None)
    later = after(state, tell(1, 1, TOP))
    assert (later.phase, later.to_act, later.turn) == ("main", 1, 4)
    assert sum(later.players[0].tokens) == 4


def test_the_seat_may_be_named() -> None:
    assert is_legal(owing(), tell(1, 1, TOP, seat=0))
    assert codes(owing(), tell(1, 1, TOP, seat=1)) == ["wrong_seat"]
