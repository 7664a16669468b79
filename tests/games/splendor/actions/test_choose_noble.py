from __future__ import annotations

from itertools import pairwise
from typing import Any

from splendor_api.games.splendor.components import NOBLES
from splendor_api.games.splendor.state import State, eligible_nobles
from tests.games.splendor.table import (
    COLORS,
    RICH,
    SPLENDOR,
    after,
    buy,
    choose,
    codes,
    dealt,
    draw,
    events,
    give,
    is_legal,
    kinds,
    listed,
    only,
    pair,
    passing,
    played,
    reached,
    take,
)

ALL: dict[str, Any] = {"nobles_revealed": 10, "target_prestige": 50, **RICH}
"""A game in which many nobles come."""


def owing(**options: Any) -> State:
    """Return a state in which a seat must choose between nobles."""
    return reached(lambda state: state.phase == "choose_noble", **{**ALL, **options})


def before_owing() -> tuple[State, int]:
    """Return the state before such a one, and the card whose purchase leads to it."""
    for seed in map(str, range(100)):
        for before, later in pairwise(played(seed=seed, **ALL)):
            if later.phase == "choose_noble" and before.phase == "main":
                (card,) = set(later.player.cards) - set(before.player.cards)
                return before, card
    raise LookupError


def before_visit() -> tuple[State, int, int]:
    """Return a state, a card whose purchase brings the only noble that could come, and it."""
    for seed in map(str, range(100)):
        for before, later in pairwise(played(seed=seed, **ALL)):
            old, new = before.player, later.players[before.seat]
            if len(new.nobles) > len(old.nobles) and len(new.cards) > len(old.cards):
                return before, new.cards[-1], new.nobles[-1]
    raise LookupError


def eligible(state: State) -> tuple[int, ...]:
    return eligible_nobles(state.nobles, state.player.bonuses)


def test_s62_the_noble_comes_whatever_the_action() -> None:
    first, seat = owing(), owing().seat
    state = after(first, choose(eligible(first)[0]), take("white", "blue", "green"))
    for action in (take("white", "blue", "green"), pair("red"), draw(1)):
        player = after(state, action).players[seat]
        assert len(player.nobles) == len(state.player.nobles) + 1


def test_s62_also_after_passing() -> None:
    state = owing(passing="always")
    seat, held = state.seat, len(state.player.nobles)
    state = after(state, choose(eligible(state)[0]), passing(), passing())
    assert len(state.players[seat].nobles) == held + 2


def test_s62_nobody_else_is_checked() -> None:
    state = owing()
    later = after(state, choose(eligible(state)[0]))
    acting = after(later, take("white", "blue", "green"))
    assert later.players[1 - state.seat].nobles == state.players[1 - state.seat].nobles
    assert acting.players[state.seat].nobles == later.players[state.seat].nobles


def test_s63_a_noble_comes_exactly_if_the_bonuses_reach_what_it_asks() -> None:
    visits = 0
    for before, later in pairwise(played(seed="5", **ALL)):
        for old, new in zip(before.players, later.players, strict=True):
            for noble in set(new.nobles) - set(old.nobles):
                asked = NOBLES[noble].required
                assert all(have >= need for have, need in zip(new.bonuses, asked, strict=True))
                visits += 1
        if later.turn > before.turn and not later.players[before.seat].nobles:
            assert eligible_nobles(before.nobles, later.players[before.seat].bonuses) == ()
    assert visits > 2


def test_s63_one_bonus_short_is_short() -> None:
    state, card, noble = before_visit()
    assert noble not in eligible(state)
    assert noble in after(state, buy(card)).players[state.seat].nobles
    assert noble not in after(state, pair("red")).players[state.seat].nobles


def test_s63_tokens_and_reserved_cards_do_not_count() -> None:
    state = reached(
        lambda state: sum(state.player.tokens) > 30 and len(state.player.reserved) > 5,
        liked=("take_different", "reserve"),
        firmness=3,
        reserve_limit=10,
        **ALL,
    )
    assert not any(player.nobles for player in state.players if sum(player.bonuses) < 8)
    assert eligible_nobles(tuple(NOBLES), (0, 0, 0, 0, 0)) == ()


def test_s64_the_visit_cannot_be_refused() -> None:
    state, card, noble = before_visit()
    assert after(state, buy(card)) == after(state, buy(card, noble=noble))


def test_s64_nor_where_several_could_come() -> None:
    assert {action.type for action in listed(owing())} == {"choose_noble"}
    assert codes(owing(), passing()) == ["wrong_phase"]


def test_s65_one_comes_and_the_others_stay() -> None:
    state = owing()
    first, *others = eligible(state)
    later = after(state, choose(first))
    assert later.players[state.seat].nobles == (*state.player.nobles, first)
    assert set(others) <= set(later.nobles)
    assert first not in later.nobles


def test_s65_never_two_in_a_turn() -> None:
    for before, later in pairwise(played(seed="1", **ALL)):
        assert len(before.nobles) - len(later.nobles) in (0, 1)


