// A whole session of SET, followed as server-sent events, through a client whose types are made
// from openapi.yaml. Whatever is told of any game has to narrow by its `game` or its `type`.

import { isDeepStrictEqual } from "node:util";

import createClient from "openapi-fetch";

import type { components, paths } from "./api.js";
import { next, type Seen } from "./reducer.js";

type Schemas = components["schemas"];
type Card = Schemas["SetCard"];
type Observation = Schemas["SessionObservation"];
type Step = Schemas["SessionStep"];
type Closed = Schemas["SessionClosed"];

const FEATURES = ["number", "shading", "color", "shape"] as const satisfies readonly (keyof Card)[];
const LONGEST_GAME = 100;

// All of Node that is used, so that its types need not be installed.
declare const process: { readonly argv: readonly string[] };

const address = process.argv[2];
if (address === undefined) throw new Error("usage: session.js ADDRESS");
const client = createClient<paths>({ baseUrl: address });

/** Every type of event of SET; a new one does not compile until it has a line here. */
function told(event: Schemas["SetEvent"]): string {
  switch (event.type) {
    case "set_called":
    case "call_forfeited":
    case "no_set_said":
      return `${event.seat}`;
    case "set_claimed":
      return `${event.seat} has ${event.cards.join()}`;
    case "set_rejected":
      return `${event.seat} is wrong about ${event.features.join()}`;
    case "cards_dealt":
      return event.cards.map((card, place) => `${card} at ${event.slots[place]}`).join();
    case "table_shrunk":
      return event.moves.map((move) => `${move.card} ${move.from}→${move.to}`).join();
    case "resigned":
      return `${event.seat} ${event.timeout ? "too slow" : "gave up"}`;
    case "cards_shown":
      return `${event.deck.length} cards are left`;
    case "game_over":
      return event.outcome.ranking.map(({ seat, score }) => `${seat} has ${score}`).join();
    default:
      return unreachable(event);
  }
}

/** An action of SET: what it takes is known once its type is. */
function named(action: Schemas["SetAction"]): string {
  switch (action.type) {
    case "claim":
      return action.cards.join();
    case "resign":
      return `${action.seat} ${action.timeout ?? false}`;
    case "call":
    case "forfeit":
    case "no_set":
      return `${action.seat}`;
    default:
      return unreachable(action);
  }
}

function unreachable(value: never): never {
  throw new Error(`not in the contract: ${JSON.stringify(value)}`);
}

/** A state of any game narrows by its `game`. */
function tableOf(state: Schemas["AnyState"]): number[] {
  switch (state.game) {
    case "set":
      return state.table.filter((card) => card !== null);
    case "splendor":
      throw new Error(`no table, but a bank of ${state.bank.gold} gold`);
    default:
      return unreachable(state);
  }
}

function isSet(cards: readonly Card[]): boolean {
  return FEATURES.every((feature) => new Set(cards.map((card) => card[feature])).size !== 2);
}

function setIn(table: readonly number[], cards: ReadonlyMap<number, Card>): number[] {
  for (const [place, one] of table.entries())
    for (const [next, two] of table.slice(place + 1).entries())
      for (const three of table.slice(place + next + 2)) {
        const ids = [one, two, three];
        if (isSet(ids.map((id) => cards.get(id)).filter((card) => card !== undefined))) return ids;
      }
  throw new Error("no set on the table");
}

interface Followed {
  readonly names: readonly string[];
  readonly lines: readonly string[];
  readonly seen: Seen | undefined;
}

