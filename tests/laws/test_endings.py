"""Every game that is played to win, or just played, comes to an end."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from splendor_api.games.registry import Entry
from tests.strategies.playing import Manner, play
from tests.strategies.states import dealt_states, plays, seeds

LONGEST = 1_000  # actions, as many as a session or a replay takes


@given(st.data())
def test_a_game_played_at_random_ends_with_an_outcome(entry: Entry, data: st.DataObject) -> None:
    first = data.draw(dealt_states(entry, default_options=True))
    _has_an_outcome(entry, play(entry, first, Manner(), data.draw(seeds()), LONGEST).last)


@given(st.data())
def test_a_game_played_greedily_ends_with_an_outcome(entry: Entry, data: st.DataObject) -> None:
    first = data.draw(dealt_states(entry, default_options=True))
    # What scores stands behind what prepares it in every game's table.
    greedy = Manner(tuple(kind.type for kind in reversed(entry.rules.actions)), firmness=6)
    _has_an_outcome(entry, play(entry, first, greedy, data.draw(seeds()), LONGEST).last)


def _has_an_outcome(entry: Entry, state: Any) -> None:
    rules = entry.rules
    outcome = rules.outcome(state)
    assert outcome is not None
    assert rules.acting(state) == ()
    assert outcome.reason in rules.outcomes
    assert outcome.winners == tuple(sorted(set(outcome.winners)))
    assert len(outcome.ranking) == rules.seats_of(state)


@given(st.data())
def test_an_outcome_ranks_every_seat_once_best_first(entry: Entry, data: st.DataObject) -> None:
    game = data.draw(plays(entry))
    outcome: Any = entry.rules.outcome(game.last)
    if outcome is None:
        return
    seats = [standing.seat for standing in outcome.ranking]
    assert sorted(seats) == list(range(entry.rules.seats_of(game.last)))
    ranks = [standing.rank for standing in outcome.ranking]
    for place, rank in enumerate(ranks):
        assert rank == (place + 1 if place == 0 or ranks[place - 1] != rank else ranks[place - 1])
    if outcome.winners:
        assert set(outcome.winners) == {each.seat for each in outcome.ranking if each.rank == 1}
