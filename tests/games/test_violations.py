from __future__ import annotations

import pytest

from splendor_api.games.violations import GAME_OVER, WRONG_PHASE, WRONG_SEAT, Code, Violation

SHORT = Code("short", "S1", says="{have} of {need}.", means="Few.", params=("have", "need"))


def test_an_occurrence_tells_its_place_and_its_parameters() -> None:
    violation = SHORT.at("/colors", have=1, need=2)
    assert violation == Violation(SHORT, "/colors", {"have": 1, "need": 2})
    assert violation.code.says.format_map(violation.params) == "1 of 2."


@pytest.mark.parametrize(
    "params", [{}, {"have": 1}, {"need": 2, "have": 1}, {"have": 1, "want": 2}]
)
def test_exactly_the_parameters_are_given_in_their_order(params: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="short takes"):
        SHORT.at("/colors", **params)


def test_it_is_seen_from_further_up() -> None:
    violation = SHORT.at("/colors", have=1, need=2).under("/action")
    assert violation.pointer == "/action/colors"
    assert violation.params == {"have": 1, "need": 2}
    assert violation.code is SHORT


def test_a_pointer_may_be_left_out() -> None:
    assert GAME_OVER.at() == Violation(GAME_OVER, "", {})
    assert Violation(GAME_OVER, "").params == {}


def test_what_every_game_may_say() -> None:
    assert [code.name for code in (GAME_OVER, WRONG_SEAT, WRONG_PHASE)] == [
        "game_over",
        "wrong_seat",
        "wrong_phase",
    ]
    assert {code.rule for code in (GAME_OVER, WRONG_SEAT, WRONG_PHASE)} == {""}
