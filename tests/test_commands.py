"""`deal`, `apply` and `audit`: the rules on the command line, without a server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient

from splendor_api.__main__ import main
from splendor_api.app import create_app
from splendor_api.settings import Settings

ROOT = Path(__file__).parents[1]
DONE, REFUSED, WRONG = 0, 1, 2


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    """Return a client of the service that the commands answer like."""
    return create_app(Settings()).test_client()


@pytest.fixture(scope="module")
def state(client: FlaskClient) -> dict[str, Any]:
    """Return the first state of a game for two."""
    body = {"seats": 2, "seed": "commands"}
    answered = client.post("/v1/games/splendor/deal", json=body).get_json()
    dealt: dict[str, Any] = answered["state"]
    return dealt


def _ask(call: str, body: bytes, game: str = "splendor", **variables: str) -> Result:
    return CliRunner().invoke(main, [call, game], input=body, env=variables)


def _asked(client: FlaskClient, call: str, body: object) -> tuple[int, Any]:
    """Return status and answer of a command, having held the answer to that over HTTP."""
    text = json.dumps(body).encode()
    done = _ask(call, text)
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1
    told = json.loads(done.stdout)
    served = client.post(
        f"/v1/games/splendor/{call}", data=text, content_type="application/json"
    ).get_json()
    assert told.pop("instance", None) != served.pop("instance", "")  # each has an id of its own
    assert told == served
    return done.exit_code, told


def test_a_deal_is_that_of_the_service(client: FlaskClient) -> None:
    status, answer = _asked(client, "deal", {"seats": 3, "seed": "commands"})
    assert status == DONE
    assert answer["state"]["phase"] == "main"


def test_a_legal_action_is_applied(client: FlaskClient, state: dict[str, Any]) -> None:
    action = {"type": "take_different", "colors": ["white", "blue", "green"]}
    status, answer = _asked(client, "apply", {"state": state, "action": action})
    assert status == DONE
    assert answer["to_act"] == 1


def test_an_illegal_action_is_refused_with_its_violations(
    client: FlaskClient, state: dict[str, Any]
) -> None:
    status, answer = _asked(client, "apply", {"state": state, "action": {"type": "pass"}})
    assert status == REFUSED
    assert answer["code"] == "illegal_action"


def test_a_sound_state_has_no_findings(client: FlaskClient, state: dict[str, Any]) -> None:
    assert _asked(client, "audit", {"state": state}) == (DONE, {"findings": []})


def test_an_unsound_state_has_findings(client: FlaskClient, state: dict[str, Any]) -> None:
    minted = {**state, "bank": {**state["bank"], "gold": 1}}
    status, answer = _asked(client, "audit", {"state": minted})
    assert status == REFUSED
    assert [finding["code"] for finding in answer["findings"]] == ["token_count"]


@pytest.mark.parametrize("call", ["deal", "apply", "audit"])
def test_a_wrong_request_is_a_problem(client: FlaskClient, call: str) -> None:
    status, answer = _asked(client, call, {"sead": 1})
    assert status == WRONG
    assert answer["code"] == "invalid_request"


@pytest.mark.parametrize("body", [b"", b"{", b'{"seats": 2,}', b"\xff"])
def test_what_is_not_json_is_a_problem(body: bytes) -> None:
    done = _ask("deal", body)
    assert done.exit_code == WRONG
    assert json.loads(done.stdout)["code"] == "malformed_json"


@pytest.mark.parametrize("game", ["tarot", "../batch", "splendor/check", "", "♠"])
def test_an_unknown_game_is_a_problem(game: str) -> None:
    done = _ask("deal", b'{"seats": 2}', game)
    assert done.exit_code == WRONG
    assert json.loads(done.stdout)["code"] == "not_found"


def test_limits_are_those_of_the_settings() -> None:
    body = json.dumps({"seats": 2, "seed": "x" * 1024}).encode()
    done = _ask("deal", body, MAX_BODY_BYTES="1024")
    assert done.exit_code == WRONG
    assert json.loads(done.stdout)["code"] == "too_large"


def test_a_seed_left_out_is_drawn() -> None:
    first, second = (json.loads(_ask("deal", b'{"seats": 2}').stdout) for _ in range(2))
    assert first["seed_source"] == second["seed_source"] == "service"
    assert first["seed"] != second["seed"]


def test_a_process_of_its_own_ends_with_the_status() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "splendor_api", "apply", "splendor"],
        cwd=ROOT,
        env={"PATH": os.defpath},
        input=b"{}",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (WRONG, b"")
    assert json.loads(done.stdout)["code"] == "invalid_request"
