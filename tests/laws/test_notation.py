"""Whatever can be sent as JSON can be written as a line of text, and is read again as it was."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from splendor_api.games import notation
from splendor_api.games.notation import NotationError, Record, Told
from splendor_api.games.registry import Entry
from splendor_api.wire import json_text
from tests.strategies.playing import Play, read_state
from tests.strategies.profiles import tries
from tests.strategies.states import actions, options, played_states, plays

ENOUGH = tries(20, 50)  # games: to play one takes far longer than to write it
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)


@settings(max_examples=ENOUGH)
@given(st.data())
def test_an_action_is_read_as_it_was_written(entry: Entry, data: st.DataObject) -> None:
    style = entry.notation
    assert style is not None
    state = data.draw(played_states(entry))
    action = data.draw(actions(entry, state))
    text = style.write(action)
    assert text.isascii()
    assert not any(character.isspace() for character in text)
    assert not notation.is_record(text)
    assert notation.read_action(style, text) == action


@settings(max_examples=ENOUGH)
@given(st.data())
def test_a_game_is_read_as_it_was_written(entry: Entry, data: st.DataObject) -> None:
    style = entry.notation
    assert style is not None
    record = data.draw(_records(entry))
    text = notation.write_record(entry.rules, style, record)
    assert "\n" not in text
    assert text == text.strip()
    assert notation.is_record(text)
    read = notation.read_record(entry.rules, style, text)
    assert read == record
    assert read.state is None or read_state(entry, json_text.read(read.state.encode()))


@settings(max_examples=ENOUGH)
@given(st.data())
def test_a_line_and_a_deal_fill_in_the_same_options(entry: Entry, data: st.DataObject) -> None:
    """So that a record in JSON, with any of its options, and its line are of the same game."""
    rules, style = entry.rules, entry.notation
    assert style is not None
    ruleset = data.draw(st.sampled_from(tuple(rules.rulesets)))
    seats = data.draw(st.sampled_from(rules.seats))
    given_options = data.draw(options(entry))
    told = ",".join(f"{name}={str(value).lower()}" for name, value in given_options.items())
    line = f"{rules.name}/1 {ruleset}{f'({told})' if told else ''} seats={seats} :"
    record = notation.read_record(rules, style, line)
    dealt: Any = entry.wire.dump_state(rules.deal(seats, ruleset, given_options, "seed"))
    assert record.options == dealt["ruleset"]["options"]
    assert notation.read_record(rules, style, notation.write_record(rules, style, record)) == record


def test_a_record_of_another_game_is_refused_at_once(entry: Entry) -> None:
    style = entry.notation
    assert style is not None
    with pytest.raises(NotationError) as refused:
        notation.read_record(entry.rules, style, "chess/1 gamerules seats=2 :")
    assert refused.value.position == 0


@st.composite
def _records(draw: st.DrawFn, entry: Entry) -> Record[Any]:
    """Draw the record of a game, from whatever it began, with all that can be told of it."""
    rules = entry.rules
    game: Play = draw(plays(entry))
    seats = rules.seats_of(game.states[0])
    ruleset = draw(st.sampled_from(tuple(rules.rulesets)))
    given_options = draw(options(entry))
    begins = draw(st.sampled_from(("seed", "state", "hidden")))
    text = TEXTS.map(lambda each: each[: notation.LONGEST_TEXT])
    return Record(
        ruleset=ruleset,
        options=rules.resolve(ruleset, seats, given_options),
        seats=seats,
        actions=game.actions,
        seed=draw(text) if begins == "seed" else None,
        state=(
            json_text.write(entry.wire.dump_state(game.states[0])).decode()
            if begins == "state"
            else None
        ),
        told=Told(
            engine=draw(st.none() | TEXTS.map(lambda each: each[: notation.LONGEST_NAME])),
            source=draw(st.sampled_from((None, *notation.SOURCES))),
            commitment=draw(st.none() | text),
            nonce=draw(st.none() | text),
        ),
        is_complete=draw(st.booleans()),
    )
