"""What changes over time as a picture: SVG, one panel a unit, one line a series.

Colours are mid-tones, to be seen on a light page as on a dark one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from math import ceil, log10

from benchmarks.rounds import Curve

WIDTH, PANEL, LEFT, RIGHT, TOP, BOTTOM = 920, 220, 60, 150, 28, 28
"""Pixels: the whole, a panel, and what is beside the lines of one."""

TEXT = "#7d8590"
LINES = ("#2f81f7", "#3fb950", "#d29922", "#f778ba")
STEPS = 4  # marks on an axis


def plot(title: str, curves: Mapping[str, Curve]) -> str:
    """Return a picture of curves; those of one unit are in one panel."""
    panels: dict[str, dict[str, Curve]] = {}
    for name, curve in curves.items():
        panels.setdefault(curve.unit, {})[name] = curve
    height = PANEL * len(panels)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"',
        f'  font-family="sans-serif" font-size="13" fill="{TEXT}">',
        f"<title>{escape(title)}</title>",
    ]
    for place, (unit, members) in enumerate(panels.items()):
        lines += _panel(unit, members, PANEL * place)
    return "\n".join([*lines, "</svg>", ""])


def _panel(unit: str, curves: Mapping[str, Curve], top: float) -> Iterator[str]:
    """Yield the axes of a panel, and its lines with their names beside them."""
    most = rounded_up(max(max(curve.values) for curve in curves.values()))
    length = max(curve.every * len(curve.values) for curve in curves.values())
    bottom, right = top + PANEL - BOTTOM, WIDTH - RIGHT
    across, up = (right - LEFT) / length, (PANEL - TOP - BOTTOM) / most
    yield f'<text x="{LEFT}" y="{top + TOP - 12}">{escape(unit)}</text>'
    for step in range(STEPS + 1):
        value, y = most * step / STEPS, bottom - up * most * step / STEPS
        yield f'<path d="M{LEFT} {y:.1f}H{right}" stroke="{TEXT}" stroke-opacity=".3"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>'
        seconds, x = length * step / STEPS, LEFT + across * length * step / STEPS
        yield f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{seconds:g} s</text>'
    for place, (name, curve) in enumerate(curves.items()):
        color = LINES[place % len(LINES)]
        points = " ".join(_points(curve, across, bottom, up))
        yield f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.5"/>'
        y = top + TOP + 18 * place + 4
        yield f'<text x="{right + 12}" y="{y}" fill="{color}">{escape(name)}</text>'


def _points(curve: Curve, across: float, bottom: float, up: float) -> Iterator[str]:
    """Yield the points of a line, each in the middle of its time."""
    for place, value in enumerate(curve.values):
        x = LEFT + across * curve.every * (place + 0.5)
        yield f"{x:.1f},{bottom - up * value:.1f}"


def rounded_up(most: float) -> float:
    """Return the end of a scale: a number of one digit, or one and a half, and zeros."""
    if most <= 0:
        return 1.0
    power = 10.0 ** int(log10(most) if most >= 1 else log10(most) - 1)
    return ceil(2 * most / power) / 2 * power


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the value that such a share of ordered values does not exceed."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
