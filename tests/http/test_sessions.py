"""Sessions over HTTP, endpoint by endpoint: what each answers when all is well."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from splendor_api.games.registry import GAMES
from tests.http.sitting import TAKE, Json, Sitting, asked, opened

SEED = "a seed of 22 characters or more"
KEY = "k" * 22


@pytest.fixture
def sitting(client: FlaskClient) -> Sitting:
    """Return a fresh session for two."""
    return opened(client)


def test_create_tells_everybodys_tokens_once(client: FlaskClient) -> None:
    sitting = opened(client, 4, metadata={"room": "blue"}, lifetime_seconds=3600, turn_seconds=60)
    told = sitting.made.get_json()
    assert sitting.made.headers["Location"] == f"/v1/sessions/{sitting.id}"
    assert sitting.made.headers["Cache-Control"] == "private, no-store"
    assert len({told["host_token"], *told["seat_tokens"]}) == 5
    assert all(len(token) == 43 for token in (told["host_token"], *told["seat_tokens"]))
    seen = sitting.seen()
    assert seen["metadata"] == {"room": "blue"}
    assert seen["commitment"] == told["commitment"]
    assert seen["seed_source"] == "service"
    assert seen["seats"] == [{"seat": n, "taken": True, "resigned": False} for n in range(4)]
    assert told["host_token"] not in str(seen)


def test_tokens_and_ids_are_never_the_same_twice(client: FlaskClient) -> None:
    """T10: 256 random bits a token, 128 or more an id."""
    made = [opened(client, 4) for _ in range(8)]
    tokens = {token for each in made for token in (each.host, *each.seats)}
    assert len(tokens) == 8 * 5
    assert len({each.id for each in made}) == 8


def test_create_takes_the_options_of_the_game(client: FlaskClient) -> None:
    sitting = opened(client, 3, ruleset="publisher", options={"target_prestige": 21})
    ruleset = sitting.seen()["state"]["ruleset"]
    assert (ruleset["name"], ruleset["options"]["target_prestige"]) == ("publisher", 21)


def test_create_goes_on_from_a_given_state(client: FlaskClient) -> None:
    dealt = asked(client, "POST", "/v1/games/splendor/deal", {"seats": 2, "seed": SEED})
    state = dealt.get_json()["state"]
    sitting = opened(client, state=state)
    seen = sitting.seen(sitting.seats[1])
    assert (seen["commitment"], seen["seed_source"]) == (None, "caller")
    assert seen["state"]["market"] == state["market"]
    assert seen["state"]["decks"] == {
        level: {"count": len(deck)} for level, deck in state["decks"].items()
    }
    ended = sitting.end()
    assert "seed" not in ended
    record = sitting.ask("GET", "/record").get_json()
    assert record["state"] == state
    replayed = asked(client, "POST", "/v1/games/splendor/replay", {"record": record})
    assert replayed.get_json()["outcome"] == ended["outcome"]


def test_a_game_with_cards_on_a_table_is_kept(client: FlaskClient) -> None:
    """Decks are counts, and what is laid into a slot is told by whoever acts."""
    dealt = asked(client, "POST", "/v1/games/splendor/deal", {"seats": 2, "seed": SEED})
    state = dealt.get_json()["state"]
    top = state["decks"]["1"][-1]
    state["decks"] = {level: {"count": len(deck)} for level, deck in state["decks"].items()}
    sitting = opened(client, state=state)
    card = state["market"]["1"][0]
    reserved = sitting.acted({"type": "reserve", "card": card})
    assert (reserved["state"]["market"]["1"][0], reserved["to_act"]) == ("unknown", 0)
    told = sitting.acted({"type": "reveal", "level": 1, "slot": 0, "card": top})
    assert (told["state"]["market"]["1"][0], told["to_act"]) == (top, 1)


def test_create_under_a_key_is_made_once(client: FlaskClient) -> None:
    """A repeat gets the same session and tokens, even when the game has gone on."""
    first = opened(client, key=KEY + "once", seed=SEED)
    first.acted(TAKE)
    again = opened(client, key=KEY + "once", seed=SEED)
    assert again.made.data == first.made.data
    assert again.made.headers["ETag"] == first.made.headers["ETag"]
    assert again.made.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.made.headers
    assert again.seen(again.seats[0])["state"]["turn"] == 1


def test_create_under_a_key_by_many_at_once_is_made_once(client: FlaskClient) -> None:
    """P13: whoever is first, all get the same tokens."""
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: opened(client, key=KEY + "many").made.data, range(8)))
    assert len(set(made)) == 1


def test_get_answers_304_to_whoever_has_it(sitting: Sitting) -> None:
    seen = sitting.ask("GET", token=sitting.seats[0])
    tag = seen.headers["ETag"]
    assert tag == f'"{seen.get_json()["version"]}.seat-0"'
    assert set(seen.headers["Vary"].split(", ")) >= {"Authorization"}
    same = sitting.ask("GET", token=sitting.seats[0], If_None_Match=f'"x", W/{tag}')
    assert (same.status_code, same.data, same.headers["ETag"]) == (304, b"", tag)
    other = sitting.ask("GET", token=sitting.seats[1], If_None_Match=tag)
    assert other.status_code == 200
    sitting.acted(TAKE)
    assert sitting.ask("GET", token=sitting.seats[0], If_None_Match=tag).status_code == 200


def test_get_waits_for_something_new(sitting: Sitting) -> None:
    version = sitting.version()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(sitting.ask, "GET", f"?after={version}&wait=20")
        acted = sitting.acted(TAKE)
        assert waiting.result(10).get_json()["version"] == acted["version"]


def test_get_waits_no_longer_than_asked(sitting: Sitting) -> None:
    version = sitting.version()
    seen = sitting.ask("GET", f"?after={version}&wait=1")
    assert (seen.status_code, seen.get_json()["version"]) == (200, version)


def test_legal_actions_are_those_of_the_bearers_seat(sitting: Sitting) -> None:
    own = sitting.ask("GET", "/legal-actions", token=sitting.seats[0]).get_json()
    assert own["version"] == sitting.version()
    assert {"take_different", "take_same"} <= {each["action"]["type"] for each in own["actions"]}
    assert sitting.choices(1) == []


def test_legal_actions_can_be_sent_back_as_they_are(sitting: Sitting) -> None:
    for action in sitting.choices(0)[:1]:
        assert sitting.acted(action)["to_act"] == 1


def test_act_answers_with_the_next_version(sitting: Sitting) -> None:
    before = sitting.version()
    answered = sitting.act(TAKE)
    told = answered.get_json()
    number, _, commit = told["version"].partition(".")
    assert (int(number), len(commit)) == (int(before.partition(".")[0]) + 1, 11)
    assert answered.headers["ETag"] == f'"{told["version"]}.seat-0"'
    assert [event["type"] for event in told["events"]] == ["tokens_taken", "turn_ended"]
    assert (told["to_act"], told["outcome"]) == (1, None)
    assert told["state"] == sitting.seen(sitting.seats[0])["state"]


@pytest.mark.parametrize(
    "spelt",
    ['"{v}"', "{v}", '"{v}.seat-0"', '"{v}.host"', '"1.AAAAAAAAAAA", "{v}"', '  "{v}" ,"x"'],
)
def test_act_takes_a_version_in_every_spelling(sitting: Sitting, spelt: str) -> None:
    """P15: quoted or bare, with an audience or none, alone or in a list (RFC 9110, 13.1.1)."""
    assert sitting.act(TAKE, If_Match=spelt.format(v=sitting.version())).status_code == 200


@pytest.mark.parametrize("spelt", ["again", '"again"'])
def test_act_under_a_key_is_done_once(sitting: Sitting, spelt: str) -> None:
    """A replayed answer beats a stale version, and has the first one's bytes."""
    version = sitting.version()
    first = sitting.act(TAKE, If_Match=version, Idempotency_Key=spelt)
    sitting.acted(sitting.choices(1)[0], 1)
    again = sitting.act(TAKE, If_Match=version, Idempotency_Key=spelt)
    assert (again.status_code, again.data) == (200, first.data)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.headers["ETag"] == first.headers["ETag"]


