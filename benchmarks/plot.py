"""Figures as a picture: SVG, written by hand, for a page that shows a report.

A figure is a line: a dot at the median, a bar between the quartiles, a stroke at the goal. Colours
are mid-tones, to be seen on a light page as on a dark one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil

from benchmarks.rounds import Figure

WIDTH, LABELS, VALUES, LINE, MARGIN = 920, 500, 60, 24, 12
"""Pixels: the whole, the words on the left, the numbers on the right, a line, the edge."""

TEXT, RANGE, MET, MISSED, GOAL = "#7d8590", "#8ab4f8", "#2f81f7", "#d29922", "#3fb950"


def plot(title: str, figures: Sequence[Figure]) -> str:
    """Return a picture of figures that are ratios; on all lines the same length is the same."""
    top = max(max(each.quartiles[1], each.goal.bound if each.goal else 0) for each in figures)
    scale = (WIDTH - LABELS - VALUES - 2 * MARGIN) / _rounded_up(top)
    height = LINE * len(figures) + 2 * MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"',
        f'  font-family="sans-serif" font-size="13" fill="{TEXT}">',
        f"<title>{escape(title)}</title>",
        *_one(scale, height),
    ]
    for place, figure in enumerate(figures):
        lines += _line(figure, MARGIN + LINE * place + LINE / 2, scale)
    return "\n".join([*lines, "</svg>", ""])


def _rounded_up(top: float) -> float:
    """Return the end of the scale: the next half, or the next whole number where that is small."""
    return ceil(top * 2) / 2 if top < 5 else float(ceil(top))


def _one(scale: float, height: float) -> Iterator[str]:
    """Yield the line at 1, where both sides are the same."""
    x = LABELS + MARGIN + scale
    yield f'<path d="M{x:.1f} 4V{height - 4}" stroke="{TEXT}" stroke-dasharray="2 3"/>'


def _line(figure: Figure, y: float, scale: float) -> Iterator[str]:
    """Yield what a figure looks like."""
    start = LABELS + MARGIN
    low, middle, high = (
        start + scale * each for each in (figure.quartiles[0], figure.median, figure.quartiles[1])
    )
    is_missed = figure.goal is not None and not figure.goal.is_met(figure.median)
    yield f'<text x="{LABELS}" y="{y + 4:.1f}" text-anchor="end">{escape(figure.what)}</text>'
    yield (
        f'<rect x="{low:.1f}" y="{y - 4:.1f}" width="{max(1.0, high - low):.1f}" height="8" '
        f'rx="2" fill="{RANGE}" fill-opacity=".6"/>'
    )
    yield (f'<circle cx="{middle:.1f}" cy="{y:.1f}" r="4" fill="{MISSED if is_missed else MET}"/>')
    if figure.goal is not None:
        goal = start + scale * figure.goal.bound
        yield f'<path d="M{goal:.1f} {y - 8:.1f}V{y + 8:.1f}" stroke="{GOAL}" stroke-width="2"/>'
    yield f'<text x="{WIDTH - MARGIN}" y="{y + 4:.1f}" text-anchor="end">{figure.median:.2f}</text>'
