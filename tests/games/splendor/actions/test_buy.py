from __future__ import annotations

from itertools import pairwise
from operator import sub
from typing import Any

import pytest

from splendor_api.games.splendor.actions import Buy
from splendor_api.games.splendor.actions import buy as rules
from splendor_api.games.splendor.components import CARDS
from splendor_api.games.splendor.state import State, discounted_cost
from tests.games.splendor.table import (
    BUYING,
    GEMS,
    RESERVING,
    RICH,
    SPLENDOR,
    affordable,
    after,
    buy,
    codes,
    counted,
    dealt,
    deck,
    draw,
    events,
    face_up,
    is_legal,
    kinds,
    listed,
    only,
    pair,
    passing,
    played,
    reached,
    reserve,
    take,
    tell,
    written,
)

CARD = 20  # in slot 3 of level 1, for white, blue, red and black; a green bonus, no points
NEXT = 32  # on top of the deck of level 1
WITH_GOLD = {"white": 1, "blue": 1, "red": 1, "gold": 1}  # a price of `CARD`


def with_price(gold: int = 0, **options: Any) -> State:
    """Return a state whose seat 0 holds what `CARD` costs, or gold in place of some of it."""
    options = {"passing": "always", **options}
    state = after(dealt(**options), take("white", "blue", "red"), passing())
    state = after(state, pair("black"), passing())
    for _ in range(gold):
        state = after(state, draw(2), passing())
    assert state.player.tokens == (1, 1, 0, 1, 2, gold)
    return state


def with_bonuses(**options: Any) -> State:
    """Return a state whose seat to act has a bonus for more than some face-up card asks."""
    return reached(lambda state: bool(overpaid(state)), **options)


def due(state: State, card: int) -> tuple[int, ...]:
    """Return what a card costs the seat to act."""
    return discounted_cost(CARDS[card], state.player.bonuses)


def overpaid(state: State) -> list[int]:
    """Return the cards of which the seat to act has more bonuses in a colour than they cost, and
    some left to pay in another.
    """
    if state.phase != "main":
        return []
    return [
        card
        for card in affordable(state)
        if any(b > c > 0 for b, c in zip(state.player.bonuses, CARDS[card].cost, strict=True))
        and any(due(state, card))
    ]


def free_cards(state: State) -> list[int]:
    """Return the cards that the bonuses of the seat to act cover."""
    if state.phase != "main":
        return []
    return [card for card in affordable(state) if not any(due(state, card))]


def test_s42_a_face_up_card_is_bought() -> None:
    state = after(with_price(), buy(CARD))
    assert state.players[0].cards == (CARD,)
    assert state.market[0] == (16, 22, 33, NEXT)


def test_s42_a_card_of_the_own_hand_is_bought() -> None:
    state = after(with_price(), reserve(CARD), passing(), buy(CARD))
    assert state.players[0].cards == (CARD,)
    assert state.players[0].reserved == ()


def test_s42_no_card_of_a_deck() -> None:
    assert only(with_price(), buy(NEXT)) == ("card_not_available", "/card", {"card": NEXT})


def test_s42_no_card_of_another_hand() -> None:
    state = after(with_price(), pair("green"), reserve(CARD))
    assert codes(state, buy(CARD)) == ["card_not_available"]


def test_s42_no_card_that_is_bought_already() -> None:
    state = after(with_price(), buy(CARD), passing())
    assert codes(state, buy(CARD)) == ["card_not_available"]


def test_s42_what_is_not_there_is_not_priced() -> None:
    assert codes(dealt(), buy(1, payment={"gold": 9})) == ["card_not_available"]


def test_s43_bonuses_lower_the_price() -> None:
    state = reached(
        lambda state: state.phase == "main" and any(state.player.bonuses) and any(affordable(state))
    )
    for card in affordable(state):
        price = [
            max(0, count - bonus)
            for count, bonus in zip(CARDS[card].cost, state.player.bonuses, strict=True)
        ]
        later = after(state, buy(card)).players[state.seat]
        paid = [old - new for old, new in zip(state.player.tokens, later.tokens, strict=True)]
        assert sum(paid) == sum(price)
        assert all(spent <= count for spent, count in zip(paid, price, strict=False))


