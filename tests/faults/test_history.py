"""The checker judges right (P2): it passes long histories, and none with a fault in it."""

from dataclasses import replace

import pytest

from tests.faults.history import Deed, Made, Verdict, check

LONG = 100_000  # versions


def _session(length: int) -> tuple[list[Made], list[Deed]]:
    """Return a history in which all went well, and the logs of clients that took turns."""
    history = [Made("1.first", None)]
    deeds = []
    for number in range(2, length + 1):
        version, action = f"{number}.{number:x}", {"type": "pass", "seat": number % 2}
        history.append(Made(version, action))
        deeds.append(Deed("act", number, number + 0.5, version, number % 2, action, version))
        deeds.append(Deed("read", number + 0.6, number + 0.9, version))
    return history, deeds


def test_a_long_history_without_a_fault_passes() -> None:
    verdict = check(*_session(LONG))
    assert verdict == Verdict(acknowledged=LONG - 1)
    assert verdict.is_right


def test_what_was_sent_and_never_answered_may_be_there_or_not() -> None:
    history, deeds = _session(9)
    last = replace(deeds.pop(-2), version=None, answered=None)
    deeds[-1] = last
    assert check(history, deeds).is_right
    assert check(history[:-1], deeds).is_right


def test_actions_of_the_same_moment_may_come_in_any_order() -> None:
    history, deeds = _session(3)
    acts = [replace(deed, sent=1, answered=9) for deed in deeds if deed.kind == "act"]
    assert check(history, acts).is_right
    assert check(history, acts[::-1]).is_right


def _lost(history: list[Made], deeds: list[Deed]) -> None:
    del history[-1]


def _doubled(history: list[Made], deeds: list[Deed]) -> None:
    history.append(replace(history[-1], version="10.again"))


def _another(history: list[Made], deeds: list[Deed]) -> None:
    history[4] = replace(history[4], action={"type": "pass", "seat": 7})


def _shared(history: list[Made], deeds: list[Deed]) -> None:
    deeds.append(replace(deeds[-2], sent=99, answered=99.5))


def _gap(history: list[Made], deeds: list[Deed]) -> None:
    history[3] = Made("12.x", history[3].action)


def _same_id(history: list[Made], deeds: list[Deed]) -> None:
    history[0] = Made("1.9", None)


def _swapped(history: list[Made], deeds: list[Deed]) -> None:
    deeds[0], deeds[2] = (
        replace(deeds[2], sent=deeds[0].sent, answered=deeds[0].answered),
        replace(deeds[0], sent=deeds[2].sent, answered=deeds[2].answered),
    )


def _stale_read(history: list[Made], deeds: list[Deed]) -> None:
    deeds.append(Deed("read", 99, 99.5, history[2].version))


@pytest.mark.parametrize(
    ("fault", "lost", "twice"),
    [
        (_lost, 1, 0),
        (_doubled, 0, 1),
        (_another, 0, 0),
        (_shared, 0, 0),
        (_gap, 1, 1),
        (_same_id, 0, 0),
        (_swapped, 0, 0),
        (_stale_read, 0, 0),
    ],
)
def test_no_fault_passes(fault: object, lost: int, twice: int) -> None:
    history, deeds = _session(9)
    assert callable(fault)
    fault(history, deeds)
    verdict = check(history, deeds)
    assert not verdict.is_right
    assert (verdict.lost, verdict.twice) == (lost, twice)
