"""What a seat cannot see makes no difference to what it is told: not by a byte, anywhere.

The same requests are made in two worlds that differ only in what is hidden from an observer: the
order of cards that nobody draws, and what an opponent has reserved unseen. Ids of commits and the
time are made the same, as are ids of requests.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from itertools import count
from typing import Any, cast

import pytest
from flask.testing import FlaskClient

from splendor_api.app import create_app
from splendor_api.sessions import tokens
from splendor_api.sessions.connection import opener
from splendor_api.sessions.store import Keys, Loaded, Missing, Store
from splendor_api.settings import Settings
from tests.http.sitting import TAKE, Json, Sitting, asked, opened

KEY = "the-same-key-in-both-worlds"
NOW = 1_800_000_000_000
FIRST = "1.commit00000"
KEPT = 12  # cards at either end of a deck that stay where they are: more than are drawn
TURNS = 6
SEEDS = ("first seed, long enough", "second seed, long enough")

Answers = list[tuple[str, int, list[tuple[str, str]], bytes]]


class StoppedStore(Store):
    """A store whose clock stands still, as far as any session can tell."""

    def load(self, *arguments: Any, **others: Any) -> Loaded | Missing:
        """Load, at the one time there is."""
        found = super().load(*arguments, **others)
        return found if isinstance(found, Missing) else replace(found, now_ms=NOW)

    def now_ms(self) -> int:
        """Return the one time there is."""
        return NOW

    def reckoned_ms(self) -> int | None:
        """Return the one time there is."""
        return NOW


@pytest.fixture(scope="module")
def store(admin_url: str) -> Iterator[Store]:
    made = StoppedStore(opener(admin_url))
    yield made
    made.client.close()


@pytest.fixture(scope="module")
def stopped(store: Store) -> FlaskClient:
    return create_app(Settings(), store=store).test_client()


@pytest.fixture
def world(
    stopped: FlaskClient, store: Store, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str, Json], Sitting]:
    """Return what makes a session go on from a state, always under the same ids."""

    def make(game: str, state: Json) -> Sitting:
        keys = Keys.of(tokens.derived_id(KEY))
        store.client.delete(keys.session, keys.history, keys.answers, keys.tombstone)
        numbers = count()
        monkeypatch.setattr(tokens, "mint_commit", lambda: f"commit{next(numbers):05}")
        return opened(stopped, key=KEY, game=game, state=state)

    return make


class Observer:
    """Somebody who asks for everything, and keeps every byte of every answer."""

    def __init__(self, sitting: Sitting, token: str | None) -> None:
        self.sitting = sitting
        self.token = token
        self.answers: Answers = []

    def ask(self, method: str, path: str, body: object = None, **fields: str) -> None:
        answered = self.sitting.ask(method, path, body, self.token, X_Request_Id="same", **fields)
        headers = sorted(answered.headers.to_wsgi_list())
        self.answers.append((f"{method} {path}", answered.status_code, headers, answered.data))

    def look(self) -> None:
        """Ask for everything that can be seen."""
        for path in (
            "",
            "/actions",
            "/record",
            "/legal-actions",
            "/legal-actions?detail=turns&include_illegal=true",
        ):
            self.ask("GET", path)
        self.ask("GET", "/record", Accept="text/plain")
        stream = self.sitting.ask("GET", "/events", token=self.token, Last_Event_ID=FIRST)
        told = ""
        pieces = cast("Iterator[bytes]", iter(stream.response))
        wanted = self.sitting.version()
        while not told or (wanted != FIRST and f"id: {wanted}\n" not in told):
            told += next(pieces).decode()
        stream.close()
        self.answers.append(("stream", stream.status_code, [], told.encode()))


def splendor_state(client: FlaskClient, seed: str) -> Json:
    """Return a state in which each seat has reserved something, unseen or seen."""
    body = {"seats": 3, "seed": seed}
    state: Json = asked(client, "POST", "/v1/games/splendor/deal", body).get_json()["state"]
    reserved = ({"level": 2}, {"level": 1}, {"level": 2}, {"level": 3}, {"level": 1}, {"level": 3})
    for what in reserved:
        action = {"type": "reserve", **what}
        applied = asked(
            client, "POST", "/v1/games/splendor/apply", {"state": state, "action": action}
        )
        state = applied.get_json()["state"]
    return state


def splendor_otherwise(state: Json, seat: int | None, seed: str) -> Json:
    """Return the state with everything hidden from a seat in another order."""
    chance, other = random.Random(seed), deepcopy(state)
    for level, deck in other["decks"].items():
        hidden = deck[KEPT // 2 : -KEPT // 2]
        places = [
            (player["reserved"], place)
            for number, player in enumerate(other["players"])
            for place, each in enumerate(player["reserved"])
            if number != seat and each["hidden"] and level_of(state, each["card"]) == level
        ]
        cards = hidden + [reserved[place]["card"] for reserved, place in places]
        shuffled = cards[:]
        while shuffled == cards:
            chance.shuffle(shuffled)
        deck[KEPT // 2 : -KEPT // 2] = shuffled[: len(hidden)]
        for (reserved, place), card in zip(places, shuffled[len(hidden) :], strict=True):
            reserved[place]["card"] = card
    assert other != state
    return other


def level_of(state: Json, card: int) -> str:
    """Return the level of a card: 40, 30 and 20 of them, in this order."""
    return "1" if card <= 40 else "2" if card <= 70 else "3"


def set_state(client: FlaskClient, seed: str) -> Json:
    state: Json = asked(
        client, "POST", "/v1/games/set/deal", {"seats": 3, "seed": seed}
    ).get_json()["state"]
    return state


def set_otherwise(state: Json, seat: int | None, seed: str) -> Json:
    other = deepcopy(state)
    hidden = other["deck"][KEPT:-KEPT]
    shuffled = hidden[:]
    while shuffled == hidden:
        random.Random(seed).shuffle(shuffled)
    other["deck"][KEPT:-KEPT] = shuffled
    return other


def splendor_turn(sitting: Sitting, turn: int) -> None:
    """Do something that does not depend on what is hidden from anybody."""
    seat = sitting.seen(sitting.host)["to_act"]
    wanted = ("reserve", "take_different", "take_same")[turn % 3]
    choices = [each for each in sitting.choices(seat) if each["type"] != "buy"]
    liked = [each for each in choices if each["type"] == wanted]
    sitting.acted((liked or choices)[0], seat, Idempotency_Key=f"turn-{turn}")


def play_splendor(sitting: Sitting, observer: Observer, seat: int | None) -> None:
    """Play some turns; let the observer look at each, and try what it may not."""
    for turn in range(TURNS):
        observer.look()
        to_act = sitting.seen(sitting.host)["to_act"]
        version = sitting.version()
        if to_act == seat:
            for card in range(1, 91):
                buying: Json = {"type": "buy", "card": card, "payment": {"white": 9}}
                observer.ask("POST", "/actions", {"action": buying}, If_Match=version)
        body: Json = {"action": TAKE}
        observer.ask("POST", "/actions", body, If_Match=FIRST, Idempotency_Key="x")
        splendor_turn(sitting, turn)
        observer.ask("POST", "/undo", {"do": "propose"})
        observer.ask("POST", "/undo", {"do": "withdraw"})
        if to_act == seat:
            observer.ask("POST", "/actions", body, Idempotency_Key=f"turn-{turn}", If_Match=version)


def play_set(sitting: Sitting, observer: Observer, seat: int | None) -> None:
    """Claim right and wrong, as anybody might who sees the table."""
    for turn in range(3):
        observer.look()
        observer.ask("POST", "/actions", {"action": {"type": "call"}})
        observer.ask("POST", "/actions", {"action": {"type": "forfeit"}})
        for cards in ([1, 2, 3], [1, 28, 55], [79, 80, 81]):
            observer.ask("POST", "/actions", {"action": {"type": "claim", "cards": cards}})
        table = [card for card in sitting.seen()["state"]["table"] if card is not None]
        sitting.act({"type": "claim", "cards": table[turn : turn + 3]}, turn, If_Match="")
        observer.ask("POST", "/undo", {"do": "propose"})


GAMES = {
    "splendor": (splendor_state, splendor_otherwise, play_splendor),
    "set": (set_state, set_otherwise, play_set),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("seat", [None, 0, 1, 2])
@pytest.mark.parametrize("game", GAMES)
def test_t1_what_is_hidden_makes_no_difference(
    stopped: FlaskClient,
    world: Callable[[str, Json], Sitting],
    game: str,
    seat: int | None,
    seed: str,
) -> None:
    """T1, T2, T3: state, events, history, record, choices, previews, errors, undo, streams, replays
    are the same bytes, whatever lies where the observer cannot look.
    """
    made, otherwise, play = GAMES[game]
    state = made(stopped, seed)
    worlds = []
    for each in (state, otherwise(state, seat, seed)):
        sitting = world(game, each)
        token = None if seat is None else sitting.seats[seat]
        observer = Observer(sitting, token)
        play(sitting, observer, seat)
        worlds.append(observer.answers)
    first, second = worlds
    assert len(first) == len(second) > 15
    for one, other in zip(first, second, strict=True):
        assert one == other


def test_the_comparison_sees_a_difference(
    stopped: FlaskClient, world: Callable[[str, Json], Sitting]
) -> None:
    """The control: to the seat itself its own hidden card is another one."""
    state = splendor_state(stopped, SEEDS[0])
    looked = []
    for each in (state, splendor_otherwise(state, 1, SEEDS[0])):
        sitting = world("splendor", each)
        observer = Observer(sitting, sitting.seats[0])
        observer.look()
        looked.append(observer.answers)
    assert looked[0] != looked[1]


def test_t8_no_secret_is_counted_or_logged(
    client: FlaskClient, capfd: pytest.CaptureFixture[str]
) -> None:
    """T8: seed, tokens and hidden cards stand in no metric, log line or problem."""
    canary = "canary-seed-0123456789abcdef"
    sitting = opened(client, 2, seed=canary)
    sitting.acted({"type": "reserve", "level": 1})
    refused = sitting.act({"type": "buy", "card": 90, "payment": {"gold": 5}}, 1)
    metrics = asked(client, "GET", "/metrics").text
    output, log = capfd.readouterr()
    secrets = (canary, sitting.host, *sitting.seats)
    for text in (refused.text, metrics, output, log):
        assert not any(secret in text for secret in secrets)
