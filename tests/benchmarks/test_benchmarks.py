"""Every benchmark runs, tells its ratios and saves them; how large they are is not judged here."""

from __future__ import annotations

import json
from math import inf, isfinite
from pathlib import Path

import pytest

from benchmarks import load, null, play, report, service
from benchmarks.__main__ import BENCHMARKS, BY_NAME_ONLY
from benchmarks.rounds import RATIO, TINY

BODY = b'{"some": ["body", 1]}'


@pytest.mark.parametrize("name", BENCHMARKS | BY_NAME_ONLY)
def test_a_benchmark_tells_its_figures(name: str, tmp_path: Path) -> None:
    found = (BENCHMARKS | BY_NAME_ONLY)[name](TINY)
    assert found.name == name
    assert found.figures
    for figure in found.figures:
        assert all(map(isfinite, figure.values)), figure
        if figure.unit == RATIO:
            assert len(figure.values) == TINY.rounds
            assert min(figure.values) > 0, figure
    _, _, *lines = report.table([found])
    assert [line.split(" | ")[0] for line in lines] == [
        f"| {name}: {figure.what}" for figure in found.figures
    ]
    saved = json.loads(report.save(found, tmp_path).read_text("utf-8"))
    assert [each["what"] for each in saved["figures"]] == [each.what for each in found.figures]


def test_both_generators_count_the_answers_and_refuse_others() -> None:
    with service.started(service.NULL, WEB_CONCURRENCY=1) as empty:
        for driven in (
            load.drive(empty.port, null.PATH, [BODY], 2, load.SHORTEST),
            load.by_sockets(empty.port, null.PATH, [BODY], 2, 0.05),
        ):
            assert driven.answers >= 2
            assert driven.rate > 0
        assert load.send_once(empty.port, null.PATH, [BODY] * 5, 2).answers == 5
        for seconds in (load.SHORTEST, 0.05):
            with pytest.raises(load.LoadError):
                load.drive(empty.port, "/elsewhere", [BODY], 2, seconds)
        assert len(empty.workers()) == 1
        assert empty.cpu_seconds() > 0


def test_random_play_follows_from_the_seed() -> None:
    assert play.splendor(2, 5) == play.splendor(2, 5, audit=True)
    assert play.chess_game(5) == play.chess_game(5)
    assert play.positions(4, 3) == play.positions(4, 3)


def test_an_even_load_is_measured_from_when_it_was_due() -> None:
    with service.started(service.NULL, WEB_CONCURRENCY=1) as empty:
        bodies = iter([BODY] * 20)
        dialogues = [load.calling(null.PATH, bodies, inf) for _ in range(2)]
        answered = load.paced(empty.port, dialogues, rate=100.0)
        assert len(answered) == 20
        due = sorted(each.due for each in answered)
        assert due == pytest.approx([0.01 * place for place in range(20)], abs=0.05)
        assert all(each.seconds > 0 for each in answered)
        with pytest.raises(load.LoadError):
            load.paced(empty.port, [load.calling("/elsewhere", iter([BODY]), inf)], 100.0)
