"""Rules are read from the text that people read."""

from __future__ import annotations

import pytest

from splendor_api.http.rule_texts import Rule, of_game, read

TEXT = """# A game

- **X0** An item before any heading is prose. [x]

## First part

- **A1** The first rule,
  over two lines; see [A2](#a2). `option` [source: x;
  clarification]
- **A2** The second. [A1]

Prose between headings.

## Second part

- **A3** The third. [publisher]
"""


def test_a_rule_is_number_section_text_and_origin() -> None:
    assert list(read(TEXT)) == [
        Rule(
            "A1",
            "First part",
            "The first rule, over two lines; see [A2](#a2). `option`",
            "source: x; clarification",
        ),
        Rule("A2", "First part", "The second.", "A1"),
        Rule("A3", "Second part", "The third.", "publisher"),
    ]


@pytest.mark.parametrize(
    "rule", ["- **A1** No origin.", "- **a1** No number. [x]", "- **A1**No space. [x]"]
)
def test_a_rule_that_is_written_otherwise_is_not_passed_over(rule: str) -> None:
    with pytest.raises(ValueError, match="Part"):
        list(read(f"## Part\n\n{rule}\n- **A2** Good. [x]\n"))


def test_a_game_without_a_text_has_no_rules() -> None:
    assert of_game("nim") == ()


def test_the_rules_of_splendor_are_numbered_without_a_gap() -> None:
    assert [rule.number for rule in of_game("splendor")] == [f"S{n}" for n in range(1, 93)]