def test_a_key_belongs_to_one_seat(sitting: Sitting) -> None:
    """T11: two seats, one key: two answers (P13)."""
    first = sitting.act(TAKE, Idempotency_Key="same")
    second = sitting.act(TAKE, 1, Idempotency_Key="same")
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.get_json()["version"] != second.get_json()["version"]
    assert "Idempotency-Replayed" not in second.headers


def test_a_refusal_is_not_kept_under_a_key(sitting: Sitting) -> None:
    version = sitting.version()
    taken = {"type": "take_same", "color": "white"}
    refused = sitting.act(taken, 1, If_Match=version, Idempotency_Key="later")
    assert refused.status_code == 409
    sitting.acted(TAKE)
    retried = sitting.act(taken, 1, If_Match=sitting.version(), Idempotency_Key="later")
    assert retried.status_code in (200, 422)
    assert "Idempotency-Replayed" not in retried.headers


def test_history_tells_every_version_as_the_bearer_saw_it(sitting: Sitting) -> None:
    reserved = sitting.acted({"type": "reserve", "level": 3})
    own = sitting.ask("GET", "/actions", token=sitting.seats[0]).get_json()
    theirs = sitting.ask("GET", "/actions", token=sitting.seats[1]).get_json()
    assert [step["kind"] for step in own["steps"]] == ["created", "action"]
    assert own["steps"][1]["events"] == reserved["events"]
    assert theirs["steps"][1]["events"] != reserved["events"]
    assert own["version"] == theirs["version"] == reserved["version"]


