"""A bot that sits down at a session: python3 examples/bot.py BASE_URL SESSION CLAIM.

The claim is that of a join link. At Splendor the bot does what the service suggests for what its
seat can see; at SET it looks for a set, as anybody would. It prints what it does, and how it ends.
"""

import json
import sys
from itertools import combinations
from urllib.error import HTTPError
from urllib.request import Request, urlopen

base_url, session, claim = sys.argv[1:4]
PATIENCE = 30  # seconds to wait for news at once
LOST = {409, 412}  # somebody else was faster: look again


def ask(path: str, body: object = None, **headers: str) -> dict:
    """Return the answer to a request. A body makes it a POST."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(f"{base_url}{path}", data, {"Content-Type": "application/json"})
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    with urlopen(request) as answer:
        return json.load(answer)


def suggested(seen: dict) -> dict | None:
    """Return what the service would do in the seat; it goes by what the seat sees."""
    body = {"state": seen["state"], "seat": seen["seat"], "level": "greedy"}
    return ask(f"/v1/games/{seen['game']}/suggest", body)["action"]


def found(seen: dict) -> dict | None:
    """Return a claim for the first set on the table, or say that there is none, if one may."""
    state = seen["state"]
    for trio in combinations([card for card in state["table"] if card is not None], 3):
        values = zip(*(FEATURES[card] for card in trio), strict=True)
        if all(len(set(feature)) != 2 for feature in values):
            return {"type": "claim", "cards": trio}
    may = ask(f"/v1/sessions/{session}/legal-actions", **token)["actions"]
    return next((item["action"] for item in may if item["action"]["type"] == "no_set"), None)


joined = ask(f"/v1/sessions/{session}/join", {"claim": claim})
token = {"Authorization": f"Bearer {joined['token']}"}
seen = ask(f"/v1/sessions/{session}", **token)
if seen["game"] == "set":
    cards = ask("/v1/games/set/components")["cards"]
    FEATURES = {each.pop("id"): tuple(each.values()) for each in cards}
choose = {"splendor": suggested, "set": found}[seen["game"]]

while seen["outcome"] is None:
    is_free = seen["to_act"] in (None, seen["seat"])
    action = choose(seen) if is_free else None
    if action is not None:
        try:
            version = {"If_Match": seen["version"], **token}
            ask(f"/v1/sessions/{session}/actions", {"action": action}, **version)
            print(json.dumps(action))
        except HTTPError as error:
            if error.code not in LOST:
                raise
    wait = 0 if action is not None else PATIENCE
    seen = ask(f"/v1/sessions/{session}?after={seen['version']}&wait={wait}", **token)
print(json.dumps(seen["outcome"]))
