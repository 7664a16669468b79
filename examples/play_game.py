"""Play a whole game over HTTP: python3 examples/play_game.py [BASE_URL]."""

import json
import sys
from urllib.request import Request, urlopen

base_url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"


def post(call: str, **body: object) -> dict:
    """Return the answer to a call of the rules API."""
    url = f"{base_url}/v1/games/splendor/{call}"
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(url, json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)


state = post("deal", seats=3, seed="example")["state"]
while state["phase"] != "over":
    actions = [item["action"] for item in post("legal-actions", state=state)["actions"]]
    purchases = [action for action in actions if action["type"] == "buy"]
    action = purchases[-1] if purchases else actions[7 * state["turn"] % len(actions)]
    step = post("apply", state=state, action=action)
    for event in step["events"]:
        print(json.dumps(event))
    state = step["state"]
