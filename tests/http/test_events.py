"""Streams of events: what they tell, in which order, to whom, how many, and how they end."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from time import monotonic
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from splendor_api.app import create_app
from splendor_api.http import events
from splendor_api.http.limits import PATIENCE
from splendor_api.http.parameters import LONGEST_WAIT
from splendor_api.sessions.attendance import ALIVE_MS, STREAMS_PER_SEAT, Attendance
from splendor_api.sessions.connection import opener
from splendor_api.sessions.store import TICKET_MS, Keys, Store
from splendor_api.sessions.tokens import hash_of
from splendor_api.settings import Settings
from tests.contract.validation import contract
from tests.http.conftest import problem_of
from tests.http.sitting import TAKE, Json, Sitting, asked, events_of, opened

SCHEMAS = {
    "snapshot": "SessionObservation",
    "reset": "SessionObservation",
    "closed": "SessionClosed",
}
"""What the data of an event is by the document; of any other a step."""


class Following:
    """A stream that is read as far as is asked."""

    def __init__(self, answered: TestResponse) -> None:
        self.answered = answered
        self._pieces: Iterator[bytes] = iter(answered.response)  # type: ignore[arg-type] # bytes
        self._text = ""

    def next(self, count: int = 1) -> list[tuple[str, str, Json]]:
        """Return so many events; wait for them."""
        told: list[tuple[str, str, Json]] = []
        while len(told) < count:
            told += self._held(next(self._pieces).decode())
        return told

    def rest(self) -> list[tuple[str, str, Json]]:
        """Return all events until the stream ends."""
        return [each for piece in self._pieces for each in self._held(piece.decode())]

    def piece(self) -> str:
        """Return the next piece as it is."""
        return next(self._pieces).decode()

    def close(self) -> None:
        """End the stream, as a server does when the reader has gone."""
        self.answered.close()

    @staticmethod
    def _held(piece: str) -> list[tuple[str, str, Json]]:
        """Return the events in a piece, held against the document."""
        told = list(events_of(piece))
        for name, _, data in told:
            schema = {"$ref": f"#/components/schemas/{SCHEMAS.get(name, 'SessionStep')}"}
            assert contract().schemas.faults(schema, data) == []
        return told


@pytest.fixture(scope="module")
def store(admin_url: str) -> Iterator[Store]:
    """Return the store that the service has, to look behind its back."""
    made = Store(opener(admin_url))
    yield made
    made.client.close()


@pytest.fixture(scope="module")
def unwatched(settings: Settings) -> FlaskClient:
    """Return a client that hands streams on as they come."""
    return create_app(settings).test_client()


@pytest.fixture
def sitting(client: FlaskClient) -> Sitting:
    """Return a fresh session for two."""
    return opened(client)


@contextmanager
def following(
    client: FlaskClient, sitting: Sitting, token: str | None = None, query: str = "", **fields: str
) -> Iterator[Following]:
    """Follow a session."""
    path = f"/v1/sessions/{sitting.id}/events{query}"
    stream = Following(asked(client, "GET", path, None, token, **fields))
    assert stream.answered.status_code == 200, stream.answered.text
    try:
        yield stream
    finally:
        stream.close()


def names_of(told: list[tuple[str, str, Json]]) -> list[str]:
    return [name for name, _, _ in told]


def test_a_snapshot_comes_first(unwatched: FlaskClient, sitting: Sitting) -> None:
    sitting.acted(TAKE)
    with following(unwatched, sitting, sitting.seats[1]) as stream:
        assert stream.piece() == "retry: 2000\n\n"
        ((name, version, data),) = stream.next()
        assert (name, version) == ("snapshot", sitting.version())
        assert data == sitting.seen(sitting.seats[1])
        fields = stream.answered.headers
        assert stream.answered.mimetype == "text/event-stream"
        assert (fields["Cache-Control"], fields["X-Accel-Buffering"]) == ("private, no-store", "no")
        assert "Content-Length" not in fields


def test_every_kind_of_version_is_told_as_it_comes(
    unwatched: FlaskClient, sitting: Sitting
) -> None:
    with following(unwatched, sitting) as stream:
        stream.next()
        sitting.acted(TAKE)
        ((name, version, data),) = stream.next()
        assert (name, version, data["to_act"]) == ("step", sitting.version(), 1)
        for do, seat, told in (
            ("propose", 0, "undo_proposed"),
            ("decline", 1, "undo_closed"),
            ("propose", 0, "undo_proposed"),
            ("accept", 1, "undone"),
        ):
            sitting.undo(do, seat)
            assert names_of(stream.next()) == [told]
        sitting.ask("POST", "/seats/1/token", token=sitting.host)
        assert names_of(stream.next()) == ["seat"]


def test_a_stream_tells_what_the_history_tells(unwatched: FlaskClient, sitting: Sitting) -> None:
    """T1: each seat is told the same by both, and only what it may see."""
    with ExitStack() as open_:
        everybody = (sitting.host, None, *sitting.seats)
        streams = [open_.enter_context(following(unwatched, sitting, token)) for token in everybody]
        for stream in streams:
            stream.next()
        sitting.acted({"type": "reserve", "level": 2})
        sitting.acted({"type": "reserve", "level": 3}, 1)
        sitting.undo("propose", 1)
        for token, stream in zip(everybody, streams, strict=True):
            told = stream.next(3)
            steps = sitting.ask("GET", "/actions", token=token).get_json()["steps"]
            assert [data for _, _, data in told] == steps[1:]
            assert [version for _, version, _ in told] == [each["version"] for each in steps[1:]]


def test_a_stream_resumes_without_gap_or_double(unwatched: FlaskClient, sitting: Sitting) -> None:
    """P14: from every version that there was."""
    sitting.acted(TAKE)
    sitting.undo("propose", 0)
    sitting.undo("accept", 1)
    sitting.acted({"type": "take_same", "color": "red"})
    steps = sitting.ask("GET", "/actions").get_json()["steps"]
    versions = [step["version"] for step in steps]
    for place, version in enumerate(versions[:-1]):
        with following(unwatched, sitting, Last_Event_ID=version) as stream:
            told = stream.next(len(versions) - place - 1)
            assert [each for _, each, _ in told] == versions[place + 1 :]
    with following(unwatched, sitting, Last_Event_ID=versions[-1]) as stream:
        acted = sitting.acted({"type": "take_same", "color": "blue"}, 1)
        assert [version for _, version, _ in stream.next()] == [acted["version"]]


@pytest.mark.parametrize(
    "last",
    [
        "1.AAAAAAAAAAA",
        "99.AAAAAAAAAAA",
        "garbage",
        "1",
        "é",
        "\x00",
        "x" * 10_000,
        "",
        "1.a\tb",
        "0{v}",
    ],
)
def test_an_id_that_never_was_resets(unwatched: FlaskClient, sitting: Sitting, last: str) -> None:
    """T26, P14: lost, of the future, or no id at all; none of it comes back."""
    last = last.replace("{v}", sitting.version())
    with following(unwatched, sitting, sitting.seats[0], Last_Event_ID=last) as stream:
        ((name, version, data),) = stream.next()
        assert (name, version) == ("reset", sitting.version())
        assert data == sitting.seen(sitting.seats[0])


def test_the_end_is_told_and_then_there_is_no_more(
    unwatched: FlaskClient, sitting: Sitting
) -> None:
    with following(unwatched, sitting) as stream:
        stream.next()
        sitting.end()
        (*_, step, closed) = stream.rest()
        assert (step[0], "seed" in step[2]) == ("step", True)
        assert closed == ("closed", sitting.version(), {"reason": "over"})
    for fields in ({}, {"Last_Event_ID": sitting.version()}):
        answered = sitting.ask("GET", "/events", **fields)
        assert (answered.status_code, answered.data) == (204, b"")


@pytest.mark.parametrize("last", ["first", "garbage"])
def test_who_missed_the_end_is_told_it(client: FlaskClient, sitting: Sitting, last: str) -> None:
    """The whole answer ends by itself, so it is held against the document too."""
    version = sitting.version()
    sitting.end()
    fields = {"Last_Event_ID": version if last == "first" else last}
    told = list(events_of(sitting.ask("GET", "/events", **fields).text))
    assert names_of(told) == (["step", "closed"] if last == "first" else ["reset", "closed"])


def test_a_heartbeat_keeps_the_connection(
    unwatched: FlaskClient, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "HEARTBEAT", 0.05)
    with following(unwatched, sitting) as stream:
        stream.next()
        assert stream.piece() == ":\n\n"
        assert stream.piece() == ":\n\n"


def test_a_message_that_is_lost_is_made_up_for(
    unwatched: FlaskClient, sitting: Sitting, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stream looks for itself at each heartbeat: nothing depends on being woken."""
    monkeypatch.setattr(events, "HEARTBEAT", 0.05)
    monkeypatch.setattr("splendor_api.sessions.feed.Watch.wake", lambda *_: None)
    with following(unwatched, sitting) as stream:
        stream.next()
        sitting.acted(TAKE)
        assert names_of(stream.next()) == ["step"]


