"""The pictures in `docs/images`, as the service draws them: `python -m tests.docs.images`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from splendor_api.games.drawing import View
from splendor_api.games.registry import GAMES, Entry
from splendor_api.i18n.catalogue import sentence
from tests.docs.pages import ROOT

FOLDER = ROOT / "docs" / "images"
SHOWN = {"splendor": (3, "publisher", 38), "set": (4, "gamerules", 17)}
"""Of each game how many seats, which ruleset, and how many actions on it is drawn."""


def images() -> Iterator[tuple[Path, str]]:
    """Yield each file and what must be in it."""
    for game, (seats, ruleset, actions) in SHOWN.items():
        entry = GAMES[game]
        state = entry.rules.deal(seats, ruleset, {}, "a picture")
        for number in range(actions):
            state = entry.rules.apply(state, _next(entry, state, number)).state
        picture = entry.picture
        assert picture is not None
        drawn = picture.draw(entry.rules.observe(state, 0), View("en", sentence))
        yield FOLDER / f"{game}.svg", f"{drawn}\n"


def _next(entry: Entry, state: Any, number: int) -> Any:
    """Return what shows a game well: buy what can be bought, find what can be found."""
    turns = list(entry.rules.turns(state, None))
    data = {place: entry.wire.dump_action(turn) for place, turn in enumerate(turns)}
    found = entry.rules.solutions(state) if entry.rules.solutions is not None else ()
    if found:
        seat = (number + number // 4) % entry.rules.seats_of(state)
        cards = found[0] if number % 5 else (*found[0][:2], found[-1][-1])
        wanted = {"type": "claim", "seat": seat, "cards": tuple(cards)}
        return next((turns[place] for place, each in data.items() if each == wanted), turns[-1])
    reserves = [place for place, each in data.items() if each["type"] == "reserve"]
    buys = [place for place, each in data.items() if each["type"] == "buy"]
    if buys:
        return turns[buys[-1]]
    chosen = reserves if reserves and number % 7 == 1 else list(data)
    return turns[chosen[number * 31 % len(chosen)]]


if __name__ == "__main__":
    for path, drawn in images():
        path.write_text(drawn, "utf-8")
