"""A reader of a session's stream of events, which can hang up wherever it likes."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.faults.clients import Client, bearer


@dataclass(frozen=True)
class Event:
    """One event."""

    name: str
    id: str
    data: Any


class Stream:
    """An open stream; `status` is 200, or there is nothing to read."""

    def __init__(
        self, client: Client, path: str, token: str | None = None, last: str | None = None
    ) -> None:
        fields = bearer(token) | ({} if last is None else {"Last-Event-ID": last})
        self._opened = client.http.stream("GET", f"{path}/events", headers=fields)

    def __enter__(self) -> "Stream":
        self.response = self._opened.__enter__()
        self.status = self.response.status_code
        self._pieces = self.response.iter_raw()
        self.pending = b""
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.__exit__(None, None, None)

    def read(self, size: int) -> bytes:
        """Return so many bytes, fewer only at the end."""
        while len(self.pending) < size:
            piece = next(self._pieces, b"")
            if not piece:
                break
            self.pending += piece
        taken, self.pending = self.pending[:size], self.pending[size:]
        return taken

    def next(self) -> Event:
        """Return the next event; raises `StopIteration` at the end."""
        while True:
            while b"\n\n" not in self.pending:
                self.pending += next(self._pieces)
            text, _, self.pending = self.pending.partition(b"\n\n")
            event = parse(text)
            if event is not None:
                return event

    def __iter__(self) -> Iterator[Event]:
        while True:
            try:
                event = self.next()
            except StopIteration:
                return
            yield event


def parse(text: bytes) -> Event | None:
    """Return the event that lines make; None for a comment or the time to reconnect."""
    fields = dict(line.split(": ", 1) for line in text.decode().split("\n") if ": " in line)
    if "event" not in fields:
        return None
    return Event(fields["event"], fields.get("id", ""), json.loads(fields["data"]))


def whole(received: bytes) -> list[Event]:
    """Return the events that are whole in what was received before the connection broke."""
    *texts, _ = received.split(b"\n\n")
    return [event for event in map(parse, texts) if event is not None]
