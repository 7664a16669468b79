"""English sentences of codes, from a template and the parameters of one occurrence.

A template is text with the parameters in braces: `"Card {card} is not there."`. A parameter is what
JSON can say; it is spoken as a person would: `["white", "red"]` is "white and red", a map of counts
`{"white": 2, "red": 0}` is "2 white". A list of alternatives is asked for by `{expected:or}`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

LONGEST_TEXT = 100
"""Characters of a text that are quoted; what was sent by a caller never fills an answer."""

LONGEST_LIST = 12
"""Members of a list or a map that are spoken before "and N more"."""

NOTHING = "none"


def sentence(template: str, params: Mapping[str, object]) -> str:
    """Return `template` with `params` spoken in it, beginning with a capital letter.

    Raises `KeyError` if the template asks for a parameter that is not there.
    """
    spoken = template.format_map({name: _Spoken(value) for name, value in params.items()})
    return spoken[:1].upper() + spoken[1:]


def clipped(text: str) -> str:
    """Return `text`, cut to `LONGEST_TEXT` characters with an ellipsis as the last."""
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


class _Spoken:
    """A parameter within a template; the format is the word before the last of a list."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __format__(self, last_word: str) -> str:
        return _spoken(self.value, last_word or "and")


def _spoken(value: object, last_word: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return clipped(value)
    if value is None:
        return NOTHING
    if isinstance(value, Mapping):
        return _listed([_counted(name, count) for name, count in value.items() if count], last_word)
    if isinstance(value, Sequence | set | frozenset):
        return _listed([_spoken(member, last_word) for member in value], last_word)
    return clipped(str(value))


def _counted(name: object, value: object) -> str:
    """Return `2 white` for a count, `white: …` for anything else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value} {name}"
    return f"{name}: {_spoken(value, 'and')}"


def _listed(words: list[str], last_word: str) -> str:
    if not words:
        return NOTHING
    if len(words) > LONGEST_LIST:
        words = [*words[:LONGEST_LIST], f"{len(words) - LONGEST_LIST} more"]
    if len(words) == 1:
        return words[0]
    return f"{', '.join(words[:-1])} {last_word} {words[-1]}"
