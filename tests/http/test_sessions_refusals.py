"""What is asked wrongly of a session: each refusal is a problem, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from splendor_api.app import create_app
from splendor_api.sessions import keeping
from splendor_api.sessions import undo as undoing
from splendor_api.sessions.connection import opener
from splendor_api.sessions.store import Keys, Store
from splendor_api.settings import Secret, Settings
from tests.contract.validation import WatchedClient
from tests.http.conftest import problem_of
from tests.http.sitting import JSON, TAKE, Json, Sitting, asked, opened

KEY = "k" * 22
HOSTILE = ["a\tb", "k" * 129, "", "é", "\x7f", "a b", '"', '"a', "k" * 8000]
"""Texts that are no idempotency key, version, or id of a request."""


@pytest.fixture(scope="module")
def store(admin_url: str) -> Iterator[Store]:
    """Return the store that the service has, to look behind its back."""
    made = Store(opener(admin_url))
    yield made
    made.client.close()


@pytest.fixture
def sitting(client: FlaskClient) -> Sitting:
    """Return a fresh session for two."""
    return opened(client)


def refused(sitting: Sitting, answered: TestResponse, status: int, code: str) -> Json:
    """Return the problem in an answer, which has changed nothing."""
    problem = problem_of(answered, status, code)
    assert sitting.version().startswith("1.")
    assert len(sitting.ask("GET", "/actions").get_json()["steps"]) == 1
    return problem


def test_without_a_token_nobody_acts(sitting: Sitting) -> None:
    answered = sitting.ask("POST", "/actions", {"action": TAKE}, If_Match=sitting.version())
    refused(sitting, answered, 401, "unauthorized")


def test_a_wrong_token_is_forbidden(sitting: Sitting) -> None:
    """T10: a guessed token is none, however near it is."""
    token = sitting.seats[0][:-1] + ("A" if sitting.seats[0][-1] != "A" else "B")
    fields = {"If_Match": sitting.version()}
    answered = sitting.ask("POST", "/actions", {"action": TAKE}, token, **fields)
    refused(sitting, answered, 403, "forbidden")


def test_another_seats_turn_is_a_conflict(sitting: Sitting) -> None:
    problem = refused(sitting, sitting.act(TAKE, 1), 409, "not_your_turn")
    (violation,) = [each for each in problem["violations"] if each["code"] == "wrong_seat"]
    assert violation["params"] == {"seat": 1, "to_act": 0}


@pytest.mark.parametrize(
    "name",
    ["x", "A" * 21, "A" * 23, "{A}" + "A" * 19, "*" * 22, "A" * 21 + "%0A", "A" * 21 + "é", "A%20"],
)
def test_t34_an_odd_id_is_unknown(client: FlaskClient, name: str) -> None:
    """T34: what cannot be an id is not even looked up."""
    for method, path in (("GET", ""), ("GET", "/record"), ("GET", "/events"), ("DELETE", "")):
        answered = asked(client, method, f"/v1/sessions/{name}{path}", token=KEY)
        problem_of(answered, 404, "not_found")
    problem_of(
        asked(client, "POST", f"/v1/sessions/{name}/join", {"claim": "c" * 43}), 404, "not_found"
    )


def test_t34_an_odd_id_reaches_no_key(client: FlaskClient, store: Store) -> None:
    """T34: the calls to Redis are counted before and after."""

    def calls() -> int:
        told = store.client.info("commandstats")
        assert isinstance(told, dict)
        return sum(int(told.get(f"cmdstat_{name}", {}).get("calls", 0)) for name in ("evalsha",))

    before = calls()
    for name in ("x", "*" * 22, "{" + "A" * 20 + "}"):
        asked(client, "GET", f"/v1/sessions/{name}", token=KEY)
        asked(client, "GET", f"/v1/sessions/{name}/events?ticket={'t' * 43}")
    assert calls() == before


def test_an_expired_session_is_gone_and_later_unknown(sitting: Sitting, store: Store) -> None:
    keys = Keys.of(sitting.id)
    for name in (keys.session, keys.history, keys.answers):
        store.client.pexpireat(name, 1)
    problem_of(sitting.ask("GET"), 410, "expired")
    problem_of(sitting.ask("POST", "/join", {"claim": "c" * 43}), 410, "expired")
    store.client.pexpireat(keys.tombstone, 1)
    problem_of(sitting.ask("GET"), 404, "not_found")


def test_a_key_of_an_expired_session_is_not_good_for_another(
    client: FlaskClient, store: Store
) -> None:
    """P13: its tokens would be those of the session that is no more."""
    body = {"game": "splendor", "seats": 2}
    sitting = opened(client, key=KEY + "gone")
    store.client.pexpireat(Keys.of(sitting.id).session, 1)
    answered = asked(client, "POST", "/v1/sessions", body, Idempotency_Key=KEY + "gone")
    problem_of(answered, 409, "key_reused")


def test_a_key_is_for_one_request(sitting: Sitting) -> None:
    first = sitting.act(TAKE, Idempotency_Key="one")
    version = sitting.version()
    other = sitting.act({"type": "take_same", "color": "red"}, Idempotency_Key="one")
    problem_of(other, 409, "key_reused")
    problem_of(sitting.undo("propose", 0, Idempotency_Key="one"), 409, "key_reused")
    assert sitting.version() == version == first.get_json()["version"]


def test_a_key_of_a_creation_is_for_one_request(client: FlaskClient) -> None:
    opened(client, 2, KEY + "two")
    body = {"game": "splendor", "seats": 3}
    answered = asked(client, "POST", "/v1/sessions", body, Idempotency_Key=KEY + "two")
    problem_of(answered, 409, "key_reused")


@pytest.mark.parametrize("key", HOSTILE)
def test_t26_a_key_is_visible_ascii(sitting: Sitting, key: str) -> None:
    """T26: 1 to 128 characters, quoted or not; nothing of it comes back."""
    sent = {"If_Match": sitting.version(), "Idempotency_Key": key}
    answered = sitting.ask("POST", "/actions", {"action": TAKE}, sitting.seats[0], **sent)
    refused(sitting, answered, 400, "invalid_request")
    assert len(key) < 3 or key not in answered.text


def test_a_key_of_a_creation_has_22_characters(client: FlaskClient) -> None:
    body = {"game": "splendor", "seats": 2}
    answered = asked(client, "POST", "/v1/sessions", body, Idempotency_Key=KEY[:-1])
    problem_of(answered, 400, "invalid_request")


@pytest.mark.parametrize("spelt", ["1.AAAAAAAAAAA", '"2.{c}"', '"x"', '"{v}.seat-x"', '"{v}", '])
def test_a_stale_version_is_412(sitting: Sitting, spelt: str) -> None:
    """P15: number and commit id are compared, so another history's version is stale too."""
    version = sitting.version()
    tag = spelt.format(v=version, c=version.partition(".")[2])
    answered = sitting.act(TAKE, If_Match=tag)
    if spelt == '"{v}", ':
        assert answered.status_code == 200
        return
    problem = refused(sitting, answered, 412, "stale_version")
    assert version in problem["detail"]


