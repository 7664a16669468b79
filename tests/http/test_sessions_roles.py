"""Who may do what in a session: every operation, by every bearer, on every kind of session.

The table is written down here once more, against the one in the code; a new operation without a row
fails. What a bearer may not do changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from splendor_api.http.operations import Operation
from splendor_api.http.table import OPERATIONS
from splendor_api.sessions.tokens import mint, mint_id
from tests.http.conftest import problem_of
from tests.http.sitting import TAKE, Sitting, asked, opened

ANYBODY: Final = frozenset({"host", "seat", "spectator"})
HOST: Final = frozenset({"host"})
SEAT: Final = frozenset({"seat"})

MAY: Final = {
    "get_session": ANYBODY,
    "update_session": HOST,
    "delete_session": HOST,
    "list_session_actions_legal": SEAT,
    "act": SEAT,
    "get_history": ANYBODY,
    "stream_events": ANYBODY,
    "create_stream_ticket": HOST | SEAT,
    "undo": SEAT,
    "create_join_link": HOST,
    "rotate_token": HOST,
    "revoke_token": HOST,
    "resign_seat": HOST,
    "get_record": ANYBODY,
    "get_session_picture": ANYBODY,
}
"""Who may ask what of a session; `join` is for whoever has a claim."""

ROLES: Final = {
    "none": "spectator",
    "host": "host",
    "seat": "seat",
    "foreign host": None,
    "foreign seat": None,
    "made up": None,
    "revoked": None,
    "a claim": None,
}
"""What each kind of bearer is in the session that is asked."""

BODIES: Final = {
    "update_session": {"spectators": True},
    "act": {"action": TAKE},
    "undo": {"do": "propose"},
}

OF_SESSIONS: Final = {each.operation_id: each for each in OPERATIONS if "{session}" in each.path}


@dataclass(frozen=True)
class Scene:
    """A session in which seat 0 has acted, another session, and tokens that are no good."""

    own: Sitting
    foreign: Sitting
    revoked: str
    claim: str

    def token(self, bearer: str) -> str | None:
        """Return the token of a kind of bearer."""
        return {
            "none": None,
            "host": self.own.host,
            "seat": self.own.seats[0],
            "foreign host": self.foreign.host,
            "foreign seat": self.foreign.seats[0],
            "made up": mint(),
            "revoked": self.revoked,
            "a claim": self.claim,
        }[bearer]

    def ask(self, operation: Operation, bearer: str, session_id: str | None = None) -> TestResponse:
        """Ask something of the session, or of another."""
        path = operation.path.replace("{session}", session_id or self.own.id)
        method = "HEAD" if operation.operation_id == "stream_events" else operation.method
        fields = {"X_Request_Id": "same"}
        if operation.operation_id == "act":
            fields["If_Match"] = "1.AAAAAAAAAAA"
        body = BODIES.get(operation.operation_id)
        path = path.replace("{seat}", "1")
        return asked(self.own.client, method, path, body, self.token(bearer), **fields)


def scene(client: FlaskClient, *, spectators: bool) -> Scene:
    own, foreign = opened(client, 3), opened(client, 2)
    own.acted(TAKE)
    revoked = own.ask("POST", "/seats/2/token", token=own.host).get_json()["token"]
    claim = own.ask("POST", "/seats/2/join-link", token=own.host).get_json()["claim"]
    own.ask("DELETE", "/seats/2/token", token=own.host)
    if not spectators:
        own.ask("PATCH", "", {"spectators": False}, own.host)
    return Scene(own, foreign, revoked, claim)


def expected(name: str, bearer: str, *, spectators: bool) -> str | None:
    """Return the code of the problem that a bearer gets, `None` if it may ask."""
    role = ROLES[bearer]
    if role in (None, "spectator") and not spectators:
        return "not_found"
    if role == "spectator" and "spectator" not in MAY[name]:
        return "unauthorized"
    return None if role in MAY[name] else "forbidden"


STATUSES: Final = {"unauthorized": 401, "forbidden": 403, "not_found": 404}


def test_every_operation_on_a_session_has_its_row() -> None:
    """T9: a new route without a row fails."""
    assert set(OF_SESSIONS) - {"join"} == set(MAY)


@pytest.mark.parametrize("name", MAY)
@pytest.mark.parametrize("spectators", [True, False])
def test_t9_only_who_may_is_let_in(client: FlaskClient, name: str, spectators: bool) -> None:
    """T9: no token, another session's, a revoked one, a host's for a seat's and the like."""
    codes = {bearer: expected(name, bearer, spectators=spectators) for bearer in ROLES}
    there = scene(client, spectators=spectators)
    version = there.own.version()
    for bearer, code in codes.items():
        if code is not None:
            answered = there.ask(OF_SESSIONS[name], bearer)
            assert answered.status_code == STATUSES[code], (bearer, answered.text)
            if answered.request.method != "HEAD":
                problem_of(answered, STATUSES[code], code)
            assert ("WWW-Authenticate" in answered.headers) == (code == "unauthorized")
            assert there.own.version() == version
    for bearer, code in codes.items():
        if code is None:
            answered = scene(client, spectators=spectators).ask(OF_SESSIONS[name], bearer)
            allowed = (412,) if name == "act" else (200, 204)
            assert answered.status_code in allowed, (bearer, answered.text)


