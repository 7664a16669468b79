"""A whole session of SET: four clients, each with its stream of events, against a real service."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from typing import Any

import httpx
import pytest

from tests.faults.service import serving
from tests.launch.conftest import PATIENCE
from tests.laws.follow_set import follow

Json = dict[str, Any]

SEATS = 4
CALL_SECONDS = 3  # long enough for a claim that follows at once, on a busy machine
LONGEST = 90.0  # seconds of a game; only a broken service takes as long
FEATURES = ("number", "shading", "color", "shape")
READ_AT_ONCE = 4  # events after which the fickle client comes back


@pytest.fixture(scope="module")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a service of two workers, with a Redis of its own."""
    folder = tmp_path_factory.mktemp("service")
    with serving(folder, THREADS="16", LOG_LEVEL="info") as service:
        yield service.url


class Client:
    """A player: follows the game by its stream, and calls whenever it may."""

    def __init__(
        self, http: httpx.Client, session: Json, seat: int, cards: dict[int, Json]
    ) -> None:
        self.http = http
        self.path = f"/v1/sessions/{session['id']}"
        self.headers = {"Authorization": f"Bearer {session['seat_tokens'][seat]}"}
        self.seat = seat
        self.cards = cards
        self.state: Json = {}
        self.version = ""
        self.names: list[str] = []
        self.kinds: list[str] = []
        self.late = 0

    def play(self) -> None:
        """Follow the game to its end, on as many streams as it takes."""
        while self._has_followed():
            pass

    def _has_followed(self) -> bool:
        """Follow one stream; return whether there is more to come."""
        fields = {"Last-Event-ID": self.version} if self.version else {}
        url = f"{self.path}/events"
        with self.http.stream("GET", url, headers=self.headers | fields) as stream:
            if stream.status_code == 204:
                return False
            assert stream.status_code == 200, stream.read()
            for count, event in enumerate(_events(stream), start=1):
                if not self._take(event) or self._is_leaving(count):
                    break
        return self.names[-1] != "closed"

    def _is_leaving(self, count: int) -> bool:
        """Return whether the client hangs up here; what it misses, it gets on its next stream."""
        return self.seat == SEATS - 1 and count == READ_AT_ONCE

    def _take(self, event: Json) -> bool:
        """Take in what a stream says and act on it; return whether there is more to come."""
        name, data = event["event"], event["data"]
        self.names.append(name)
        if name == "closed":
            return False
        self.version = event["id"]
        if name == "snapshot":
            assert self.state == {}, "a snapshot is told once"
            self.state = data["state"]
        else:
            assert name == "step"
            self.kinds += [each["type"] for each in data["events"]]
            self.state = follow(self.state, data["events"], self.seat)
        if self.state["phase"] == "open":
            self._call()
        return True

    def _call(self) -> None:
        called = self._act({"type": "call"})
        if called.status_code == 409:
            assert called.json()["code"] == "claim_late"
            self.late += 1
            return
        if called.status_code == 422:  # it is over, or the seat has not woken yet
            (violation,) = called.json()["violations"]
            assert violation["code"] in ("game_over", "wrong_phase")
            return
        assert called.status_code == 200, called.text
        assert called.json()["to_act"] == self.seat
        self._pick(called.json()["state"])

    def _pick(self, state: Json) -> None:
        """Pick a set; but one seat looks wrong the first time, and another dreams."""
        is_first = state["players"][self.seat]["failed"] == 0
        if self.seat == 2 and is_first:
            return
        is_wanted = not (self.seat == 1 and is_first)
        table = [card for card in state["table"] if card is not None]
        cards = next(each for each in combinations(table, 3) if self._is_set(each) == is_wanted)
        claimed = self._act({"type": "claim", "cards": cards})
        assert claimed.status_code == 200, claimed.text

    def _is_set(self, cards: tuple[int, ...]) -> bool:
        values = ({self.cards[card][name] for card in cards} for name in FEATURES)
        return all(len(each) != 2 for each in values)

    def _act(self, action: Json) -> httpx.Response:
        return self.http.post(f"{self.path}/actions", headers=self.headers, json={"action": action})