def test_a_weak_version_never_matches_and_the_problem_says_so(sitting: Sitting) -> None:
    answered = sitting.act(TAKE, If_Match=f'W/"{sitting.version()}"')
    problem = refused(sitting, answered, 412, "stale_version")
    assert "W/" in problem["detail"]


@pytest.mark.parametrize("spelt", ["*", ""])
def test_no_version_is_428(sitting: Sitting, spelt: str) -> None:
    fields = {"If_Match": spelt} if spelt else {}
    answered = sitting.ask("POST", "/actions", {"action": TAKE}, sitting.seats[0], **fields)
    refused(sitting, answered, 428, "version_required")


@pytest.mark.parametrize("spelt", ["garbage", '"unclosed', "1.x y", ",", '"a" "b"', "W/1.x"])
def test_garbage_for_a_version_is_400(sitting: Sitting, spelt: str) -> None:
    answered = sitting.act(TAKE, If_Match=spelt)
    refused(sitting, answered, 400, "invalid_request")


def test_a_version_is_asked_for_before_the_rules(sitting: Sitting) -> None:
    """Order: token, shape, idempotency, version, rules (RFC 9110, 13.2)."""
    illegal = {"type": "buy", "card": 90}
    malformed = {"type": "buy", "card": "90"}
    refused(sitting, sitting.act(malformed, If_Match="1.AAAAAAAAAAA"), 400, "invalid_request")
    refused(sitting, sitting.act(illegal, If_Match="1.AAAAAAAAAAA"), 412, "stale_version")
    refused(sitting, sitting.act(illegal), 422, "illegal_action")


