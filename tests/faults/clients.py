"""Clients that never give up: each request is repeated, the same, until it is answered.

What they were told stands in their logs; `history.check` compares it with what was kept.
"""

import secrets
import ssl
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from random import Random
from threading import Event
from time import monotonic
from typing import Any

import httpx

from tests.faults.history import Deed, Json, Made, Verdict, check
from tests.faults.waiting import PATIENCE, tick, until

NEW_GAME: Json = {"game": "splendor", "seats": 2}


@dataclass
class Tries:
    """How often requests of a client have failed, and how."""

    broken: int = 0
    unavailable: int = 0


@dataclass(frozen=True)
class Answer:
    """An answer that is no 503, and how many requests it took."""

    response: httpx.Response
    attempts: int
    sent: float
    answered: float


class Client:
    """Asks a service on connections of its own; `trust` is a certificate to be believed, and
    `address` the one on the loopback that it asks from.
    """

    def __init__(self, url: str, trust: Path | None = None, address: str | None = None) -> None:
        believed = True if trust is None else ssl.create_default_context(cafile=str(trust))
        line = httpx.HTTPTransport(verify=believed, local_address=address)
        self.http = httpx.Client(base_url=url, timeout=PATIENCE, transport=line)
        self.tries = Tries()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def ask(self, method: str, path: str, **others: Any) -> Answer:
        """Ask until there is an answer other than 503, the same each time."""
        sent, attempts = monotonic(), 0
        while True:
            assert monotonic() < sent + PATIENCE, "the service has not come back"
            attempts += 1
            try:
                response = self.http.request(method, path, **others)
            except httpx.TransportError:
                self.tries.broken += 1
                tick()
                continue
            if response.status_code == 429 and "X-Request-Id" not in response.headers:
                tick()  # a proxy has its limits; who plays as fast as can be meets them
                continue
            if response.status_code != 503:
                return Answer(response, attempts, sent, monotonic())
            assert response.headers["Retry-After"].isdigit()
            assert response.headers["Content-Type"] == "application/problem+json"
            self.tries.unavailable += 1
            tick()

    def get(self, path: str, token: str | None = None) -> Json:
        """Return what is found at `path`."""
        answer = self.ask("GET", path, headers=bearer(token)).response
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found


def bearer(token: str | None) -> dict[str, str]:
    """Return the header field that shows a token."""
    return {} if token is None else {"Authorization": f"Bearer {token}"}


@dataclass
class Table:
    """A session all of whose seats one client plays, and the log of what it was told."""

    client: Client
    path: str
    tokens: tuple[str, ...]
    version: str
    to_act: int | None = 0
    log: list[Deed] = field(default_factory=list)
    random: Random = field(default_factory=lambda: Random(0))

    @classmethod
    def laid(cls, client: Client, random: Random | None = None, **others: Any) -> "Table":
        """Create a session, once, however often it takes."""
        answer = client.ask(
            "POST",
            "/v1/sessions",
            json=NEW_GAME | others,
            headers={"Idempotency-Key": secrets.token_urlsafe(24)},
        ).response
        assert answer.status_code == 201, answer.text
        made = answer.json()
        return cls(
            client,
            f"/v1/sessions/{made['id']}",
            tuple(made["seat_tokens"]),
            made["version"],
            random=random or Random(0),
        )

    def choose(self) -> Json:
        """Return an action that is legal now, without its seat."""
        assert self.to_act is not None
        token = self.tokens[self.to_act]
        legal = self.client.get(f"{self.path}/legal-actions", token)["actions"]
        chosen: Json = self.random.choice(legal)["action"]
        return chosen

    def request(self, action: Json, key: str | None = None) -> dict[str, Any]:
        """Return the request that does an action for the seat to act, at the version known."""
        assert self.to_act is not None
        fields = bearer(self.tokens[self.to_act]) | {"If-Match": f'"{self.version}"'}
        if key is not None:
            fields["Idempotency-Key"] = key
        return {
            "method": "POST",
            "path": f"{self.path}/actions",
            "headers": fields,
            "json": {"action": action},
        }

    def act(self) -> Deed:
        """Do something legal, with a key, and log the answer."""
        action, key, seat = self.choose(), secrets.token_urlsafe(16), self.to_act
        assert seat is not None
        sent = Deed("act", monotonic(), None, None, seat, action | {"seat": seat}, key)
        place = len(self.log)
        self.log.append(sent)
        answer = self.client.ask(**self.request(action, key))
        response = answer.response
        assert response.status_code == 200, response.text
        self.take(response.json())
        self.log[place] = replace(
            sent,
            answered=answer.answered,
            version=self.version,
            body=response.content,
            attempts=answer.attempts,
            replayed="Idempotency-Replayed" in response.headers,
        )
        return self.log[place]

    def take(self, told: Json) -> None:
        """Know from now on what an answer tells."""
        self.version, self.to_act = told["version"], told["to_act"]

    def read(self) -> Deed:
        """Look at the session as a spectator, and log the answer."""
        answer = self.client.ask("GET", self.path)
        assert answer.response.status_code == 200, answer.response.text
        self.log.append(
            Deed("read", answer.sent, answer.answered, answer.response.json()["version"])
        )
        return self.log[-1]

    def history(self) -> list[Made]:
        """Return every version that the service has of this session."""
        steps = self.client.get(f"{self.path}/actions", self.tokens[0])["steps"]
        actions = iter(self.client.get(f"{self.path}/record", self.tokens[0])["actions"])
        return [
            Made(step["version"], next(actions) if step["kind"] == "action" else None)
            for step in steps
        ]

    def verdict(self) -> Verdict:
        """Judge the session as it is now."""
        return check(self.history(), self.log)


