"""The grammar on the page is the one that the code writes and reads.

No rule of it calls itself, so it becomes one regular expression: what the code writes must match
it, and what is drawn from it the code must read, or refuse for a bound alone.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from splendor_api.games import notation
from splendor_api.games.notation import Notation, NotationError, Record
from splendor_api.games.registry import GAMES
from tests.docs.pages import blocks
from tests.strategies.states import actions, played_states

_TOKEN: Final = re.compile(
    r"""\s*("[^"]*"|'[^']*'|\?[^?]*\?|\(\*.*?\*\)|[a-z]+|[][(){}|,;=])""", re.DOTALL
)

PRIMITIVES: Final = {
    "letter": "[a-z]",
    "digit": "[0-9]",
    "nonzero": "[1-9]",
    "hex": "[0-9a-f]",
    "blank": "[ \\t\\r\\n]",
    "character": '[^"\\\\\\x00-\\x1f\\x7f-\\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]',
}
"""What the page leaves to words: letters and digits are of ASCII."""

BOUNDED: Final = re.compile(r"(?:\w+ )?[0-9]+\.\.[0-9]+")
ONLY_ONCE: Final = {"color"}
"""What the code may expect where the grammar has gone on: a number in bounds, another colour."""


class _Rules:
    """A grammar in EBNF, and its rules as regular expressions."""

    def __init__(self, text: str) -> None:
        self.rules = dict(PRIMITIVES)
        self.tokens: list[str] = [
            each for each in _TOKEN.findall(text) if not each.startswith("(*")
        ]
        while self.tokens:
            name = self.tokens.pop(0)
            self._need("=")
            self.rules[name] = self._choice()
            self._need(";")

    def pattern(self, name: str) -> str:
        """Return the regular expression of a rule."""
        return re.sub(r"<(\w+)>", lambda found: f"(?:{self.pattern(found[1])})", self.rules[name])

    def _need(self, token: str) -> None:
        assert self.tokens.pop(0) == token

    def _choice(self) -> str:
        choices = [self._sequence()]
        while self.tokens[0] == "|":
            self.tokens.pop(0)
            choices.append(self._sequence())
        return "|".join(choices)

    def _sequence(self) -> str:
        items = [self._item()]
        while self.tokens[0] == ",":
            self.tokens.pop(0)
            items.append(self._item())
        return "".join(items)

    def _item(self) -> str:
        token = self.tokens.pop(0)
        if token in "([{":
            inner = self._choice()
            self._need({"(": ")", "[": "]", "{": "}"}[token])
            repeated = {"(": "", "[": "?", "{": "*"}[token]
            return f"(?:{inner}){repeated}"
        if token[0] in "\"'":
            literal: str = re.escape(token[1:-1])
            return literal
        if token[0] == "?":
            return r"\{.*\}"
        return f"<{token}>"


@cache
def _grammar(game: str) -> _Rules:
    """Return the grammar of the page, as far as it is of a game and of both."""
    (block,) = (each for each in blocks("docs/notation.md") if each.language == "ebnf")
    parts = re.split(r"\(\* (\w+) \*\)", block.code)
    own = dict(zip(parts[1::2], parts[2::2], strict=True))
    title = GAMES[game].rules.title
    return _Rules(parts[0] + own[title] + own["both"])


def _style(game: str) -> Notation[Any]:
    style = GAMES[game].notation
    assert style is not None
    return style


@pytest.mark.parametrize("game", GAMES)
def test_what_is_written_is_in_the_grammar(game: str) -> None:
    pattern = re.compile(_grammar(game).pattern("action"))

    @settings(max_examples=20, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def judge(data: st.DataObject) -> None:
        state = data.draw(played_states(GAMES[game]))
        text = _style(game).write(data.draw(actions(GAMES[game], state)))
        assert pattern.fullmatch(text), text

    judge()


@pytest.mark.parametrize("game", GAMES)
def test_what_is_in_the_grammar_is_read_but_for_bounds(game: str) -> None:
    seen: list[bool] = []

    @settings(max_examples=100, suppress_health_check=list(HealthCheck))
    @given(st.from_regex(_grammar(game).pattern("action"), fullmatch=True))
    def judge(text: str) -> None:
        seen.append(_is_read(game, text))

    judge()
    assert any(seen)


@pytest.mark.parametrize(
    "line",
    [
        "splendor/1 gamerules seats=2 :",
        "splendor/1 gamerules(target_prestige=10,pass=never) seats=4 seed=a.b-c_1 : +wug  P *",
        '\tsplendor/1\npublisher seats=3 engine="a \\"b\\" \\u{a}" source=caller : R?1 0:X!\n',
        'splendor/1 gamerules seats=2 state={"a":{}} nonce=n commitment=c : B1(0)N3',
        "set/1 gamerules(deck=quick) seats=1 : 0:S1.2.3",
    ],
)
def test_a_record_is_in_the_grammar(line: str) -> None:
    game = line.split("/", maxsplit=1)[0].strip()
    assert re.fullmatch(_grammar(game).pattern("record"), line)
    read: Record[Any] = notation.read_record(GAMES[game].rules, _style(game), line)
    written = notation.write_record(GAMES[game].rules, _style(game), read)
    assert re.fullmatch(_grammar(game).pattern("record"), written)


@pytest.mark.parametrize("line", ["splendor/1 gamerules", "splendor/1 gamerules seats=2 +wug", "P"])
def test_what_is_no_record_is_not_in_the_grammar(line: str) -> None:
    assert not re.fullmatch(_grammar("splendor").pattern("record"), line)


def _is_read(game: str, text: str) -> bool:
    """Return whether a text of the grammar is read; what refuses it must be a bound."""
    error = _refusal(game, text)
    if error is None:
        return True
    assert any(_is_bound(each) for each in error.expected), (text, error)
    return False


def _refusal(game: str, text: str) -> NotationError | None:
    try:
        notation.read_action(_style(game), text)
    except NotationError as error:
        return error
    return None


def _is_bound(expected: str) -> bool:
    return bool(BOUNDED.fullmatch(expected)) or expected in ONLY_ONCE


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_used(game: str) -> None:
    own = _grammar(game).rules
    named = set(re.findall(r"<(\w+)>", " ".join(own.values())))
    of_other = {"count", "nonzero", "level", "slot"}  # which both have, and one needs
    assert own.keys() - named - of_other == {"record"}
