"""The examples of `openapi.yaml`: requests, and what the service answers to them.

An example is one exchange. Both halves stand in the document, as `<name>_request` and
`<name>_answer`; the answer is the service's own, asked anew each time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from textwrap import indent
from typing import Any, NamedTuple

from werkzeug.test import Client

from splendor_api.app import create_app
from splendor_api.http.problems import (
    BUSY,
    CLAIM_LATE,
    EXPIRED,
    FORBIDDEN,
    INTERNAL_ERROR,
    INVALID_REQUEST,
    KEY_REUSED,
    NOT_OFFERED,
    NOT_YOUR_TURN,
    SEAL_BROKEN,
    SEAL_KEY_RETIRED,
    SESSION_FULL,
    STALE_VERSION,
    STORE_UNAVAILABLE,
    TOO_MANY_REQUESTS,
    UNAUTHORIZED,
    VERSION_REQUIRED,
    Problem,
)
from splendor_api.settings import Settings
from splendor_api.wire import json_text

REQUEST_ID = "5f2c8a4e9b7d4c31a6e0"
_UNASKED: Mapping[str, Problem] = {
    "unreadable_request": INVALID_REQUEST,
    **{
        problem.code: problem
        for problem in (
            UNAUTHORIZED,
            FORBIDDEN,
            EXPIRED,
            NOT_YOUR_TURN,
            CLAIM_LATE,
            SESSION_FULL,
            KEY_REUSED,
            STALE_VERSION,
            VERSION_REQUIRED,
            SEAL_BROKEN,
            SEAL_KEY_RETIRED,
            NOT_OFFERED,
            TOO_MANY_REQUESTS,
            BUSY,
            STORE_UNAVAILABLE,
            INTERNAL_ERROR,
        )
    },
}
"""Problems of sessions, seals and searches, of which none are here, and two that nothing meets."""

WIDTH = 88  # columns of an example, before it is moved to its place
FEW = 2  # objects of a list that are shown where there are many

JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request, and what it shows. A body that is text is sent as it is, JSON or not."""

    name: str
    says: str
    method: str
    path: str
    body: JsonObject | str | None = None
    headers: Mapping[str, str] | None = None
    is_short: bool = False
    """Whether only the first objects of each list are shown of the answer."""
    is_problem: bool = False
    """Whether only the answer is shown, for any request that meets the same problem."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the status, and the body's JSON, or the body itself if it is text."""

    status: int
    body: Any


class _Part(NamedTuple):
    """Lines of JSON: a member or an item, small if it is neither object nor list."""

    lines: tuple[str, ...]
    is_small: bool


class Service:
    """The service within this process."""

    def __init__(self) -> None:
        self._client = Client(create_app(Settings()))

    def answer(self, exchange: Exchange) -> Answer:
        """Return what the service answers; raise `RuntimeError` if it fails."""
        body = exchange.body
        sent = body.encode() if isinstance(body, str) else json_text.write(body)
        headers = {"X-Request-Id": REQUEST_ID, **(exchange.headers or {})}
        if body is not None:
            headers = {"Content-Type": "application/json", **headers}
        response = self._client.open(
            exchange.path,
            method=exchange.method,
            data=None if body is None else sent,
            headers=headers,
        )
        if response.status_code >= 500:
            raise RuntimeError(f"{exchange.name} makes the service fail")
        if response.mimetype == "text/plain":
            return Answer(response.status_code, response.text)
        answered: Any = json_text.read(response.get_data(), max_depth=64)
        return Answer(response.status_code, answered)


def text() -> str:
    """Return all examples as the members of `components.examples`."""
    return "".join(_members())


def exchanges() -> tuple[Exchange, ...]:
    """Return every exchange that the document shows."""
    return (*_catalogue(), *_rules(), *_pages(), *_problems())


def shown(exchange: Exchange, answer: Answer) -> JsonObject | str:
    """Return what the document shows of an answer."""
    body = _shortened(answer.body) if exchange.is_short else answer.body
    if not isinstance(body, dict | str):
        raise TypeError(f"{exchange.name} is answered with neither an object nor text")
    return body


@cache
def service() -> Service:
    """Return the service that is asked; making it takes a moment."""
    return Service()


