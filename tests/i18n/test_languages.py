"""Catalogues: everything is said in every language, and with the same parameters."""

from __future__ import annotations

import re
from functools import cache
from io import BytesIO
from string import Formatter

import pytest
from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from splendor_api.games.set.state import PHASES as SET_PHASES
from splendor_api.games.set.violations import SET_CERTAIN
from splendor_api.games.splendor import violations
from splendor_api.games.splendor.state import PHASES
from splendor_api.games.splendor.tokens import COLOR_WORDS
from splendor_api.http.problems import NOT_FOUND
from splendor_api.i18n.catalogue import ENGLISH, QUOTED, Sentence, constant, sentence
from splendor_api.i18n.languages import MACHINE_MADE, NAMES, WORD, text_of, voice
from splendor_api.wire.faults import FAULT_CODES, kind_of
from tests.i18n.sentences import WORDS, details, sentences

TAGS = sorted(NAMES.keys() - {"en"})
THINGS = "bonuses|calls|cards|colours|games|nobles|seats|sets|slots|tiles|tokens|turns"
SAMPLE = sentence(violations.TOO_FEW_COLORS.says, {"count": 2, "required": 3})


@cache
def catalogue(tag: str) -> Catalog:
    return read_po(BytesIO(text_of(tag).encode()), locale=tag, abort_invalid=True)


def entries(tag: str) -> list[Message]:
    return [entry for entry in catalogue(tag) if entry.id]


def forms(entry: Message) -> tuple[str, ...]:
    said = entry.string
    return (said,) if isinstance(said, str) else tuple(said or ())


def english(entry: Message) -> str:
    return entry.id if isinstance(entry.id, str) else str(entry.id[0])


def placeholders(template: str) -> list[tuple[str, str]]:
    return sorted(
        (name, spec or "") for _, name, spec, _ in Formatter().parse(template) if name is not None
    )


@pytest.mark.parametrize("tag", TAGS)
def test_every_sentence_is_said_and_no_other(tag: str) -> None:
    assert {english(entry) for entry in entries(tag) if entry.context is None} == sentences()


@pytest.mark.parametrize("tag", TAGS)
def test_every_word_is_said_and_no_other(tag: str) -> None:
    assert sorted(english(entry) for entry in entries(tag) if entry.context == WORD) == sorted(
        WORDS
    )
    assert {entry.context for entry in entries(tag)} == {None, WORD}


@pytest.mark.parametrize("tag", TAGS)
def test_every_form_names_the_same_parameters(tag: str) -> None:
    for entry in entries(tag):
        for form in forms(entry):
            assert form, english(entry)
            assert placeholders(form) == placeholders(english(entry)), form


@pytest.mark.parametrize("tag", TAGS)
def test_a_sentence_is_not_left_in_english(tag: str) -> None:
    for entry in entries(tag):
        if entry.context is None:
            assert english(entry) not in forms(entry)


@pytest.mark.parametrize("tag", TAGS)
def test_what_is_code_stays_as_it_is(tag: str) -> None:
    for entry in entries(tag):
        for form in forms(entry):
            assert form.split("`")[1::2] == english(entry).split("`")[1::2]


@pytest.mark.parametrize("tag", TAGS)
def test_a_catalogue_has_no_entry_twice_and_none_in_doubt(tag: str) -> None:
    assert text_of(tag).count("\nmsgid ") - 1 == len(entries(tag))
    assert not [entry for entry in catalogue(tag) if entry.fuzzy]
    assert not catalogue(tag).obsolete


@pytest.mark.parametrize("tag", TAGS)
def test_who_made_a_sentence_is_said_on_it(tag: str) -> None:
    remark = MACHINE_MADE.removeprefix("#").strip()
    for entry in entries(tag):
        assert entry.user_comments in ([remark], [])


@pytest.mark.parametrize("tag", TAGS)
def test_plural_forms_are_those_of_the_language(tag: str) -> None:
    category = Locale.parse(tag).plural_form
    for entry in entries(tag):
        if not entry.pluralizable:
            continue
        assert len(forms(entry)) == catalogue(tag).num_plurals
        said: dict[str, set[str]] = {}
        for number in range(120):
            template = voice(tag).template(english(entry), number)
            assert template in forms(entry)
            said.setdefault(category(number), set()).add(template)
        assert all(len(templates) == 1 for templates in said.values())


