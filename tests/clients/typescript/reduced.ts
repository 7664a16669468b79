// Reads observed games from a file, a line each, and follows them by the events alone. What comes
// out must be what the service observes at every step.

import { isDeepStrictEqual } from "node:util";
import { readFileSync } from "node:fs";

import { next, type Seen, type Told } from "./reducer.js";

interface Game {
  readonly seat: number | null;
  readonly states: readonly Seen[];
  readonly events: readonly (readonly Told[])[];
}

declare const process: { readonly argv: readonly string[] };

const path = process.argv[2];
if (path === undefined) throw new Error("usage: reduced.js FILE");
let steps = 0;
const types = new Set<string>();
for (const line of readFileSync(path, "utf8").trim().split("\n")) {
  const { seat, states, events } = JSON.parse(line) as Game;
  let [seen] = states;
  if (seen === undefined) throw new Error("a game without a beginning");
  for (const [place, told] of events.entries()) {
    const before = JSON.stringify(seen);
    const after: Seen = next(seen, told, seat);
    if (JSON.stringify(seen) !== before) throw new Error("what was seen has changed");
    const expected = states[place + 1];
    if (!isDeepStrictEqual(after, expected)) {
      throw new Error(JSON.stringify({ seat, before: seen, told, after, expected }));
    }
    for (const event of told) types.add(`${seen.game} ${event.type}`);
    seen = after;
    steps += 1;
  }
}
console.log(JSON.stringify({ steps, types: [...types].sort() }));