def _members() -> Iterator[str]:
    for exchange in exchanges():
        if isinstance(exchange.body, dict) and not exchange.is_problem:
            yield _member(f"{exchange.name}_request", exchange.says, exchange.body)
        answer = shown(exchange, service().answer(exchange))
        short = " (the first of each list)" if exchange.is_short else ""
        name = exchange.name if exchange.is_problem else f"{exchange.name}_answer"
        yield _member(name, exchange.says + short, answer)
    for name, problem in _UNASKED.items():
        document = problem.document(instance=f"urn:request:{REQUEST_ID}")
        yield _member(name, problem.title, document)


def _member(name: str, says: str, value: JsonObject | str) -> str:
    if isinstance(value, str):
        return f"{name}:\n  summary: {says}\n  value: |\n{indent(value, '    ')}"
    lines = "\n".join(_laid_out(value, 4))
    return f"{name}:\n  summary: {says}\n  value:\n    {lines}\n"


def _catalogue() -> Iterator[Exchange]:
    yield Exchange("list_games", "The games", "GET", "/v1/games")
    yield Exchange("get_game", "A game", "GET", "/v1/games/splendor", is_short=True)
    path = "/v1/games/splendor/components"
    yield Exchange("get_components", "Cards and tiles", "GET", path, is_short=True)
    yield Exchange("get_rules", "Rules", "GET", "/v1/games/splendor/rules", is_short=True)


def _rules() -> Iterator[Exchange]:
    """Yield an exchange for each call of the rules API, on a game that two seats play."""
    deal = _call("deal", "Two seats, a seed", {"seats": 2, "seed": "splendor"})
    state = service().answer(deal).body["state"]
    take = {"type": "take_different", "colors": ["white", "blue", "green"]}
    wrong = {"type": "take_different", "colors": ["red", "red"]}
    yield deal
    yield _call(
        "deal",
        "Three seats, the rulebook in the box, one option changed",
        {
            "seats": 3,
            "ruleset": "publisher",
            "options": {"target_prestige": 21},
            "seed": "splendor",
        },
        "deal_house_rules",
    )
    yield _call("apply", "Three different gem tokens", {"state": state, "action": take})
    yield _call(
        "apply",
        "The same colour twice, and too few",
        {"state": state, "action": wrong},
        "apply_illegal",
    )
    minted = {**state, "bank": {**state["bank"], "gold": 3}}
    yield _call(
        "apply",
        "Gold from nowhere",
        {"state": minted, "action": take},
        "apply_impossible",
    )
    yield _call("check", "Not legal", {"state": state, "action": wrong})
    yield _call(
        "legal-actions",
        "What seat 0 may do",
        {"state": state, "seat": 0},
        "legal_actions",
        is_short=True,
    )
    reserve = {"type": "reserve", "level": 3}
    yield _call("replay", "Two turns", {"state": state, "actions": [take, reserve]})
    yield _call(
        "replay",
        "The second action is illegal",
        {"state": state, "actions": [take, {"type": "pass"}]},
        "replay_illegal",
    )
    buy = {"type": "buy", "card": 17, "payment": {"white": 2, "black": 1}, "noble": 3}
    yield _call("notation", "A purchase", {"action": buy}, "notation_of_action")
    line = "splendor/1 gamerules seats=2 seed=abc : +wug R?3 1:X"
    yield _call("notation", "A short game", {"notation": line}, "notation_of_game")
    yield _call("notation", "There is no such colour", {"notation": "+wux"}, "notation_unreadable")
    yield _call("observe", "As a spectator sees it", {"state": state, "seat": None})
    yield _call("audit", "Gold from nowhere", {"state": minted})
    suggest = {"state": state, "level": "greedy", "seed": "any"}
    yield _call("suggest", "What a greedy player would do", suggest, is_short=True)
    plain = {"Accept": "text/plain"}
    yield _call("picture", "For a terminal", {"state": state}, headers=plain)
    yield _call("explain", "As seat 0 sees it", {"state": state, "seat": 0}, is_short=True)
    yield _call(
        "explain",
        "Why one action is illegal",
        {"state": state, "action": wrong, "seat": 0},
        "explain_action",
        is_short=True,
    )
    dealt = {"game": "splendor", "call": "deal", "body": {"seats": 4, "seed": "another"}}
    checked = {
        "game": "splendor",
        "call": "check",
        "body": {"state": state, "action": {"type": "pass"}},
    }
    yield Exchange("batch", "A deal and a check", "POST", "/v1/batch", {"items": [dealt, checked]})