def test_history_begins_after_a_version(sitting: Sitting) -> None:
    version = sitting.version()
    acted = sitting.acted(TAKE)
    steps = sitting.ask("GET", f"/actions?after={version}").get_json()["steps"]
    assert [step["version"] for step in steps] == [acted["version"]]
    assert sitting.ask("GET", f"/actions?after={acted['version']}").get_json()["steps"] == []


def test_history_waits_for_a_step(sitting: Sitting) -> None:
    version = sitting.version()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(sitting.ask, "GET", f"/actions?after={version}&wait=20")
        acted = sitting.acted(TAKE)
        (step,) = waiting.result(10).get_json()["steps"]
    assert step["version"] == acted["version"]


def test_undo_needs_everybody(client: FlaskClient) -> None:
    sitting = opened(client, 3)
    before = sitting.seen(sitting.seats[0])["state"]
    sitting.acted(TAKE)
    proposed = sitting.undo("propose", 0).get_json()
    assert proposed["undo"] == {"by": 0, "revealed": False, "agreed": []}
    assert sitting.undo("accept", 1).get_json()["undo"]["agreed"] == [1]
    undone = sitting.undo("accept", 2).get_json()
    assert (undone["undo"], undone["to_act"]) == (None, 0)
    assert undone["state"] == sitting.seen(sitting.seats[2])["state"]
    assert sitting.seen(sitting.seats[0])["state"] == before
    kinds = [step["kind"] for step in sitting.ask("GET", "/actions").get_json()["steps"]]
    assert kinds == ["created", "action", "undo_proposed", "undo_proposed", "undone"]
    assert sitting.ask("GET", "/record").get_json()["actions"] == []


def test_undo_says_that_a_card_has_been_seen(sitting: Sitting) -> None:
    sitting.acted({"type": "reserve", "level": 1})
    assert sitting.undo("propose", 0).get_json()["undo"]["revealed"] is True
    undone = sitting.undo("accept", 1).get_json()
    (*_, last) = sitting.ask("GET", "/actions").get_json()["steps"]
    assert (last["kind"], last["revealed"], last["version"]) == ("undone", True, undone["version"])


@pytest.mark.parametrize(("do", "seat"), [("withdraw", 0), ("decline", 1)])
def test_undo_can_be_withdrawn_or_declined(sitting: Sitting, do: str, seat: int) -> None:
    acted = sitting.acted(TAKE)
    sitting.undo("propose", 0)
    closed = sitting.undo(do, seat).get_json()
    assert closed["undo"] is None
    assert sitting.seen(sitting.seats[0])["state"] == acted["state"]
    assert sitting.undo("accept", 1).status_code == 403


def test_undo_is_void_after_the_next_action(sitting: Sitting) -> None:
    sitting.acted(TAKE)
    sitting.undo("propose", 0)
    sitting.acted({"type": "take_same", "color": "red"}, 1)
    assert sitting.seen()["undo"] is None
    assert sitting.undo("accept", 1).status_code == 403


def test_undo_under_a_key_is_done_once(sitting: Sitting) -> None:
    sitting.acted(TAKE)
    first = sitting.undo("propose", 0, Idempotency_Key="once")
    sitting.undo("accept", 1)
    again = sitting.undo("propose", 0, Idempotency_Key="once")
    assert (again.data, again.headers["Idempotency-Replayed"]) == (first.data, "true")
    assert sitting.seen()["state"]["turn"] == 0


