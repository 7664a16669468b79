"""Others, who play by requests alone: no window is needed for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.request import Request, urlopen

from splendor_api.wire import json_text


def ask(method: str, url: str, body: object = None, **headers: str) -> dict[str, Any]:
    """Return the answer to a request; header names have `_` for `-`. Raises where it is refused."""
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    if body is not None:
        fields["Content-Type"] = "application/json"
    sent = None if body is None else json_text.write(body)
    with urlopen(Request(url, sent, fields, method=method)) as answer:
        told = json_text.read(answer.read() or b"{}")
    assert isinstance(told, dict)
    return told


def post(url: str, body: object, **headers: str) -> dict[str, Any]:
    """Return the answer to a request that sends a body."""
    return ask("POST", url, body, **headers)


@dataclass(frozen=True)
class Session:
    """A session for two, whose host and whose seats send requests."""

    address: str
    id: str
    host: str
    seats: tuple[str, ...]

    @classmethod
    def begun(cls, address: str, game: str = "splendor", **setup: object) -> Session:
        """Begin a session."""
        made = post(f"{address}/v1/sessions", {"game": game, "seats": 2, **setup})
        return cls(address, made["id"], made["host_token"], tuple(made["seat_tokens"]))

    @property
    def url(self) -> str:
        """Return the address of the session."""
        return f"{self.address}/v1/sessions/{self.id}"

    def as_host(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """Ask as the host."""
        return ask(method, f"{self.url}{path}", body, Authorization=f"Bearer {self.host}")

    def link(self, seat: int) -> str:
        """Return the path of the page by which somebody takes a seat."""
        claim = self.as_host("POST", f"/seats/{seat}/join-link")["claim"]
        return f"/play#session={self.id}&seat={seat}&claim={claim}"

    def act(self, seat: int) -> None:
        """Do the first thing that a seat may do."""
        bearer = {"Authorization": f"Bearer {self.seats[seat]}"}
        listed = ask("GET", f"{self.url}/legal-actions", **bearer)
        action = {"action": listed["actions"][0]["action"]}
        post(f"{self.url}/actions", action, **bearer, If_Match=listed["version"])
