"""Actions and whole games as a line of text, to be pasted where JSON is too much.

    splendor/1 gamerules(target_prestige=10) seats=2 seed=abc : +wug R44 B17(2wk) 1:X

`docs/notation.md` has the grammar. What every game writes alike is here; how it writes its actions
it says itself, in a `Notation`. A text is read from left to right, and refused at the first place
where it cannot go on, with what could stand there. No rule of a game is asked: an illegal action
is written and read like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, Generic, TypeVar

from splendor_api.games.protocol import ActionT, Game, Value

T = TypeVar("T")

FORMAT: Final = 1
LONGEST_TEXT: Final = 128
"""Characters of a seed, a nonce, a commitment."""

LONGEST_NAME: Final = 64
"""Characters of the name of who wrote a record."""

MOST_ACTIONS: Final = 1_000
"""Actions of a record."""

SOURCES: Final = ("caller", "service")
"""Who has chosen the seed."""

_BLANKS: Final = re.compile(r"[ \t\r\n]*")
_BARE: Final = re.compile(r"[A-Za-z0-9._-]+", re.ASCII)
_NUMBER: Final = re.compile(r"0|[1-9][0-9]*", re.ASCII)
_WORD: Final = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_HEAD: Final = re.compile(r"[a-z][a-z0-9_]*/", re.ASCII)
_UNSEEN: Final = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Characters that break a line or change how it looks: in quotes they are escaped."""

_ESCAPE: Final = re.compile(r"\\(?:([\"\\])|u\{([0-9a-f]{1,6})\})")
_PARTS: Final = re.compile(r'[{}]|"(?:[^"\\]++|\\.)*+"?+|[^{}"]++', re.DOTALL)
"""What a text in braces is made of: a brace, something in quotes, anything else.

Quotes that are never closed go on to the end: to look behind each of them for another beginning
would take the square of the time.
"""

_DEEPEST: Final = 32  # braces within braces
_SHOWN: Final = re.compile(r"\S{1,20}|\s")  # what an error tells of what it found
_LONGEST_NUMBER: Final = 9  # digits; more are none that any game counts to


class NotationError(ValueError):
    """A text cannot be read on from `position`, counted in characters from 0.

    `expected` has what could stand there: terms of the grammar, or characters in quotes; `found`
    is what does, `None` at the end of the text.
    """

    def __init__(self, position: int, expected: tuple[str, ...], found: str | None) -> None:
        """Say what could stand where, and what does."""
        self.position, self.expected, self.found = position, expected, found
        super().__init__(f"at {position}: {found!r} instead of {' or '.join(expected)}")