def test_a_join_link_gives_a_seats_token_once(sitting: Sitting) -> None:
    link = sitting.ask("POST", "/seats/1/join-link", token=sitting.host).get_json()
    joined = sitting.ask("POST", "/join", {"claim": link["claim"]}).get_json()
    assert (joined["seat"], len(joined["token"])) == (1, 43)
    assert sitting.ask("GET", token=joined["token"]).get_json()["seat"] == 1
    assert sitting.ask("GET", token=sitting.seats[1]).status_code == 403
    assert sitting.ask("POST", "/join", {"claim": link["claim"]}).status_code == 403


def test_a_join_link_is_taken_by_one_of_many(sitting: Sitting) -> None:
    claim = sitting.ask("POST", "/seats/1/join-link", token=sitting.host).get_json()["claim"]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: sitting.ask("POST", "/join", {"claim": claim}), range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [403] * 7


def test_the_host_rotates_and_revokes_tokens(sitting: Sitting) -> None:
    rotated = sitting.ask("POST", "/seats/0/token", token=sitting.host).get_json()
    assert sitting.ask("GET", token=sitting.seats[0]).status_code == 403
    assert sitting.ask("GET", token=rotated["token"]).get_json()["seat"] == 0
    revoked = sitting.ask("DELETE", "/seats/0/token", token=sitting.host).get_json()
    assert [each["taken"] for each in revoked["seats"]] == [False, True]
    assert sitting.ask("GET", token=rotated["token"]).status_code == 403


def test_the_host_keeps_spectators_out(sitting: Sitting) -> None:
    told = sitting.ask("PATCH", "", {"spectators": False}, sitting.host).get_json()
    assert told["spectators"] is False
    assert sitting.ask("GET").status_code == 404
    assert sitting.ask("GET", token=sitting.seats[0]).status_code == 200
    sitting.ask("PATCH", "", {"spectators": True}, sitting.host)
    assert sitting.ask("GET").status_code == 200


def test_the_host_resigns_an_absent_seat(sitting: Sitting) -> None:
    told = sitting.ask("POST", "/seats/1/resign", token=sitting.host, Idempotency_Key="r")
    assert told.get_json()["outcome"]["winners"] == [0]
    again = sitting.ask("POST", "/seats/1/resign", token=sitting.host, Idempotency_Key="r")
    assert (again.data, again.headers["Idempotency-Replayed"]) == (told.data, "true")


def test_a_record_is_whole_once_the_game_is_over(client: FlaskClient) -> None:
    sitting = opened(client, 3)
    sitting.acted(TAKE)
    before = sitting.ask("GET", "/record", token=sitting.host).get_json()
    assert (before["complete"], "seed" in before) == (False, False)
    ended = sitting.end()
    record = sitting.ask("GET", "/record").get_json()
    assert (record["complete"], record["seats"]) == (True, 3)
    replayed = asked(client, "POST", "/v1/games/splendor/replay", {"record": record})
    assert replayed.get_json()["outcome"] == ended["outcome"]


def test_a_deleted_session_is_gone(sitting: Sitting) -> None:
    deleted = sitting.ask("DELETE", token=sitting.host)
    assert (deleted.status_code, deleted.data) == (204, b"")
    assert sitting.ask("GET", token=sitting.host).status_code == 410
    assert sitting.ask("DELETE", token=sitting.host).status_code == 410


def test_a_stream_ticket_lasts_a_minute(sitting: Sitting) -> None:
    told = sitting.ask("POST", "/stream-tickets", token=sitting.seats[0]).get_json()
    assert (len(told["ticket"]), told["expires_in"]) == (43, 60)


def test_a_whole_game_is_played_through(client: FlaskClient) -> None:
    """Seats do the first thing they are offered until the game is over, and it can be replayed."""
    sitting = opened(client, 2, options={"target_prestige": 1})
    seen = sitting.seen()
    while (seat := seen["to_act"]) is not None:
        choices = sitting.choices(seat)
        liked = [each for each in choices if each["type"] == "buy"]
        seen = sitting.acted((liked or choices)[0], seat)
    assert seen["outcome"]["winners"]
    record = sitting.ask("GET", "/record").get_json()
    replayed = asked(client, "POST", "/v1/games/splendor/replay", {"record": record}).get_json()
    assert replayed["outcome"] == seen["outcome"]


