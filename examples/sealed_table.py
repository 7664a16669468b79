"""Two players on a server that stores nothing: python3 examples/sealed_table.py [BASE_URL].

What is hidden travels shut inside the state, from hand to hand: nobody here can read the decks, and
only who reserved a card from a deck sees it.
"""

import json
import sys
from hashlib import sha256
from urllib.request import Request, urlopen

base_url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"


def post(call: str, **body: object) -> dict:
    """Return the answer to a call of the rules API."""
    url = f"{base_url}/v1/games/splendor/{call}"
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(url, json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)


class Player:
    """Somebody at a screen of their own, who knows one key and what it shows."""

    def __init__(self, seat: int, key: str) -> None:
        self.me = {"seat": seat, "seat_key": key}
        self.newest = -1  # the last turn seen: whoever sends an older state goes back on it

    def move(self, state: dict) -> dict:
        """Return the answer to an action: the next state goes to the other player."""
        assert state["turn"] > self.newest, "that state is not the newest"
        self.newest = state["turn"]
        while True:
            choices = post("legal-actions", state=state, **self.me)["actions"]
            action = max((each["action"] for each in choices), key=self.liking)
            step = post("apply", state=state, action=action, **self.me)
            if step["to_act"] != self.me["seat"]:
                return step
            state = step["state"]  # tokens are to be returned, or a noble to be chosen

    def liking(self, action: dict) -> tuple[bool, bool, int]:
        """Return how much an action is liked: buying, then a secret, then many tokens."""
        is_secret = action["type"] == "reserve" and "level" in action and self.newest < 4
        return action["type"] == "buy", is_secret, len(action.get("colors", ()))


dealt = post("deal", seats=2, ruleset="publisher", secrecy="sealed")
players = [Player(seat, key) for seat, key in enumerate(dealt["seat_keys"])]
step = dealt
while (seat := step["state"]["to_act"]) is not None:
    step = players[seat].move(step["state"])
    for player in players:
        own = post("observe", state=step["state"], **player.me)["state"]["players"]
        print(json.dumps({seat: hand["reserved"] for seat, hand in enumerate(own)}))
print(json.dumps(step["outcome"]))
committed = sha256(f"{step['nonce']}:{step['seed']}".encode()).hexdigest()
assert committed == dealt["commitment"], "the decks are not those that were dealt"