/** Read a stream to its end; return which events came, all that has happened, and what is seen. */
async function follow(stream: ReadableStream<Uint8Array>): Promise<Followed> {
  const [names, lines]: [string[], string[]] = [[], []];
  let seen: Seen | undefined;
  const text = await new Response(stream).text();
  for (const block of text.split("\n\n")) {
    const fields = new Map(block.split("\n").map((line) => line.split(/: (.*)/s, 2) as [string, string]));
    const [name, data] = [fields.get("event"), fields.get("data")];
    if (name === undefined || data === undefined) continue;
    names.push(name);
    if (name === "snapshot") seen = (JSON.parse(data) as Observation).state;
    if (name === "closed") lines.push((JSON.parse(data) as Closed).reason);
    if (name !== "step") continue;
    const step = JSON.parse(data) as Step;
    lines.push(...((step.events ?? []) as Schemas["SetEvent"][]).map(told));
    if (seen !== undefined) seen = next(seen, step.events ?? [], 1);
  }
  return { names, lines, seen };
}

async function play(): Promise<object> {
  const listed = await client.GET("/v1/games/{game}/components", { params: { path: { game: "set" } } });
  if (listed.error !== undefined) throw new Error(listed.error.detail);
  if (listed.data === undefined || "nobles" in listed.data) throw new Error("not the cards of SET");
  const cards = new Map(listed.data.cards.map((card) => [card.id, card]));

  const made = await client.POST("/v1/sessions", {
    body: { game: "set", seats: 2, options: { deck: "quick", table_size: 9 }, spectators: true },
  });
  if (made.error !== undefined) throw new Error(made.error.detail);
  const path = { session: made.data.id };
  const bearers = made.data.seat_tokens.map((token) => ({ Authorization: `Bearer ${token}` }));
  const [first, second] = bearers;
  if (first === undefined || second === undefined) throw new Error("not two seats");

  const opened = await client.GET("/v1/sessions/{session}/events", {
    params: { path },
    headers: second,
    parseAs: "stream",
  });
  if (opened.data == null) throw new Error("no stream");
  const followed = follow(opened.data);

  const seen = await client.GET("/v1/sessions/{session}", { params: { path }, headers: first });
  if (seen.error !== undefined || seen.data === undefined) throw new Error("not seen");
  let [state, { version }] = [seen.data.state, seen.data];
  for (let turn = 0; state.phase !== "over" && turn < LONGEST_GAME; turn += 1) {
    const action = { type: "claim", cards: setIn(tableOf(state), cards) } as const;
    const acted = await client.POST("/v1/sessions/{session}/actions", {
      params: { path, header: { "If-Match": `"${version}"`, "Idempotency-Key": `claim-${turn}` } },
      headers: turn % 2 === 0 ? first : second,
      body: { action },
    });
    if (acted.error !== undefined) {
      throw new Error(`${named({ ...action, seat: turn % 2 })}: ${acted.error.detail}`);
    }
    ({ state, version } = acted.data);
  }

  const written = await client.GET("/v1/sessions/{session}/record", { params: { path } });
  if (written.error !== undefined) throw new Error(written.error.detail);
  if (typeof written.data === "string") throw new Error("not the record as JSON");
  const { seed, nonce, commitment } = written.data;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${nonce}:${seed}`));
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  const line = await client.GET("/v1/sessions/{session}/record", {
    params: { path },
    headers: { Accept: "text/plain" },
    parseAs: "text",
  });
  if (line.error !== undefined) throw new Error(line.error.detail);
  const again = await client.POST("/v1/games/{game}/replay", {
    params: { path: { game: "set" } },
    body: { notation: line.data.trim() },
  });
  if (again.error !== undefined) throw new Error(again.error.detail);
  const replayed = again.data.state.phase;

  const { names, lines, seen: reduced } = await followed;
  const isSame = isDeepStrictEqual(reduced, state);
  return { names, lines, phase: state.phase, kept: hex === commitment, replayed, isSame };
}

// What must not compile.
// @ts-expect-error a seat is missing: only the bearer of a token may leave it out
export const noSeat: Schemas["SetAction"] = { type: "call" };
export const noTriple: Schemas["SessionActionRequest"] = {
  // @ts-expect-error these are no cards
  action: { type: "claim", cards: "1 2 3" },
};

console.log(JSON.stringify(await play()));