def test_an_illegal_action_names_every_violation(sitting: Sitting) -> None:
    colors = {"type": "take_different", "colors": ["red", "red"]}
    problem = refused(sitting, sitting.act(colors), 422, "illegal_action")
    pointers = {violation["pointer"] for violation in problem["violations"]}
    assert pointers
    assert all(pointer.startswith("/action") for pointer in pointers)


@pytest.mark.parametrize(
    ("action", "pointer"),
    [
        (None, "/action"),
        ([], "/action"),
        ({}, "/action/type"),
        ({"type": "fly"}, "/action/type"),
        ({"type": "take_same", "color": "white", "seat": "0"}, "/action/seat"),
        ({"type": "take_same", "color": "white", "version": 1}, "/action/version"),
        ({"type": "reserve", "card": 1.0}, "/action/card"),
    ],
)
def test_t13_every_fault_of_shape_has_its_pointer(
    sitting: Sitting, action: object, pointer: str
) -> None:
    """T13, T21: unknown members and wrong types are refused at every level."""
    sent = {"If_Match": sitting.version()}
    answered = sitting.ask("POST", "/actions", {"action": action}, sitting.seats[0], **sent)
    problem = refused(sitting, answered, 400, "invalid_request")
    assert pointer in {violation["pointer"] for violation in problem["violations"]}


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("version", "1.x"),
        ("seat_tokens", ["a"]),
        ("host_token", "a"),
        ("id", "a"),
        ("nonce", "00"),
        ("secrecy", "open"),
        ("seats", 5),
        ("seats", "2"),
        ("seed", "too short to be kept"),
        ("seed", "s" * 129),
        ("lifetime_seconds", 59),
        ("lifetime_seconds", 10**9),
        ("turn_seconds", 0),
        ("call_seconds", 5),
        ("spectators", 1),
        ("metadata", {"a": 1}),
        ("metadata", {str(n): "" for n in range(21)}),
        ("metadata", {"a": "b" * 2048}),
        ("metadata", []),
        ("options", {"no": 1}),
    ],
)
def test_t13_nothing_else_is_taken_at_creation(
    client: FlaskClient, member: str, value: object
) -> None:
    """T5, T13: neither tokens nor versions, nor a seed that could be guessed."""
    body = {"game": "splendor", "seats": 2, member: value}
    problem = problem_of(asked(client, "POST", "/v1/sessions", body), 400, "invalid_request")
    assert all(each["pointer"].startswith(f"/{member}") for each in problem["violations"])


def test_t22_an_impossible_state_is_not_kept(client: FlaskClient) -> None:
    """T22: a state is audited before a session goes on from it."""
    body = {"seats": 2, "seed": KEY}
    state = asked(client, "POST", "/v1/games/splendor/deal", body).get_json()["state"]
    state["bank"]["white"] = 5
    answered = asked(client, "POST", "/v1/sessions", {"game": "splendor", "state": state})
    problem = problem_of(answered, 422, "impossible_state")
    assert problem["violations"]
    both = {"game": "splendor", "state": state, "seats": 2}
    problem_of(asked(client, "POST", "/v1/sessions", both), 400, "invalid_request")


