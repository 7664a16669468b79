"""Follow a game played with real cards: python3 examples/physical_table.py [BASE_URL].

The decks are on the table, so the service knows how many cards they have and not which. Whenever a
card is turned up it is told which one; everything else works as ever.
"""

import json
import sys
from urllib.request import Request, urlopen

base_url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"

# What lies on this table: the nobles, and twelve cards, level by level, slot by slot.
NOBLES = [2, 7, 9]
MARKET = {1: [3, 9, 17, 13], 2: [41, 44, 60, 52], 3: [71, 77, 75, 90]}

# What the players say they do, and the cards that are turned up meanwhile.
PLAY = [
    {"type": "take_different", "colors": ["white", "blue", "red"]},
    {"type": "reserve", "card": 44},
    {"type": "reveal", "level": 2, "slot": 1, "card": 66},
    {"type": "take_different", "colors": ["white", "green", "black"]},
    {"type": "reserve", "level": 1},  # seat 1 looks at the card; nobody else knows it
    {"type": "buy", "card": 13},
    {"type": "reveal", "level": 1, "slot": 3, "card": 28},
    {"type": "take_different", "colors": ["blue", "green", "black"]},
    {"type": "take_different", "colors": ["white", "blue", "green"]},
    {"type": "buy", "card": 1},  # the card that was drawn unseen: now it is known
]


def post(call: str, **body: object) -> dict:
    """Return the answer to a call of the rules API."""
    url = f"{base_url}/v1/games/splendor/{call}"
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(url, json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)


def act(state: dict, action: dict) -> dict:
    """Return the next state, and print what happened."""
    step = post("apply", state=state, action=action)
    for event in step["events"]:
        print(json.dumps(event))
    return step["state"]


def laid_out() -> dict:
    """Return the first state: tokens and options from a deal, cards and nobles from the table."""
    state = post("deal", seats=2, ruleset="publisher")["state"]
    for level, deck in state["decks"].items():
        state["decks"][level] = {"count": len(deck)}
        state["market"][level] = ["unknown"] * 4
    return {**state, "nobles": NOBLES, "phase": "reveal"}


state = laid_out()
for level, cards in MARKET.items():
    for slot, card in enumerate(cards):
        state = act(state, {"type": "reveal", "level": level, "slot": slot, "card": card})
for action in PLAY:
    state = act(state, action)