def test_s43_what_is_missing_is_told() -> None:
    state = after(dealt(), take("white", "blue", "green"), pair("red"))
    assert only(state, buy(16)) == (
        "cannot_afford",
        "/card",
        {
            "missing": {"white": 0, "blue": 0, "green": 0, "red": 4, "black": 0},
            "gold": 0,
            "short": 4,
        },
    )


def test_s43_one_gem_short_is_short() -> None:
    state = after(dealt(), take("white", "blue", "red"), pair("green"))
    assert only(state, buy(CARD))[2]["short"] == 1
    assert buy(CARD) not in listed(state)


def test_s44_a_bonus_beyond_the_cost_lowers_no_other_color() -> None:
    state = with_bonuses()
    card = overpaid(state)[0]
    price = sum(due(state, card))
    later = after(state, buy(card)).players[state.seat]
    assert sum(state.player.tokens) - sum(later.tokens) == price
    assert price > sum(CARDS[card].cost) - sum(state.player.bonuses)


def test_s45_each_card_gives_a_bonus_of_its_color_for_good() -> None:
    for before, later in pairwise(played(steps=120)):
        for old, new in zip(before.players, later.players, strict=True):
            assert all(b >= a for a, b in zip(old.bonuses, new.bonuses, strict=True))
            counts = [0] * 5
            for card in new.cards:
                counts[CARDS[card].bonus] += 1
            assert list(new.bonuses) == counts


def test_s45_reserved_cards_and_tiles_give_none() -> None:
    state = after(dealt(), reserve(16), pair("red"))
    assert state.players[0].bonuses == (0, 0, 0, 0, 0)
    visited = reached(lambda state: bool(state.players[0].nobles), **RICH)
    assert sum(visited.players[0].bonuses) == len(visited.players[0].cards)


def test_s45_a_card_does_not_lower_its_own_price() -> None:
    def own_color(state: State) -> list[int]:
        cards = affordable(state) if state.phase == "main" else []
        return [card for card in cards if due(state, card)[CARDS[card].bonus]]

    state = reached(lambda state: bool(own_color(state)), **RICH)
    for card in own_color(state):
        later = after(state, buy(card)).players[state.seat]
        assert sum(state.player.tokens) - sum(later.tokens) == sum(due(state, card))


def test_s46_gold_stands_for_any_color() -> None:
    state = after(with_price(gold=1), buy(CARD, payment=WITH_GOLD))
    assert state.players[0].tokens == (0, 0, 0, 0, 2, 0)


def test_s46_several_gold_in_several_colors() -> None:
    state = after(with_price(gold=2), buy(CARD, payment={"white": 1, "black": 1, "gold": 2}))
    assert state.players[0].tokens == (0, 1, 0, 1, 1, 0)


@pytest.mark.parametrize(
    "payment",
    [
        {"white": 1, "blue": 1, "red": 1},  # too little
        {"white": 1, "blue": 1, "red": 1, "black": 2},  # more than is due, and of a colour
        {"white": 1, "blue": 1, "red": 1, "black": 1, "gold": 1},  # more gold than is left
        {"white": 1, "blue": 1, "black": 2},  # the right number in the wrong colours
        {"gold": 1},
        {},
    ],
)
def test_s47_the_payment_is_exact(payment: dict[str, int]) -> None:
    code, pointer, params = only(with_price(gold=1), buy(CARD, payment=payment))
    assert (code, pointer) == ("payment_mismatch", "/payment")
    assert params["due"] == {"white": 1, "blue": 1, "green": 0, "red": 1, "black": 1}
    assert params["paid"] == dict.fromkeys((*GEMS, "gold"), 0) | payment


