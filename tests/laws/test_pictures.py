"""Every observation can be shown: well-formed, told in words too, small, and of what is seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from splendor_api.games.drawing import COLUMNS, Picture, View, columns_of
from splendor_api.games.registry import Entry
from splendor_api.i18n import languages
from splendor_api.i18n.catalogue import sentence
from tests.games import svg
from tests.strategies.habits import HABITS
from tests.strategies.playing import as_json, read_state
from tests.strategies.states import played_states

MOST_BYTES = 128 * 1024
MOST_LINES = 100


def picture_of(entry: Entry) -> Picture[Any]:
    """Return how the game looks."""
    assert entry.picture is not None
    return entry.picture


def view(tag: str = "en", theme: Any = "light") -> View:
    """Return a view in a language."""

    def say(template: str, params: Mapping[str, object]) -> str:
        return languages.voice(tag).say(sentence(template, params))

    return View(tag, say, theme)


def observers(entry: Entry, state: Any) -> list[int | None]:
    """Return every seat, and the spectator."""
    return [None, *range(entry.rules.seats_of(state))]


def shown(entry: Entry, observed: Any, by: View) -> tuple[str, str]:
    """Return both pictures of an observation after a look at them."""
    drawn, laid_out = picture_of(entry).draw(observed, by), picture_of(entry).lay_out(observed, by)
    root = svg.read(drawn)
    assert len(drawn.encode()) <= MOST_BYTES
    assert root.get("lang") == by.language
    spoken = {node.get("id"): node.text or "" for node in root[:2]}
    assert list(spoken) == (root.get("aria-labelledby") or "").split()
    assert all(spoken.values())
    assert laid_out.endswith("\n")
    lines = laid_out.splitlines()
    assert len(lines) <= MOST_LINES
    assert all(columns_of(line) <= COLUMNS and line == line.rstrip() for line in lines)
    return drawn, laid_out


@given(st.data(), st.sampled_from([*languages.NAMES]), st.sampled_from(["light", "dark"]))
def test_whatever_is_seen_can_be_shown(
    entry: Entry, data: st.DataObject, tag: str, theme: str
) -> None:
    state = data.draw(played_states(entry))
    seat = data.draw(st.sampled_from(observers(entry, state)))
    shown(entry, entry.rules.observe(state, seat), view(tag, theme))


@given(st.data())
def test_a_picture_shows_nothing_that_is_hidden(entry: Entry, data: st.DataObject) -> None:
    state = data.draw(played_states(entry))
    seat = data.draw(st.sampled_from(observers(entry, state)))
    other = data.draw(HABITS[entry.rules.name].rearranged(state, seat))
    mine, others = (entry.rules.observe(each, seat) for each in (state, other))
    assert shown(entry, mine, view()) == shown(entry, others, view())


@given(st.data())
def test_even_what_no_play_leads_to_can_be_shown(entry: Entry, data: st.DataObject) -> None:
    state = data.draw(played_states(entry))
    damaged = data.draw(HABITS[entry.rules.name].damages(as_json(entry.wire.dump_state(state))))
    faults: list[Any] = []
    if entry.wire.state.read(damaged, faults) is None or faults:
        return
    impossible = read_state(entry, damaged)
    shown(entry, entry.rules.observe(impossible, 0), view())


@given(st.data(), st.sampled_from([*languages.NAMES]))
def test_who_is_told_in_another_language_sees_the_same(
    entry: Entry, data: st.DataObject, tag: str
) -> None:
    observed = entry.rules.observe(data.draw(played_states(entry)), None)
    said: list[str] = []

    def say(template: str, params: Mapping[str, object]) -> str:
        said.append(template)
        return sentence(template, params)

    english, _ = shown(entry, observed, View("en", say))
    assert set(said) <= set(picture_of(entry).sayings)
    assert _used(shown(entry, observed, view(tag))[0]) == _used(english)


def _used(drawn: str) -> list[str | None]:
    """Return the symbols that a picture uses, in their order."""
    return [node.get("href") for node in svg.read(drawn).iter() if svg.tag(node) == "use"]
