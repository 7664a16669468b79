"""Waiting for what is to happen, with a deadline; and how often faults are made."""

import os
from collections.abc import Callable
from threading import Event
from time import monotonic

PATIENCE = 30.0  # seconds; only a broken service takes as long
TICK = 0.01  # seconds from one look to the next, and before a request is repeated

TIMES = int(os.environ.get("FAULTS_TIMES") or 1)
"""How many times as many faults are made as in every run: `make torture` makes twenty times."""


def tick() -> None:
    """Let others do something."""
    Event().wait(TICK)


def until(condition: Callable[[], bool], patience: float = PATIENCE) -> None:
    """Look again and again until it is so; fail if it does not come to that."""
    deadline = monotonic() + patience
    while not condition():
        assert monotonic() < deadline, "it did not come to that"
        tick()
