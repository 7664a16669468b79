"""Sentences of codes: English, from a template and the parameters of one occurrence; and voices.

A template is text with the parameters in braces: `"Seat {seat} is not there."`. A parameter is what
JSON can say; it is spoken as a person would: `["white", "red"]` is "white and red", a map of counts
`{"white": 2, "red": 0}` is "2 white". A list of alternatives is asked for by `{expected:or}`,
thousands that stand apart by `{limit:,}`.

A `Sentence` is its English text and remembers what it was made from, so that a `Voice` can say the
same in another language where it is written down, and only then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Final

LONGEST_TEXT = 100
"""Characters of a text that are quoted; what was sent by a caller never fills an answer."""

LONGEST_LIST = 12
"""Members of a list or a map that are spoken before "and N more"."""

NOTHING = "none"

QUOTED: Final = frozenset({"allowed", "error", "fields", "name", "value", "words"})
"""Parameters that quote a request or name parts of it: their words are never translated."""


class Sentence(str):
    """An English sentence that can still be said in another language.

    Without `params` it is written as it stands, braces and all: a sentence that needs none, or a
    template that is shown as such.
    """

    __slots__ = ("params", "template")

    template: str
    params: Mapping[str, object]

    def __new__(cls, text: str, template: str, params: Mapping[str, object]) -> Sentence:
        """Return the sentence that reads `text` in English."""
        made = super().__new__(cls, text)
        made.template = template
        made.params = params
        return made


@dataclass(frozen=True, slots=True)
class Voice:
    """One language: what it makes of a template and of a word.

    `template` takes the English template and the number that decides between plural forms, `None`
    where there is none; `word` takes an English word. Either returns what it does not know.
    """

    tag: str
    """The language tag (RFC 5646)."""
    template: Callable[[str, int | None], str]
    word: Callable[[str], str]

    def say(self, sentence: Sentence) -> str:
        """Return `sentence` in this language."""
        params = sentence.params
        template = self.template(sentence.template, deciding(sentence.template, params))
        return _filled(template, params, self) if params else template

    def written(self, value: object) -> str:
        """Return what JSON writes for a sentence; raise `TypeError` for anything else."""
        if isinstance(value, Sentence):
            return self.say(value)
        raise TypeError(f"not plain data: {type(value).__name__}")


ENGLISH: Final = Voice("en", lambda template, _: template, lambda word: word)
"""The language that everything is written in."""


def sentence(template: str, params: Mapping[str, object]) -> Sentence:
    """Return `template` with `params` spoken in it, beginning with a capital letter.

    Raises `KeyError` if the template asks for a parameter that is not there.
    """
    return Sentence(_filled(template, params, ENGLISH), template, params)


def constant(text: str) -> Sentence:
    """Return a sentence that stands as it is; one that is made already stays the same."""
    return text if isinstance(text, Sentence) else Sentence(text, text, {})


def deciding(template: str, params: Mapping[str, object]) -> int | None:
    """Return the number that plural forms go by: the first whole one that `template` names."""
    if not params:
        return None
    named = (params.get(name or "") for _, name, _, _ in Formatter().parse(template))
    return next((value for value in named if type(value) is int), None)


def clipped(text: str) -> str:
    """Return `text`, cut to `LONGEST_TEXT` characters with an ellipsis as the last."""
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def _filled(template: str, params: Mapping[str, object], voice: Voice) -> str:
    spoken = template.format_map(
        {name: _Spoken(value, voice, name in QUOTED) for name, value in params.items()}
    )
    return spoken[:1].upper() + spoken[1:]


class _Spoken:
    """A parameter within a template; the format is the word before the last of a list, or ","."""

    __slots__ = ("is_quoted", "value", "voice")

    def __init__(self, value: object, voice: Voice, is_quoted: bool) -> None:
        self.value = value
        self.voice = voice
        self.is_quoted = is_quoted

    def __format__(self, asked: str) -> str:
        if asked == ",":
            return f"{self.value:,}".replace(",", self.voice.word(","))
        return self._spoken(self.value, asked or "and")

    def _spoken(self, value: object, last_word: str) -> str:
        if isinstance(value, bool):
            return self._term("true" if value else "false")
        if isinstance(value, Sentence):
            return self.voice.say(value)
        if isinstance(value, str):
            return clipped(self._term(value))
        if value is None:
            return self.voice.word(NOTHING)
        if isinstance(value, Mapping):
            counts = [self._counted(name, count) for name, count in value.items() if count]
            return self._listed(counts, last_word)
        if isinstance(value, Sequence | set | frozenset):
            return self._listed([self._spoken(member, last_word) for member in value], last_word)
        return clipped(str(value))

    def _term(self, word: str) -> str:
        return word if self.is_quoted else self.voice.word(word)

    def _counted(self, name: object, value: object) -> str:
        """Return `2 white` for a count, `white: …` for anything else."""
        if isinstance(value, int) and not isinstance(value, bool):
            return f"{value} {self._term(str(name))}"
        return f"{self._term(str(name))}: {self._spoken(value, 'and')}"

    def _listed(self, words: list[str], last_word: str) -> str:
        word = self.voice.word
        if not words:
            return word(NOTHING)
        if len(words) > LONGEST_LIST:
            more = word("{count} more").format(count=len(words) - LONGEST_LIST)
            words = [*words[:LONGEST_LIST], more]
        if len(words) == 1:
            return words[0]
        return f"{word(', ').join(words[:-1])} {word(last_word)} {words[-1]}"
