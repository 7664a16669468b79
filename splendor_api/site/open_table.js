/**
 * Tables that the page keeps: of a state that everybody may read, or of one that is sealed.
 *
 * @typedef {import("./requests.js").Requests} Requests
 * @typedef {import("./table.js").Action} Action
 * @typedef {import("./table.js").Setup} Setup
 * @typedef {import("./table.js").State} State
 * @typedef {import("./table.js").Suggestion} Suggestion
 */

import { passes } from "./requests.js";
import { Table } from "./table.js";

const KEPT_AS = "table";
const MOST_PAST = 50; // turns that can be taken back after the page was loaded again
const THINKING_MS = /** @type {const} */ ([500, 900]); // of the computer, where it is its turn
const SEARCHING_MS = /** @type {const} */ ([9_000, 25_000]); // where whoever is first acts

/** A state that the page keeps; whoever sits at the screen is trusted. */
export class OpenTable extends Table {
  /**
   * @param {Requests} requests
   * @param {Setup} setup
   */
  constructor(requests, setup) {
    super(requests, setup.game, setup.seats);
    this.setup = setup;
    this.bots = setup.bots ?? {};
    this.mine = [...Array(setup.seats).keys()].filter((seat) => !(seat in this.bots));
    this.seat = this.mine[0] ?? null;
    /** @type {State} */
    this.state = null;
    /** @type {State[]} the state at the beginning of each turn, the newest last */
    this.past = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} until the computer acts */
    this.timer = undefined;
  }

  /** Have the first state dealt. */
  async deal() {
    const { game: _, bots: __, ...deal } = this.setup;
    this.dealt(await this.call("deal", { ...deal, ...this.secrecy() }));
  }

  /**
   * Take up the game that was played in this window before it was loaded again.
   *
   * @param {Requests} requests
   * @returns {OpenTable | null}
   */
  static again(requests) {
    const text = sessionStorage.getItem(KEPT_AS);
    if (text === null) return null;
    const { kind, setup, ...rest } = JSON.parse(text);
    const Kind = kind === "sealed" ? SealedTable : OpenTable;
    return Object.assign(new Kind(requests, setup), rest);
  }

  /** @returns {object} what has to be kept to take the game up again */
  kept() {
    const { kind, setup, state, past } = this;
    return { kind, setup, state, past: past.slice(-MOST_PAST) };
  }

  /** @returns {object} how much the deal hides */
  secrecy() {
    return {};
  }

  /** @param {any} dealt */
  dealt(dealt) {
    this.state = dealt.state;
  }

  /**
   * Return what besides the state has to be sent to act or look as a seat.
   *
   * @param {number | null} _seat
   * @returns {object}
   */
  key(_seat) {
    return {};
  }

  get hasPast() {
    return this.past.some(({ to_act: next }) => next === null || this.mine.includes(next));
  }

  get canHint() {
    return true;
  }

  async look() {
    const { to_act: next } = this.state;
    if (this.mine.includes(next)) this.seat = next;
    const seen = { state: this.state, seat: this.seat, ...this.key(this.seat) };
    this.view = (await this.call("observe", seen)).state;
    this.items = [];
    for (const seat of this.asking(next)) {
      const asked = { state: this.state, include_illegal: true, seat, ...this.key(seat) };
      this.items.push(...(await this.call("legal-actions", asked)).actions);
    }
    sessionStorage.setItem(KEPT_AS, JSON.stringify(this.kept()));
    this.changed();
    this.await();
  }

  turns() {
    const asked = { state: this.state, detail: "turns", seat: this.seat, ...this.key(this.seat) };
    return this.all((cursor) => this.call("legal-actions", { ...asked, ...(cursor && { cursor }) }));
  }

  /** @param {unknown} error */
  async recover(error) {
    if (passes(error)) await this.look(); // and the computer goes on
  }

  /**
   * Return the seats to ask what they may do: the one to act, or where there is none, all.
   *
   * @param {number | null} next
   * @returns {number[]}
   */
  asking(next) {
    if (this.state.outcome !== null) return [];
    return next === null ? this.mine : this.mine.filter((seat) => seat === next);
  }

  /** @param {Action} action */
  act(action) {
    return this.next(() => this.apply(action));
  }

  /** @param {Action} action */
  async apply(action) {
    const seat = action.seat ?? this.state.to_act;
    const step = await this.call("apply", { state: this.state, action, ...this.key(seat) });
    if (this.past.at(-1)?.turn !== this.state.turn) this.past.push(this.state);
    this.state = step.state;
    await this.look();
    this.tell(step.events);
  }

  undo() {
    return this.next(async () => {
      if (!this.hasPast) return;
      do this.state = this.past.pop();
      while (this.state.to_act in this.bots);
      await this.look();
    });
  }

  hint() {
    return this.suggestion(this.seat ?? 0, "greedy");
  }

  /**
   * @param {number} seat
   * @param {string} level
   * @returns {Promise<Suggestion>}
   */
  suggestion(seat, level) {
    const body = { state: this.state, level, seat, ...this.key(seat) };
    const path = `/v1/games/${this.game}/suggest`;
    return this.requests.ask("POST", path, { body });
  }

  /** Have the computer act where it is to, after a while. */
  await() {
    clearTimeout(this.timer);
    const { outcome, to_act: next } = this.state;
    const bots = Object.keys(this.bots).map(Number);
    const seat = next ?? bots[Math.floor(Math.random() * bots.length)];
    if (outcome !== null || seat === undefined || !(seat in this.bots)) return;
    const [least, most] = next === null ? SEARCHING_MS : THINKING_MS;
    const pause = least + Math.random() * (most - least);
    this.timer = setTimeout(() => void this.next(() => this.think(seat)), pause);
  }

  /**
   * Have the computer act for a seat, as the service suggests.
   *
   * @param {number} seat
   */
  async think(seat) {
    try {
      const { action } = await this.suggestion(seat, this.bots[seat] ?? "");
      if (action === null) this.await();
      else await this.apply(action);
    } catch (error) {
      this.failed(error);
    }
  }

  close() {
    clearTimeout(this.timer);
  }
}

/** A state in which all that is hidden is sealed, and a key for each seat; nothing is stored. */
export class SealedTable extends OpenTable {
  /**
   * @param {Requests} requests
   * @param {Setup} setup
   */
  constructor(requests, setup) {
    super(requests, setup);
    /** @type {string[]} */
    this.keys = [];
  }

  /** @returns {"sealed"} */
  get kind() {
    return "sealed";
  }

  secrecy() {
    return { secrecy: "sealed" };
  }

  /** @param {any} dealt */
  dealt(dealt) {
    this.state = dealt.state;
    this.keys = dealt.seat_keys;
  }

  kept() {
    return { ...super.kept(), keys: this.keys };
  }

  /** @param {number | null} seat */
  key(seat) {
    return seat === null || !this.state.sealed ? {} : { seat_key: this.keys[seat] };
  }
}
