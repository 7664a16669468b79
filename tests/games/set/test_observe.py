"""Who sees what (T45 to T47)."""

from __future__ import annotations

from itertools import combinations

import pytest

from splendor_api.games import referee
from splendor_api.games.set.actions import Call, Claim, Forfeit, NoSet, Resign
from splendor_api.games.set.components import is_set
from splendor_api.games.set.events import CardsDealt, CardsShown, GameOver
from splendor_api.games.set.observe import join, observe, observe_step, solutions, split
from splendor_api.games.set.state import cards_on
from tests.games.set.table import (
    AGREED,
    SET,
    WITHOUT_SET,
    after,
    dealt,
    laid,
    last,
    right,
    step,
    wrong,
)

TWELVE = range(1, 13)
OBSERVERS = (None, 0, 1, 2)


def test_t45_everybody_sees_all_but_the_cards_of_the_deck() -> None:
    state = laid(TWELVE, seats=3, **AGREED)
    state = after(state, NoSet(2), wrong(state, 1), Call(0))
    for seat in OBSERVERS:
        seen = observe(state, seat)
        assert seen == state._replace(deck=69)
        assert (seen.to_act, seen.no_set, seen.players[1].failed) == (0, (2,), 1)


def test_t45_all_see_the_same_of_what_happens() -> None:
    state = dealt(3)
    for action in (right(state, 2), wrong(state, 1), Call(0)):
        made = step(state, action)
        assert {observe_step(made, seat) for seat in OBSERVERS} == {made.events}


def test_t46_nobody_sees_the_deck_before_the_end() -> None:
    state = dealt(3)
    assert isinstance(state.deck, tuple)
    other = state._replace(deck=state.deck[::-1])
    for seat in OBSERVERS:
        assert observe(state, seat) == observe(other, seat)
        assert observe(state, seat).deck == 69


def test_t46_at_the_end_everybody_does() -> None:
    state = dealt(2)
    assert isinstance(state.deck, tuple)
    made = step(state, Resign(0))
    for seat in (None, 0, 1):
        assert observe(made.state, seat) == made.state
        *_, shown, over = observe_step(made, seat)
        assert shown == CardsShown(state.deck)
        assert isinstance(over, GameOver)


def test_t46_where_no_card_is_left_none_is_shown() -> None:
    state = last(dealt(2))
    assert state.deck == ()
    assert observe(state, None) == state


def test_t47_no_list_says_where_a_set_is() -> None:
    state = dealt(2)
    choices = [each.action for each in _listed(state, "choices")]
    assert choices == [Call(0), Call(1)]
    claims = [each.action for each in _listed(state, "turns") if isinstance(each.action, Claim)]
    threes = list(combinations(sorted(cards_on(state.table)), 3))
    assert [(claim.seat, claim.cards) for claim in claims] == [
        (seat, cards) for seat in (0, 1) for cards in threes
    ]


def test_t47_no_preview_and_no_check_says_whether_three_cards_are_one() -> None:
    state = dealt(2)
    previews = {
        str(SET.rules.preview(state, claim))
        for claim in SET.rules.turns(state, 0)
        if isinstance(claim, Claim)
    }
    assert len(previews) == 1
    for claim in (right(state), wrong(state)):
        assert referee.check(SET.rules, state, claim) == ()


def test_t47_no_event_names_cards_before_they_are_claimed() -> None:
    state = laid(TWELVE, seats=2, **AGREED)
    called = after(state, Call(0))
    for before, action in ((state, Call(0)), (state, NoSet(1)), (called, Forfeit(0))):
        for event in observe_step(step(before, action), 0):
            assert not hasattr(event, "cards")


def test_t47_extra_cards_say_that_there_was_no_set() -> None:
    state = laid(WITHOUT_SET[:12], **AGREED)
    (_, dealt_cards) = step(after(state, NoSet(0)), NoSet(1)).events
    assert isinstance(dealt_cards, CardsDealt)


def test_solutions_are_every_set_on_the_table() -> None:
    state = dealt(2)
    threes = combinations(sorted(cards_on(state.table)), 3)
    assert solutions(state) == tuple(three for three in threes if is_set(three))
    assert solutions(laid(WITHOUT_SET[:12], **AGREED)) == ()


def test_a_state_is_put_together_from_its_halves() -> None:
    for state in (dealt(), dealt(deck="quick"), after(dealt(), Call(1)), laid(TWELVE)):
        seen, hidden = split(state)
        assert len(hidden) == 81
        assert seen == observe(state, None)
        assert join(seen, hidden) == state


@pytest.mark.parametrize("damage", [b"", b"\0" * 82, b"\1" * 81])
def test_halves_of_different_states_are_told_apart(damage: bytes) -> None:
    seen, _ = split(dealt())
    with pytest.raises(ValueError, match="hidden cards"):
        join(seen, damage)


def _listed(state: object, detail: referee.Detail) -> list[referee.Candidate[object]]:
    listed = referee.legal_actions(SET.rules, state, None, detail=detail)
    assert not isinstance(listed, referee.Refusal)
    return list(listed)
