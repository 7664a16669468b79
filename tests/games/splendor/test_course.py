"""The course of a game by rule: turns, passing, the end, what is seen, what is always true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from splendor_api.games.splendor import turn
from splendor_api.games.splendor.actions import (
    Action,
    Buy,
    ChooseNoble,
    Pass,
    Reserve,
    Resign,
    TakeDifferent,
    TakeSame,
)
from splendor_api.games.splendor.audit import audit
from splendor_api.games.splendor.deal import deal
from splendor_api.games.splendor.events import CardsShown, TurnSkipped
from splendor_api.games.splendor.observe import observe, observe_step
from splendor_api.games.splendor.scoring import outcome
from splendor_api.games.splendor.state import Reserved, State, player_of
from splendor_api.games.splendor.tokens import NONE, Color

TAKE = TakeDifferent((Color.WHITE, Color.BLUE, Color.GREEN))
FIRST = deal(2, "publisher", {}, "course")


def codes(state: State, action: Action) -> list[str]:
    return [violation.code.name for violation in turn.violations(state, action)]


def findings(state: State) -> set[str]:
    return {finding.code.name for finding in audit(state)}


def after(state: State, *actions: Action) -> State:
    for action in actions:
        assert not codes(state, action)
        state = turn.apply(state, action).state
    return state


def with_things(state: State, seat: int, **things: object) -> State:
    """Return the state with other things before a seat, bonuses and prestige counted."""
    held = state.players[seat]
    given = {"tokens": held.tokens, "cards": held.cards, "reserved": held.reserved} | things
    players = list(state.players)
    players[seat] = player_of(**given)  # type: ignore[arg-type]  # names of its parameters
    return state._replace(players=tuple(players))


def played(seed: str = "played") -> Iterator[State]:
    """Yield the states of a game in which the seats take turns at whatever comes last."""
    state = deal(2, "publisher", {}, seed)
    while state.to_act is not None:
        yield state
        choices = turn.choices(state, None)
        buys = [action for action in choices if isinstance(action, Buy)]
        state = turn.apply(state, (buys or choices)[state.turn % len(buys or choices)]).state
    yield state


def stuck(passing: str) -> State:
    """Return a state in which seat 0 can do nothing, and seat 1 can still reserve."""
    state = deal(2, "publisher", {"pass": passing, "reserve_limit": 1}, "stuck")._replace(turn=60)
    card = state.decks[2]
    assert not isinstance(card, int)
    hand = (Reserved(card[-1], 3, hidden=True),)
    state = state._replace(
        bank=(0, 0, 0, 0, 0, 5), decks=(state.decks[0], state.decks[1], card[:-1])
    )
    state = with_things(state, 0, reserved=hand)
    return with_things(state, 1, tokens=(4, 4, 4, 4, 4, 0))


def test_s13_a_turn_is_one_action() -> None:
    assert after(FIRST, TAKE).to_act == 1


def test_s14_only_the_seat_to_act_may_act() -> None:
    assert codes(FIRST, TakeSame(Color.RED, seat=1)) == ["wrong_seat"]
    *_, ended = played()
    assert codes(ended, TAKE) == ["game_over"]


def test_s15_the_refill_comes_before_the_end_of_the_turn() -> None:
    card = FIRST.market[0][0]
    assert isinstance(card, int)
    events = [event.type for event in turn.apply(FIRST, Reserve(card=card)).events]
    assert events == ["card_reserved", "card_revealed", "turn_ended"]


def test_s16_the_top_card_fills_the_same_slot() -> None:
    card, deck = FIRST.market[1][2], FIRST.decks[1]
    assert isinstance(card, int)
    assert not isinstance(deck, int)
    assert after(FIRST, Reserve(card=card)).market[1][2] == deck[-1]


def test_s17_with_the_deck_empty_the_slot_stays_empty() -> None:
    bare = FIRST._replace(decks=((), FIRST.decks[1], FIRST.decks[2]))
    card = bare.market[0][1]
    assert isinstance(card, int)
    row = after(bare, Reserve(card=card)).market[0]
    assert row == (bare.market[0][0], None, bare.market[0][2], bare.market[0][3])


def test_s18_the_refill_is_seen_before_the_return() -> None:
    full = with_things(FIRST, 0, tokens=(2, 2, 2, 2, 2, 0))
    card = full.market[0][0]
    assert isinstance(card, int)
    events = [event.type for event in turn.apply(full, Reserve(card=card)).events]
    assert events == ["card_reserved", "card_revealed", "return_owed"]


def test_s19_passing_is_for_those_who_can_do_nothing_else() -> None:
    assert codes(FIRST, Pass()) == ["pass_not_allowed"]
    assert turn.choices(stuck("when_stuck"), None) == [Pass()]


def test_s20_passing_may_be_free_or_off() -> None:
    always = deal(2, "publisher", {"pass": "always"}, "pass")
    assert not codes(always, Pass())
    assert codes(stuck("never"), Pass()) == ["pass_not_allowed"]


def test_s20_a_stuck_seat_is_skipped_where_passing_is_off() -> None:
    other = with_things(stuck("never"), 1, tokens=(2, 2, 2, 2, 1, 0))._replace(turn=61, to_act=1)
    assert TurnSkipped(0) in turn.apply(other, Reserve(level=1)).events


def test_s21_a_pass_is_a_turn_like_any_other() -> None:
    assert after(stuck("when_stuck"), Pass()).turn == 61


def test_s22_the_game_ends_where_nothing_can_change() -> None:
    bare = deal(2, "publisher", {"reserve_limit": 0}, "dead")
    dead = bare._replace(bank=NONE, turn=60)
    assert turn.is_deadlocked(dead)
    step = turn.apply(dead, Pass())
    assert step.state.outcome is not None
    assert step.state.outcome.reason == "deadlock"
    assert not turn.is_deadlocked(bare)


TEN = with_things(FIRST, 0, tokens=(2, 2, 2, 2, 2, 0))
"""Seat 0 holds the limit."""

BONUSES = (1, 2, 3, 4, 9, 10, 11, 12, 17, 18, 19, 20, 25, 26, 27, 28, 33, 34, 35, 36)
"""Four cards of each bonus colour."""


def deserving(*nobles: int) -> State:
    """Return a state in which seat 0 could receive each of `nobles`."""
    return with_things(FIRST, 0, cards=BONUSES)._replace(nobles=nobles, turn=60)


def test_s55_s56_exactly_the_surplus_goes_back() -> None:
    assert turn.apply(TEN, TAKE).state.phase == "return_tokens"
    assert codes(TEN, replace(TAKE, returned=(1, 0, 0, 0, 0, 0))) == ["return_wrong_count"]
    assert sum(after(TEN, replace(TAKE, returned=(3, 0, 0, 0, 0, 0))).players[0].tokens) == 10


def test_s57_any_tokens_or_only_those_drawn() -> None:
    back = replace(TAKE, returned=(0, 0, 0, 2, 1, 0))
    assert not codes(TEN, back)
    drawn = TEN._replace(options=TEN.options._replace(returns="drawn"))
    assert codes(drawn, back) == ["return_not_drawn", "return_not_drawn"]


def test_s58_nothing_goes_back_below_the_limit() -> None:
    assert codes(FIRST, replace(TAKE, returned=(1, 0, 0, 0, 0, 0))) == ["return_not_due"]


def test_s59_all_drawn_tokens_may_go_back() -> None:
    assert after(TEN, replace(TAKE, returned=(1, 1, 1, 0, 0, 0))).players[0].tokens == (
        TEN.players[0].tokens
    )


def test_s60_returned_tokens_are_in_the_bank() -> None:
    assert after(TEN, replace(TAKE, returned=(1, 1, 1, 0, 0, 0))).bank == TEN.bank


def test_s61_the_drawn_tokens_suffice_for_the_return() -> None:
    drawn = TEN._replace(options=TEN.options._replace(returns="drawn"))
    assert turn.choices(turn.apply(drawn, TAKE).state, None)


def test_s62_s63_a_noble_comes_to_the_bonuses_after_any_action() -> None:
    assert after(deserving(1), TAKE).players[0].nobles == (1,)
    assert after(FIRST, TAKE).players[0].nobles == ()


def test_s64_a_visit_cannot_be_refused() -> None:
    assert codes(deserving(1), replace(TAKE, noble=2)) == ["noble_not_eligible"]


def test_s65_s66_one_a_turn_and_by_choice() -> None:
    owed = after(deserving(1, 2), TAKE)
    assert owed.phase == "choose_noble"
    chosen = after(owed, ChooseNoble(2))
    assert (chosen.players[0].nobles, chosen.nobles) == ((2,), (1,))


def test_s67_the_tile_counts_and_uses_no_bonus_up() -> None:
    before = deserving(1)
    visited = after(before, TAKE).players[0]
    assert visited.bonuses == before.players[0].bonuses
    assert visited.prestige == before.players[0].prestige + 3


def test_s68_prestige_is_the_points_of_cards_and_nobles() -> None:
    player = player_of(cards=(90, 40), nobles=(1,), reserved=(Reserved(89, 3, hidden=False),))
    assert player.prestige == player_of(cards=(90,)).prestige + player_of(cards=(40,)).prestige + 3


@pytest.mark.parametrize("seed", ["end 1", "end 2", "end 3"])
def test_s69_s70_the_round_is_completed_after_the_target(seed: str) -> None:
    *_, last, ended = played(seed)
    assert ended.outcome is not None
    assert ended.outcome.reason != "target_prestige" or ended.turn % 2 == 0
    assert last.final_round <= ended.final_round


def test_s69_the_target_starts_the_final_round() -> None:
    for before, state in zip(played(), islice(played(), 1, None), strict=False):
        if state.final_round and not before.final_round:
            assert before.player.prestige <= state.players[before.seat].prestige
            assert state.players[before.seat].prestige >= state.options.target_prestige


def test_s70_all_seats_have_had_the_same_number_of_turns() -> None:
    *_, ended = played()
    assert ended.turn % len(ended.players) == 0


def test_s71_the_final_round_is_neither_lengthened_nor_shortened() -> None:
    states = list(played())
    assert sum(state.final_round for state in states) <= len(states[0].players) * 3


def test_s72_the_most_prestige_wins() -> None:
    *_, ended = played()
    assert ended.outcome is not None
    best = max(player.prestige for player in ended.players)
    assert all(ended.players[seat].prestige == best for seat in ended.outcome.winners)


def test_s73_a_tie_is_shared_or_goes_to_the_fewer_cards() -> None:
    shared = FIRST._replace(options=FIRST.options._replace(tie_break="shared"))
    more = with_things(shared, 1, cards=(1,))
    assert outcome(more, "deadlock").winners == (0, 1)
    fewest = more._replace(options=more.options._replace(tie_break="fewest_cards"))
    assert outcome(fewest, "deadlock").winners == (0,)


def test_s74_those_still_level_win_together() -> None:
    assert outcome(FIRST, "deadlock").winners == (0, 1)


def test_s75_an_empty_bank_does_not_end_the_game() -> None:
    assert after(stuck("when_stuck"), Pass()).phase == "main"


def test_s76_everybody_sees_what_is_open() -> None:
    seen = observe(FIRST, 1)
    assert (seen.bank, seen.market, seen.nobles) == (FIRST.bank, FIRST.market, FIRST.nobles)


def test_s77_a_card_drawn_unseen_is_seen_by_its_holder_only() -> None:
    drawn = after(FIRST, Reserve(level=2))
    assert observe(drawn, 0).players[0].reserved == drawn.players[0].reserved
    assert observe(drawn, 1).players[0].reserved == (Reserved(None, 2, hidden=True),)


def test_s78_a_card_from_the_market_stays_open_unless_all_are_hidden() -> None:
    card = FIRST.market[0][0]
    assert isinstance(card, int)
    reserved = after(FIRST, Reserve(card=card))
    assert observe(reserved, 1).players[0].reserved == reserved.players[0].reserved
    hidden = reserved._replace(options=reserved.options._replace(reserve_visibility="all_hidden"))
    assert observe(hidden, 1).players[0].reserved == (Reserved(None, 1, hidden=True),)


def test_s79_the_holder_sees_the_card_before_the_return() -> None:
    full = with_things(FIRST, 0, tokens=(2, 2, 2, 2, 2, 0))
    step = turn.apply(full, Reserve(level=1))
    assert step.state.phase == "return_tokens"
    assert observe(step.state, 0).players[0].reserved[0].card is not None


def test_s80_a_hidden_card_that_is_bought_is_open_to_all() -> None:
    drawn = after(FIRST, Reserve(level=1), TAKE)
    card = drawn.players[0].reserved[0].card
    assert card is not None
    rich = with_things(drawn, 0, tokens=(4, 4, 4, 4, 4, 5))
    assert card in observe(after(rich, Buy(card)), 1).players[0].cards


def test_s81_nobody_sees_the_decks() -> None:
    assert all(
        isinstance(deck, int) for seat in (None, 0, 1) for deck in observe(FIRST, seat).decks
    )


def test_s82_when_the_game_is_over_nothing_is_hidden() -> None:
    step = turn.apply(FIRST, Resign(1))
    assert observe(step.state, None) == step.state
    assert any(isinstance(event, CardsShown) for event in observe_step(step, None))


def test_s83_every_card_is_in_one_place() -> None:
    card = FIRST.market[0][0]
    assert isinstance(card, int)
    assert "card_duplicate" in findings(with_things(FIRST, 0, cards=(card,)))


def test_s84_tokens_add_up() -> None:
    assert findings(FIRST._replace(bank=NONE)) == {"token_count"}


def test_s85_no_gap_over_a_deck() -> None:
    row = (None, *FIRST.market[0][1:])
    gap = FIRST._replace(market=(row, FIRST.market[1], FIRST.market[2]))
    assert "market_gap" in findings(gap)


def test_s86_nobody_holds_too_many_tokens() -> None:
    assert "token_limit_exceeded" in findings(with_things(FIRST, 0, tokens=(4, 4, 3, 0, 0, 0)))


def test_s87_nobody_holds_too_many_reserved_cards() -> None:
    hand = tuple(Reserved(None, 1, hidden=True) for _ in range(4))
    assert "reserve_limit_exceeded" in findings(with_things(FIRST, 0, reserved=hand))


def test_s88_tiles_are_distinct_and_deserved() -> None:
    first = FIRST.nobles[0]
    assert findings(FIRST._replace(nobles=(first, *FIRST.nobles))) == {
        "noble_count",
        "noble_duplicate",
    }
    moved = FIRST._replace(nobles=FIRST.nobles[1:])
    assert "noble_undeserved" in findings(with_things(moved, 0, nobles=(first,)))


def test_s89_the_seat_to_act_follows_from_the_turn() -> None:
    assert findings(FIRST._replace(to_act=1)) == {"turn_mismatch"}


def test_s90_cards_take_turns() -> None:
    assert "too_many_cards" in findings(with_things(FIRST, 0, cards=(1,)))


def test_s91_the_final_round_is_on_only_at_the_target() -> None:
    assert findings(FIRST._replace(final_round=True)) == {"final_round_mismatch"}


def test_s92_what_is_owed_is_owed() -> None:
    assert "phase_mismatch" in findings(FIRST._replace(phase="return_tokens"))
    assert findings(FIRST._replace(phase="choose_noble")) == {"phase_mismatch"}
