"""What games look like: their pictures, and what those are drawn with.

A picture is made of an observation alone, so that it cannot show more than its caller may see.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any, Final

from splendor_api.games.drawing import Picture, View, sprite
from splendor_api.http import headers
from splendor_api.http.headers import REVALIDATE, SVG, TEXT
from splendor_api.http.operations import Answer, Operation, Served, Service, refusal
from splendor_api.http.parameters import ACCEPT_LANGUAGE, IF_NONE_MATCH, THEME
from splendor_api.http.positions import Position, onlooker, position_of, seat_faults, seen
from splendor_api.http.problems import NOT_OFFERED, invalid
from splendor_api.http.sessions import denied, of_session
from splendor_api.i18n.catalogue import ENGLISH, Voice, constant, sentence
from splendor_api.sessions import watching
from splendor_api.sessions.exchange import Denial
from splendor_api.sessions.tokens import Bearer
from splendor_api.wire.requests import Draw, Theme

OFFERS: Final = (SVG, TEXT)


def get_art(game: Served) -> Answer:
    """Answer with everything that the game is drawn with, each by its name."""
    if game.picture is None:
        return refusal(NOT_OFFERED.document())
    return Answer(200, sprite(game.picture.symbols.values()).encode(), SVG)


def draw(game: Served, body: Draw[Any], *, media_type: str, voice: Voice) -> Answer:
    """Answer with a picture of what a seat sees of the state, possible or not."""
    if game.picture is None:
        return refusal(NOT_OFFERED.document())
    position = position_of(game, body.state)
    if isinstance(position, Answer):
        return position
    denial = _stranger(game, position, body)
    if denial is not None:
        return denial
    shown = seen(game, position, body.seat)
    drawn = _drawn(game.picture, shown, media_type, voice, body.theme)
    return Answer(200, drawn, media_type)


def get_session_picture(
    service: Service,
    session: str,
    *,
    bearer: Bearer | None,
    known: str | None,
    media_type: str,
    voice: Voice,
    theme: Theme,
) -> Answer:
    """Answer with a picture of what the bearer sees."""
    sight = watching.look(service.keeping, session, bearer)
    if isinstance(sight, Denial):
        return denied(sight)
    picture = service.games[sight.game].picture
    if picture is None:
        return refusal(NOT_OFFERED.document())
    drawn = _drawn(picture, sight.state, media_type, voice, theme)
    tag = headers.entity_tag(drawn)
    if headers.is_unchanged(known, tag):
        return Answer(304, b"", "", (("ETag", tag),))
    return Answer(200, drawn, media_type, (("ETag", tag),))


def _stranger(game: Served, position: Position, body: Draw[Any]) -> Answer | None:
    """Return why the caller is not shown what the seat sees."""
    faults = tuple(seat_faults(game, position, body.seat))
    if faults:
        return refusal(invalid(faults))
    return onlooker(game, position, body.seat, body.seat_key)


def _drawn(picture: Picture[Any], state: Any, media_type: str, voice: Voice, theme: Theme) -> bytes:
    def say(template: str, params: Mapping[str, object]) -> str:
        english = sentence(template, params)
        return english if voice is ENGLISH else constant(voice.say(english))

    view = View(voice.tag, say, theme)
    draw = picture.draw if media_type == SVG else picture.lay_out
    return draw(state, view).encode()


OPERATIONS: Final = (
    Operation(
        "GET", "/v1/games/{game}/art.svg", "get_art", get_art, offers=(SVG,), keeps=REVALIDATE
    ),
    Operation(
        "POST",
        "/v1/games/{game}/picture",
        "picture",
        draw,
        reads=attrgetter("bodies.picture"),
        offers=OFFERS,
        takes=(ACCEPT_LANGUAGE,),
        speaks=True,
        is_compressed=True,
    ),
    of_session(
        "GET",
        "/picture",
        "get_session_picture",
        get_session_picture,
        IF_NONE_MATCH,
        ACCEPT_LANGUAGE,
        THEME,
        offers=OFFERS,
        speaks=True,
    ),
)
