"""Whole games go as they went; `python -m tests.playthroughs` writes them again."""

from __future__ import annotations

import pytest

from tests.playthroughs.games import GAMES, HERE, counts_text, text_of

EVENTS = {
    "splendor": (
        "tokens_taken",
        "tokens_returned",
        "card_reserved",
        "card_bought",
        "card_revealed",
        "noble_visited",
        "final_round_started",
        "return_owed",
        "noble_owed",
        "resigned",
        "turn_skipped",
        "turn_ended",
        "game_over",
    ),
    "set": (
        "set_called",
        "set_claimed",
        "set_rejected",
        "call_forfeited",
        "cards_dealt",
        "table_shrunk",
        "no_set_said",
        "game_over",
    ),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_goes_as_it_went(name: str) -> None:
    assert (HERE / f"{name}.txt").read_bytes() == text_of(name).encode()


def test_there_are_as_many_turns_as_there_were() -> None:
    assert (HERE / "counts.txt").read_bytes() == counts_text().encode()


def test_no_playthrough_is_left_over() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == {*GAMES, "counts"}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_comes_to_its_end(name: str) -> None:
    (over,) = (line for line in text_of(name).splitlines() if "game_over" in line)
    assert any(f"reason={reason}" in over for reason in GAMES[name].entry.rules.outcomes)


@pytest.mark.parametrize("game", EVENTS)
def test_together_they_show_what_can_happen(game: str) -> None:
    texts = "".join(text_of(name) for name, played in GAMES.items() if played.game == game)
    assert [event for event in EVENTS[game] if f"    {event}" not in texts] == []
