"""Play in a terminal: python3 examples/terminal.py [--game splendor|set] [--seats N] [BASE_URL].

Everybody sits at one keyboard, and nothing is stored. To sit down at a session of the service, with
the claim of a join link: --session ID --claim CLAIM. What can be typed is the notation of
docs/notation.md, "?" for what may be done now, "!" for a suggestion, and "q" to leave.
"""

import argparse
import json
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("base_url", nargs="?", default="http://127.0.0.1:8000")
parser.add_argument("--game", choices=("splendor", "set"), default="splendor")
parser.add_argument("--seats", type=int, default=2)
parser.add_argument("--seed")
parser.add_argument("--language", default="en", help="en, gd, mn, sd or sq")
parser.add_argument("--session")
parser.add_argument("--claim")
asked = parser.parse_args()


class RefusedError(Exception):
    """The service says no; its sentences say why."""


def ask(path: str, body: object = None, accept: str = "application/json", **headers: str) -> bytes:
    """Return what the service answers. A body makes the request a POST."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(f"{asked.base_url}{path}", data, {"Content-Type": "application/json"})
    for name, value in {"Accept": accept, "Accept-Language": asked.language, **headers}.items():
        request.add_header(name.replace("_", "-"), value)
    try:
        with urlopen(request) as answer:
            return answer.read()
    except HTTPError as error:
        problem = json.load(error)
        said = [each["message"] for each in problem.get("violations", ())]
        raise RefusedError("\n".join(said or [problem["detail"]])) from None


class Shared:
    """One keyboard for everybody: the state lives here, and goes along with each question."""

    def __init__(self) -> None:
        """Deal."""
        self.game = asked.game
        seed = {"seed": asked.seed} if asked.seed else {}
        self.step = json.loads(self._call("deal", seats=asked.seats, **seed))
        self.step |= {"outcome": None, "events": []}

    def picture(self) -> str:
        """Return the table as text."""
        return self._call("picture", accept="text/plain", state=self.step["state"]).decode()

    def legal(self) -> list[dict]:
        """Return what may be done."""
        return json.loads(self._call("legal-actions", state=self.step["state"]))["actions"]

    def act(self, action: dict) -> None:
        """Do it, or raise `RefusedError`."""
        self.step = json.loads(self._call("apply", state=self.step["state"], action=action))

    def suggested(self) -> dict | None:
        """Return what a good player might do."""
        state = self.step["state"]
        advised = {"state": state, "level": "greedy", "seat": state["to_act"] or 0}
        return json.loads(self._call("suggest", **advised))["action"]

    def _call(self, call: str, accept: str = "application/json", **body: object) -> bytes:
        return ask(f"/v1/games/{self.game}/{call}", body, accept)


class Seat:
    """A seat of a session: the state lives with the service, which shows what the seat may see."""

    def __init__(self) -> None:
        """Exchange the claim for the token of a seat."""
        self.path = f"/v1/sessions/{asked.session}"
        joined = json.loads(ask(f"{self.path}/join", {"claim": asked.claim}))
        self.token = {"Authorization": f"Bearer {joined['token']}"}
        self.step = self._look()
        self.game = self.step["game"]
        self._wait()

    def picture(self) -> str:
        """Return the table as text."""
        return ask(f"{self.path}/picture", None, "text/plain", **self.token).decode()

    def legal(self) -> list[dict]:
        """Return what may be done."""
        return json.loads(ask(f"{self.path}/legal-actions", **self.token))["actions"]

    def act(self, action: dict) -> None:
        """Do it, then wait for the others; or raise `RefusedError`."""
        version = {"If_Match": self.step["version"], **self.token}
        answer = json.loads(ask(f"{self.path}/actions", {"action": action}, **version))
        self.step = {**self.step, **answer}
        self._wait()

    def suggested(self) -> dict | None:
        """Return what a good player might do."""
        body = {"state": self.step["state"], "level": "greedy", "seat": self.step["seat"]}
        return json.loads(ask(f"/v1/games/{self.game}/suggest", body))["action"]

    def _wait(self) -> None:
        """Wait until there is something to do. A game without turns may always be looked at."""
        while self.step["outcome"] is None and self.step["to_act"] not in (None, self.step["seat"]):
            self.step = self._look(f"?after={self.step['version']}&wait=30")

    def _look(self, query: str = "") -> dict:
        return json.loads(ask(f"{self.path}{query}", **self.token))


def noted(game: str, **body: object) -> dict:
    """Return an action both ways, as JSON and as it is typed."""
    return json.loads(ask(f"/v1/games/{game}/notation", body))


def obey(table: Shared | Seat, line: str) -> None:
    """Do what was typed."""
    if line == "?":
        actions = [item["action"] for item in table.legal()]
        print(*(noted(table.game, action=action)["notation"] for action in actions))
        return
    if line == "!":
        action = table.suggested()
        print("nothing" if action is None else noted(table.game, action=action)["notation"])
        return
    told = noted(table.game, notation=line)
    if "action" not in told:
        raise RefusedError("That is a whole game; type one action.")
    table.act(told["action"])
    print(*(event["type"] for event in table.step["events"]))
    print(table.picture())


table = Seat() if asked.session else Shared()
print(table.picture())
for line in map(str.strip, sys.stdin):
    if line == "q":
        break
    try:
        obey(table, line)
    except RefusedError as refused:
        print(refused)
    if table.step["outcome"] is not None:
        print("won by", *(f"seat {seat}" for seat in table.step["outcome"]["winners"]))
        break
