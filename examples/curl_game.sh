#!/usr/bin/env bash
# First contact, as in the README: needs curl, jq and the service on its default port.
set -euo pipefail; cd "$(mktemp -d)"

post() { curl -s "http://127.0.0.1:8000/v1/games/splendor/$1" -H 'Content-Type: application/json' -d @-; }

echo '{"seats": 2, "seed": "first contact"}' | post deal > dealt.json
jq '{state}' dealt.json | post legal-actions | jq -c '.actions[0] | .action, .preview'

jq '{state, action: {type: "take_different", colors: ["white", "blue", "green"]}}' dealt.json | post apply > next.json
jq -c '.events[]' next.json

jq '{state, action: {type: "take_same", color: "white"}}' next.json | post check | jq '.violations[]'