@pytest.mark.parametrize("name", ["chess", "", "Splendor"])
def test_a_game_that_there_is_not(client: FlaskClient, name: str) -> None:
    answered = asked(client, "POST", "/v1/sessions", {"game": name, "seats": 2})
    problem_of(answered, 400, "invalid_request")


BODIES = {"": "PATCH", "/actions": "POST", "/undo": "POST", "/join": "POST"}
"""The paths of a session that take a body."""

BAD = {
    b"": "malformed_json",
    b"{": "malformed_json",
    b'{"a":1,"a":2}': "",
    b"[" * 40 + b"]" * 40: "malformed_json",
    b'{"do":NaN}': "malformed_json",
    b"\xff\xfe{": "malformed_json",
    b"null": "invalid_request",
    b"[]": "invalid_request",
    b"{}": "invalid_request",
    b'{"x":1}': "invalid_request",
}


@pytest.mark.parametrize("path", BODIES)
@pytest.mark.parametrize("body", BAD, ids=ascii)
def test_t21_no_hostile_body_is_more_than_a_400(sitting: Sitting, path: str, body: bytes) -> None:
    """T21: JSON is read strictly wherever it is sent."""
    token = sitting.seats[0] if path in ("/actions", "/undo") else sitting.host
    answered = sitting.client.open(
        f"/v1/sessions/{sitting.id}{path}",
        method=BODIES[path],
        data=body,
        content_type=JSON,
        headers={"Authorization": f"Bearer {token}", "If-Match": sitting.version()},
    )
    assert answered.status_code == 400, answered.text
    code = answered.get_json()["code"]
    assert code == (BAD[body] or code)
    refused(sitting, answered, 400, code)


@pytest.mark.parametrize("path", BODIES)
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None])
def test_t14_only_json_is_read(sitting: Sitting, path: str, kind: str | None) -> None:
    """T14, T25: a page's form can send nothing that is taken, so a preflight is forced."""
    token = sitting.seats[0] if path in ("/actions", "/undo") else sitting.host
    answered = sitting.client.open(
        f"/v1/sessions/{sitting.id}{path}",
        method=BODIES[path],
        data=b"{}",
        content_type=kind,
        headers={"Authorization": f"Bearer {token}"},
    )
    refused(sitting, answered, 415, "unsupported_media_type")


def test_t28_a_body_has_its_bound(sitting: Sitting) -> None:
    """T28: 64 KiB for what is asked of a session, and of a creation."""
    big = {"action": {"type": "take_same", "color": "x" * 70_000}}
    answered = sitting.ask("POST", "/actions", big, sitting.seats[0], If_Match="1.AAAAAAAAAAA")
    refused(sitting, answered, 413, "too_large")
    body = {"game": "splendor", "seats": 2, "metadata": {"a": "x" * 70_000}}
    problem_of(asked(sitting.client, "POST", "/v1/sessions", body), 413, "too_large")


def test_t29_a_flood_of_faults_is_cut(client: FlaskClient, sitting: Sitting) -> None:
    """T29: 300 unknown members are at most 50 faults in at most 16 KiB."""
    many = {f"m{n}": "x" * 150 for n in range(300)}
    problems = (
        problem_of(asked(client, "POST", "/v1/sessions", many), 400, "invalid_request"),
        problem_of(
            sitting.ask(
                "POST",
                "/actions",
                {"action": {**TAKE, **many}},
                sitting.seats[0],
                If_Match="1.AAAAAAAAAAA",
            ),
            400,
            "invalid_request",
        ),
    )
    first = problem_of(
        asked(client, "POST", "/v1/sessions", {"game": "splendor", "seats": 2, **many}),
        400,
        "invalid_request",
    )
    assert first["truncated"] is True
    assert all(len(problem["violations"]) <= 50 for problem in (*problems, first))


