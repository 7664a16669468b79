// From one observation to the next, by the events alone: what an interface does with each `step` of
// a stream, so that it need not ask for the state again. Nothing of the rules is in here.
//
//   openapi-typescript openapi.yaml --output api.d.ts
//
//   let state = snapshot.state;                               // event: snapshot
//   state = next(state, step.events ?? [], snapshot.seat);    // event: step
//
// Where a step has a `state` of its own (`undone`), that is the next one.

import type { components } from "./api.js";

type Schemas = components["schemas"];
export type Seen = Schemas["AnyState"];
export type Told = Schemas["AnyEvent"];

type Splendor = Schemas["SplendorState"];
type SplendorEvent = Schemas["SplendorEvent"];
type Tokens = Schemas["SplendorTokenMap"];
type Level = "1" | "2" | "3";
type SetGame = Schemas["SetObservedState"];
type SetEvent = Schemas["SetEvent"];

const COLORS = ["white", "blue", "green", "red", "black", "gold"] as const;
const NONE: Tokens = { white: 0, blue: 0, green: 0, red: 0, black: 0, gold: 0 };
const LOST_SLOTS = 3; // that the table of SET loses as it shrinks

/** Return what a seat (null: a spectator) sees after what it was told; `seen` stays as it is. */
export function next(seen: Seen, events: readonly Told[], seat: number | null): Seen {
  // A state and the events that follow it are of one game; the types cannot say so.
  return seen.game === "splendor"
    ? nextOfSplendor(seen, events as readonly SplendorEvent[], seat)
    : nextOfSet(seen, events as readonly SetEvent[]);
}

export function nextOfSplendor(seen: Splendor, events: readonly SplendorEvent[], seat: number | null): Splendor {
  const state = structuredClone(seen);
  let drawn = { ...NONE, ...state.drawn }; // in this turn, until it ends
  for (const event of events) {
    if (event.type === "tokens_taken") drawn = sum(drawn, event.tokens);
    if (event.type === "card_reserved") drawn.gold += event.gold;
    if (event.type === "turn_ended") drawn = { ...NONE };
    tellSplendor(state, event, seat);
  }
  const isWhole = !Object.values(state.market).some((row) => row.includes("unknown"));
  if (state.phase === "reveal" && isWhole) state.phase = "main"; // the table that the game began on is told
  state.drawn = owesTokens(state) ? drawn : null;
  return state;
}

export function nextOfSet(seen: SetGame, events: readonly SetEvent[]): SetGame {
  const state = structuredClone(seen);
  for (const event of events) tellSet(state, event);
  return state;
}

function tellSplendor(state: Splendor, event: SplendorEvent, seat: number | null): void {
  switch (event.type) {
    case "tokens_taken":
      state.bank = sum(state.bank, event.tokens, -1);
      at(state.players, event.seat).tokens = sum(at(state.players, event.seat).tokens, event.tokens);
      return;
    case "tokens_returned":
      state.bank = sum(state.bank, event.tokens);
      at(state.players, event.seat).tokens = sum(at(state.players, event.seat).tokens, event.tokens, -1);
      return;
    case "card_reserved": {
      const player = at(state.players, event.seat);
      state.bank.gold -= event.gold;
      player.tokens.gold += event.gold;
      if (event.slot === null) draw(state, event.level);
      else rowOf(state, event.level)[event.slot] = null;
      const isSeen = event.seat === seat || state.ruleset.options.reserve_visibility !== "all_hidden";
      player.reserved.push(
        event.card !== undefined && isSeen
          ? { card: event.card, hidden: event.hidden }
          : { level: event.level, hidden: true },
      );
      return;
    }
    case "card_bought": {
      const player = at(state.players, event.seat);
      state.bank = sum(state.bank, event.payment);
      player.tokens = sum(player.tokens, event.payment, -1);
      player.cards.push(event.card);
      if (event.slot !== null) rowOf(state, event.level)[event.slot] = null;
      else {
        const place = event.place ?? player.reserved.findIndex((held) => "card" in held && held.card === event.card);
        player.reserved.splice(place, 1);
      }
      return;
    }
    case "card_revealed": {
      const row = rowOf(state, event.level);
      if (event.card !== null && row[event.slot] !== "unknown") draw(state, event.level);
      row[event.slot] = event.card;
      return;
    }
    case "reveal_owed":
      for (const { level, slot } of event.slots) {
        if (rowOf(state, level)[slot] !== "unknown") draw(state, level);
        rowOf(state, level)[slot] = "unknown";
      }
      state.phase = "reveal";
      return;
    case "noble_visited":
      state.nobles = state.nobles.filter((noble) => noble !== event.noble);
      at(state.players, event.seat).nobles.push(event.noble);
      return;
    case "return_owed":
      state.phase = "return_tokens";
      return;
    case "noble_owed":
      state.phase = "choose_noble";
      return;
    case "final_round_started":
      state.final_round = true;
      return;
    case "turn_ended":
      state.turn = event.turn;
      state.to_act = event.turn % state.players.length;
      state.phase = "main";
      return;
    case "resigned":
      at(state.players, event.seat).resigned = true;
      return;
    case "cards_shown":
      state.decks = event.decks;
      state.players.forEach((player, holder) => (player.reserved = at(event.reserved, holder)));
      return;
    case "game_over":
      Object.assign(state, { phase: "over", to_act: null, outcome: event.outcome });
      return;
    case "passed":
    case "turn_skipped":
      return; // for the eyes
    default:
      unknown(event);
  }
}