class Reader:
    """A text, and how far it has been read."""

    def __init__(self, text: str) -> None:
        """Begin before the first character."""
        self._text = text
        self.place = 0

    @property
    def is_at_end(self) -> bool:
        """Return whether all has been read."""
        return self.place == len(self._text)

    def error(self, *expected: str, place: int | None = None) -> NotationError:
        """Return the error that something else should stand here, or at an earlier place."""
        place = self.place if place is None else place
        found = _SHOWN.match(self._text, place)
        return NotationError(place, expected, found[0] if found else None)

    def blanks(self) -> None:
        """Read blanks, if there are any."""
        found = _BLANKS.match(self._text, self.place)
        assert found is not None, "no blank at all is a match"
        self.place = found.end()

    def gap(self) -> None:
        """Read blanks, of which there must be one, unless the text ends."""
        before = self.place
        self.blanks()
        if self.place == before and not self.is_at_end:
            raise self.error("blank")

    def is_next(self, literal: str) -> bool:
        """Return whether `literal` stands here."""
        return self._text.startswith(literal, self.place)

    def is_next_of(self, characters: str) -> bool:
        """Return whether one of these characters stands here."""
        return not self.is_at_end and self._text[self.place] in characters

    def takes(self, literal: str) -> bool:
        """Read `literal` if it stands here; return whether it did."""
        if not self.is_next(literal):
            return False
        self.place += len(literal)
        return True

    def need(self, literal: str) -> None:
        """Read `literal`, which must stand here."""
        if not self.takes(literal):
            raise self.error(quoted(literal))

    def one_of(self, literals: Mapping[str, T], term: str) -> T:
        """Read one of these, of which none begins another, and return what it stands for."""
        for literal, meaning in literals.items():
            if self.takes(literal):
                return meaning
        raise self.error(term)

    def digits(self) -> int | None:
        """Read a number, if one stands here: without sign or leading zeros."""
        found = _NUMBER.match(self._text, self.place)
        if found is None or len(found[0]) > _LONGEST_NUMBER:
            return None
        self.place = found.end()
        return int(found[0])

    def number(self, term: str, low: int, high: int) -> int:
        """Read a number in these bounds, which is called `term`."""
        before = self.place
        value = self.digits()
        if value is None or not low <= value <= high:
            raise self.error(f"{term} {low}..{high}", place=before)
        return value

    def word(self, term: str, words: tuple[str, ...]) -> str:
        """Read one of these words."""
        found = _WORD.match(self._text, self.place)
        if found is None or found[0] not in words:
            raise self.error(*(words or (term,)))
        self.place = found.end()
        return found[0]

    def told(self, longest: int) -> str:
        """Read any text of so many characters: bare if it is plain, else in quotes."""
        before, term = self.place, f"text 1..{longest}"
        if self.takes('"'):
            text = "".join(islice(self._quoted(), longest + 1))
        else:
            found = _BARE.match(self._text, before)
            text = found[0] if found else ""
            self.place = before + len(text)
        if not 1 <= len(text) <= longest:
            raise self.error(term, place=before)
        return text

    def braced(self, term: str) -> str:
        """Read what stands between braces, which may hold others and quotes; with its braces."""
        before, depth = self.place, 0
        for part in _PARTS.finditer(self._text, before):
            depth += {"{": 1, "}": -1}.get(part[0], 0)
            if depth <= 0 or depth > _DEEPEST:
                break
        else:
            part = None
        if part is None or part[0] != "}" or depth:
            raise self.error(term, place=before)
        self.place = part.end()
        return self._text[before : self.place]

    def _quoted(self) -> Iterator[str]:
        """Yield the characters up to the closing quote."""
        while not self.takes('"'):
            if self.is_at_end:
                raise self.error(quoted('"'))
            character = self._text[self.place]
            if character == "\\":
                yield self._escaped()
            elif _UNSEEN.match(character):
                raise self.error("escape")
            else:
                self.place += 1
                yield character

    def _escaped(self) -> str:
        found = _ESCAPE.match(self._text, self.place)
        if found is None:
            raise self.error("escape")
        if found[1]:
            self.place = found.end()
            return found[1]
        code = int(found[2], 16)
        if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            raise self.error("escape")  # no text of JSON may have it
        self.place = found.end()
        return chr(code)


@dataclass(frozen=True, slots=True)
class Notation(Generic[ActionT]):
    """How a game writes its actions: the one spelling of each, and what is read."""

    write: Callable[[ActionT], str]
    """An action without blanks, legal or not."""
    read: Callable[[Reader], ActionT]
    """Read an action, up to a blank or the end."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a record tells beside the game; nothing of it changes what is played."""

    engine: str | None = None
    """Who wrote the record."""
    source: str | None = None
    """Who chose the seed, one of `SOURCES`."""
    commitment: str | None = None
    nonce: str | None = None


@dataclass(frozen=True, slots=True)
class Record(Generic[ActionT]):
    """A whole game, or one that goes on: how it began, every action, whether it is `complete`.

    It begins from a seed, or from a `state`, which is JSON that the core does not read, or, while
    that is still hidden, from neither. `options` has every option.
    """

    ruleset: str
    options: Mapping[str, Value]
    seats: int
    actions: tuple[ActionT, ...]
    seed: str | None = None
    state: str | None = None
    told: Told = field(default_factory=Told)
    is_complete: bool = True


def is_record(text: str) -> bool:
    """Return whether a text begins as a record does, and no action."""
    return _HEAD.match(text.lstrip(" \t\r\n")) is not None


def write_record(
    game: Game[Any, ActionT, Any], notation: Notation[ActionT], record: Record[ActionT]
) -> str:
    """Return the one spelling of a record: a line without a break."""
    told = record.told
    members = {
        "seed": _told(record.seed),
        "state": record.state,
        "source": told.source,
        "commitment": _told(told.commitment),
        "nonce": _told(told.nonce),
        "engine": _told(told.engine),
    }
    words = [
        f"{game.name}/{FORMAT}",
        record.ruleset + _options(game, record),
        f"seats={record.seats}",
        *(f"{name}={value}" for name, value in members.items() if value is not None),
        ":",
        *map(notation.write, record.actions),
        *([] if record.is_complete else ["*"]),
    ]
    return " ".join(words)


