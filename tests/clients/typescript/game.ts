// A whole game of Splendor through a client whose types are made from openapi.yaml. It has to
// compile under the strictest settings, which shows that every union narrows, and then to run.

import createClient from "openapi-fetch";

import type { components, paths } from "./api.js";

type Schemas = components["schemas"];
type State = Schemas["SplendorGivenState"];
type Action = Schemas["SplendorAction"];
type Event = Schemas["SplendorEvent"];
type Candidate = Schemas["SplendorCandidate"];
// What is answered is one type for all games; of which game it is, the path says.
type Deal = Schemas["SplendorDeal"];
type Listed = Schemas["SplendorLegalActions"];
type Step = Schemas["SplendorStep"];

const COLORS = ["white", "blue", "green", "red", "black", "gold"] as const satisfies readonly Schemas["SplendorColor"][];
const LONGEST_GAME = 1_000;
const game = { params: { path: { game: "splendor" } } } as const;

// All of Node that is used, so that its types need not be installed.
declare const process: { readonly argv: readonly string[] };

const address = process.argv[2];
if (address === undefined) throw new Error("usage: game.js ADDRESS");
const client = createClient<paths>({ baseUrl: address });

/** Every type of event and what it holds: a new one does not compile until it has a line here. */
function told(event: Event): string {
  switch (event.type) {
    case "tokens_taken":
    case "tokens_returned":
      return `${event.seat} ${COLORS.map((color) => event.tokens[color]).join()}`;
    case "card_reserved":
      return `${event.seat} ${event.card ?? `level ${event.level}`} ${event.slot ?? "deck"} ${event.gold}`;
    case "card_bought":
      return `${event.seat} ${event.card} for ${event.payment.gold} gold and more`;
    case "card_revealed":
      return event.card === null ? `no card in ${event.slot}` : `card ${event.card}`;
    case "noble_visited":
      return `${event.seat} noble ${event.noble}`;
    case "passed":
    case "turn_skipped":
    case "final_round_started":
      return `${event.seat}`;
    case "resigned":
      return `${event.seat} ${event.timeout ? "too slow" : "gave up"}`;
    case "return_owed":
      return `${event.seat} owes ${event.count}`;
    case "noble_owed":
      return `${event.seat} chooses among ${event.nobles.join()}`;
    case "reveal_owed":
      return event.slots.map((place) => `${place.level}/${place.slot}`).join();
    case "turn_ended":
      return `turn ${event.turn}`;
    case "cards_shown":
      return `${Object.keys(event.decks).length} decks`;
    case "game_over":
      return `${event.outcome.reason}, won by ${event.outcome.winners.join()}`;
    default:
      return unreachable(event);
  }
}

/** Every type of action: what it takes is known once its type is. */
function named(action: Action): string {
  switch (action.type) {
    case "take_different":
      return action.colors.join();
    case "take_same":
      return action.color;
    case "reserve":
      return `${action.card ?? `level ${action.level ?? "?"}`}`;
    case "buy":
      return `${action.card} ${action.payment?.gold ?? 0}`;
    case "return_tokens":
      return Object.entries(action.tokens).join();
    case "choose_noble":
      return `${action.noble}`;
    case "reveal":
      return `${action.level} ${action.slot} ${action.card}`;
    case "resign":
      return `${action.seat}`;
    case "pass":
      return action.type;
    default:
      return unreachable(action);
  }
}

function unreachable(value: never): never {
  throw new Error(`not in the contract: ${JSON.stringify(value)}`);
}

/** What can be seen of a slot, a deck and a hand: unions without a tag narrow by what is there. */
function seen(state: State): number {
  let cards = 0;
  for (const slot of state.market["1"]) {
    if (typeof slot === "number") cards += slot;
    else if (slot !== null) cards += slot satisfies "unknown" ? 0 : 1;
  }
  for (const { reserved } of state.players) {
    for (const held of reserved) cards += "card" in held ? held.card : held.level;
  }
  const deck = state.decks["1"];
  return cards + (Array.isArray(deck) ? deck.length : deck.count);
}

function best(candidates: readonly Candidate[]): Action {
  const bought = candidates.filter(({ action }) => action.type === "buy");
  const prestige = ({ preview }: Candidate) => preview?.prestige ?? 0;
  const most = (tokens?: Schemas["SplendorTokenMap"]) => Math.max(0, ...Object.values(tokens ?? {}));
  const burden = ({ action, preview }: Candidate) =>
    100 * (preview?.must_return ?? 0) + most(preview?.tokens_after) + (action.type === "reserve" ? 1_000 : 0);
  const [first] =
    bought.length > 0
      ? bought.sort((one, other) => prestige(other) - prestige(one))
      : [...candidates].sort((one, other) => burden(one) - burden(other));
  if (first === undefined) throw new Error("nothing can be done");
  return first.action;
}

async function play(): Promise<State> {
  const dealt = await client.POST("/v1/games/{game}/deal", {
    ...game,
    body: { seats: 2, seed: "a game", secrecy: "open", options: { target_prestige: 15 } },
  });
  if (dealt.error !== undefined) throw new Error(dealt.error.detail);
  let state: State = (dealt.data as Deal).state;
  for (let count = 0; state.to_act !== null && count < LONGEST_GAME; count += 1) {
    const body = { state, detail: "choices", include_illegal: false } as const;
    const listed = await client.POST("/v1/games/{game}/legal-actions", { ...game, body });
    if (listed.error !== undefined) throw new Error(listed.error.detail);
    const action = best((listed.data as Listed).actions);
    const step = await client.POST("/v1/games/{game}/apply", { ...game, body: { state, action } });
    if (step.error !== undefined) throw new Error(`${named(action)}: ${step.error.detail}`);
    const { events, ...next } = step.data as Step;
    if (events.map(told).some((line) => line === "")) throw new Error("nothing told");
    state = next.state;
    seen(state);
  }
  return state;
}

async function refuse(state: State): Promise<string[]> {
  const action: Action = { type: "return_tokens", tokens: { white: 1 } };
  const step = await client.POST("/v1/games/{game}/apply", { ...game, body: { state, action } });
  if (step.error === undefined || !("violations" in step.error)) throw new Error("not refused");
  return step.error.violations?.map(({ code, pointer }) => `${code} ${pointer}`) ?? [];
}

// What must not compile.
export const noColor: Action = {
  type: "take_same",
  // @ts-expect-error gold is no gem colour
  color: "gold",
};
// @ts-expect-error a card is missing
export const noCard: Action = { type: "buy" };
export const noSlot: Action = {
  type: "pass",
  // @ts-expect-error pass has no slot
  slot: 1,
};
// @ts-expect-error there is no such game
export const noGame: Schemas["GameName"] = "tarot";

const last = await play();
console.log(JSON.stringify({ phase: last.phase, outcome: last.outcome, refused: await refuse(last) }));