@pytest.mark.parametrize(
    ("method", "path", "body", "reason"),
    [
        ("DELETE", "", None, "expired"),
        ("PATCH", "", {"spectators": False}, "forbidden"),
    ],
)
def test_a_stream_ends_when_its_reader_may_look_no_more(
    unwatched: FlaskClient, sitting: Sitting, method: str, path: str, body: Json, reason: str
) -> None:
    with following(unwatched, sitting) as stream:
        stream.next()
        sitting.ask(method, path, body, sitting.host)
        (*_, closed) = stream.rest()
        assert (closed[0], closed[2]) == ("closed", {"reason": reason})


def test_a_stream_ends_with_its_token(unwatched: FlaskClient, sitting: Sitting) -> None:
    with following(unwatched, sitting, sitting.seats[0]) as stream:
        stream.next()
        sitting.ask("POST", "/seats/0/token", token=sitting.host)
        assert stream.rest()[-1][2] == {"reason": "forbidden"}


def test_t30_a_session_has_a_most_of_streams(unwatched: FlaskClient, sitting: Sitting) -> None:
    """T30: four for each seat and for the host, and for spectators together as many as for the
    seats; nobody can take another's. One more is told to come back; what is left is free.
    """
    everybody = (None, sitting.host, *sitting.seats)
    with ExitStack() as open_:
        for token in everybody:
            most = STREAMS_PER_SEAT * (2 if token is None else 1)
            streams = [
                open_.enter_context(following(unwatched, sitting, token)) for _ in range(most)
            ]
            answered = sitting.ask("GET", "/events", token=token)
            problem = problem_of(answered, 429, "too_many_requests")
            assert f"{most} streams" in problem["detail"]
            assert 1 <= int(answered.headers["Retry-After"]) <= ALIVE_MS / 1000
            streams[0].close()
            open_.enter_context(following(unwatched, sitting, token))
        for token in everybody:
            problem_of(sitting.ask("GET", "/events", token=token), 429, "too_many_requests")


