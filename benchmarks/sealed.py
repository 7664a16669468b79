"""What it costs that nothing is stored and nothing seen: sealed against open `apply`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from statistics import harmonic_mean
from time import process_time
from typing import Any

from flask import Flask

from benchmarks import play
from benchmarks.rounds import Figure, Goal, Report, Size, interleaved, ratios
from splendor_api.app import create_app
from splendor_api.http.operations import Served
from splendor_api.sealing.keys import KEYS_AT_HAND, KeyRing, master_text
from splendor_api.settings import Secret, Settings
from splendor_api.wire import json_text

SEATS = 4
POSITIONS = 200  # bodies that are sent in turn
SEED = "a seed of as many characters as it takes"
KEY = master_text(b"\1", bytes(range(32)))
PATH = "/v1/games/splendor/apply"
TURN = 20  # calls before another contender's turn: less time than it takes a machine to slow down
TURNS = 160  # of each contender in a second of a round

OPEN = "open"
SEALED = "sealed, seats locked"
UNLOCKED = "sealed, seats not locked"
UNKNOWN = "sealed, seats locked, of deals long not seen"
TIMES = 6  # that each position is sealed for that: more deals than a process remembers keys of
GOAL = Goal(0.7)


def run(size: Size) -> Report:
    """Return the calls a CPU second, sealed by open; every contender gets the same positions."""
    app = create_app(Settings(seal_keys=(Secret(KEY),)))
    bodies = {
        OPEN: play.positions(SEATS, POSITIONS),
        SEALED: _sealed(is_locked=True),
        UNLOCKED: _sealed(is_locked=False),
        UNKNOWN: _sealed(is_locked=True, times=TIMES),
    }
    contenders = {
        name: _contender(app, [*map(json_text.write, sent)]) for name, sent in bodies.items()
    }
    assert TIMES * POSITIONS > KEYS_AT_HAND
    for warm in contenders.values():
        for turn in range(TIMES * POSITIONS // TURN):
            warm(turn)
    turns = max(1, round(size.seconds * TURNS))
    rates = {
        name: [harmonic_mean(each) for each in _rounds(values, turns)]
        for name, values in interleaved(contenders, size.rounds * turns).items()
    }
    return Report(
        "sealed",
        {
            "unit of work": "one apply, from the bytes of the request to those of the answer",
            "time": "CPU time of the process (time.process_time), without a server",
            "bodies": f"{POSITIONS} positions of random games, {SEATS} seats",
        },
        (
            Figure(
                f"apply, {SEALED}, against {OPEN}", ratios(rates[SEALED], rates[OPEN]), goal=GOAL
            ),
            Figure(f"apply, {UNLOCKED}, against {OPEN}", ratios(rates[UNLOCKED], rates[OPEN])),
            Figure(f"apply, {UNKNOWN}, against {OPEN}", ratios(rates[UNKNOWN], rates[OPEN])),
        ),
        {f"calls a CPU second, {name}": values for name, values in rates.items()},
    )


def _rounds(values: Sequence[float], size: int) -> Iterator[Sequence[float]]:
    """Yield the values of the turns of each round."""
    return (values[first : first + size] for first in range(0, len(values), size))


def _sealed(*, is_locked: bool, times: int = 1) -> list[dict[str, object]]:
    """Return the bodies of `play.positions`, sealed, with the key of the acting seat if needed.

    Each of them is of a deal of its own, so many `times` over.
    """
    served = Served.of(play.SPLENDOR, lambda: KeyRing.of([KEY]))
    read = served.bodies.apply.load
    sent = []
    for body in play.positions(SEATS, POSITIONS) * times:
        position: Any = read(json_text.read(json_text.write(body)))
        deal = served.seals.begin(SEED, is_locked=is_locked)
        sealed = {"state": served.seals.seal(position.state, deal), "action": body["action"]}
        seat = served.rules.seat_of(position.state, position.action)
        keys = served.seals.seat_keys(deal, SEATS)
        sent.append(sealed | ({"seat_key": keys[seat or 0]} if is_locked else {}))
    return sent


def _contender(app: Flask, bodies: Sequence[bytes]) -> Callable[[int], float]:
    """Return what makes the calls of a turn, with the same positions for every contender."""
    calls = [(_environ(body), body) for body in bodies]

    def calls_a_second(turn: int) -> float:
        first = turn * TURN % len(calls)
        chosen = calls[first : first + TURN]
        began = process_time()
        for environ, body in chosen:
            _call(app, environ | {"wsgi.input": BytesIO(body)})
        return len(chosen) / (process_time() - began)

    return calls_a_second


def _environ(body: bytes) -> dict[str, Any]:
    return {
        "REQUEST_METHOD": "POST",
        "SCRIPT_NAME": "",
        "PATH_INFO": PATH,
        "QUERY_STRING": "",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "localhost",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.url_scheme": "http",
    }


def _call(app: Flask, environ: dict[str, Any]) -> bytes:
    """Return the body of the answer, which must be good news."""
    answered: list[str] = []

    def start(status: str, *_: object) -> Callable[[bytes], object]:
        answered.append(status)
        return bytes

    body = b"".join(app.wsgi_app(environ, start))
    assert answered == ["200 OK"], body
    return body