def _events(stream: httpx.Response) -> Iterator[Json]:
    """Yield the events of a stream, without its comments."""
    event: Json = {}
    for line in stream.iter_lines():
        field, _, value = line.partition(": ")
        if field in ("event", "id"):
            event[field] = value
        elif field == "data":
            event["data"] = json.loads(value)
        elif not line and "event" in event:
            yield event
            event = {}


def test_four_clients_play_a_whole_game(base_url: str) -> None:
    limits = httpx.Limits(max_connections=4 * SEATS)
    with httpx.Client(base_url=base_url, timeout=PATIENCE, limits=limits) as http:
        body = {"game": "set", "seats": SEATS, "call_seconds": CALL_SECONDS}
        session = http.post("/v1/sessions", json=body).raise_for_status().json()
        listed = http.get("/v1/games/set/components").raise_for_status().json()["cards"]
        cards = {card["id"]: card for card in listed}
        clients = [Client(http, session, seat, cards) for seat in range(SEATS)]
        with ThreadPoolExecutor(SEATS) as pool:
            for playing in [pool.submit(client.play) for client in clients]:
                playing.result(LONGEST)
        seen = http.get(f"/v1/sessions/{session['id']}").raise_for_status().json()
        record = http.get(f"/v1/sessions/{session['id']}/record").raise_for_status().json()
        steps = http.get(f"/v1/sessions/{session['id']}/actions").raise_for_status().json()["steps"]
        replayed = http.post("/v1/games/set/replay", json={"record": record}).json()
    assert seen["outcome"]["reason"] == "no_set_left"
    assert replayed["state"] == seen["state"]
    kinds = [event["type"] for step in steps for event in step.get("events", ())]
    for client in clients:
        assert client.state == seen["state"]
        assert client.names.count("snapshot") == 1
        assert "reset" not in client.names
        assert client.kinds == kinds[-len(client.kinds) :]  # from its snapshot on
        assert client.kinds[-1] == "game_over"
    assert kinds.count("set_called") == seen["state"]["turn"]
    assert kinds.count("call_forfeited") <= 1
    players = seen["state"]["players"]
    assert sum(len(player["sets"]) for player in players) >= 21
    assert sum(player["failed"] for player in players) <= 2
    assert sum(client.late for client in clients) > 0


def test_a_stream_tells_of_a_call_that_outlives_its_time(base_url: str) -> None:
    with httpx.Client(base_url=base_url, timeout=PATIENCE) as http:
        body = {"game": "set", "seats": 2, "call_seconds": 1}
        session = http.post("/v1/sessions", json=body).raise_for_status().json()
        path = f"/v1/sessions/{session['id']}"
        with http.stream("GET", f"{path}/events") as stream:
            events = _events(stream)
            assert next(events)["event"] == "snapshot"
            bearer = {"Authorization": f"Bearer {session['seat_tokens'][1]}"}
            sent = {"action": {"type": "call"}}
            http.post(f"{path}/actions", headers=bearer, json=sent).raise_for_status()
            called, forfeited = next(events)["data"], next(events)["data"]
    assert [each["type"] for each in called["events"]] == ["set_called"]
    assert [each["type"] for each in forfeited["events"]] == ["call_forfeited"]
    assert forfeited["at_ms"] >= called["deadline_ms"]
    assert forfeited["at_ms"] - called["deadline_ms"] < 1000 * PATIENCE
    assert (called["to_act"], forfeited["to_act"], forfeited["deadline_ms"]) == (1, None, None)


def test_whoever_waits_for_news_is_told_of_it_too(base_url: str) -> None:
    with httpx.Client(base_url=base_url, timeout=PATIENCE) as http:
        body = {"game": "set", "seats": 2, "call_seconds": 1}
        session = http.post("/v1/sessions", json=body).raise_for_status().json()
        path = f"/v1/sessions/{session['id']}"
        bearer = {"Authorization": f"Bearer {session['seat_tokens'][0]}"}
        sent = {"action": {"type": "call"}}
        called = http.post(f"{path}/actions", headers=bearer, json=sent).raise_for_status().json()
        waiting = {"after": called["version"], "wait": "15"}
        seen = http.get(path, params=waiting).raise_for_status().json()
    assert seen["version"] != called["version"]
    assert (seen["to_act"], seen["state"]["players"][0]["score"]) == (None, -1)
