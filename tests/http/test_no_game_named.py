"""Nothing but its own room knows a game: the shell and its documentation name none, nor its terms.

Only so does another game come in by its folder and a line in the registry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import splendor_api
from splendor_api.games.protocol import Game
from splendor_api.games.registry import GAMES
from tests.docs.pages import ROOT, prose

PACKAGE = Path(splendor_api.__path__[0])
ROOMS = ("contract", "http", "i18n", "launch", "sealing", "sessions", "telemetry", "wire")
EXAMPLES = PACKAGE / "contract" / "examples.py"
"""What the contract shows: exchanges, which are of some game as a move is of some hand."""

SOURCES = sorted(
    path
    for path in (
        *(each for room in ROOMS for each in (PACKAGE / room).rglob("*")),
        PACKAGE / "app.py",
        PACKAGE / "settings.py",
    )
    if path.suffix in (".py", ".lua") and path != EXAMPLES
)
PAGES = (
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/embedded-redis.md",
    "docs/errors.md",
    "docs/http.md",
    "docs/settings.md",
)
"""Pages on what is the same for every game; their examples are of one."""

_THINGS = "bank|board|cards?|decks?|dice|gems?|market|nobles?|prestige|suits?|tiles?"
THINGS = re.compile(rf"\b({_THINGS})\b", re.IGNORECASE)
"""Things that lie on some table."""

HOMONYMS = {
    "agreed",  # to taking a turn back
    "call",  # of the API, in a batch
    "claim",  # of a join link, for its seat
    "reveal",  # the text of a secret
}
"""Words of a game that mean something else in the shell."""


def _named(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def words_of(game: Game[Any, Any, Any]) -> set[str]:
    """Return every word that the contract has of a game."""
    kinds = {kind.type for kind in (*game.actions, *game.events)}
    codes = {code.name for code in (*game.codes, *game.findings)}
    options = {option.name for option in game.options}
    return kinds | codes | options | set(game.outcomes)


def own_words() -> set[str]:
    """Return the words that not all games have; what all have is the protocol's."""
    vocabularies = [words_of(entry.rules) for entry in GAMES.values()]
    first, *others = vocabularies
    return first.union(*others) - first.intersection(*others) - HOMONYMS


@cache
def _words() -> re.Pattern[str]:
    words = sorted(own_words())
    plain = "|".join(word for word in words if "_" in word)
    quoted = "|".join(word for word in words if "_" not in word)
    return re.compile(rf"\b(?:{plain})\b|[\"'`](?:{quoted})[\"'`]")


def found_in(text: str) -> Iterator[str]:
    """Yield every name of a game and every word of one that a text has.

    A word without an underscore may be English: it counts where it is quoted.
    """
    for name, entry in GAMES.items():
        yield from re.findall(rf"[\"'`/.]{name}[\"'`/.]", text)
        yield from re.findall(rf"\b{entry.rules.title}\b(?!')", text)
        yield from re.findall(rf"\bgames\.{name}\b", text)
    yield from _words().findall(text)
    yield from THINGS.findall(text)


@pytest.mark.parametrize("path", SOURCES, ids=_named)
def test_no_room_names_a_game(path: Path) -> None:
    assert list(found_in(path.read_text("utf-8"))) == []


@pytest.mark.parametrize("page", PAGES)
def test_no_page_on_the_service_names_a_game(page: str) -> None:
    text = re.sub(r"<!-- generated: .*?<!-- end generated -->", "", prose(page), flags=re.DOTALL)
    assert list(found_in(text)) == []


def test_there_is_something_to_look_at() -> None:
    assert len(SOURCES) > 50
    assert all((ROOT / page).exists() for page in PAGES)
    assert {"take_different", "set_called", "no_set", "penalty"} <= own_words()
    assert not {"resign", "game_over", "wrong_seat"} & own_words()


@pytest.mark.parametrize(
    "text",
    [
        'GAMES["splendor"]',
        "if game == 'set':",
        "/v1/games/set/apply",
        "from splendor_api.games.set import turn",
        "A game of SET has no turns.",
        "state.to_act is None or no_set",
        'Word("reserve")',
        "the noble of a seat",
        "hidden cards",
    ],
)
def test_what_names_a_game_is_found(text: str) -> None:
    assert list(found_in(text))


@pytest.mark.parametrize(
    "text",
    [
        "seen: set[str] = set()",
        "redis.call('SET', KEYS[4], '1')",
        'ENGINE = f"splendor-api {version}"',
        "from splendor_api.games import referee",
        "the settings are set",
        "whoever resigns",
    ],
)
def test_what_names_none_is_not(text: str) -> None:
    assert list(found_in(text)) == []
