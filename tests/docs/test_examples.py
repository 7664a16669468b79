"""The examples, as somebody runs them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from time import monotonic
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.docs.cutting import cutting
from tests.docs.pages import ROOT, read

NAMES = sorted(path.name for path in (ROOT / "examples").glob("*.py"))
MOST_LINES = 30  # of the script that plays a whole game
LATER = 1  # seconds


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


def test_two_players_come_back_when_they_are_told_to() -> None:
    """Streams too are refused with a time after which to ask again."""
    asked: defaultdict[str | None, list[float]] = defaultdict(list)

    class Full(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.answer(201, {"id": "A", "seat_tokens": ["ann", "ben"]})

        def do_GET(self) -> None:
            if not self.path.endswith("/events"):
                self.answer(200, {"actions": []})
                return
            times = asked[self.headers["Authorization"]]
            times.append(monotonic())
            self.answer(429 if len(times) == 1 else 204, {})

        def answer(self, status: int, body: object) -> None:
            text = b"" if status == 204 else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Retry-After", str(LATER))
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Full) as server:
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        assert _events("session_two_players.py", f"http://127.0.0.1:{server.server_port}") == []
        server.shutdown()
    assert len(asked) == 3, "two players, and who watches"
    for first, second in asked.values():
        assert second - first >= LATER


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


@pytest.mark.parametrize(
    ("arguments", "text", "says"),
    [
        ([], "{}", "usage"),
        (["record.json"], "{}", "usage"),
        (["A" * 64], "{}", "usage"),
        (["0" * 64, "0" * 64], "{}", "usage"),
        (["0" * 64], "", "no seed"),
        (["0" * 64], "[]", "no seed"),
        (["0" * 64], '{"seed": "a"}', "no seed"),
        (["0" * 64], '{"seed": "a", "nonce": "b"}', "promised"),
    ],
)
def test_a_shuffle_that_cannot_be_verified_is_said_to_be_so(
    arguments: list[str], text: str, says: str
) -> None:
    command = [sys.executable, str(ROOT / "examples" / "verify_shuffle.py"), *arguments]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_game_is_played_at_one_keyboard(base_url: str) -> None:
    typed = ["?", "!", "+wug", "+ww", "R91", "q", "+wug"]
    said = _typed(base_url, typed, "--seed", "abc")
    assert said.count("Splendor · Turn") == 2
    assert "Turn 1: seat 1 is to act" in said
    assert "\n+wug +wur +wuk" in said  # what may be done
    assert "tokens_taken turn_ended" in said
    assert "White is named more than once.\nColours named: 2; to be taken: 3." in said
    assert "At position 1, expected: card 1..90; found: 91." in said


def test_a_keyboard_speaks_other_languages_and_games(base_url: str) -> None:
    typed = ["0:C", "1:C", "0:X", "set/1 gamerules seats=2 :", "1:X"]
    said = _typed(base_url, typed, "--game", "set", "--seats", "3", "--language", "sq")
    assert "Vendi 1" in said
    assert "That is a whole game" in said
    assert said.endswith("won by seat 2\n")


def test_somebody_sits_down_at_a_session_with_a_terminal(base_url: str) -> None:
    created, claims = _seats(base_url, game="splendor", seats=2, seed="s" * 22)
    arguments = ("--session", created["id"], "--claim", claims[0])
    said = _typed(base_url, ["?", "!", "+wxg", "X", "0:X"], *arguments)
    assert "Turn 0: seat 0 is to act" in said
    assert "won by seat 1" in said


@pytest.mark.parametrize(
    ("game", "options"), [("splendor", {"target_prestige": 5}), ("set", {"deck": "quick"})]
)
def test_bots_play_a_session(base_url: str, game: str, options: dict[str, Any]) -> None:
    created, claims = _seats(base_url, game=game, seats=2, options=options)
    with ThreadPoolExecutor() as threads:
        bots = [threads.submit(_lines, "bot.py", base_url, created["id"], each) for each in claims]
        ends = [bot.result() for bot in bots]
    with urlopen(f"{base_url}/v1/sessions/{created['id']}/record") as answer:
        record = json.load(answer)
    assert record["complete"]
    assert len(record["actions"]) == sum(len(lines) - 1 for lines in ends)
    assert ends[0][-1] == ends[1][-1]
    assert ends[0][-1]["reason"] in {"target_prestige", "no_set_left"}


def test_every_example_is_in_the_list() -> None:
    folder = ROOT / "examples"
    listed = re.findall(r"^\| \[(\S+)\]\(\1\) \|", read("examples/README.md"), re.MULTILINE)
    there = {path.name for path in folder.iterdir() if path.is_file()}
    assert len(listed) == len(set(listed))
    assert set(listed) == there - {"README.md", "ruff.toml"}


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


def _seats(base_url: str, **asked: object) -> tuple[dict[str, Any], list[str]]:
    """Return a session, and the claims of join links for its seats."""
    created = _post(f"{base_url}/v1/sessions", asked)
    session = f"{base_url}/v1/sessions/{created['id']}"
    host = {"Authorization": f"Bearer {created['host_token']}"}
    seats = range(len(created["seat_tokens"]))
    links = [_post(f"{session}/seats/{seat}/join-link", {}, **host) for seat in seats]
    return created, [link["claim"] for link in links]


def _typed(base_url: str, lines: list[str], *arguments: str) -> str:
    """Return what the terminal shows to whoever types these lines."""
    return _run("terminal.py", *arguments, base_url, typed="\n".join(lines))


def _events(name: str, base_url: str) -> list[dict[str, Any]]:
    """Return what an example prints: one event a line."""
    return _lines(name, base_url)


def _lines(name: str, *arguments: str) -> list[dict[str, Any]]:
    """Return what an example prints, a line of JSON after the other."""
    return [json.loads(line) for line in _run(name, *arguments).splitlines()]


def _run(name: str, *arguments: str, typed: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-I", "-W", "error", ROOT / "examples" / name, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout
