"""A process that searches: one question after another, until whoever asks is gone.

It gives way to whatever else wants the processor, has its own interpreter, so that no thread of a
worker ever waits for it, and a bound to its memory.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, Final, NamedTuple

from splendor_api.games.opponents import Effort

MEMORY: Final = 512 * 1024 * 1024  # bytes of addresses, of which an interpreter takes its part
NICENESS: Final = 10


@dataclass(frozen=True, slots=True)
class Question:
    """A function that takes an effort last, what it takes before, and the bounds of the effort."""

    ask: Callable[..., Any]
    arguments: tuple[Any, ...]
    playouts: int
    seconds: float


class Reply(NamedTuple):
    """What the function has answered, or in words what bug it met."""

    told: Any = None
    failure: str | None = None


def main() -> None:
    """Be a searcher: the connection is the file descriptor that the command line names."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal; the end comes by the connection
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    serve(Connection(int(sys.argv[1])))


def answer(question: Question) -> Any:
    """Return what the function says within its bounds."""
    has_time = partial(_is_before, monotonic() + question.seconds)
    return question.ask(*question.arguments, Effort(question.playouts, has_time))


def serve(asking: Connection) -> None:
    """Answer questions until nobody asks any more, or waits for the answer."""
    with suppress(EOFError, ConnectionError):
        while True:
            question = asking.recv()
            try:
                reply = Reply(answer(question))
            except Exception as error:  # noqa: BLE001 - whoever asks is told, and it goes on
                reply = Reply(failure=f"{type(error).__name__}: {error}")
            asking.send(reply)


def _is_before(deadline: float) -> bool:
    return monotonic() < deadline