def _pages() -> Iterator[Exchange]:
    yield Exchange("get_index", "This service", "GET", "/")
    yield Exchange("get_health", "Alive", "GET", "/healthz")
    yield Exchange("get_readiness", "Ready, without a store", "GET", "/readyz")
    yield Exchange("list_problems", "Problems", "GET", "/problems", is_short=True)
    yield Exchange("get_problem", "A problem", "GET", "/problems/illegal_action")
    path = "/problems/violations/splendor/too_few_colors"
    yield Exchange("get_violation_page", "A violation", "GET", path)


def _problems() -> Iterator[Exchange]:
    """Yield a request for each problem that is the same in every operation."""
    deal = ("POST", "/v1/games/splendor/deal")
    yield _problem("malformed_json", "No JSON", *deal, '{"seats": 2,}')
    yield _problem("invalid_request", "Two faults", *deal, {"seats": 5, "sead": "x"})
    yield _problem("not_found", "No such game", "GET", "/v1/games/tarot")
    image = {"Accept": "image/png"}
    yield _problem("not_acceptable", "No image of it", "GET", "/v1/games", headers=image)
    yield _problem("too_large", "Too large", *deal, " " * (64 * 1024 + 1))
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    yield _problem("unsupported_media_type", "A form", *deal, "seats=2", headers=form)


def _problem(
    code: str,
    says: str,
    method: str,
    path: str,
    body: JsonObject | str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Exchange:
    return Exchange(code, says, method, path, body, headers, is_problem=True)


def _call(
    call: str,
    says: str,
    body: JsonObject,
    name: str | None = None,
    *,
    headers: Mapping[str, str] | None = None,
    is_short: bool = False,
) -> Exchange:
    path = f"/v1/games/splendor/{call}"
    return Exchange(name or call, says, "POST", path, body, headers, is_short=is_short)


def _shortened(value: object) -> object:
    """Return `value` with the first objects only of each list of objects."""
    if isinstance(value, dict):
        return {name: _shortened(member) for name, member in value.items()}
    if isinstance(value, list):
        few = value[:FEW] if value and isinstance(value[0], dict) else value
        return [_shortened(item) for item in few]
    return value


def _laid_out(value: object, margin: int) -> Iterator[str]:
    """Yield the lines of JSON that a person can read; all but the first have a margin."""
    line = _in_a_line(value)
    if margin + len(line) <= WIDTH or not value or not isinstance(value, dict | list):
        yield line
    elif isinstance(value, dict):
        yield "{"
        yield from _filled([_member_of(*each, margin + 2) for each in value.items()], margin + 2)
        yield " " * margin + "}"
    else:
        yield "["
        yield from _filled([_part(item, "", margin + 2) for item in value], margin + 2)
        yield " " * margin + "]"


def _member_of(name: str, value: object, margin: int) -> _Part:
    return _part(value, f"{_in_a_line(name)}: ", margin)


def _part(value: object, head: str, margin: int) -> _Part:
    """Return the lines of a part of something larger, `head` before the first."""
    first, *rest = _laid_out(value, margin)
    return _Part((head + first, *rest), not value or not isinstance(value, dict | list))


def _filled(parts: list[_Part], margin: int) -> Iterator[str]:
    """Yield the lines of all parts: small ones share a line, as many as fit."""
    line = ""
    for place, part in enumerate(parts, start=1):
        comma = "," if place < len(parts) else ""
        *before, last = part.lines
        if part.is_small and not before:
            word = last + comma
            if line and margin + len(line) + 1 + len(word) > WIDTH:
                yield " " * margin + line
                line = word
            else:
                line = f"{line} {word}".strip()
            continue
        if line:
            yield " " * margin + line
            line = ""
        first, *rest = (*before, last + comma)
        yield from (" " * margin + first, *rest)
    if line:
        yield " " * margin + line


def _in_a_line(value: object) -> str:
    if isinstance(value, dict):
        members = (f"{_in_a_line(name)}: {_in_a_line(member)}" for name, member in value.items())
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_in_a_line, value)) + "]"
    return json_text.write(value).decode()
