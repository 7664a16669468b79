"""Two players and a spectator in one session: python3 examples/session_two_players.py [BASE_URL].

Each player is a thread that knows its token and nothing else. It follows the stream of events, and
acts whenever that says that it is its turn. What is lost on the way is sent again: an action under
the same version and key, so that it happens once; the stream from the last event on, so that
nothing is missed. The main thread watches, and prints every event of the game.
"""

import json
import sys
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException, HTTPResponse
from urllib.error import HTTPError
from urllib.request import Request, urlopen

base_url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
PATIENCE = 40  # seconds without a byte: more than two heartbeats of a stream
ATTEMPTS = 60


def opened(path: str, token: str | None, body: object = None, **headers: str) -> HTTPResponse:
    """Return the answer to a request. A body makes it a POST."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(f"{base_url}{path}", data, {"Content-Type": "application/json"})
    if token is not None:
        request.add_header("Authorization", f"Bearer {token}")
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    return urlopen(request, timeout=PATIENCE)


def ask(path: str, token: str | None, body: object = None, **headers: str) -> dict:
    """Return what the service answers in the end, however often that takes."""
    for attempt in range(ATTEMPTS):
        try:
            with opened(path, token, body, **headers) as answer:
                return json.load(answer)
        except HTTPError as error:
            if error.code not in {429, 503}:
                raise
            time.sleep(int(error.headers.get("Retry-After", "1")))
        except (OSError, HTTPException, ValueError):  # no answer, or half of one
            time.sleep(min(2, 0.05 * 2**attempt))
    raise TimeoutError(path)


def events(stream: Iterator[bytes]) -> Iterator[dict]:
    """Yield the events of a stream: lines of `event`, `id` and `data`, ended by an empty one."""
    event: dict = {}
    for line in stream:
        name, _, value = line.decode().rstrip("\r\n").partition(":")
        if name:
            event[name] = value.removeprefix(" ")
        elif not line.startswith(b":"):  # which begins a comment
            if "data" in event:
                yield {**event, "data": json.loads(event["data"])}
            event = {}


def follow(session: str, token: str | None) -> Iterator[dict]:
    """Yield every event once, in order, until the game is over; come back when the stream ends."""
    last: dict[str, str] = {}
    while True:
        pause = 0.05
        try:
            with opened(f"{session}/events", token, **last) as stream:
                if stream.status == 204:
                    return
                for event in events(stream):
                    last = {"Last_Event_ID": event.get("id", "")}
                    yield event
                    if event["event"] == "closed":
                        return
        except HTTPError as error:
            if error.code not in {429, 503}:
                raise
            pause = int(error.headers.get("Retry-After", "1"))
        except (OSError, HTTPException):
            pass
        time.sleep(pause)


def play(session: str, token: str, seat: int) -> int:
    """Play a seat to the end; return how many actions were acknowledged."""
    acted = 0
    for event in follow(session, token):
        if event["data"].get("to_act") != seat:
            continue
        listed = ask(f"{session}/legal-actions", token)
        actions = [item["action"] for item in listed["actions"]]
        if not actions:  # the event was an old one: this has been done
            continue
        purchases = [action for action in actions if action["type"] == "buy"]
        action = purchases[-1] if purchases else actions[7 * acted % len(actions)]
        headers = {"If_Match": listed["version"], "Idempotency_Key": str(uuid.uuid4())}
        ask(f"{session}/actions", token, {"action": action}, **headers)
        acted += 1
    return acted


# Under this key a lost answer can be asked for again: it has the tokens. It is as secret as they.
key = {"Idempotency_Key": str(uuid.uuid4())}
asked = {"game": "splendor", "seats": 2, "turn_seconds": 60}  # who is gone does not stop the game
created = ask("/v1/sessions", None, asked, **key)
session = f"/v1/sessions/{created['id']}"
with ThreadPoolExecutor() as threads:
    players = [
        threads.submit(play, session, token, seat)
        for seat, token in enumerate(created["seat_tokens"])
    ]
    for told in follow(session, None):
        for event in told["data"].get("events", ()):
            print(json.dumps(event))
    acknowledged = sum(player.result() for player in players)

record = ask(f"{session}/record", None)
if len(record["actions"]) != acknowledged:
    sys.exit(f"{acknowledged} actions were acknowledged, {len(record['actions'])} are recorded")