def test_gaelic_counts_in_four_ways() -> None:
    told = [
        voice("gd").say(sentence(SAMPLE.template, {"count": count, "required": 3}))
        for count in (1, 2, 3, 20, 11, 12)
    ]
    assert [text.split()[2] for text in told] == [
        "dath",
        "dhath",
        "dathan",
        "dath",
        "dath",
        "dhath",
    ]


def test_only_what_counts_has_plural_forms() -> None:
    for tag in TAGS:
        for entry in entries(tag):
            if entry.pluralizable:
                names = {name for name, _ in placeholders(english(entry))}
                assert names - QUOTED - {"color", "card", "phase"}, english(entry)


def test_no_detail_is_put_together_where_it_cannot_be_translated() -> None:
    assert [where for where, text in details() if text is None] == []


def test_the_words_are_those_that_are_said() -> None:
    kinds = {kind_of(value) for value in ({}, [], "", 1, 1.0, True, None, object())}
    assert {*COLOR_WORDS, *PHASES, *SET_PHASES, *kinds} <= set(WORDS)


def test_english_is_right_of_one_as_of_many() -> None:
    """English has no plural forms, so a sentence leaves a number and what it counts apart."""
    settings = {text for text, _ in details()}
    several = {violations.TOO_MANY_COLORS, violations.TOKEN_LIMIT_EXCEEDED, SET_CERTAIN}
    spoken = sentences() - settings - {code.says for code in several}
    ones = (re.sub(r"\{\w+[^}]*\}", "1", template) for template in spoken)
    assert [each for each in ones if re.search(rf"\b1 (\w+ )?({THINGS})\b", each)] == []


def test_english_is_what_was_written() -> None:
    assert voice("en") is ENGLISH
    assert ENGLISH.say(SAMPLE) == SAMPLE == "Colours named: 2; to be taken: 3."
    assert ENGLISH.written(SAMPLE) == str(SAMPLE)


def test_there_is_no_voice_for_another_language() -> None:
    with pytest.raises(KeyError):
        voice("../en")


def test_words_in_a_sentence_are_translated_and_what_was_sent_is_not() -> None:
    red = sentence(violations.DUPLICATE_COLOR.says, {"color": "red"})
    assert voice("sq").say(red) == "Ngjyra kuq është përmendur më shumë se një herë."
    sent = sentence(FAULT_CODES["not_one_of"].says, {"value": "red", "allowed": ["white", "true"]})
    assert voice("sq").say(sent) == "Red nuk është një nga këto: white dhe true."


def test_lists_and_counts_are_told_in_the_language() -> None:
    due = sentence(
        "Due are {due}; {paid} do not pay exactly that.",
        {
            "due": {"white": 1, "blue": 2, "gold": 0, "red": 3},
            "paid": {},
        },
    )
    assert voice("mn").say(due).startswith("Төлөх ёстой нь: 1 цагаан, 2 цэнхэр")
    assert "юу ч үгүй" in voice("mn").say(due)
    assert "1 اڇا، 2 نيري ۽ 3 لال" in voice("sd").say(due)


def test_thousands_stand_apart_as_the_language_has_it() -> None:
    large = sentence("The body is larger than {limit:,} bytes.", {"limit": 65_536})
    assert large == "The body is larger than 65,536 bytes."
    assert "65\u00a0536" in voice("sq").say(large)


def test_a_sentence_within_a_sentence_is_translated_too() -> None:
    fault = sentence("The body is not UTF-8.", {})
    told = sentence("{fault} (Characters before it: {position}.)", {"fault": fault, "position": 1})
    assert told == "The body is not UTF-8. (Characters before it: 1.)"
    assert voice("sq").say(told) == "Trupi nuk është UTF-8. (Para tij është 1 shkronjë.)"


def test_a_template_is_shown_in_its_general_form() -> None:
    template = constant(SAMPLE.template)
    assert template == SAMPLE.template
    assert voice("sq").say(template) == "Janë përmendur {count} ngjyra; duhen marrë {required}."


def test_what_nobody_has_translated_stays_english() -> None:
    assert voice("gd").say(constant("Something else.")) == "Something else."
    unknown = sentence("Not {word}.", {"word": "{other.__class__}"})
    assert voice("gd").say(unknown) == "Not {other.__class__}."


def test_a_problem_is_made_of_sentences() -> None:
    document = NOT_FOUND.document()
    assert isinstance(document["title"], Sentence)
    assert isinstance(document["detail"], Sentence)


def test_only_sentences_are_spoken() -> None:
    with pytest.raises(TypeError):
        voice("gd").written(b"bytes")