@pytest.mark.parametrize(
    "query",
    [
        "?wait=31",
        "?wait=-1",
        "?wait=1.5",
        "?wait=x",
        "?wait=1&wait=1",
        "?after=",
        "?after=1",
        "?after=1.AAAAAAAAAAA%0A",
        "?after=01.AAAAAAAAAAA",
        "?after=0.AAAAAAAAAAA",
        "?after=1.AAAAAAAAAA",
        "?after=1.AAAAAAAAAAA.seat-00",
        "?after=999999999999.AAAAAAAAAAA",
        "?token=x",
        "?%ff",
        "?a",
    ],
)
@pytest.mark.parametrize("path", ["", "/actions"])
def test_a_query_is_read_strictly(sitting: Sitting, path: str, query: str) -> None:
    refused(sitting, sitting.ask("GET", path + query), 400, "invalid_request")


@pytest.mark.parametrize("path", ["", "/actions"])
@pytest.mark.parametrize("wait", ["", "&wait=20"])
def test_what_is_new_is_new_after_a_version_that_there_was(
    sitting: Sitting, path: str, wait: str
) -> None:
    """P14: another history's version is told to be one at once, by whatever tells of news."""
    first = sitting.version()
    sitting.acted(TAKE)
    second = sitting.version()
    for version in ("1.AAAAAAAAAAA", "2.AAAAAAAAAAA", "3.AAAAAAAAAAA", "900.AAAAAAAAAAA"):
        problem_of(sitting.ask("GET", f"{path}?after={version}{wait}"), 412, "stale_version")
    assert sitting.ask("GET", f"{path}?after={first}{wait}").status_code == 200
    assert sitting.ask("GET", f"{path}?after={second}").status_code == 200


@pytest.mark.parametrize(
    ("spelt", "status"),
    [("0{v}", 400), ("000{v}", 400), ("{v}.seat-00", 400), ('"0{v}"', 412), ('"{v}.seat-00"', 412)],
)
def test_a_version_has_one_spelling(sitting: Sitting, spelt: str, status: int) -> None:
    """P15: a bare tag is a version or cannot be read; in quotes it may be anything, and matches
    nothing.
    """
    answered = sitting.act(TAKE, If_Match=spelt.format(v=sitting.version()))
    refused(sitting, answered, status, {400: "invalid_request", 412: "stale_version"}[status])


@pytest.mark.parametrize("query", ["?detail=all", "?include_illegal=1", "?cursor=x", "?cursor="])
def test_a_list_is_asked_for_strictly(sitting: Sitting, query: str) -> None:
    answered = sitting.ask("GET", f"/legal-actions{query}", token=sitting.seats[0])
    refused(sitting, answered, 400, "invalid_request")


@pytest.mark.parametrize("do", ["accept", "decline", "withdraw", "propose"])
def test_there_is_nothing_to_undo(sitting: Sitting, do: str) -> None:
    refused(sitting, sitting.undo(do, 0), 403, "forbidden")


def test_undo_keeps_to_its_roles(sitting: Sitting) -> None:
    sitting.acted(TAKE)
    problem_of(sitting.undo("propose", 1), 403, "forbidden")
    sitting.undo("propose", 0)
    problem_of(sitting.undo("accept", 0), 403, "forbidden")
    problem_of(sitting.undo("withdraw", 1), 403, "forbidden")
    sitting.undo("decline", 1)
    sitting.end()
    problem = problem_of(sitting.undo("propose", 0), 422, "illegal_action")
    assert [each["code"] for each in problem["violations"]] == ["game_over"]


def test_a_wrong_claim_is_good_for_no_seat(sitting: Sitting) -> None:
    answered = sitting.ask("POST", "/join", {"claim": "c" * 43})
    refused(sitting, answered, 403, "forbidden")
    answered = sitting.ask("POST", "/join", {"claim": "c" * 42})
    refused(sitting, answered, 400, "invalid_request")


