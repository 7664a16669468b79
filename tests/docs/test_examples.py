"""The examples, as somebody runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.docs.cutting import cutting
from tests.docs.pages import ROOT

NAMES = sorted(path.name for path in (ROOT / "examples").glob("*.py"))
MOST_LINES = 30  # of the script that plays a whole game


def test_a_whole_game_is_played(base_url: str) -> None:
    events = _events("play_game.py", base_url)
    assert events[-1]["type"] == "game_over"
    assert events[-1]["outcome"]["winners"]
    assert [event["turn"] for event in events if event["type"] == "turn_ended"] == list(
        range(1, 1 + sum(event["type"] == "turn_ended" for event in events))
    )


def test_a_whole_game_is_a_short_script() -> None:
    assert len((ROOT / "examples" / "play_game.py").read_text("utf-8").splitlines()) <= MOST_LINES


def test_a_game_on_a_table_is_followed(base_url: str) -> None:
    events = _events("physical_table.py", base_url)
    reserved = [event for event in events if event["type"] == "card_reserved"]
    assert [event.get("card") for event in reserved] == [44, None]
    bought = [event["card"] for event in events if event["type"] == "card_bought"]
    assert bought == [13, 1]
    assert events[-1] == {"type": "turn_ended", "seat": 1, "turn": 8}


def test_two_players_play_with_nothing_stored(base_url: str) -> None:
    *seen, outcome = _events("sealed_table.py", base_url)
    assert outcome["winners"]
    for place, hands in enumerate(seen[:-2]):  # the last two show a game that is over
        own, other = hands[str(place % 2)], hands[str(1 - place % 2)]
        assert all("card" in held for held in own)
        assert not any("card" in held for held in other)
    assert any(any(hands.values()) for hands in seen)
    assert len((ROOT / "examples" / "sealed_table.py").read_text("utf-8").splitlines()) <= 60


def test_two_players_play_a_session(base_url: str) -> None:
    assert _is_told_whole(_events("session_two_players.py", base_url))


def test_two_players_play_on_however_much_is_lost(base_url: str) -> None:
    with cutting(base_url) as cuts:
        assert _is_told_whole(_events("session_two_players.py", cuts.url))
    assert min(cuts.refused, cuts.unanswered, cuts.halved) > 0


def test_a_shuffle_is_verified(base_url: str) -> None:
    created, record = _resigned(base_url)
    done = _verified(created["commitment"], record)
    decks = [json.loads(line) for line in done.stdout.splitlines()]
    dealt = {str(each["level"]): each["deck"][:-5:-1] for each in decks}
    assert done.returncode == 0
    assert _post(f"{base_url}/v1/games/splendor/replay", {"record": record})["to_act"] is None
    assert dealt == created["market"]


def test_a_shuffle_of_another_seed_is_found_out(base_url: str) -> None:
    created, record = _resigned(base_url)
    done = _verified(created["commitment"], {**record, "seed": "another"})
    assert (done.returncode, done.stdout) == (1, "")
    assert "promised" in done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_an_example_stands_alone(name: str) -> None:
    code = (ROOT / "examples" / name).read_text("utf-8")
    imported = {line.split()[1].split(".")[0] for line in code.splitlines() if _imports(line)}
    assert imported <= sys.stdlib_module_names


def _imports(line: str) -> bool:
    return line.startswith(("import ", "from "))


def _is_told_whole(events: list[dict[str, Any]]) -> bool:
    """Return whether every turn was told once, in order, to the end of the game."""
    turns = [event["turn"] for event in events if event["type"] == "turn_ended"]
    return (
        turns == list(range(1, 1 + len(turns)))
        and len(turns) > 2
        and [event["type"] for event in events].index("game_over") == len(events) - 1
    )


def _resigned(base_url: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return how a session began, with its market, and the record of it when it is over."""
    created = _post(f"{base_url}/v1/sessions", {"game": "splendor", "seats": 2})
    session, token = f"{base_url}/v1/sessions/{created['id']}", created["seat_tokens"][0]
    with urlopen(session) as answer:
        created["market"] = json.load(answer)["state"]["market"]
    headers = {"Authorization": f"Bearer {token}", "If-Match": created["version"]}
    _post(f"{session}/actions", {"action": {"type": "resign"}}, **headers)
    with urlopen(f"{session}/record") as answer:
        return created, json.load(answer)


def _post(url: str, body: object, **headers: str) -> dict[str, Any]:
    headers = {"Content-Type": "application/json", **headers}
    with urlopen(Request(url, json.dumps(body).encode(), headers)) as answer:
        told: dict[str, Any] = json.load(answer)
    return told


def _verified(commitment: str, record: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", "-W", "error", ROOT / "examples" / "verify_shuffle.py", commitment],
        input=json.dumps(record),
        capture_output=True,
        text=True,
        check=False,
    )


def _events(name: str, base_url: str) -> list[dict[str, Any]]:
    """Return what an example prints: one event a line."""
    done = subprocess.run(
        [sys.executable, "-I", "-W", "error", ROOT / "examples" / name, base_url],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]