def test_t30_who_hangs_up_leaves_a_place(
    unwatched: FlaskClient, sitting: Sitting, store: Store
) -> None:
    """T30: nothing has to happen in the session, nor does a heartbeat have to come."""
    ours, theirs = socket.socketpair()
    path = f"/v1/sessions/{sitting.id}/events"
    with ours, theirs:
        stream = Following(unwatched.get(path, environ_overrides={"gunicorn.socket": ours}))
        stream.next()
        assert store.client.zcard(Keys.of(sitting.id).streams) == 1
        theirs.close()
        assert stream.rest() == []
        stream.close()
    assert store.client.zcard(Keys.of(sitting.id).streams) == 0


@pytest.mark.parametrize("path", ["", "/actions"])
def test_t30_nobody_waits_for_who_has_hung_up(
    unwatched: FlaskClient, sitting: Sitting, path: str
) -> None:
    """T30: a long poll gives its thread back."""
    ours, theirs = socket.socketpair()
    query = f"{path}?after={sitting.version()}&wait={LONGEST_WAIT}"
    with ours, theirs:
        theirs.close()
        began = monotonic()
        answered = unwatched.get(
            f"/v1/sessions/{sitting.id}{query}", environ_overrides={"gunicorn.socket": ours}
        )
        assert answered.status_code == 200
        assert monotonic() - began < LONGEST_WAIT / 2


