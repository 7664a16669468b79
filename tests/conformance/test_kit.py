"""The conformance kit covers everything, and core and service give its answers."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from flask.testing import FlaskClient

from splendor_api.games.registry import GAMES
from splendor_api.wire import json_text
from tests.conformance.kit import FORMAT, HERE, PERFT, VERSION, answer, covered, missing, read
from tests.conformance.turn import Json

KIT = tuple(read())
SENTENCES = ("message", "rule_url")
MOST_BYTES = 2_000_000


def _kit(game: str) -> list[Json]:
    return [case for name, case in KIT if name == game]


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_code_and_event_is_shown(game: str) -> None:
    assert missing(game, _kit(game)) == set()


@pytest.mark.parametrize("game", GAMES)
def test_the_core_gives_every_answer(game: str) -> None:
    wrong = [case["id"] for case in _kit(game) if answer(game, case) != case["expect"]]
    assert wrong == []


@pytest.mark.parametrize("game", GAMES)
def test_the_service_gives_every_answer_to_an_action(client: FlaskClient, game: str) -> None:
    asked = [case for case in _kit(game) if case["kind"] == "apply"]
    assert asked
    for case in asked:
        body = {"state": case["state"], "action": case["action"]}
        told = client.post(f"/v1/games/{game}/apply", json=body)
        assert _of_the_kit(told.get_json(), told.status_code) == case["expect"], case["id"]


def _of_the_kit(told: Any, status: int) -> Json:
    """Return of the service's answer what the kit has, its pointers starting at the action."""
    if status == 200:
        return {"state": told["state"], "events": told["events"]}
    return {
        "violations": [
            {
                "code": each["code"],
                "pointer": each["pointer"].removeprefix("/action"),
                "params": each["params"],
                "rule": each.get("rule"),
            }
            for each in told["violations"]
        ]
    }


def test_the_manifest_says_what_is_there() -> None:
    manifest: Any = json_text.read((HERE / "manifest.json").read_bytes())
    assert (manifest["version"], manifest["format"]) == (VERSION, FORMAT)
    assert set(manifest["files"]) == {path.name for path in HERE.glob("*.jsonl")}
    for name, said in manifest["files"].items():
        content = (HERE / name).read_bytes()
        assert said["sha256"] == sha256(content).hexdigest(), name
        assert said["cases"] == len(content.splitlines()), name
    for game in GAMES:
        covers = manifest["files"][f"{game}.jsonl"]["covers"]
        assert {name: set(words) for name, words in covers.items()} == covered(_kit(game))


def test_names_are_unique_and_the_kit_is_small() -> None:
    names = [case["id"] for _, case in KIT]
    assert len(names) == len(set(names))
    assert sum(path.stat().st_size for path in HERE.iterdir()) < MOST_BYTES
    assert {path.name for path in HERE.iterdir()} == {
        "README.md",
        "manifest.json",
        PERFT,
        *(f"{game}.jsonl" for game in GAMES),
    }
