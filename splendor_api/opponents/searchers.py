"""The searchers of this process: started when first needed, a bounded number of them.

A search in a thread would hold the interpreter's lock against every request beside it. So each
runs in a process of its own, which is ended if it does not keep to its time.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from socket import socketpair
from threading import Lock
from typing import Any, Final

import splendor_api
from splendor_api.opponents.searcher import Question, Reply

GRACE: Final = 5.0  # seconds beyond its time in which a searcher must answer
_COMMAND: Final = "from splendor_api.opponents.searcher import main; main()"
_ROOT: Final = Path(splendor_api.__file__).parents[1]


class Busy(Exception):  # noqa: N818 - the name of the problem it becomes
    """Every searcher is at work, or one has not kept to its time; it may be asked again."""


class Searcher:
    """One process, and the connection to it."""

    def __init__(self) -> None:
        own, other = socketpair()
        with other:
            self._process: Final = subprocess.Popen(  # noqa: S603 - this service's own code
                (sys.executable, "-c", _COMMAND, str(other.fileno())),
                cwd=_ROOT,
                stdin=subprocess.DEVNULL,
                pass_fds=(other.fileno(),),
            )
        self._connection: Final = Connection(own.detach())

    @property
    def pid(self) -> int:
        """Return the number of the process."""
        return self._process.pid

    def ask(self, question: Question) -> Reply:
        """Return the answer; raise `TimeoutError`, `EOFError` or `OSError` if there is none."""
        self._connection.send(question)
        if not self._connection.poll(question.seconds + GRACE):
            raise TimeoutError
        reply: Reply = self._connection.recv()
        return reply

    def end(self) -> None:
        """End the process, at work or not."""
        self._connection.close()
        self._process.kill()
        self._process.wait()


class Searchers:
    """At most so many searchers, idle ones kept for the next question."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._idle: list[Searcher] = []
        self._lock: Final = Lock()

    def ask(self, ask: Callable[..., Any], *arguments: Any, playouts: int, seconds: float) -> Any:
        """Return what the function answers to the arguments and an effort within these bounds.

        Raises `Busy` if no searcher is free, or the one that is asked does not answer.
        """
        question = Question(ask, arguments, playouts, seconds)
        try:
            with self.place() as searcher:
                reply = searcher.ask(question)
        except (TimeoutError, EOFError, OSError) as error:
            raise Busy(type(error).__name__) from error
        if reply.failure is not None:
            raise RuntimeError(reply.failure)
        return reply.told

    @contextmanager
    def place(self) -> Iterator[Searcher]:
        """Have a searcher to oneself within this context; one that leaves it by an error is ended.

        Raises `Busy` if none is free.
        """
        with self._lock:
            if self._left <= 0:
                raise Busy("every searcher is at work")
            self._left -= 1
            searcher = self._idle.pop() if self._idle else None
        try:
            searcher = searcher or Searcher()
            yield searcher
        except BaseException:
            if searcher is not None:
                searcher.end()
            searcher = None
            raise
        finally:
            with self._lock:
                self._left += 1
                if searcher is not None:
                    self._idle.append(searcher)

    def close(self) -> None:
        """End every idle searcher; one at work ends by itself once nobody listens."""
        with self._lock:
            idle, self._idle = self._idle, []
        for searcher in idle:
            searcher.end()


NO_SEARCHERS: Final = Searchers(0)
"""For whoever has none: every question meets `Busy`."""