def test_s47_nothing_is_paid_in_a_color_that_is_not_due() -> None:
    state = after(with_price(), pair("green"), passing())
    action = buy(CARD, payment={"white": 1, "blue": 1, "red": 1, "green": 1})
    assert codes(state, action) == ["payment_mismatch"]


def test_s48_nobody_pays_with_what_is_not_held() -> None:
    action = buy(CARD, payment=WITH_GOLD)
    assert only(with_price(), action) == (
        "payment_not_owned",
        "/payment/gold",
        {"color": "gold", "paid": 1, "owned": 0},
    )


def test_s48_every_color_is_told() -> None:
    action = buy(CARD, payment={"white": 2, "gold": 2})
    assert codes(with_price(), action) == [
        "payment_not_owned",
        "payment_not_owned",
        "payment_mismatch",
    ]


def test_s48_what_cannot_be_paid_at_all_is_told_with_the_payment() -> None:
    state = dealt()
    action = buy(CARD, payment={"white": 1, "blue": 1, "red": 1, "black": 1})
    assert codes(state, action) == ["cannot_afford", *["payment_not_owned"] * 4]
    assert codes(state, buy(CARD, payment={})) == ["cannot_afford", "payment_mismatch"]


def test_s49_gold_may_be_spent_though_a_gem_is_held() -> None:
    action = buy(CARD, payment=WITH_GOLD)
    state = after(with_price(gold=1), action)
    assert state.players[0].tokens == (0, 0, 0, 0, 2, 0)


def test_s49_needed_only_gold_covers_what_gems_cannot() -> None:
    state = with_price(gold=1, gold_payment="needed_only")
    action = buy(CARD, payment=WITH_GOLD)
    assert only(state, action) == ("gold_not_needed", "/payment/gold", {"color": "black"})
    assert is_legal(state, buy(CARD, payment={"white": 1, "blue": 1, "red": 1, "black": 1}))


def test_s49_needed_only_names_every_color() -> None:
    state = with_price(gold=2, gold_payment="needed_only")
    action = buy(CARD, payment={"blue": 1, "red": 1, "gold": 2})
    assert codes(state, action) == ["gold_not_needed", "gold_not_needed"]


@pytest.mark.parametrize(("gold_payment", "ways"), [("free", 5), ("needed_only", 1)])
def test_s49_whole_turns_have_the_payments_that_are_allowed(gold_payment: str, ways: int) -> None:
    """One gold stands for any one of four tokens of four colours, or for none."""
    state = with_price(gold=1, gold_payment=gold_payment)
    whole: list[Any] = list(SPLENDOR.rules.turns(state, None))
    paid = [action.payment for action in whole if action.type == "buy" and action.card == CARD]
    assert len(set(paid)) == len(paid) == ways


def test_s49_needed_only_where_it_is_needed() -> None:
    state = after(dealt(gold_payment="needed_only"), take("white", "blue", "red"), pair("green"))
    state = after(state, draw(2), draw(2))
    assert is_legal(state, buy(CARD, payment=WITH_GOLD))


def test_s49_a_wrong_payment_is_not_judged_by_its_gold() -> None:
    state = with_price(gold=1, gold_payment="needed_only")
    assert codes(state, buy(CARD, payment={"gold": 1})) == ["payment_mismatch"]


def test_s50_gems_are_spent_first() -> None:
    state = after(with_price(gold=1), buy(CARD))
    assert state.players[0].tokens == (0, 0, 0, 0, 1, 1)


def test_s50_and_gold_for_the_rest() -> None:
    state = after(dealt(), take("white", "blue", "red"), pair("green"), draw(2), draw(2))
    assert after(state, buy(CARD)).players[0].tokens == (0, 0, 0, 0, 0, 0)


