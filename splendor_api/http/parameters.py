"""What a request says beside its path and its body, read strictly: headers, query parameters.

A `Parameter` is a line in the table of operations: where it stands, and how it is read. A view
takes what is read by the parameter's name. What is there and is not understood is refused, except
where HTTP says that it is to be passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import parse_qsl

from splendor_api.http import headers, limits
from splendor_api.http.headers import Unreadable
from splendor_api.i18n import languages
from splendor_api.sessions import tokens
from splendor_api.sessions.exchange import Key
from splendor_api.sessions.stored import Version
from splendor_api.sessions.tokens import Bearer
from splendor_api.wire import json_text
from splendor_api.wire.requests import DETAILS, THEMES

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

LONGEST_WAIT: Final = 30  # seconds of a long poll
MOST_PARAMETERS: Final = 20
SHORTEST_SECRET_KEY: Final = 22  # characters of a key from which tokens follow

_CURSOR: Final = re.compile(r"from-([1-9][0-9]{0,8})", re.ASCII)
_WHOLE: Final = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)


class Unauthorized(Exception):  # noqa: N818 - the name of the problem it becomes
    """The request has credentials of a kind that this service does not take."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as parameters are read from it; `data` is its body's JSON, if it has one."""

    environ: WSGIEnvironment
    query: Mapping[str, str]
    data: object

    def header(self, name: str) -> str | None:
        """Return the header's text; several of one name are a list, as HTTP has it."""
        text: str | None = self.environ.get(f"HTTP_{name.upper().replace('-', '_')}")
        return text


@dataclass(frozen=True, slots=True)
class Parameter:
    """A header or a query parameter, and the name by which a view takes what it says.

    Where it is neither, it is the connection, which says whether anybody is there.
    """

    name: str
    place: Literal["header", "query", "connection"]
    field: str
    read: Callable[[Asked], Any]


def read(parameters: Iterable[Parameter], asked: Asked) -> dict[str, Any]:
    """Return what a request says, by name.

    Raises `Unreadable`, or `Unauthorized` for credentials of another kind.
    """
    known = {each.field for each in parameters if each.place == "query"}
    for field in asked.query:
        if field not in known:
            raise Unreadable("The query has a parameter that there is not.")
    return {each.name: each.read(asked) for each in parameters}


def query_of(environ: WSGIEnvironment) -> Mapping[str, str]:
    """Return the query parameters of a request; raise `Unreadable` for one given twice."""
    text = environ.get("QUERY_STRING", "")
    if not text:
        return {}
    try:
        pairs = parse_qsl(
            text,
            keep_blank_values=True,
            strict_parsing=True,
            errors="strict",
            max_num_fields=MOST_PARAMETERS,
        )
    except ValueError:
        raise Unreadable("The query is not a list of parameters.") from None
    query = dict(pairs)
    if len(query) != len(pairs):
        raise Unreadable("The query has a parameter twice.")
    return query


def bearer_of(environ: WSGIEnvironment) -> Bearer | None:
    """Return whoever is asking; raise `Unauthorized` for other credentials than a token."""
    given = environ.get("HTTP_AUTHORIZATION")
    if given is None:
        return None
    token = headers.bearer_token(given)
    if token is None:
        raise Unauthorized
    return Bearer.of(token)


def fingerprint(asked: Asked) -> str:
    """Return what identifies a request under a key: method, path and canonical body."""
    method, path = asked.environ["REQUEST_METHOD"], asked.environ["PATH_INFO"]
    try:
        body = json_text.canonical(asked.data)
    except (TypeError, ValueError):
        body = b""  # it has numbers that no body takes, so nothing will come of it
    return tokens.short_hash(method, path, body.decode())


def _key(asked: Asked) -> Key | None:
    given = asked.header("Idempotency-Key")
    if given is None:
        return None
    return Key(headers.idempotency_key(given), fingerprint(asked))


def _secret_key(asked: Asked) -> Key | None:
    key = _key(asked)
    if key is not None and len(key.text) < SHORTEST_SECRET_KEY:
        raise Unreadable(
            "Here the header Idempotency-Key must have {shortest} characters or more: "
            "the session's tokens follow from it.",
            shortest=SHORTEST_SECRET_KEY,
        )
    return key


def _versions(asked: Asked) -> Any:
    given = asked.header("If-Match")
    return None if given is None else headers.precondition(given)


def _after(asked: Asked) -> Version | None:
    given = asked.query.get("after")
    if given is None:
        return None
    version = headers.version_of(given)
    if version is None:
        raise Unreadable("The query parameter after must be a version.")
    return version


def _wait(asked: Asked) -> int:
    given = asked.query.get("wait", "0")
    if _WHOLE.fullmatch(given) is None or int(given) > LONGEST_WAIT:
        raise Unreadable(
            "The query parameter wait must be a whole number from 0 to {longest}.",
            longest=LONGEST_WAIT,
        )
    return int(given)


def _word(name: str, words: tuple[str, ...], default: str) -> Callable[[Asked], str]:
    def read_word(asked: Asked) -> str:
        given = asked.query.get(name, default)
        if given not in words:
            raise Unreadable(
                "The query parameter {name} must be one of: {words}.",
                name=name,
                words=", ".join(words),
            )
        return given

    return read_word


_flag: Final = _word("include_illegal", ("false", "true"), "false")


def start_of(cursor: str | None) -> int | None:
    """Return the place in a list that a cursor stands for, `None` if it stands for none."""
    if cursor is None:
        return 0
    named = _CURSOR.fullmatch(cursor)
    return None if named is None else int(named[1])


def _start(asked: Asked) -> int:
    start = start_of(asked.query.get("cursor"))
    if start is None:
        raise Unreadable("The query parameter cursor must be a next_cursor of this list.")
    return start


ACCEPT_LANGUAGE: Final = Parameter(
    "voice",
    "header",
    "Accept-Language",
    lambda asked: languages.voice(headers.language(asked.header("Accept-Language"))),
)
BEARER: Final = Parameter(
    "bearer", "header", "Authorization", lambda asked: bearer_of(asked.environ)
)
IF_MATCH: Final = Parameter("precondition", "header", "If-Match", _versions)
IF_NONE_MATCH: Final = Parameter(
    "known", "header", "If-None-Match", lambda asked: asked.header("If-None-Match")
)
KEY: Final = Parameter("key", "header", "Idempotency-Key", _key)
SECRET_KEY: Final = Parameter("key", "header", "Idempotency-Key", _secret_key)
LAST_EVENT_ID: Final = Parameter(
    "last_event", "header", "Last-Event-ID", lambda asked: asked.header("Last-Event-ID")
)
AFTER: Final = Parameter("after", "query", "after", _after)
WAIT: Final = Parameter("wait", "query", "wait", _wait)
THEME: Final = Parameter("theme", "query", "theme", _word("theme", THEMES, THEMES[0]))
TICKET: Final = Parameter("ticket", "query", "ticket", lambda asked: asked.query.get("ticket"))
DETAIL: Final = Parameter("detail", "query", "detail", _word("detail", DETAILS, DETAILS[0]))
INCLUDE_ILLEGAL: Final = Parameter(
    "include_illegal", "query", "include_illegal", lambda asked: _flag(asked) == "true"
)
HAS_LEFT: Final = Parameter(
    "has_left", "connection", "", lambda asked: limits.departure(asked.environ)
)
CURSOR: Final = Parameter("start", "query", "cursor", _start)
