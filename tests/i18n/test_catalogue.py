"""What codes say to people."""

from __future__ import annotations

import pytest

from splendor_api.i18n.catalogue import LONGEST_LIST, LONGEST_TEXT, clipped, deciding, sentence


@pytest.mark.parametrize(
    ("value", "spoken"),
    [
        (7, "7"),
        (True, "true"),
        (False, "false"),
        (None, "none"),
        ("white", "white"),
        ([], "none"),
        ([3], "3"),
        (["white", "blue"], "white and blue"),
        (("white", "blue", "red"), "white, blue and red"),
        ({"white": 2, "blue": 0, "red": 1}, "2 white and 1 red"),
        ({"white": 0}, "none"),
        ({"color": "red", "dim": True}, "color: red and dim: true"),
    ],
)
def test_a_parameter_is_spoken_as_a_person_would(value: object, spoken: str) -> None:
    assert sentence("It is {value}.", {"value": value}) == f"It is {spoken}."


def test_alternatives_are_joined_with_the_word_that_the_template_names() -> None:
    params = {"expected": ["main", "over"]}
    assert sentence("Only in phase {expected:or}.", params) == "Only in phase main or over."


def test_a_sentence_begins_with_a_capital_letter() -> None:
    assert sentence("{color} is named twice.", {"color": "white"}) == "White is named twice."


def test_braces_in_a_parameter_are_only_text() -> None:
    assert sentence("Not {word}.", {"word": "{other.__class__}"}) == "Not {other.__class__}."


def test_a_long_text_is_cut() -> None:
    told = sentence("Not {word}.", {"word": "x" * 30_000})
    assert told == f"Not {'x' * (LONGEST_TEXT - 1)}…."
    assert clipped("x" * LONGEST_TEXT) == "x" * LONGEST_TEXT


def test_a_long_list_is_cut_and_says_how_much_is_left_out() -> None:
    told = sentence("{cards}.", {"cards": list(range(LONGEST_LIST + 5))})
    assert told.endswith(f"{LONGEST_LIST - 1} and 5 more.")


def test_a_huge_number_is_cut() -> None:
    assert len(sentence("{count}", {"count": 10**400})) == LONGEST_TEXT


@pytest.mark.parametrize(
    ("template", "number"),
    [
        ("{count} of {limit:,}", 2),
        ("{limit:,} or {count}", 30),
        ("{counts} of {limit}", 30),
        ("{word}: {count}", 2),
        ("{word} is {is_there}", None),
        ("none", None),
    ],
)
def test_plural_forms_go_by_the_first_number_that_is_named(
    template: str, number: int | None
) -> None:
    params = {"limit": 30, "count": 2, "counts": [5], "word": "red", "is_there": True}
    assert deciding(template, params) == number


def test_a_missing_parameter_raises() -> None:
    with pytest.raises(KeyError):
        sentence("{count} of {limit}.", {"count": 1})
