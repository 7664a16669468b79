"""What the benchmarks found, for people and for machines.

Each benchmark saves all it measured; the report, its pictures and the README's table are made of
what was saved last. So one benchmark can be run again by itself: its ratios are of one run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks import curves
from benchmarks.plot import plot
from benchmarks.rounds import RATIO, Curve, Figure, Goal, Report

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results"
README = FOLDER.parent / "README.md"
PAGE = "report.md"
PLOTS = "plots"

_BLOCK = re.compile(
    r"(?<=^<!-- benchmarks -->\n).*?(?=^<!-- end benchmarks -->$)", re.DOTALL | re.MULTILINE
)


class MarksError(Exception):
    """The page has no block for benchmarks, or several."""


def table(reports: Iterable[Report], *, goals_only: bool = False) -> Iterator[str]:
    """Yield the lines of a Markdown table: a figure a line, its median and its quartiles."""
    yield "| what | median | quartiles | goal |"
    yield "| --- | ---: | ---: | --- |"
    for report in reports:
        for figure in report.figures:
            if goals_only and figure.goal is None:
                continue
            low, high = figure.quartiles
            cells = (
                f"{report.name}: {figure.what}",
                _shown(figure.median, figure.unit),
                f"{_shown(low, figure.unit)} to {_shown(high, figure.unit)}",
                _goal(figure),
            )
            yield f"| {' | '.join(cells)} |"


def save(report: Report, folder: Path = RESULTS) -> Path:
    """Write everything of a report to `<name>.json`; return where."""
    content = {
        "benchmark": report.name,
        "conditions": dict(report.conditions),
        "figures": [
            {
                "what": figure.what,
                "unit": figure.unit,
                "median": figure.median,
                "quartiles": figure.quartiles,
                "values": figure.values,
                "goal": figure.goal and {"bound": figure.goal.bound, "most": figure.goal.is_most},
            }
            for figure in report.figures
        ],
        "rates": {name: list(values) for name, values in report.rates.items()},
        "curves": {name: asdict(curve) for name, curve in report.curves.items()},
    }
    folder.mkdir(exist_ok=True)
    path = folder / f"{report.name}.json"
    path.write_text(json.dumps(_rounded(content), indent=1, ensure_ascii=False) + "\n", "utf-8")
    return path


def saved(names: Iterable[str], folder: Path = RESULTS) -> list[Report]:
    """Return what was saved last of the benchmarks of these names, if anything was."""
    paths = (folder / f"{name}.json" for name in names)
    return [_report(json.loads(path.read_text("utf-8"))) for path in paths if path.exists()]


def publish(reports: Sequence[Report], readme: Path = README, folder: Path = FOLDER) -> None:
    """Write the report and its pictures, and put what has a goal into the README's block.

    Raises `MarksError`.
    """
    text = readme.read_text("utf-8")
    block = "\n".join(
        (
            "",
            "Ratios of one run, in whose rounds the compared take turns. `make bench` makes this",
            "table, and [the whole report](benchmarks/report.md).",
            "",
            *table(reports, goals_only=True),
            "",
            "",
        )
    )
    written, blocks = _BLOCK.subn(lambda _: block, text)
    if blocks != 1:
        raise MarksError(f"{readme.name} has {blocks} blocks for benchmarks")
    readme.write_text(written, "utf-8")
    (folder / PLOTS).mkdir(exist_ok=True)
    for report in reports:
        picture = _picture(report)
        if picture is not None:
            (folder / PLOTS / f"{report.name}.svg").write_text(picture, "utf-8")
    (folder / PAGE).write_text("\n".join(page(reports)), "utf-8")


def page(reports: Sequence[Report]) -> Iterator[str]:
    """Yield the lines of the report."""
    yield from (
        "# What was measured",
        "",
        "Made by `make bench`, or for one group by its name, such as `python -m benchmarks core`.",
        "",
        "A machine is faster or slower from one minute to the next, so what is compared takes",
        "turns in the rounds of one run; each round gives a ratio, and what is told is their",
        "median with its quartiles. In the pictures the dot is the median, the bar lies between",
        "the quartiles, the stroke is the goal, and the dotted line is the ratio 1.",
        "",
    )
    yield from chain.from_iterable(_section(report) for report in reports)


def _section(report: Report) -> Iterator[str]:
    yield from (f"## {report.name}", "")
    if _picture(report) is not None:
        yield from (f"![{report.name}]({PLOTS}/{report.name}.svg)", "")
    yield from table([report])
    yield ""
    yield from (f"- {name}: {told}" for name, told in report.conditions.items())
    yield ""


def _picture(report: Report) -> str | None:
    """Return the picture of a report: of what changed over time, else of its ratios, if any."""
    if report.curves:
        return curves.plot(report.name, report.curves)
    ratios = _ratios(report)
    return plot(report.name, ratios) if ratios else None


def _ratios(report: Report) -> list[Figure]:
    return [figure for figure in report.figures if figure.unit == RATIO]


def _report(content: dict[str, Any]) -> Report:
    """Return the report that was saved as `content`."""
    figures = (
        Figure(
            each["what"],
            tuple(each["values"]),
            each["unit"],
            each["goal"] and Goal(each["goal"]["bound"], each["goal"]["most"]),
        )
        for each in content["figures"]
    )
    changing = {
        name: Curve(each["unit"], each["every"], tuple(each["values"]))
        for name, each in content.get("curves", {}).items()
    }
    return Report(
        content["benchmark"], content["conditions"], tuple(figures), content["rates"], changing
    )


def _shown(value: float, unit: str) -> str:
    if unit == RATIO:
        return f"{value:.2f}"
    return f"{value:,.2f} {unit}" if abs(value) < 10 else f"{value:,.0f} {unit}"


def _goal(figure: Figure) -> str:
    if figure.goal is None:
        return ""
    return f"{figure.goal}{'' if figure.goal.is_met(figure.median) else ', missed'}"


def _rounded(value: object) -> object:
    """Return the content with numbers of as many digits as mean something."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    return [*map(_rounded, value)] if isinstance(value, (list, tuple)) else value