def test_a_link_is_void_when_the_seat_gets_another_token(sitting: Sitting) -> None:
    claim = sitting.ask("POST", "/seats/1/join-link", token=sitting.host).get_json()["claim"]
    newer = sitting.ask("POST", "/seats/1/join-link", token=sitting.host).get_json()["claim"]
    problem_of(sitting.ask("POST", "/join", {"claim": claim}), 403, "forbidden")
    sitting.ask("POST", "/seats/1/token", token=sitting.host)
    problem_of(sitting.ask("POST", "/join", {"claim": newer}), 403, "forbidden")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "", {"spectators": False}),
        ("DELETE", "", None),
        ("POST", "/seats/0/token", None),
        ("DELETE", "/seats/0/token", None),
        ("POST", "/seats/0/join-link", None),
        ("POST", "/seats/0/resign", None),
        ("GET", "", None),
    ],
)
def test_a_host_may_name_a_version_too(
    sitting: Sitting, method: str, path: str, body: Json | None
) -> None:
    stale = sitting.ask(method, path, body, sitting.host, If_Match="1.AAAAAAAAAAA")
    refused(sitting, stale, 412, "stale_version")
    fresh = sitting.ask(method, path, body, sitting.host, If_Match=sitting.version())
    assert fresh.status_code in (200, 204)


def test_a_seat_that_has_left_cannot_be_taken_out(client: FlaskClient) -> None:
    sitting = opened(client, 3)
    assert sitting.ask("POST", "/seats/1/resign", token=sitting.host).status_code == 200
    version = sitting.version()
    problem_of(sitting.ask("POST", "/seats/1/resign", token=sitting.host), 422, "illegal_action")
    assert sitting.version() == version


