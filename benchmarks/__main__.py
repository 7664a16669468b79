"""Measure: `python -m benchmarks [name …]`; if none is named, all but those that take long.

Writes `results/<name>.json`, prints a table, and makes the report, its pictures and the README's
table of what was measured last. `strength` stands apart: it plays matches, for as long as an hour,
and prints their table.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import click

from benchmarks import (
    capacity,
    core,
    http,
    memory,
    report,
    sealed,
    sessions,
    soak,
    streams,
    strength,
    wire,
    workers,
)
from benchmarks.rounds import FULL, Report, Size

BENCHMARKS: dict[str, Callable[[Size], Report]] = {
    "wire": wire.run,
    "core": core.run,
    "sealed": sealed.run,
    "memory": memory.run,
    "http": http.run,
    "sessions": sessions.run,
    "streams": streams.run,
    "workers": workers.run,
    "capacity": capacity.run,
}
BY_NAME_ONLY: dict[str, Callable[[Size], Report]] = {"soak": soak.run}
"""What takes long, and says more of the service than of what was changed last."""
STRENGTH = "strength"


@click.command()
@click.argument("names", nargs=-1, type=click.Choice((*BENCHMARKS, *BY_NAME_ONLY, STRENGTH)))
@click.option("--rounds", default=FULL.rounds, show_default=True, type=click.IntRange(1))
@click.option(
    "--seconds",
    default=FULL.soaked,
    show_default=True,
    type=click.FloatRange(1, 3600),
    help="How long the soak is.",
)
@click.option(
    "--playouts",
    default=strength.PLAYOUTS,
    show_default=True,
    type=click.IntRange(1),
    help="Games that a search plays to the end, in strength.",
)
def main(names: tuple[str, ...], rounds: int, seconds: float, playouts: int) -> None:
    """Measure the benchmarks of these names, or all that need not be named."""
    if STRENGTH in names:
        strength.report(playouts, os.cpu_count() or 1)
        names = tuple(name for name in names if name != STRENGTH)
        if not names:
            return
    size = replace(FULL, rounds=rounds, soaked=seconds)
    reports = [_measured(name, size) for name in names or BENCHMARKS]
    for line in report.table(reports):
        click.echo(line)
    report.publish(report.saved((*BENCHMARKS, *BY_NAME_ONLY)))


def _measured(name: str, size: Size) -> Report:
    """Run a benchmark, save what it found with what the machine was like, and return it."""
    began, load = perf_counter(), os.getloadavg()[0]
    found = (BENCHMARKS | BY_NAME_ONLY)[name](size)
    machine = {
        "python": platform.python_version(),
        "processors": f"{os.cpu_count()} of {_processor()}",
        "load average before": f"{load:.1f}",
        "seconds": f"{perf_counter() - began:.0f}",
    }
    described = replace(found, conditions={**found.conditions, **machine})
    path = report.save(described)
    click.echo(f"{name}: {machine['seconds']} s, {path.name}", err=True)
    return described


def _processor() -> str:
    """Return what the processor calls itself, if that can be had."""
    try:
        told = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        told = ""
    found = re.search(r"^model name\s*: (.+)$", told, re.MULTILINE)
    return found[1] if found else platform.machine()


if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
