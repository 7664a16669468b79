"""A session over HTTP, and everybody at it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from splendor_api.sessions.store import Loaded, Missing, Store
from splendor_api.wire import json_text

Json = dict[str, Any]

JSON = "application/json"
TAKE = {"type": "take_different", "colors": ["white", "blue", "green"]}
"""What the first seat may always do first."""

FIRST = ("take_different", "take_same", "buy", "reserve", "pass")
"""Types of action in the order in which games are played on here."""


class LaterStore(Store):
    """A store whose clock tests put forward, as far as any session can tell."""

    ahead_ms = 0

    def load(self, *arguments: Any, **others: Any) -> Loaded | Missing:
        """Load, at a later time."""
        found = super().load(*arguments, **others)
        if isinstance(found, Missing):
            return found
        return replace(found, now_ms=found.now_ms + self.ahead_ms)

    def reckoned_ms(self) -> int | None:
        """Return the later time."""
        reckoned = super().reckoned_ms()
        return None if reckoned is None else reckoned + self.ahead_ms


@dataclass(frozen=True)
class Sitting:
    """A session, a client to reach it with, and all its tokens."""

    client: FlaskClient
    id: str
    host: str
    seats: tuple[str, ...]
    made: TestResponse

    def ask(
        self,
        method: str,
        path: str = "",
        body: object = None,
        token: str | None = None,
        **fields: str,
    ) -> TestResponse:
        """Ask something of the session; header names have `_` for `-`."""
        return asked(self.client, method, f"/v1/sessions/{self.id}{path}", body, token, **fields)

    def seen(self, token: str | None = None) -> Json:
        """Return what the bearer of a token sees, or a spectator."""
        answered = self.ask("GET", token=token)
        assert answered.status_code == 200, answered.text
        observed: Json = answered.get_json()
        return observed

    def version(self) -> str:
        """Return the present version."""
        text: str = self.seen(self.host)["version"]
        return text

    def act(self, action: Mapping[str, Any], seat: int = 0, **fields: str) -> TestResponse:
        """Act for a seat, on the present version if none is named."""
        fields = {"If_Match": self.version(), **fields} if "If_Match" not in fields else fields
        sent = {name: text for name, text in fields.items() if text}
        return self.ask("POST", "/actions", {"action": action}, self.seats[seat], **sent)

    def acted(self, action: Mapping[str, Any], seat: int = 0, **fields: str) -> Json:
        """Act, which must be legal, and return the answer."""
        answered = self.act(action, seat, **fields)
        assert answered.status_code == 200, answered.text
        told: Json = answered.get_json()
        return told

    def undo(self, do: str, seat: int, **fields: str) -> TestResponse:
        """Say something about taking a turn back."""
        return self.ask("POST", "/undo", {"do": do}, self.seats[seat], **fields)

    def choices(self, seat: int) -> list[Json]:
        """Return the legal actions of a seat."""
        answered = self.ask("GET", "/legal-actions", token=self.seats[seat])
        assert answered.status_code == 200, answered.text
        return [each["action"] for each in answered.get_json()["actions"]]

    def end(self) -> Json:
        """Let seats resign until the game is over; return what the host sees then."""
        for seat in range(len(self.seats)):
            if self.seen(self.host)["outcome"] is None:
                self.acted({"type": "resign"}, seat)
        return self.seen(self.host)


def asked(
    client: FlaskClient,
    method: str,
    path: str,
    body: object = None,
    token: str | None = None,
    **fields: str,
) -> TestResponse:
    """Ask something of the service; header names have `_` for `-`."""
    headers = {name.replace("_", "-"): text for name, text in fields.items()}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    sent: Mapping[str, Any] = (
        {} if body is None else {"data": json_text.write(body), "content_type": JSON}
    )
    return client.open(path, method=method, headers=headers, **sent)


def opened(client: FlaskClient, seats: int = 2, key: str | None = None, **others: Any) -> Sitting:
    """Return a new session."""
    body = {"game": "splendor", "seats": seats, **others}
    if "state" in others:
        del body["seats"]
    fields = {} if key is None else {"Idempotency_Key": key}
    made = asked(client, "POST", "/v1/sessions", body, **fields)
    assert made.status_code == 201, made.text
    told = made.get_json()
    return Sitting(client, told["id"], told["host_token"], tuple(told["seat_tokens"]), made)


def events_of(text: str) -> Iterator[tuple[str, str, Json]]:
    """Yield name, id and data of each event in a piece of a stream (WHATWG, HTML, 9.2.6)."""
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
        if "event" in fields:
            data = json_text.read(fields["data"].encode(), max_depth=64)
            assert isinstance(data, dict)
            yield fields["event"], fields.get("id", ""), data