def read_record(
    game: Game[Any, ActionT, Any], notation: Notation[ActionT], text: str
) -> Record[ActionT]:
    """Return the record that a text is of; raise `NotationError` where it cannot be read on."""
    reader = Reader(text)
    reader.blanks()
    reader.need(f"{game.name}/{FORMAT}")
    reader.gap()
    ruleset = reader.word("ruleset", tuple(game.rulesets))
    given = _read_options(game, reader)
    reader.gap()
    reader.need("seats=")
    seats = reader.number("seats", game.seats[0], game.seats[-1])
    reader.gap()
    members = _read_members(reader)
    reader.gap()
    actions: list[ActionT] = []
    while not reader.is_at_end and not reader.is_next("*"):
        if len(actions) == MOST_ACTIONS:
            raise reader.error(quoted("*"), "end")
        actions.append(notation.read(reader))
        reader.gap()
    is_complete = not reader.takes("*")
    _end(reader)
    options = game.resolve(ruleset, seats, given)
    seed, state = members.pop("seed", None), members.pop("state", None)
    return Record(
        ruleset, options, seats, tuple(actions), seed, state, Told(**members), is_complete
    )


def read_action(notation: Notation[ActionT], text: str) -> ActionT:
    """Return the action that a text is of; raise `NotationError` where it cannot be read on."""
    reader = Reader(text)
    reader.blanks()
    action = notation.read(reader)
    _end(reader)
    return action


def quoted(literal: str) -> str:
    """Return characters as an error names them."""
    return f"'{literal}'" if '"' in literal else f'"{literal}"'


def _end(reader: Reader) -> None:
    reader.blanks()
    if not reader.is_at_end:
        raise reader.error("end")


def _options(game: Game[Any, Any, Any], record: Record[Any]) -> str:
    """Return, in parentheses, the options that do not follow from the ruleset and those before."""
    differing: dict[str, Value] = {}
    for option in game.options:
        value = record.options[option.name]
        if game.resolve(record.ruleset, record.seats, differing)[option.name] != value:
            differing[option.name] = value
    told = (f"{name}={_value(value)}" for name, value in differing.items())
    return f"({','.join(told)})" if differing else ""


def _value(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read_options(game: Game[Any, Any, Any], reader: Reader) -> dict[str, Value]:
    known = {option.name: option for option in game.options}
    given: dict[str, Value] = {}
    if not reader.takes("("):
        return given
    while not given or not reader.takes(")"):
        if given and not reader.takes(","):
            raise reader.error(quoted(","), quoted(")"))
        name = reader.word("option", tuple(each for each in known if each not in given))
        reader.need("=")
        given[name] = _read_value(known[name].values, reader)
    return given


def _read_value(values: range | tuple[int, ...] | tuple[str, ...], reader: Reader) -> Value:
    if isinstance(values, range):
        return reader.number("number", values[0], values[-1])
    words: dict[str, Value] = {_value(value): value for value in values}
    before = reader.place
    number = reader.digits()
    if number is not None:
        if str(number) not in words:
            raise reader.error(*words, place=before)
        return words[str(number)]
    return words[reader.word("value", tuple(words))]


def _read_members(reader: Reader) -> dict[str, str]:
    """Read what stands between the seats and the actions: each at most once, in any order."""
    members: dict[str, str] = {}
    while not reader.takes(":"):
        begins = {"seed", "state"}
        left = [
            name
            for name in _MEMBERS
            if name not in members and not (name in begins and begins & members.keys())
        ]
        found = next((name for name in left if reader.is_next(f"{name}=")), None)
        if found is None:
            raise reader.error(*left, quoted(":"))
        reader.need(f"{found}=")
        members[found] = _MEMBERS[found](reader)
        reader.gap()
    return members


_MEMBERS: Final[Mapping[str, Callable[[Reader], str]]] = {
    "seed": lambda reader: reader.told(LONGEST_TEXT),
    "state": lambda reader: reader.braced("state"),
    "source": lambda reader: reader.word("source", SOURCES),
    "commitment": lambda reader: reader.told(LONGEST_TEXT),
    "nonce": lambda reader: reader.told(LONGEST_TEXT),
    "engine": lambda reader: reader.told(LONGEST_NAME),
}
"""What may be told of a record, and how each is read."""


def _told(text: str | None) -> str | None:
    """Return a text bare if that can be, else in quotes."""
    if text is None or _BARE.fullmatch(text):
        return text
    return f'"{"".join(map(_character, text))}"'


def _character(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    return f"\\u{{{ord(character):x}}}" if _UNSEEN.match(character) else character