def test_events_suffice_for_a_client(client: FlaskClient) -> None:
    """What is told of a step names the version, the seat to act, and what may be animated."""
    sitting = opened(client, 2)
    sitting.acted(TAKE)
    (_, step) = sitting.ask("GET", "/actions", token=sitting.seats[1]).get_json()["steps"]
    assert (step["seat"], step["to_act"], step["outcome"]) == (0, 1, None)
    assert step["events"][0]["type"] == "tokens_taken"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_any_game_is_kept(client: FlaskClient, game: str) -> None:
    made = asked(client, "POST", "/v1/sessions", {"game": game, "seats": 2})
    assert made.status_code == 201
    path = made.headers["Location"]
    assert asked(client, "GET", path).get_json()["game"] == game


def commitment_of(nonce: str, seed: str) -> str:
    """Return the commitment as a client works it out."""
    return hashlib.sha256(f"{nonce}:{seed}".encode()).hexdigest()


@pytest.mark.parametrize("given", [{}, {"seed": SEED}])
def test_seed_and_nonce_are_told_at_the_end_and_nowhere_before(
    client: FlaskClient, given: Json
) -> None:
    """T6, T7: the commitment is shown at once, what it was made of when the game is over."""
    sitting = opened(client, 2, **given)
    source = "caller" if given else "service"
    everybody = (None, sitting.host, *sitting.seats)
    sitting.acted(TAKE)
    for token in everybody:
        seen = sitting.seen(token)
        assert (seen["seed_source"], "seed" in seen, "nonce" in seen) == (source, False, False)
        told = "".join(
            sitting.ask("GET", path, token=token).text for path in ("", "/actions", "/record")
        )
        assert (given.get("seed", "no seed") in told, '"nonce"' in told) == (False, False)
    ended: dict[str, Any] = sitting.end()
    for token in everybody:
        seen = sitting.seen(token)
        assert (seen["seed"], seen["nonce"]) == (ended["seed"], ended["nonce"])
        assert len(bytes.fromhex(seen["nonce"])) == 32
    assert given.get("seed", ended["seed"]) == ended["seed"]
    record = sitting.ask("GET", "/record").get_json()
    assert (record["seed"], record["nonce"]) == (ended["seed"], ended["nonce"])
    assert record["commitment"] == sitting.made.get_json()["commitment"]
    assert record["commitment"] == commitment_of(record["nonce"], record["seed"])
    (*_, last) = sitting.ask("GET", "/actions").get_json()["steps"]
    assert last["seed"] == ended["seed"]


def test_every_first_answer_is_kept_for_the_sessions_life(client: FlaskClient) -> None:
    """Byte for byte, whatever has come in between: undo, links, the end of the game."""
    sitting = opened(client, 4)
    version = sitting.version()
    reserve = {"type": "reserve", "level": 2}

    def asked_all() -> list[TestResponse]:
        """Ask everything, for the first time or again."""
        return [
            sitting.act(reserve, 0, If_Match=version, Idempotency_Key="reserve"),
            sitting.undo("propose", 0, Idempotency_Key="propose"),
            sitting.undo("accept", 1, Idempotency_Key="accept"),
            sitting.undo("accept", 2, Idempotency_Key="accept"),
            sitting.undo("accept", 3, Idempotency_Key="accept"),
            sitting.act(TAKE, 0, Idempotency_Key="take"),
            sitting.ask("POST", "/seats/2/resign", token=sitting.host, Idempotency_Key="resign"),
        ]

    first = asked_all()
    assert [answer.status_code for answer in first] == [200] * 7
    sitting.ask("POST", "/seats/1/join-link", token=sitting.host)
    sitting.ask("PATCH", "", {"spectators": False}, sitting.host)
    sitting.acted({"type": "resign"}, 1)
    sitting.acted({"type": "resign"}, 3)
    assert sitting.seen(sitting.host)["outcome"] is not None
    for one, other in zip(first, asked_all(), strict=True):
        assert (one.data, one.headers["ETag"]) == (other.data, other.headers["ETag"])
        assert other.headers["Idempotency-Replayed"] == "true"