def test_t30_a_worker_has_a_most_of_streams(settings: Settings, redis_url: str) -> None:
    """T30: half of the threads are for whoever does not wait; long polls count too."""
    client = create_app(Settings(redis_url=settings.redis_url, threads=4)).test_client()
    sitting = opened(client)
    with following(client, sitting), following(client, sitting):
        for path in ("/events", f"?after={sitting.version()}&wait=5"):
            answered = sitting.ask("GET", path)
            problem_of(answered, 503, "busy")
            assert int(answered.headers["Retry-After"]) > 0
        assert sitting.ask("GET").status_code == 200
    assert sitting.ask("GET", f"?after={sitting.version()}&wait=1").status_code == 200


def test_t30_a_reader_that_takes_nothing_is_dropped(
    unwatched: FlaskClient, sitting: Sitting
) -> None:
    """T30: the socket of a stream gets a time-out for each write; nothing is made before it."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        answered = unwatched.get(
            f"/v1/sessions/{sitting.id}/events", environ_overrides={"gunicorn.socket": ours}
        )
        assert ours.gettimeout() == PATIENCE
        stream = Following(answered)
        for seat in (0, 1, 0, 1):
            sitting.acted(sitting.choices(seat)[0], seat)
        told = stream.next(5)
        assert names_of(told)[0] == "snapshot"
        assert told[-1][1] == sitting.version()
        stream.close()


def test_head_takes_no_place(client: FlaskClient, sitting: Sitting, store: Store) -> None:
    assert sitting.ask("HEAD", "/events").status_code == 200
    assert store.client.zcard(Keys.of(sitting.id).streams) == 0


def test_open_streams_are_counted(unwatched: FlaskClient, sitting: Sitting) -> None:
    def count() -> float:
        text = asked(unwatched, "GET", "/metrics").text
        line = next(each for each in text.splitlines() if each.startswith("splendor_open_streams "))
        return float(line.partition(" ")[2])

    before = count()
    with following(unwatched, sitting):
        assert count() == before + 1
    assert count() == before


def ticket_of(sitting: Sitting, token: str) -> str:
    """Return a ticket for the bearer's stream."""
    told: Json = sitting.ask("POST", "/stream-tickets", token=token).get_json()
    ticket: str = told["ticket"]
    return ticket


def test_t15_a_ticket_opens_its_seats_stream_once(unwatched: FlaskClient, sitting: Sitting) -> None:
    """T15: what stands in a URL is good for one stream."""
    ticket = ticket_of(sitting, sitting.seats[1])
    with following(unwatched, sitting, query=f"?ticket={ticket}") as stream:
        ((_, _, data),) = stream.next()
        assert data == sitting.seen(sitting.seats[1])
    problem_of(sitting.ask("GET", f"/events?ticket={ticket}"), 401, "unauthorized")


def test_t15_a_ticket_is_not_used_up_by_a_refusal(unwatched: FlaskClient, sitting: Sitting) -> None:
    """T15, T30: whoever is told to come back can do so."""
    ticket = ticket_of(sitting, sitting.seats[1])
    with ExitStack() as open_:
        streams = [
            open_.enter_context(following(unwatched, sitting, sitting.seats[1]))
            for _ in range(STREAMS_PER_SEAT)
        ]
        answered = sitting.ask("GET", f"/events?ticket={ticket}")
        problem_of(answered, 429, "too_many_requests")
        streams[0].close()
        with following(unwatched, sitting, query=f"?ticket={ticket}") as stream:
            assert names_of(stream.next()) == ["snapshot"]
    problem_of(sitting.ask("GET", f"/events?ticket={ticket}"), 401, "unauthorized")


def test_t15_a_ticket_is_not_used_up_by_a_worker_that_has_no_place(settings: Settings) -> None:
    """T15, T30: another worker may have one."""
    client = create_app(Settings(redis_url=settings.redis_url, threads=2)).test_client()
    sitting = opened(client)
    ticket = ticket_of(sitting, sitting.seats[1])
    with following(client, sitting):
        problem_of(sitting.ask("GET", f"/events?ticket={ticket}"), 503, "busy")
    with following(client, sitting, query=f"?ticket={ticket}"):
        pass