def test_s50_the_default_is_the_one_payment_with_the_fewest_gold() -> None:
    state = with_price(gold=2)
    payments = list(rules.payments(state.player, CARDS[CARD], "free"))
    golds = [payment[5] for payment in payments]
    default = rules.payment(state.player, Buy(CARD))
    assert payments[0] == default
    assert golds.count(min(golds)) == 1
    assert default[5] == min(golds)
    assert len(payments) == 1 + 4 + 6
    assert len(set(payments)) == len(payments)
    assert list(rules.payments(state.player, CARDS[CARD], "needed_only")) == [default]


def test_s51_nothing_is_paid_where_bonuses_cover_the_cost() -> None:
    state = reached(lambda state: bool(free_cards(state)), **RICH)
    card = free_cards(state)[0]
    later = after(state, buy(card))
    assert later.players[state.seat].tokens == state.player.tokens
    assert later.bank == state.bank


def test_s51_and_nothing_may_be_paid() -> None:
    state = reached(lambda state: bool(free_cards(state)) and bool(state.player.tokens[0]), **RICH)
    card = free_cards(state)[0]
    assert codes(state, buy(card, payment={"white": 1})) == ["payment_mismatch"]
    assert is_legal(state, buy(card, payment={}))


def test_s52_what_is_paid_goes_back_to_the_bank() -> None:
    state = with_price(gold=1)
    later = after(state, buy(CARD, payment=WITH_GOLD))
    back = [new - old for old, new in zip(state.bank, later.bank, strict=True)]
    assert back == [1, 1, 0, 1, 0, 1]


def test_s53_a_bought_card_counts_at_once() -> None:
    state = reached(
        lambda state: (
            state.phase == "main" and any(CARDS[card].points for card in affordable(state))
        )
    )
    for card in affordable(state):
        later = after(state, buy(card)).players[state.seat]
        assert later.cards == (*state.player.cards, card)
        assert later.prestige == state.player.prestige + CARDS[card].points
        assert sum(later.bonuses) == sum(state.player.bonuses) + 1


def test_s53_also_for_the_noble_of_this_turn() -> None:
    game = played(seed="3", nobles_revealed=10, **RICH)
    visits = [
        (old, new)
        for before, later in pairwise(game)
        for old, new in zip(before.players, later.players, strict=True)
        if len(new.nobles) > len(old.nobles) and len(new.cards) > len(old.cards)
    ]
    assert visits


def test_s54_buying_from_the_hand_makes_room_and_changes_no_slot() -> None:
    state = after(with_price(reserve_limit=1), reserve(CARD), passing())
    assert codes(state, reserve(22)) == ["reserve_limit"]
    later = after(state, buy(CARD))
    assert later.market == state.market
    assert later.decks == state.decks
    assert is_legal(after(later, passing()), reserve(22))


def test_s54_buying_from_the_market_refills_the_slot() -> None:
    state = with_price()
    later = after(state, buy(CARD))
    assert later.market == ((16, 22, 33, NEXT), *state.market[1:])
    assert later.decks[0] == deck(state, 1)[:-1]


def test_a_card_of_the_middle_of_the_hand_is_taken_out() -> None:
    state = after(
        with_price(), reserve(22), passing(), reserve(CARD), passing(), draw(1), passing()
    )
    later = after(state, buy(CARD))
    assert [held.card for held in later.players[0].reserved] == [22, 12]


def test_what_is_told_of_a_purchase_from_the_market() -> None:
    paid = {"white": 1, "blue": 1, "green": 0, "red": 1, "black": 1, "gold": 0}
    assert events(with_price(), buy(CARD)) == [
        {
            "type": "card_bought",
            "seat": 0,
            "card": CARD,
            "level": 1,
            "slot": 3,
            "payment": paid,
        },
        {"type": "card_revealed", "level": 1, "slot": 3, "card": NEXT},
        {"type": "turn_ended", "seat": 0, "turn": 5},
    ]


def test_what_is_told_of_a_purchase_from_the_open_hand() -> None:
    state = after(with_price(), reserve(22), passing(), reserve(CARD), passing())
    bought = events(state, buy(CARD))[0]
    assert bought["slot"] is None
    assert "place" not in bought
    assert kinds(state, buy(CARD)) == ["card_bought", "turn_ended"]