class Player:
    """Plays one game after the other, in a thread, until told to stop."""

    def __init__(self, url: str, seed: int, trust: Path | None = None) -> None:
        self.client = Client(url, trust, f"127.0.1.{seed + 1}" if trust else None)
        self.random = Random(seed)
        self.over = Event()
        self.tables: list[Table] = []
        self.acknowledged = 0

    def play(self) -> None:
        """Act, and look at the session between two actions."""
        while not self.over.is_set():
            if not self.tables or self.tables[-1].to_act is None:
                self.tables.append(Table.laid(self.client, self.random))
            self.tables[-1].act()
            self.acknowledged += 1
            if self.random.random() < 0.25:
                self.tables[-1].read()


class Crowd:
    """Players at work at the same time, and what became of all that they did."""

    def __init__(self, url: str, size: int, trust: Path | None = None) -> None:
        self.url = url
        self.trust = trust
        self.players = [Player(url, seed, trust) for seed in range(size)]
        self.working: list[Future[None]] = []

    @property
    def acknowledged(self) -> int:
        """How many actions have been acknowledged."""
        return sum(player.acknowledged for player in self.players)

    def advance(self, actions: int) -> None:
        """Return when each player has so many more actions acknowledged."""
        goals = [player.acknowledged + actions for player in self.players]

        def reached() -> bool:
            for each in self.working:
                if each.done():
                    each.result()
            pairs = zip(self.players, goals, strict=True)
            return all(player.acknowledged >= goal for player, goal in pairs)

        until(reached)

    def verdict(self) -> Verdict:
        """Judge every session that was played."""
        verdict = Verdict()
        with Client(self.url, self.trust) as client:
            for player in self.players:
                for table in player.tables:
                    verdict.add(replace(table, client=client).verdict())
        return verdict

    @property
    def replays(self) -> int:
        """How many answers had been lost on their way the first time."""
        tables = [table for player in self.players for table in player.tables]
        return sum(deed.replayed for table in tables for deed in table.log)

    @property
    def silence(self) -> float:
        """The longest time in which a player had no action acknowledged, in seconds."""
        return max(map(_longest_wait, self.players), default=0.0)

    @property
    def refusals(self) -> int:
        """How many requests were answered with 503."""
        return sum(player.client.tries.unavailable for player in self.players)

    @property
    def failures(self) -> int:
        """How many requests got no answer, or 503."""
        tries = [player.client.tries for player in self.players]
        return sum(each.broken + each.unavailable for each in tries)


def _longest_wait(player: Player) -> float:
    """Return the longest time from one acknowledged action of a player to the next."""
    heard = [
        deed.answered
        for table in player.tables
        for deed in table.log
        if deed.kind == "act" and deed.answered is not None
    ]
    return max((late - early for early, late in pairwise(heard)), default=0.0)


@contextmanager
def crowd(url: str, size: int = 4, trust: Path | None = None) -> Iterator[Crowd]:
    """Have players play as long as the context lasts; with `trust` each from its own address."""
    playing = Crowd(url, size, trust)
    with ThreadPoolExecutor(size) as pool:
        playing.working = [pool.submit(player.play) for player in playing.players]
        try:
            yield playing
        finally:
            for player in playing.players:
                player.over.set()
    for player in playing.players:
        player.client.http.close()
    for each in playing.working:
        each.result()
