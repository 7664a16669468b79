"""What is made of measurements, without any."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

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


REPORTS = [
    Report(
        "any",
        {"load": "none"},
        (
            Figure("fast & light", (0.4, 0.5, 0.6), goal=Goal(0.5)),
            Figure("slow", (0.2,)),
            Figure("small", (7.0,), "bytes", Goal(9, is_most=True)),
        ),
        {"calls a second": [4.0, 5.0, 6.0]},
    ),
    Report("sizes", {}, (Figure("large", (1e6,), "bytes"),), {}),
]


def test_the_readme_gets_what_has_a_goal_into_its_block(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n\n{MARKS}\nafter\n", "utf-8")
    report.publish(REPORTS, readme, tmp_path)
    once = readme.read_text("utf-8")
    assert once.startswith("before\n\n<!-- benchmarks -->\n")
    assert once.endswith("\n<!-- end benchmarks -->\n\nafter\n")
    assert "| any: fast & light | 0.50 |" in once
    assert "slow" not in once
    assert "old" not in once
    report.publish(REPORTS, readme, tmp_path)
    assert readme.read_text("utf-8") == once


def test_the_report_has_every_figure_and_a_picture_of_the_ratios(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(MARKS, "utf-8")
    report.publish(REPORTS, readme, tmp_path)
    text = (tmp_path / report.PAGE).read_text("utf-8")
    for line in ("| any: slow | 0.20 |", "| sizes: large | 1,000,000 bytes |", "- load: none"):
        assert line in text
    assert [path.name for path in (tmp_path / report.PLOTS).iterdir()] == ["any.svg"]
    assert "![any](plots/any.svg)" in text
    root = ET.fromstring((tmp_path / report.PLOTS / "any.svg").read_text("utf-8"))
    assert root.tag.endswith("svg")
    words = [element.text for element in root if element.tag.endswith("text")]
    assert words == ["fast & light", "0.50", "slow", "0.20"]


def test_what_was_saved_is_what_is_reported(tmp_path: Path) -> None:
    for each in REPORTS:
        report.save(each, tmp_path)
    assert report.saved(["any", "never run", "sizes"], tmp_path) == REPORTS


@pytest.mark.parametrize("text", ["no block", MARKS + MARKS])
def test_a_page_without_exactly_one_block_is_refused(tmp_path: Path, text: str) -> None:
    page = tmp_path / "README.md"
    page.write_text(text, "utf-8")
    with pytest.raises(report.MarksError):
        report.publish([], page, tmp_path)


def test_the_readme_has_the_block(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_bytes(report.README.read_bytes())
    report.publish([], page, tmp_path)
