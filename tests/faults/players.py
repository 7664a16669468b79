"""Clients that play, repeat what is not answered, and keep a log; and what their logs must show.

A client sends an action under a fresh key until it is answered for good. What the service has
acknowledged is known from these logs alone: they are held against the history afterwards.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Event
from time import monotonic
from typing import Any

import httpx

from tests.faults.service import PATIENCE

PAUSE = 0.02  # seconds before a request is repeated
ANSWERED = frozenset({200, 403, 404, 409, 410, 412, 422, 428})
NEW_GAME = {"game": "splendor", "seats": 2}

Json = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """A request and its last answer: when it began and ended, what it acted on, what it made."""

    session: str
    key: str
    began: float
    ended: float
    status: int
    version: str
    tries: int
    has_replayed: bool


@dataclass
class Table:
    """A session and its tokens."""

    id: str
    host: str
    seats: list[str]

    @property
    def path(self) -> str:
        """The address of the session below the service's."""
        return f"/v1/sessions/{self.id}"


@dataclass
class Client:
    """One client with its connection and its log."""

    url: str
    log: list[Call] = field(default_factory=list)
    reads: list[tuple[str, int]] = field(default_factory=list)
    """Session and number of each version that was read, in order."""
    refused: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._http = httpx.Client(base_url=self.url, timeout=5)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def send(self, method: str, path: str, token: str = "", **more: Any) -> tuple[Any, int]:
        """Send a request until it is answered for good; return the answer and how many tries."""
        headers = {**more.pop("headers", {})}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        deadline, tries = monotonic() + PATIENCE, 0
        while True:
            tries += 1
            try:
                answer = self._http.request(method, path, headers=headers, **more)
            except httpx.TransportError:
                self.refused[0] += 1
            else:
                if answer.status_code in ANSWERED or answer.status_code in (201, 204):
                    return answer, tries
                assert answer.status_code == 503, answer.text
                assert "Retry-After" in answer.headers
                self.refused[503] += 1
            assert monotonic() < deadline, "the service has not come back"
            Event().wait(PAUSE)

    def new_table(self) -> Table:
        """Create a session."""
        key = {"Idempotency-Key": secrets.token_urlsafe(24)}
        answer, _ = self.send("POST", "/v1/sessions", json=NEW_GAME, headers=key)
        assert answer.status_code == 201, answer.text
        made = answer.json()
        return Table(made["id"], made["host_token"], made["seat_tokens"])

    def look(self, table: Table, seat: int) -> Json:
        """Return what a seat sees."""
        answer, _ = self.send("GET", table.path, table.seats[seat])
        seen: Json = answer.json()
        self.reads.append((table.id, int(seen["version"].split(".")[0])))
        return seen

    def act(self, table: Table, seat: int, version: str, action: Json) -> int:
        """Act on a version until there is an answer; return the status."""
        key, began = secrets.token_urlsafe(12), monotonic()
        answer, tries = self.send(
            "POST",
            f"{table.path}/actions",
            table.seats[seat],
            json={"action": action},
            headers={"Idempotency-Key": key, "If-Match": f'"{version}"'},
        )
        made = answer.json().get("version", "") if answer.status_code == 200 else ""
        self.log.append(
            Call(
                table.id,
                key,
                began,
                monotonic(),
                answer.status_code,
                made,
                tries,
                "Idempotency-Replayed" in answer.headers,
            )
        )
        return int(answer.status_code)

    def play(self, table: Table, stop: Event, most: int = 900) -> None:
        """Take tokens and give them back, in both seats, until told to stop or the game is over."""
        for _ in range(most):
            if stop.is_set():
                return
            seen = self.look(table, 0)
            seat = seen["to_act"]
            if seat is None:
                return
            listed, _ = self.send("GET", f"{table.path}/legal-actions", table.seats[seat])
            actions = listed.json().get("actions") if listed.status_code == 200 else None
            if actions:
                action = actions[len(self.log) % len(actions)]["action"]
                self.act(table, seat, seen["version"], action)

    def history(self, table: Table) -> list[Json]:
        """Return every step, as the first seat saw it."""
        answer, _ = self.send("GET", f"{table.path}/actions", table.seats[0])
        steps: list[Json] = answer.json()["steps"]
        return steps


def acknowledged(logs: list[list[Call]], session: str) -> list[Call]:
    """Return what was acknowledged in a session, over all clients."""
    return [call for log in logs for call in log if call.session == session and call.status == 200]


def faults(steps: list[Json], calls: list[Call]) -> Iterator[str]:
    """Yield what is wrong with a history, given everything that was acknowledged in its session.

    Every call was made until it was answered, so nothing is in doubt: the actions in the history
    are those acknowledged, each once, and in an order in which none was answered before it began.
    """
    numbers = [int(step["version"].split(".")[0]) for step in steps]
    if numbers != list(range(1, len(steps) + 1)):
        yield f"the versions are no order: {numbers}"
    acted = [step["version"] for step in steps if step["kind"] == "action"]
    told = Counter(call.version for call in calls)
    for version in acted:
        if told[version] == 0:
            yield f"{version} was acknowledged to nobody"
    for version, count in told.items():
        if count > 1:
            yield f"{version} was acknowledged {count} times, under as many keys"
        if version not in acted:
            yield f"{version} was acknowledged and is lost"
    place = {version: index for index, version in enumerate(acted)}
    known = sorted(
        (call for call in calls if call.version in place), key=lambda c: place[c.version]
    )
    for earlier, later in zip(known, known[1:], strict=False):
        if later.ended < earlier.began:
            yield f"{later.version} was answered before {earlier.version} was asked for"


def steps_back(reads: list[tuple[str, int]]) -> int:
    """Return how often a client read an older version than it had read before."""
    newest: Counter[str] = Counter()
    count = 0
    for session, number in reads:
        count += number < newest[session]
        newest[session] = max(newest[session], number)
    return count