def test_the_place_of_a_concealed_card_is_told() -> None:
    state = after(
        with_price(reserve_visibility="all_hidden"),
        reserve(22),
        passing(),
        reserve(CARD),
        passing(),
    )
    assert events(state, buy(CARD))[0]["place"] == 1


def unseen(level: int = 1, **options: Any) -> State:
    """Return a state with counted decks whose seat to act holds an unseen card and much money."""
    options = {"passing": "always", **RICH, **options}
    state = after(counted(dealt(**options)), draw(level), passing())
    for colors in (GEMS[:3], GEMS[2:]) * 4:
        state = after(state, take(*colors), passing())
    return state


def test_a_card_of_unknown_face_is_named_when_it_is_bought() -> None:
    state = unseen()
    later = after(state, buy(NEXT))
    assert later.players[0].cards == (NEXT,)
    assert later.players[0].reserved == ()
    assert events(state, buy(NEXT))[0]["place"] == 0


def test_it_may_be_any_card_of_its_level_that_is_not_in_play() -> None:
    state = unseen()
    assert only(state, buy(41)) == ("card_not_possible", "/card", {"card": 41})
    assert is_legal(state, buy(face_up(state, 2)))
    assert codes(state, buy(NEXT, payment={})) == ["payment_mismatch"]
    again = after(state, buy(NEXT), passing(), draw(1), passing())
    assert only(again, buy(NEXT)) == ("card_not_possible", "/card", {"card": NEXT})


def test_every_card_that_it_may_be_is_a_choice() -> None:
    state = unseen()
    cards = affordable(state)
    seen = [card for row in state.market for card in row if card in cards]
    assert cards[: len(seen)] == seen
    hidden = cards[len(seen) :]
    assert hidden == sorted(hidden)
    assert {CARDS[card].level for card in hidden} == {1}
    assert NEXT in hidden


def test_the_first_unseen_card_of_the_level_is_taken() -> None:
    state = after(unseen(2), draw(1), passing(), draw(1), passing())
    assert [held.level for held in after(state, buy(NEXT)).players[0].reserved] == [2, 1]
    assert events(state, buy(NEXT))[0]["place"] == 1


def test_a_card_whose_face_is_known_is_found_by_it() -> None:
    state = after(unseen(), reserve(CARD), tell(1, 3, NEXT), passing())
    later = after(state, buy(CARD))
    assert [held.card for held in later.players[0].reserved] == [None]


def test_a_price_can_be_met_in_every_way_that_is_legal() -> None:
    state = with_price(gold=2)
    whole: list[Any] = list(SPLENDOR.rules.turns(state, None))
    turns = [action for action in whole if action.type == "buy" and action.card == CARD]
    reached_states = {after(state, action) for action in turns}
    assert len(turns) == len(reached_states) == 11


def test_what_can_be_bought_is_what_can_be_paid() -> None:
    for liked in (BUYING, RESERVING):
        for state in played(liked, seats=4, steps=150):
            if state.phase != "main":
                continue
            cards, held = affordable(state), state.player.tokens
            for card in rules.candidates(state, state.player):
                missing = sum(map(max, (0,) * 5, map(sub, due(state, card), held)))
                assert (card in cards) == (missing <= held[5])


def test_the_choices_are_in_order() -> None:
    state = reached(
        lambda state: (
            state.phase == "main" and len(affordable(state)) > 3 and len(state.player.reserved) > 1
        ),
        **RICH,
        firmness=2,
    )
    cards = affordable(state)
    order = [card for row in state.market for card in row]
    order += [held.card for held in state.player.reserved]
    assert cards == [card for card in order if card in cards]


def test_a_purchase_keeps_everything_else() -> None:
    before, later = written(with_price()), written(after(with_price(), buy(CARD)))
    assert before["players"][1] == later["players"][1]
    assert before["nobles"] == later["nobles"]