@pytest.mark.parametrize("name", [*MAY, "join"])
def test_t10_a_foreign_session_looks_like_none(client: FlaskClient, name: str) -> None:
    """T10: where spectators are not let in, unknown and foreign ids get the same bytes."""
    there = scene(client, spectators=False)
    operation = OF_SESSIONS[name]
    for bearer in ("none", "foreign seat", "made up", "revoked"):
        foreign, unknown = (there.ask(operation, bearer, each) for each in (None, mint_id()))
        if name == "join":
            foreign, unknown = (
                asked(
                    client, "POST", f"/v1/sessions/{each}/join", {"claim": mint()}, X_Request_Id="s"
                )
                for each in (there.own.id, mint_id())
            )
        assert foreign.status_code == unknown.status_code == 404
        assert foreign.data == unknown.data
        assert foreign.headers.to_wsgi_list() == unknown.headers.to_wsgi_list()


@pytest.mark.parametrize("fields", [{"Authorization": "Basic dTpw"}, {"Authorization": "x"}, {}])
@pytest.mark.parametrize("query", ["?ticket=x", "?ticket=", "?ticket=x&ticket=x", "?no=such"])
def test_t10_nothing_that_is_sent_tells_a_foreign_session_from_none(
    client: FlaskClient, fields: dict[str, str], query: str
) -> None:
    """T10: credentials of another kind, tickets that are none, queries that cannot be read."""
    there = scene(client, spectators=False)
    for path, method in (("/events", "GET"), ("", "GET"), ("/stream-tickets", "POST")):
        foreign, unknown = (
            asked(client, method, f"/v1/sessions/{each}{path}{query}", X_Request_Id="s", **fields)
            for each in (there.own.id, mint_id())
        )
        assert foreign.status_code == (401 if fields else 404)
        assert foreign.data == unknown.data
        assert foreign.headers.to_wsgi_list() == unknown.headers.to_wsgi_list()


@pytest.mark.parametrize("name", [*MAY, "join"])
def test_a_session_that_was_is_said_to_be_gone(client: FlaskClient, name: str) -> None:
    there = scene(client, spectators=True)
    there.own.ask("DELETE", token=there.own.host)
    operation = OF_SESSIONS[name]
    if name == "join":
        answered = there.own.ask("POST", "/join", {"claim": there.claim})
    else:
        answered = there.ask(operation, "none" if "spectator" in MAY[name] else "host")
    assert answered.status_code == 410


def test_t9_a_seat_that_there_is_not(client: FlaskClient) -> None:
    there = scene(client, spectators=True)
    for name in ("2", "99", "-1", "x", "00", "1e0", "%31%00"):
        for path, method in (("join-link", "POST"), ("token", "POST"), ("resign", "POST")):
            answered = there.foreign.ask(method, f"/seats/{name}/{path}", token=there.foreign.host)
            problem_of(answered, 404, "not_found")


@pytest.mark.parametrize("credentials", ["Basic dTpw", "Bearer", "Bearer ", "Bearer a b", "x" * 99])
def test_other_credentials_are_none(client: FlaskClient, credentials: str) -> None:
    own = opened(client)
    for name, operation in OF_SESSIONS.items():
        if name == "join":
            continue
        path = operation.path.replace("{session}", own.id).replace("{seat}", "0")
        answered = asked(
            client, operation.method, path, BODIES.get(name), Authorization=credentials
        )
        problem_of(answered, 401, "unauthorized")
        assert answered.headers["WWW-Authenticate"] == "Bearer"


def test_t12_an_action_for_another_seat_is_forbidden(client: FlaskClient) -> None:
    """T12: the token says who acts; a `seat` in the body must be the same."""
    own = opened(client)
    version = own.version()
    problem_of(own.act({**TAKE, "seat": 0}, 1), 403, "forbidden")
    problem_of(own.act({**TAKE, "seat": 1}, 0), 403, "forbidden")
    assert own.version() == version
    assert own.act({**TAKE, "seat": 0}, 0).status_code == 200


@pytest.mark.parametrize("name", MAY)
def test_who_may_not_is_told_so_before_anything_else(client: FlaskClient, name: str) -> None:
    """RFC 9110, 13.2.1: 401, 403 and 404 come before what is wrong with the request itself."""
    there = scene(client, spectators=False)
    operation = OF_SESSIONS[name]
    path = operation.path.replace("{session}", there.own.id).replace("{seat}", "1")
    answered = client.open(
        f"{path}?no=such",
        method=operation.method,
        data=b"{",
        content_type="text/plain",
        headers={"Authorization": f"Bearer {mint()}", "If-Match": "no version"},
    )
    problem_of(answered, 404, "not_found")
