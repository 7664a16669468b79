"""The site: the page at the root, the playground, and the files and words that both are made of.

The pages are files, the same for everybody. Their scripts ask this service as any client would,
and nobody else. What they know of a game is a file under `/site/games` that has the game's name.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from splendor_api.http.headers import REVALIDATE
from splendor_api.http.html import MEDIA_TYPE
from splendor_api.http.operations import Answer, Operation, Service, refusal
from splendor_api.http.problems import NOT_FOUND
from splendor_api.i18n.languages import NAMES, RIGHT_TO_LEFT, voice
from splendor_api.wire import json_text

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy of both pages: files of this service, and nothing inline."""

_FOLDER: Final = files("splendor_api") / "site"
_GAMES: Final = _FOLDER / "games"
_WORDS: Final = "words.json"
_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


def home_page(_: dict[str, Any]) -> str:
    """Return the page at the root, which says in words what the index says in links."""
    return (_FOLDER / "home.html").read_text("utf-8")


def get_playground(_: Service) -> Answer:
    """Answer with the page to play on."""
    return Answer(200, (_FOLDER / "play.html").read_bytes(), MEDIA_TYPE)


def get_site_file(_: Service, file: str) -> Answer:
    """Answer with a style, a script or a picture of the pages."""
    return _file(_FOLDER, file)


def get_site_game(_: Service, file: str) -> Answer:
    """Answer with a style or a script that knows one game."""
    return _file(_GAMES, file)


def get_site_words(_: Service, language: str) -> Answer:
    """Answer with all that the pages say, in one language."""
    if language not in NAMES:
        return refusal(NOT_FOUND.document("The pages do not speak this language."))
    speaking = voice(language)
    return Answer(
        200,
        {
            "language": language,
            "direction": "rtl" if language in RIGHT_TO_LEFT else "ltr",
            "languages": NAMES,
            "words": {key: speaking.template(says, None) for key, says in words().items()},
        },
    )


def words() -> dict[str, str]:
    """Return all that the pages say in English, by its key; a game's keys begin with its name."""
    said = dict(_said(_FOLDER / _WORDS))
    for path in sorted(_GAMES.iterdir(), key=lambda each: each.name):
        game, _, kind = path.name.partition(".")
        if kind == _WORDS:
            said.update((f"{game}.{key}", says) for key, says in _said(path))
    return said


def _said(path: Traversable) -> Iterator[tuple[str, str]]:
    read = json_text.read(path.read_bytes())
    assert isinstance(read, dict)
    yield from read.items()


def _file(folder: Traversable, name: str) -> Answer:
    """Return a file of a folder, if it is there and for the pages."""
    media_type = _TYPES.get(name.rpartition(".")[2])
    known = {path.name for path in folder.iterdir()}
    if media_type is None or name not in known:
        return refusal(NOT_FOUND.document("The pages have no file of this name."))
    return Answer(200, (folder / name).read_bytes(), media_type)


OPERATIONS: Final = (
    Operation(
        "GET",
        "/play",
        "get_playground",
        get_playground,
        offers=(MEDIA_TYPE,),
        keeps=REVALIDATE,
        policy=POLICY,
    ),
    Operation(
        "GET",
        "/site/{file}",
        "get_site_file",
        get_site_file,
        offers=tuple(_TYPES.values()),
        keeps=REVALIDATE,
        is_file=True,
    ),
    Operation(
        "GET",
        "/site/games/{file}",
        "get_site_game",
        get_site_game,
        offers=(_TYPES["css"], _TYPES["js"]),
        keeps=REVALIDATE,
        is_file=True,
    ),
    Operation("GET", "/site/words/{language}", "get_site_words", get_site_words, keeps=REVALIDATE),
)