def test_t32_a_session_has_a_most_of_actions(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T32: beyond it, a clear problem; what was played is still there."""
    monkeypatch.setattr(keeping, "MOST_ACTIONS", 1)
    sitting.acted(TAKE)
    action = {"type": "take_same", "color": "red"}
    problem_of(sitting.act(action, 1), 409, "session_full")
    problem_of(sitting.ask("POST", "/seats/1/resign", token=sitting.host), 409, "session_full")
    assert sitting.seen()["state"]["turn"] == 1


def test_t32_proposals_end_before_the_game_does(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T32: a seat that proposes and withdraws for ever leaves a game that can be played."""
    monkeypatch.setattr(undoing, "MOST_UNDOINGS", 4)
    sitting.acted(TAKE)
    for do in ("propose", "withdraw", "propose", "withdraw"):
        assert sitting.undo(do, 0).status_code == 200
    problem_of(sitting.undo("propose", 0), 409, "session_full")
    assert sitting.act({"type": "take_same", "color": "red"}, 1).status_code == 200


def test_t32_changes_of_hands_end_before_the_game_does(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T32: whatever else is committed leaves room for every action."""
    monkeypatch.setattr(keeping, "_MOST_OTHERS", 2)
    for _ in range(2):
        sitting.ask("PATCH", "", {"spectators": True}, sitting.host)
    answered = sitting.ask("PATCH", "", {"spectators": True}, sitting.host)
    problem_of(answered, 409, "session_full")
    assert sitting.act(TAKE).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/v1/sessions", "OPTIONS, POST"),
        ("PUT", "/v1/sessions/{id}", "DELETE, GET, HEAD, OPTIONS, PATCH"),
        ("DELETE", "/v1/sessions/{id}/actions", "GET, HEAD, OPTIONS, POST"),
        ("GET", "/v1/sessions/{id}/undo", "OPTIONS, POST"),
    ],
)
def test_nothing_lists_sessions_and_other_methods_are_405(
    sitting: Sitting, method: str, path: str, allowed: str
) -> None:
    answered = asked(sitting.client, method, path.format(id=sitting.id))
    problem_of(answered, 405, "method_not_allowed")
    assert answered.headers["Allow"] == allowed


def test_t14_no_answer_has_a_cookie_and_every_one_is_private(sitting: Sitting) -> None:
    """T14, T27: no cookies, nothing to be kept, nothing to be run."""
    for path in ("", "/actions", "/record", "/legal-actions", "/nothing"):
        answered = sitting.ask("GET", path, token=sitting.seats[0], Origin="https://a.example")
        assert "Set-Cookie" not in answered.headers
        assert answered.headers["X-Content-Type-Options"] == "nosniff"
        assert "frame-ancestors 'none'" in answered.headers["Content-Security-Policy"]
        if path != "/nothing":
            assert answered.headers["Cache-Control"] == "private, no-store"
            assert "Authorization" in answered.headers["Vary"]


def test_t14_a_browser_of_another_origin_is_told_what_it_may(sitting: Sitting) -> None:
    """T14: the headers that sessions need are allowed and exposed."""
    preflight = sitting.ask("OPTIONS", "/actions", Origin="https://a.example")
    allowed = preflight.headers["Access-Control-Allow-Headers"]
    assert {"If-Match", "Idempotency-Key", "Authorization", "Last-Event-ID"} <= set(
        allowed.split(", ")
    )
    exposed = sitting.ask("GET").headers["Access-Control-Expose-Headers"].split(", ")
    assert {"ETag", "Location", "Retry-After", "Idempotency-Replayed"} <= set(exposed)


@pytest.mark.parametrize("text", HOSTILE)
def test_t26_no_header_comes_back_as_it_was(sitting: Sitting, text: str) -> None:
    """T26: a request id that is not sane is replaced; other headers are refused or passed over."""
    answered = sitting.ask("GET", token=sitting.seats[0], X_Request_Id=text, Accept_Language=text)
    assert answered.status_code == 200
    assert answered.headers["X-Request-Id"] != text
    tagged = sitting.ask("GET", token=sitting.seats[0], If_None_Match=text)
    assert tagged.status_code == 200


def test_a_service_without_a_store_keeps_no_sessions() -> None:
    """Everything else is answered as ever."""
    service = create_app(Settings())
    service.test_client_class = WatchedClient
    client = service.test_client()
    answered = asked(client, "POST", "/v1/sessions", {"game": "splendor", "seats": 2})
    problem_of(answered, 503, "store_unavailable")
    assert asked(client, "GET", "/readyz").get_json() == {"status": "ready", "store": None}


@pytest.mark.parametrize("url", ["unix:///nowhere/at/all", "redis://127.0.0.1:1"])
def test_a_store_that_is_away_is_503(url: str, caplog: pytest.LogCaptureFixture) -> None:
    """With `Retry-After`; the stateless half goes on, and the log says why, without the address."""
    service = create_app(Settings(redis_url=Secret(url)))
    service.test_client_class = WatchedClient
    client = service.test_client()
    there = f"/v1/sessions/{'A' * 22}"
    for method, path, body in (
        ("POST", "/v1/sessions", {"game": "splendor", "seats": 2}),
        ("GET", there, None),
        ("GET", f"{there}/events", None),
        ("POST", f"{there}/actions", {"action": TAKE}),
        ("GET", "/readyz", None),
    ):
        answered = asked(client, method, path, body, token=KEY, If_Match="1.AAAAAAAAAAA")
        problem_of(answered, 503, "store_unavailable")
        assert int(answered.headers["Retry-After"]) > 0
    lines = [each for each in caplog.records if each.msg == "store unavailable"]
    assert [each.__dict__["fields"]["reason"] for each in lines] == ["ConnectionError"] * 5
    assert asked(client, "GET", "/healthz").status_code == 200
    dealt = asked(client, "POST", "/v1/games/splendor/deal", {"seats": 2, "seed": KEY})
    assert dealt.status_code == 200
