"""What is made of measurements, without any."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from benchmarks import report
from benchmarks.rounds import Figure, Goal, Report, interleaved, ratios

MARKS = "<!-- benchmarks -->\n\nold\n\n<!-- end benchmarks -->\n"


def test_contenders_take_turns_and_take_turns_to_begin() -> None:
    order: list[str] = []

    def contender(name: str, _: int) -> float:
        order.append(name)
        return float(len(order))

    rates = interleaved({name: partial(contender, name) for name in "abc"}, 3)
    assert "".join(order) == "abcbcacab"
    assert rates == {"a": [1, 6, 8], "b": [2, 4, 9], "c": [3, 5, 7]}


def test_each_round_gives_a_ratio() -> None:
    assert ratios([1.0, 6.0], [2.0, 3.0]) == (0.5, 2.0)


def test_a_figure_has_median_and_quartiles() -> None:
    many, one = Figure("any", (1.0, 2.0, 3.0, 4.0, 100.0)), Figure("one", (7.0,))
    assert (many.median, *many.quartiles) == (3, 2, 4)
    assert (one.median, *one.quartiles) == (7, 7, 7)


@pytest.mark.parametrize(
    ("goal", "good", "bad"), [(Goal(0.5), 0.5, 0.49), (Goal(70, is_most=True), 70, 70.1)]
)
def test_a_goal_is_met_at_its_bound(goal: Goal, good: float, bad: float) -> None:
    assert goal.is_met(good)
    assert not goal.is_met(bad)


def test_the_table_says_which_goals_are_missed() -> None:
    figures = (Figure("fast", (0.4,), goal=Goal(0.5)), Figure("small", (1200.0,), "bytes"))
    assert list(report.table([Report("any", {}, figures, {})]))[2:] == [
        "| any: fast | 0.40 | 0.40 to 0.40 | ≥ 0.5, missed |",
        "| any: small | 1,200 bytes | 1,200 bytes to 1,200 bytes |  |",
    ]


def test_the_page_gets_the_table_into_its_block(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text(f"before\n\n{MARKS}\nafter\n", "utf-8")
    reports = [Report("any", {}, (Figure("fast", (0.4,)),), {})]
    report.publish(reports, page)
    once = page.read_text("utf-8")
    assert once.startswith("before\n\n<!-- benchmarks -->\n")
    assert once.endswith("\n<!-- end benchmarks -->\n\nafter\n")
    assert "| any: fast | 0.40 |" in once
    assert "old" not in once
    report.publish(reports, page)
    assert page.read_text("utf-8") == once


@pytest.mark.parametrize("text", ["no block", MARKS + MARKS])
def test_a_page_without_exactly_one_block_is_refused(tmp_path: Path, text: str) -> None:
    page = tmp_path / "README.md"
    page.write_text(text, "utf-8")
    with pytest.raises(report.MarksError):
        report.publish([], page)


def test_the_readme_has_the_block(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_bytes(report.README.read_bytes())
    report.publish([], page)