function tellSet(state: SetGame, event: SetEvent): void {
  switch (event.type) {
    case "set_called":
      state.phase = "called";
      state.to_act = event.seat;
      return;
    case "set_claimed": {
      decide(state);
      const taken: readonly number[] = event.cards;
      const player = at(state.players, event.seat);
      player.sets.push(event.cards);
      player.score += 1;
      state.table = state.table.map((card) => (card !== null && taken.includes(card) ? null : card));
      state.no_set = [];
      return;
    }
    case "set_rejected":
    case "call_forfeited": {
      decide(state);
      const player = at(state.players, event.seat);
      player.failed += 1;
      player.score -= state.ruleset.options.penalty;
      return;
    }
    case "cards_dealt":
      event.slots.forEach((slot, place) => {
        while (state.table.length <= slot) state.table.push(null);
        state.table[slot] = at(event.cards, place);
      });
      if ("count" in state.deck) state.deck.count -= event.slots.length;
      state.no_set = [];
      return;
    case "table_shrunk":
      for (const move of event.moves) state.table[move.to] = move.card;
      state.table.splice(-LOST_SLOTS);
      return;
    case "no_set_said":
      state.no_set.push(event.seat);
      return;
    case "resigned":
      at(state.players, event.seat).resigned = true;
      state.no_set = state.no_set.filter((seat) => seat !== event.seat);
      if (state.to_act === event.seat) free(state);
      return;
    case "cards_shown":
      state.deck = event.deck;
      return;
    case "game_over":
      Object.assign(state, { phase: "over", to_act: null, outcome: event.outcome });
      if ("count" in state.deck && state.deck.count === 0) state.deck = [];
      return;
    default:
      unknown(event);
  }
}

function decide(state: SetGame): void {
  state.turn += 1;
  free(state);
}

function free(state: SetGame): void {
  state.phase = "open";
  state.to_act = null;
}

/** Whether the seat to act owes tokens, now or once the market is full again. */
function owesTokens(state: Splendor): boolean {
  if (state.to_act === null || (state.phase !== "return_tokens" && state.phase !== "reveal")) return false;
  const player = at(state.players, state.to_act);
  const held = COLORS.reduce((count, color) => count + player.tokens[color], 0);
  return held > state.ruleset.options.token_limit && !player.resigned;
}

function sum(some: Tokens, more: Tokens, sign: 1 | -1 = 1): Tokens {
  const counts = COLORS.map((color) => [color, some[color] + sign * more[color]]);
  return Object.fromEntries(counts) as Tokens;
}

/** Take the top card of a deck, of which an observer knows but the count. */
function draw(state: Splendor, level: number): void {
  const deck = state.decks[`${level}` as Level];
  if ("count" in deck) deck.count -= 1;
}

function rowOf(state: Splendor, level: number): Splendor["market"][Level] {
  return state.market[`${level}` as Level];
}

function at<T>(items: readonly T[], place: number): T {
  const item = items[place];
  if (item === undefined) throw new Error(`there is nothing at ${place}`);
  return item;
}

/** A new type of event does not compile until it has a case; one from a newer service is an error. */
function unknown(event: never): never {
  throw new Error(`not known here: ${JSON.stringify(event)}`);
}
