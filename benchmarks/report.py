"""What a benchmark found, for people and for machines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.rounds import RATIO, Figure, Report

RESULTS = Path(__file__).with_name("results")
README = Path(__file__).parents[1] / "README.md"

_BLOCK = re.compile(
    r"(?<=^<!-- benchmarks -->\n).*?(?=^<!-- end benchmarks -->$)", re.DOTALL | re.MULTILINE
)


class MarksError(Exception):
    """The page has no block for benchmarks, or several."""


def table(reports: Iterable[Report]) -> Iterator[str]:
    """Yield the lines of a Markdown table: a figure a line, its median and its quartiles."""
    yield "| what | median | quartiles | goal |"
    yield "| --- | ---: | ---: | --- |"
    for report in reports:
        for figure in report.figures:
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
                "rounds": len(figure.values),
                "goal": figure.goal and str(figure.goal),
            }
            for figure in report.figures
        ],
        "rates": {name: list(values) for name, values in report.rates.items()},
    }
    folder.mkdir(exist_ok=True)
    path = folder / f"{report.name}.json"
    path.write_text(json.dumps(_rounded(content), indent=1, ensure_ascii=False) + "\n", "utf-8")
    return path


def publish(reports: Iterable[Report], page: Path = README) -> None:
    """Put the table into the page's block. Raises `MarksError`."""
    text = page.read_text("utf-8")
    block = "\n".join(
        (
            "",
            "Ratios of one run, in whose rounds the compared take turns. `make bench` makes this",
            "table; `benchmarks/results` has the conditions and every round.",
            "",
            *table(reports),
            "",
            "",
        )
    )
    written, blocks = _BLOCK.subn(lambda _: block, text)
    if blocks != 1:
        raise MarksError(f"{page.name} has {blocks} blocks for benchmarks")
    page.write_text(written, "utf-8")


def _shown(value: float, unit: str) -> str:
    return f"{value:.2f}" if unit == RATIO else f"{value:,.0f} {unit}"


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