def test_t15_of_two_who_come_with_a_ticket_one_is_let_in(
    unwatched: FlaskClient, sitting: Sitting, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T15: both find it good; whoever uses it up first has it, and the other leaves no place."""
    ticket = ticket_of(sitting, sitting.seats[1])
    take = Attendance.take

    def beaten(*arguments: Any) -> int:
        assert store.take_ticket(sitting.id, hash_of(ticket))
        return take(*arguments)

    monkeypatch.setattr(Attendance, "take", beaten)
    problem_of(sitting.ask("GET", f"/events?ticket={ticket}"), 401, "unauthorized")
    assert store.client.zcard(Keys.of(sitting.id).streams) == 0


def test_t15_a_ticket_can_do_nothing_else(client: FlaskClient, sitting: Sitting) -> None:
    """T15: read only, one session, and of no use as a token."""
    ticket, other = ticket_of(sitting, sitting.seats[0]), opened(client)
    problem_of(other.ask("GET", f"/events?ticket={ticket}"), 401, "unauthorized")
    fields = {"If_Match": sitting.version()}
    for token, status in ((ticket, 403), (None, 401)):
        answered = sitting.ask("POST", "/actions", {"action": TAKE}, token, **fields)
        assert answered.status_code == status
    answered = sitting.ask("POST", f"/actions?ticket={ticket}", {"action": TAKE}, **fields)
    assert answered.status_code in (400, 401)
    assert sitting.version().startswith("1.")


def test_t15_a_ticket_dies_in_a_minute_and_with_its_token(sitting: Sitting, store: Store) -> None:
    """T15: its time is kept by the store."""
    ticket = ticket_of(sitting, sitting.seats[0])
    key = Keys.of(sitting.id).ticket(hash_of(ticket))
    assert 0 < int(str(store.client.pttl(key))) <= TICKET_MS
    store.client.pexpireat(key, 1)
    problem_of(sitting.ask("GET", f"/events?ticket={ticket}"), 401, "unauthorized")
    ticket = ticket_of(sitting, sitting.seats[0])
    sitting.ask("POST", "/seats/0/token", token=sitting.host)
    problem_of(sitting.ask("GET", f"/events?ticket={ticket}"), 403, "forbidden")


def test_t15_a_ticket_is_in_no_log(
    unwatched: FlaskClient, sitting: Sitting, capfd: pytest.CaptureFixture[str]
) -> None:
    """T8, T15: neither tickets nor tokens, nor the seed."""
    ticket = ticket_of(sitting, sitting.seats[1])
    with following(unwatched, sitting, query=f"?ticket={ticket}") as stream:
        stream.next()
    sitting.end()
    output, log = capfd.readouterr()
    secrets = (ticket, sitting.host, *sitting.seats, sitting.seen()["seed"])
    assert not any(secret in output + log for secret in secrets)


def test_t26_no_text_of_a_player_can_be_a_field(
    client: FlaskClient, unwatched: FlaskClient
) -> None:
    """T26: the data of an event is one line, whatever is in it."""
    text = "a\n\nevent: closed\ndata: {}\r\n\u2028id: 9\u0085"
    sitting = opened(client, metadata={"name": text, "e\nvent": "x"})
    with following(unwatched, sitting) as stream:
        stream.piece()
        piece = stream.piece()
        lines = piece.removesuffix("\n\n").split("\n")
        assert [line.partition(":")[0] for line in lines] == ["event", "id", "data"]
        assert "\r" not in piece
        ((_, _, data),) = list(events_of(piece))
        assert data["metadata"]["name"] == text


def test_a_stream_ends_with_its_process(redis_url: str, app: Flask, settings: Settings) -> None:
    """The reader is sent away without a word, and comes back to another worker."""
    service = create_app(settings)
    client = service.test_client()
    sitting = opened(client)
    with following(client, sitting) as stream:
        stream.next()
        feed: Any = service.extensions["splendor_api.feed"]
        feed.close()
        assert stream.rest() == []


@pytest.mark.parametrize("accept", ["application/json", "text/html"])
def test_a_stream_is_nothing_else(sitting: Sitting, accept: str) -> None:
    problem_of(sitting.ask("GET", "/events", Accept=accept), 406, "not_acceptable")
