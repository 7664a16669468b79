"""What is true of every state that play reaches, and what the audit says of others."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from splendor_api.games.set.actions import Call, NoSet, Resign
from splendor_api.games.set.audit import audit
from splendor_api.games.set.components import DECKS, holds_set, is_set
from splendor_api.games.set.events import CardsDealt
from splendor_api.games.set.scoring import outcome
from splendor_api.games.set.state import State, cards_on, deck_size
from splendor_api.games.set.violations import FINDINGS
from tests.games.set.table import (
    AGREED,
    DEALT_WITHOUT_SET,
    NEEDING,
    ROWS,
    SET,
    WITHOUT_SET,
    after,
    claim,
    dealt,
    laid,
    last,
    needing_cards,
    played,
    right,
    without_deck,
)
from tests.strategies.playing import Play
from tests.strategies.states import plays

TWELVE = range(1, 13)
WON = [(0, (13, 14, 15)), (1, (16, 17, 18))]

Finding = tuple[str, str, dict[str, Any]]


def found(state: State) -> list[Finding]:
    """Return code, pointer and parameters of everything that the audit finds."""
    return [(finding.code.name, finding.pointer, dict(finding.params)) for finding in audit(state)]


def names(state: State) -> list[str]:
    return [name for name, _, _ in found(state)]


@given(st.data())
def test_t48_every_card_is_in_exactly_one_place(data: st.DataObject) -> None:
    game: Play = data.draw(plays(SET))
    for state in game.states:
        won = [card for player in state.players for three in player.sets for card in three]
        places = [*cards_on(state.table), *state.deck, *won]
        assert sorted(places) == sorted(DECKS[state.options.deck])


@given(st.data())
def test_t49_every_three_cards_won_are_a_set(data: st.DataObject) -> None:
    game: Play = data.draw(plays(SET))
    for player in game.last.players:
        assert all(map(is_set, player.sets))


@given(st.data())
def test_t50_no_slot_is_empty_while_the_deck_is_not(data: st.DataObject) -> None:
    game: Play = data.draw(plays(SET))
    for state in game.states:
        size = state.options.table_size
        assert len(state.table) >= size
        if state.deck or len(state.table) > size:
            assert None not in state.table


@given(st.data())
def test_t51_the_table_of_a_game_that_goes_on_holds_a_set(data: st.DataObject) -> None:
    game: Play = data.draw(plays(SET))
    for state in game.states:
        if state.options.extra_cards == "automatic" and state.phase != "over":
            assert holds_set(cards_on(state.table))


@given(st.data())
def test_t52_t7_all_cards_are_in_multiples_of_three(data: st.DataObject) -> None:
    game: Play = data.draw(plays(SET))
    for state in game.states:
        assert len(cards_on(state.table)) % 3 == 0
        assert deck_size(state.deck) % 3 == 0
        assert all(len(three) == 3 for player in state.players for three in player.sets)


@given(st.data())
def test_t33_t34_the_table_never_grows_beyond_what_is_certain(data: st.DataObject) -> None:
    game: Play = data.draw(plays(SET))
    for state in game.states:
        most = 21 if state.options.deck == "full" else max(12, state.options.table_size)
        assert len(cards_on(state.table)) <= most


@pytest.mark.parametrize("seed", [str(number) for number in range(60)])
def test_t35_every_set_has_one_of_the_cards_dealt_last(seed: str) -> None:
    state = dealt(seed=seed)
    for made in played(state):
        dealt_last = [each for each in made.events if isinstance(each, CardsDealt)]
        extra = [each for each in dealt_last if min(each.slots) >= state.options.table_size]
        if extra:
            others = [card for card in cards_on(made.state.table) if card not in extra[-1].cards]
            assert not holds_set(others)


@pytest.mark.parametrize("seed", DEALT_WITHOUT_SET)
def test_t35_t8_so_it_is_after_the_deal(seed: str) -> None:
    table = cards_on(dealt(seed=seed).table)
    assert holds_set(table)
    assert not holds_set(table[:-3])


def test_t35_t32_so_it_is_after_extra_cards_twice() -> None:
    table = cards_on(after(needing_cards(), claim(0, *NEEDING)).table)
    assert holds_set(table)
    assert not holds_set(table[:-3])


def test_t48_a_card_in_two_places() -> None:
    state = laid(TWELVE)
    damaged = state._replace(table=(2, *state.table[1:]))
    assert found(damaged) == [
        ("card_duplicate", "/table/1", {"card": 2}),
        ("card_missing", "/deck", {"count": 1}),
    ]


def test_t48_cards_in_no_place() -> None:
    state = laid(TWELVE)
    assert isinstance(state.deck, tuple)
    damaged = state._replace(deck=state.deck[:-3])
    assert found(damaged) == [("card_missing", "/deck", {"count": 3})]


def test_t48_t3_a_card_of_another_deck() -> None:
    state = dealt(deck="quick")
    damaged = state._replace(table=(4, *state.table[1:]))
    assert [finding for finding in found(damaged) if finding[0] != "no_set_on_table"] == [
        ("card_missing", "/deck", {"count": 1}),
        ("card_not_in_deck", "/table/0", {"card": 4}),
    ]


def test_t49_three_cards_won_that_are_no_set() -> None:
    state = laid(TWELVE, won=WON)
    first, second = state.players
    damaged = state._replace(
        players=(
            first._replace(sets=((13, 14, 18),)),
            second._replace(sets=((15, 16, 17),)),
        )
    )
    assert found(damaged) == [
        ("not_a_set", "/players/0/sets/0", {"cards": [13, 14, 18]}),
        ("not_a_set", "/players/1/sets/0", {"cards": [15, 16, 17]}),
    ]


def test_t49_the_same_card_three_times_is_no_set() -> None:
    state = laid(TWELVE, won=WON)
    first, second = state.players
    damaged = state._replace(players=(first._replace(sets=((13, 13, 13),)), second))
    assert names(damaged) == ["card_duplicate", "card_duplicate", "card_missing", "not_a_set"]


def resized(cards: int, slots: int) -> State:
    """Return a state with so many cards in so many slots, and the others in the deck."""
    order = [card for row in ROWS for card in row]
    table = (*order[:cards], *(None,) * (slots - cards))
    return laid(TWELVE)._replace(table=table, deck=tuple(order[cards:]))


@pytest.mark.parametrize(("cards", "slots"), [(9, 9), (9, 12), (11, 12), (13, 13), (24, 24)])
def test_t50_t52_tables_that_cannot_be(cards: int, slots: int) -> None:
    assert found(resized(cards, slots)) == [
        ("table_size", "/table", {"cards": cards, "slots": slots})
    ]


@pytest.mark.parametrize("cards", [12, 15, 18, 21])
def test_t33_tables_that_can_be(cards: int) -> None:
    assert found(resized(cards, cards)) == []


@pytest.mark.parametrize("cards", [15, 18, 21])
def test_t40_no_extra_cards_for_a_seat_that_would_have_lost(cards: int) -> None:
    state = resized(cards, cards)
    alone = state._replace(
        players=state.players[:1], options=state.options._replace(solo_no_set="lose")
    )
    assert names(alone) == ["table_size"]


def test_t50_t31_slots_stay_empty_only_without_a_deck() -> None:
    state = after(without_deck(TWELVE), claim(0, 1, 2, 3))
    assert found(state) == []
    first, second = state.players
    returned = state._replace(
        deck=(1, 2, 3),
        turn=state.turn - 1,
        players=(first._replace(sets=first.sets[:-1], score=first.score - 1), second),
    )
    assert names(returned) == ["table_size"]


def test_t50_no_slot_is_empty_beside_extra_cards() -> None:
    state = without_deck(range(1, 16))
    gaps = state._replace(table=(None, None, None, *state.table[3:]))
    assert names(gaps) == ["card_missing", "table_size"]


def test_t51_a_game_that_goes_on_without_a_set() -> None:
    agreed = laid(WITHOUT_SET[:12], **AGREED)
    damaged = agreed._replace(options=agreed.options._replace(extra_cards="automatic"))
    assert found(damaged) == [("no_set_on_table", "/table", {})]
    alone = agreed._replace(
        players=agreed.players[:1], options=agreed.options._replace(solo_no_set="lose")
    )
    assert names(alone) == ["no_set_on_table"]


def test_t26_a_score_that_does_not_add_up() -> None:
    state = laid(TWELVE, won=WON)
    first, second = state.players
    damaged = state._replace(players=(first._replace(score=2), second._replace(score=0)))
    assert found(damaged) == [
        ("score_mismatch", "/players/0/score", {"expected": 1, "found": 2}),
        ("score_mismatch", "/players/1/score", {"expected": 1, "found": 0}),
    ]


def test_t16_calls_that_were_not_counted() -> None:
    damaged = laid(TWELVE, won=WON)._replace(turn=3)
    assert found(damaged) == [("turn_mismatch", "/turn", {"expected": 2, "found": 3})]


def out_of_phase() -> dict[str, State]:
    """Return states whose phase, caller and sayings do not go together."""
    state, agreed = laid(TWELVE), laid(TWELVE, seats=3, **AGREED)
    certain = dealt(2, deck="quick", **AGREED)
    called, said = after(state, Call(1)), after(agreed, NoSet(0))
    alone = dealt(1, solo_no_set="lose", **AGREED)
    off = called.options._replace(caller_window="none")
    return {
        "a caller while nobody has called": state._replace(to_act=0),
        "a call of nobody": state._replace(phase="called"),
        "a call of a seat that is not there": called._replace(to_act=2),
        "a call of a seat that has left": after(agreed, Resign(1))._replace(
            phase="called", to_act=1
        ),
        "a call where there is none": called._replace(options=off),
        "sayings where there are none": state._replace(no_set=(0,)),
        "the same saying twice": said._replace(no_set=(0, 0)),
        "a saying of a seat that is not there": said._replace(no_set=(3,)),
        "a saying of a seat that has left": after(said, Resign(1))._replace(no_set=(1,)),
        "sayings of all": said._replace(no_set=(0, 1, 2)),
        "sayings of all before a call": after(said, Call(0))._replace(no_set=(0, 1, 2)),
        "a saying where a set is certain": certain._replace(no_set=(0,)),
        "a saying of a seat that would have lost": alone._replace(no_set=(0,)),
    }


@pytest.mark.parametrize("case", out_of_phase())
def test_t14_t37_phases_that_cannot_be(case: str) -> None:
    state = out_of_phase()[case]
    assert found(state) == [("phase_mismatch", "/phase", {"phase": state.phase})]


def test_t37_a_seat_that_has_not_said_so_may_leave_during_a_call() -> None:
    state = after(laid(TWELVE, seats=3, **AGREED), NoSet(0), NoSet(2), Call(0), Resign(1))
    assert (state.phase, state.no_set) == ("called", (0, 2))
    assert found(state) == []


def ended_wrongly() -> dict[str, State]:
    """Return states whose outcome is not theirs."""
    going_on, over = dealt(), last(dealt())
    assert over.outcome is not None
    agreed = after(without_deck(TWELVE, **AGREED), NoSet(0), NoSet(1))
    assert agreed.outcome is not None
    left = after(dealt(), Resign(0))
    gone = left._replace(players=tuple(one._replace(resigned=True) for one in left.players))
    first, *others = over.outcome.ranking
    better = first._replace(score=first.score + 1)
    return {
        "none at the end": over._replace(outcome=None),
        "one before the end": going_on._replace(outcome=over.outcome),
        "an end too early": going_on._replace(phase="over", outcome=over.outcome),
        "no end": over._replace(phase="open", outcome=None),
        "another reason": over._replace(outcome=_because(over, "lost")),
        "an agreement on nothing": agreed._replace(no_set=()),
        "nobody left of several": gone._replace(outcome=outcome(gone, "resigned")),
        "another winner": over._replace(outcome=_won_by(over, ())),
        "another score": over._replace(outcome=_ranked(over, (better, *others))),
    }


def _because(state: State, reason: str) -> Any:
    outcome: Any = state.outcome
    return type(outcome)(reason, outcome.winners, outcome.ranking)


def _won_by(state: State, winners: tuple[int, ...]) -> Any:
    outcome: Any = state.outcome
    return type(outcome)(outcome.reason, winners, outcome.ranking)


def _ranked(state: State, ranking: tuple[Any, ...]) -> Any:
    outcome: Any = state.outcome
    return type(outcome)(outcome.reason, outcome.winners, ranking)


@pytest.mark.parametrize("case", ended_wrongly())
def test_t41_outcomes_that_cannot_be(case: str) -> None:
    assert names(ended_wrongly()[case]) == ["outcome_mismatch"]


@pytest.mark.parametrize("seed", [str(number) for number in range(10)])
def test_an_ended_game_has_nothing_wrong_with_it(seed: str) -> None:
    end = last(dealt(seed=seed))
    assert found(end) == []
    resigned = after(dealt(seed=seed), right(dealt(seed=seed)), Resign(0))
    assert (resigned.phase, found(resigned)) == ("over", [])


def damaged_states() -> tuple[State, ...]:
    """Return a state for each finding, in the order of report."""
    state, won, quick = laid(TWELVE), laid(TWELVE, won=WON), dealt(deck="quick")
    agreed = laid(WITHOUT_SET[:12], **AGREED)
    first, second = won.players
    return (
        state._replace(table=(2, *state.table[1:])),
        state._replace(deck=ROWS[-1]),
        quick._replace(table=(4, *quick.table[1:])),
        won._replace(players=(first._replace(sets=((13, 14, 18),)), second)),
        resized(9, 9),
        agreed._replace(options=agreed.options._replace(extra_cards="automatic")),
        won._replace(players=(first._replace(score=2), second)),
        won._replace(turn=3),
        state._replace(to_act=0),
        state._replace(outcome=last(dealt()).outcome),
    )


def test_every_finding_is_found() -> None:
    for code, state in zip(FINDINGS, damaged_states(), strict=True):
        assert code.name in names(state)