def test_s65_the_other_may_come_in_a_later_turn() -> None:
    state = owing()
    first, second, *_ = eligible(state)
    seat = state.seat
    state = after(state, choose(first), take("white", "blue", "green"), pair("red"))
    if state.phase == "choose_noble":
        state = after(state, choose(second))
    assert second in state.players[seat].nobles


def test_s66_the_only_one_comes_without_being_named() -> None:
    state, card, noble = before_visit()
    assert kinds(state, buy(card))[-2:] == ["noble_visited", "turn_ended"]
    assert events(state, buy(card))[-2] == {
        "type": "noble_visited",
        "seat": state.seat,
        "noble": noble,
    }


def test_s66_a_tile_that_could_not_come_is_illegal() -> None:
    state, card, noble = before_visit()
    other = next(tile for tile in state.nobles if tile != noble)
    assert only(state, buy(card, noble=other)) == (
        "noble_not_eligible",
        "/noble",
        {"noble": other, "eligible": [noble]},
    )


def test_s66_so_is_one_where_none_could_come() -> None:
    state = dealt()
    assert only(state, pair("red", noble=1))[2] == {"noble": 1, "eligible": []}
    absent = next(noble for noble in NOBLES if noble not in state.nobles)
    assert codes(state, pair("red", noble=absent)) == ["noble_not_eligible"]


def test_s66_naming_none_leaves_the_choice_owed() -> None:
    state, card = before_owing()
    later = after(state, buy(card))
    assert (later.phase, later.to_act, later.turn) == ("choose_noble", state.seat, state.turn)
    assert later.drawn is None
    assert events(state, buy(card))[-1] == {
        "type": "noble_owed",
        "seat": state.seat,
        "nobles": list(eligible(later)),
    }


def test_s66_naming_one_makes_the_choice() -> None:
    state, card = before_owing()
    for noble in eligible(after(state, buy(card))):
        at_once = after(state, buy(card, noble=noble))
        assert at_once == after(state, buy(card), choose(noble))
        assert at_once.players[state.seat].nobles[-1] == noble


def test_s66_the_choice_is_between_those_that_could_come() -> None:
    state = owing()
    assert listed(state) == [choose(noble) for noble in eligible(state)]
    other = next(tile for tile in NOBLES if tile not in eligible(state))
    assert only(state, choose(other)) == (
        "noble_not_eligible",
        "/noble",
        {"noble": other, "eligible": list(eligible(state))},
    )


def test_s66_no_noble_before_the_return_is_settled() -> None:
    state = after(dealt(token_limit=3), take("white", "blue", "green"), pair("red"))
    assert only(state, take("white", "blue", "red", noble=1)) == ("noble_not_yet", "/noble", {})
    back = {"white": 1, "blue": 1, "red": 1}
    settled = take("white", "blue", "red", back=back, noble=1)
    assert codes(state, settled) == ["noble_not_eligible"]


def test_s66_what_is_wrong_with_the_return_comes_first() -> None:
    state = after(dealt(token_limit=3), take("white", "blue", "green"), pair("red"))
    action = take("white", "blue", "red", back={"white": 1}, noble=1)
    assert codes(state, action) == ["return_wrong_count"]
    owed = after(state, take("white", "blue", "red"))
    assert codes(owed, give({"white": 1}, noble=1)) == ["return_wrong_count"]
    assert codes(owed, give({"white": 2, "blue": 1}, noble=1)) == ["noble_not_eligible"]


def test_s66_what_is_wrong_with_the_action_comes_first() -> None:
    assert codes(dealt(), take("white", noble=1)) == ["too_few_colors"]
    assert codes(dealt(), buy(1, noble=1)) == ["card_not_available"]


def test_s67_the_tile_moves_and_counts() -> None:
    state = owing()
    later = after(state, choose(eligible(state)[0])).players[state.seat]
    assert later.prestige == state.player.prestige + 3
    assert later.bonuses == state.player.bonuses
    assert later.cards == state.player.cards


def test_s67_no_new_tile_is_revealed_and_none_is_lost() -> None:
    for before, later in pairwise(played(seed="7", **ALL)):
        assert set(later.nobles) <= set(before.nobles)
        for old, new in zip(before.players, later.players, strict=True):
            assert new.nobles[: len(old.nobles)] == old.nobles
        held = [noble for player in later.players for noble in player.nobles]
        assert sorted((*later.nobles, *held)) == sorted(NOBLES)


def test_a_return_may_name_the_noble() -> None:
    state = reached(
        lambda state: state.phase == "return_tokens" and len(eligible(state)) > 1,
        firmness=4,
        **{**ALL, "token_limit": 8},
    )
    tokens = dict(zip(COLORS, listed(state)[0].returned, strict=True))
    for noble in eligible(state):
        later = after(state, give(tokens, noble=noble))
        assert later.players[state.seat].nobles[-1] == noble
        assert later == after(state, give(tokens), choose(noble))
    turns = list(SPLENDOR.rules.turns(state, None))
    assert give(tokens, noble=eligible(state)[1]) in turns
    assert len(turns) == len(listed(state)) * len(eligible(state))
    assert all(is_legal(state, action) for action in turns)
