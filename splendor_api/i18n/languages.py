"""The languages that the service speaks, each but English from a gettext catalogue of its own.

`<language>.po` has an entry for every sentence, under its English template, and under the context
`word` one for each word that is put into sentences. Where a sentence counts something the entry has
the plural forms of its language. A catalogue is read when somebody first asks for its language.
"""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations
from importlib.resources import files
from io import BytesIO
from typing import Final

from splendor_api.i18n.catalogue import ENGLISH, Voice

NAMES: Final = {
    "en": "English",
    "gd": "Gàidhlig",
    "mn": "Монгол",
    "sd": "سنڌي",
    "sq": "Shqip",
}
"""Every language by its tag (RFC 5646), under its own name; English is spoken by default."""

RIGHT_TO_LEFT: Final = frozenset({"sd"})
"""Those of them that are written from right to left."""

WORD: Final = "word"
"""The context of entries that are words."""

MACHINE_MADE: Final = "# Machine-made; awaits a native reader.\n"
"""The remark on an entry that nobody who grew up with its language has read yet."""

_GENERAL: Final = 1_000_000  # a number that takes the form for "many" wherever there is one


@cache
def voice(tag: str) -> Voice:
    """Return the voice of a language; raise `KeyError` for one that is not in `NAMES`."""
    if tag not in NAMES:
        raise KeyError(tag)
    return ENGLISH if tag == ENGLISH.tag else _read(tag)


def text_of(tag: str) -> str:
    """Return the text of a language's catalogue."""
    return (files("splendor_api.i18n") / f"{tag}.po").read_text("utf-8")


def _read(tag: str) -> Voice:
    # Babel takes longer to import than all else here; who is asked in English does without it.
    from babel.messages.mofile import write_mo  # noqa: PLC0415 - as said above
    from babel.messages.pofile import read_po  # noqa: PLC0415 - as said above

    catalogue = read_po(BytesIO(text_of(tag).encode()), locale=tag, abort_invalid=True)
    counting = frozenset(entry.id[0] for entry in catalogue if entry.pluralizable)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    translations = GNUTranslations(compiled)

    def template(english: str, number: int | None) -> str:
        if english not in counting:
            return translations.gettext(english)
        return translations.ngettext(english, english, _GENERAL if number is None else number)

    def word(english: str) -> str:
        return translations.pgettext(WORD, english)

    return Voice(tag, template, word)
