"""A slow reader of JSON, written from RFC 8259 alone: what the strict reader is held to."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
HEX = re.compile(r"[0-9a-fA-F]{4}")
WORDS = {"true": True, "false": False, "null": None}
ESCAPES = {
    '"': '"',
    "\\": "\\",
    "/": "/",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
}


class NotJsonError(Exception):
    """The bytes are not one JSON text within the bounds."""


class Oracle:
    """Reads one text, character by character; `twins` are the pointers of repeated names."""

    def __init__(self, body: bytes, max_depth: int) -> None:
        try:
            self.text = body.decode("utf-8")
        except UnicodeDecodeError as error:
            raise NotJsonError from error
        self.place = 0
        self.max_depth = max_depth
        self.twins: list[str] = []
        self.value = self.element("", 0)
        self.space()
        self.need(self.place == len(self.text))

    def need(self, condition: object) -> None:
        if not condition:
            raise NotJsonError(self.place)

    def peek(self) -> str:
        return self.text[self.place : self.place + 1]

    def take(self, expected: str) -> bool:
        found = self.text.startswith(expected, self.place)
        self.place += len(expected) * found
        return found

    def space(self) -> None:
        while self.peek() and self.peek() in " \t\n\r":
            self.place += 1

    def element(self, pointer: str, depth: int) -> object:
        self.space()
        if self.take("{"):
            return self.members(pointer, depth + 1)
        if self.take("["):
            return self.items(pointer, depth + 1)
        if self.take('"'):
            return self.string()
        for word, value in WORDS.items():
            if self.take(word):
                return value
        return self.number()

    def members(self, pointer: str, depth: int) -> object:
        found: dict[str, object] = {}

        def member() -> None:
            self.space()
            self.need(self.take('"'))
            name = self.string()
            place = f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
            if name in found and place not in self.twins:
                self.twins.append(place)
            self.space()
            self.need(self.take(":"))
            found[name] = self.element(place, depth)

        self.sequence("}", depth, member)
        return found

    def items(self, pointer: str, depth: int) -> object:
        found: list[object] = []
        self.sequence(
            "]", depth, lambda: found.append(self.element(f"{pointer}/{len(found)}", depth))
        )
        return found

    def sequence(self, end: str, depth: int, part: Callable[[], None]) -> None:
        self.need(depth <= self.max_depth)
        self.space()
        if self.take(end):
            return
        part()
        self.space()
        while self.take(","):
            part()
            self.space()
        self.need(self.take(end))

    def string(self) -> str:
        units: list[str] = []
        while not self.take('"'):
            self.need(self.peek() >= " ")
            units.append(self.escape() if self.take("\\") else self.plain())
        joined = "".join(units).encode("utf-16", "surrogatepass")
        try:
            return joined.decode("utf-16")
        except UnicodeDecodeError as error:
            raise NotJsonError(self.place) from error

    def plain(self) -> str:
        self.place += 1
        return self.text[self.place - 1]

    def escape(self) -> str:
        letter = self.peek()
        self.place += 1
        if letter == "u":
            found = HEX.match(self.text, self.place)
            self.need(found)
            self.place += 4
            return chr(int(self.text[self.place - 4 : self.place], 16))
        self.need(letter in ESCAPES)
        return ESCAPES[letter]

    def number(self) -> int | float:
        found = NUMBER.match(self.text, self.place)
        if found is None:
            raise NotJsonError(self.place)
        self.place = found.end()
        self.need(math.isfinite(float(found[0])))
        return float(found[0]) if found[1] or found[2] else int(found[0])
