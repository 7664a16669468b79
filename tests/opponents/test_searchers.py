"""Processes that search: bounded in number, time and memory, and gone with whoever asks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import Pipe
from threading import Event
from time import monotonic
from typing import Any

import pytest

from splendor_api.games.opponents import Effort
from splendor_api.opponents import searchers as module
from splendor_api.opponents.searcher import MEMORY, NICENESS, Question, answer, serve
from splendor_api.opponents.searchers import NO_SEARCHERS, Busy, Searchers

LONG = 30.0


def count(start: int, effort: Effort) -> int:
    """Count as far as the effort lets it."""
    return start + effort.playouts


def process(_: Effort) -> tuple[int, int]:
    """Tell which process this is, and how nice."""
    return os.getpid(), os.nice(0)


def until_late(effort: Effort) -> int:
    """Look at the clock until there is no time left; return how often."""
    looks = 0
    while effort.has_time():
        looks += 1
    return looks


def crash(_: Effort) -> None:
    """Be a bug."""
    raise LookupError("as it happens")


def gorge(_: Effort) -> int:
    """Take more memory than there is for it."""
    return len(bytearray(2 * MEMORY))


def vanish(_: Effort) -> None:
    """End the process."""
    os._exit(1)


@pytest.fixture
def searchers() -> Iterator[Searchers]:
    """Return two searchers."""
    made = Searchers(2)
    yield made
    made.close()


def ask(searchers: Searchers, function: Any, *arguments: Any, seconds: float = LONG) -> Any:
    """Return what is answered in so many seconds."""
    return searchers.ask(function, *arguments, playouts=7, seconds=seconds)


def test_a_question_is_answered_elsewhere_and_nicely(searchers: Searchers) -> None:
    assert ask(searchers, count, 5) == 12
    pid, niceness = ask(searchers, process)
    assert pid != os.getpid()
    assert niceness == min(19, os.nice(0) + NICENESS)


def test_an_idle_searcher_is_asked_again(searchers: Searchers) -> None:
    assert ask(searchers, process) == ask(searchers, process)


def test_a_search_looks_at_the_clock(searchers: Searchers) -> None:
    before = monotonic()
    assert ask(searchers, until_late, seconds=0.05) > 0
    assert monotonic() - before >= 0.05


def test_a_bug_is_told_and_the_searcher_goes_on(searchers: Searchers) -> None:
    first = ask(searchers, process)
    with pytest.raises(RuntimeError, match="LookupError: as it happens"):
        ask(searchers, crash)
    assert ask(searchers, process) == first


def test_too_much_memory_is_not_given(searchers: Searchers) -> None:
    with pytest.raises(RuntimeError, match="MemoryError"):
        ask(searchers, gorge)
    assert ask(searchers, count, 0) == 7


def test_a_searcher_that_is_gone_is_replaced(searchers: Searchers) -> None:
    first = ask(searchers, process)
    with pytest.raises(Busy):
        ask(searchers, vanish)
    assert ask(searchers, process) != first


def test_a_searcher_that_does_not_answer_in_time_is_ended(
    searchers: Searchers, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid, _ = ask(searchers, process)
    monkeypatch.setattr(module, "GRACE", -LONG)  # so that the time is over at once
    with pytest.raises(Busy):
        ask(searchers, until_late)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    monkeypatch.undo()
    assert ask(searchers, process)[0] != pid


def test_no_more_than_so_many_search_at_once(searchers: Searchers) -> None:
    with searchers.place(), searchers.place(), pytest.raises(Busy):
        ask(searchers, count, 0)
    assert ask(searchers, count, 0) == 7


def test_several_are_asked_at_once(searchers: Searchers) -> None:
    started = Event()

    def asked(_: int) -> int:
        started.wait()
        return int(ask(searchers, process)[0])

    with ThreadPoolExecutor(2) as pool:
        told = [pool.submit(asked, number) for number in range(2)]
        started.set()
        assert {each.result() for each in told} <= {*_children(searchers)}


def _children(searchers: Searchers) -> list[int]:
    with searchers.place() as one, searchers.place() as other:
        return [one.pid, other.pid]


def test_none_are_there_for_whoever_has_none() -> None:
    with pytest.raises(Busy):
        ask(NO_SEARCHERS, count, 0)


def test_a_searcher_ends_with_whoever_asks() -> None:
    asking, answering = Pipe()
    asking.send(Question(count, (1,), 1, LONG))
    asking.send(Question(crash, (), 1, LONG))
    reading = asking
    with ThreadPoolExecutor(1) as pool:
        served = pool.submit(serve, answering)
        assert reading.recv().told == 2
        assert reading.recv().failure == "LookupError: as it happens"
        asking.close()
        assert served.result(timeout=LONG) is None


def test_a_searcher_ends_without_a_word_when_nobody_waits_for_its_answer() -> None:
    """As when the worker that asked has been killed."""
    asking, answering = Pipe()
    asking.send(Question(count, (1,), 1, LONG))
    asking.close()
    serve(answering)


def test_an_effort_has_its_bounds() -> None:
    assert answer(Question(count, (3,), 4, LONG)) == 7
