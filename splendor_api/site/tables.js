/**
 * Three ways to play, behind one set of methods. The page does not know which it is; each is what
 * an app would do that plays so: keep the state, keep a sealed state and the keys, or ask a session.
 *
 * @typedef {any} State  a state or an observation, of whichever game
 * @typedef {any} Action
 * @typedef {{action: Action, legal: boolean, preview: any, violations?: {code: string, pointer: string, params: any, message: string}[]}} Item
 * @typedef {{type: string, seat?: number, [name: string]: any}} GameEvent
 * @typedef {{state: State, events: GameEvent[]}} Step
 * @typedef {{by: number, revealed: boolean, agreed: number[]}} Undo
 *
 * @typedef {object} Setup
 * @property {string} game
 * @property {number} seats
 * @property {string} ruleset
 * @property {Record<string, unknown>} options
 * @property {string} [seed]
 * @property {Bots} [bots]
 * @property {[name: string, seconds: number]} [limit]  what the seat to act has in a session
 *
 * @typedef {Record<number, string>} Bots  the level of each seat that the computer plays
 * @typedef {{action: Action | null, ranked: {reasons: {message: string}[]}[]}} Suggestion
 */

import { Ahead } from "./clock.js";
import { fresh } from "./requests.js";
import { follow } from "./stream.js";

/** @typedef {import("./requests.js").Requests} Requests */

const KEPT_AS = "table";
const MOST_PAST = 50; // turns that can be taken back after the page was loaded again
const THINKING_MS = /** @type {const} */ ([500, 900]); // of the computer, where it is its turn
const SEARCHING_MS = /** @type {const} */ ([9_000, 25_000]); // where whoever is first acts

/**
 * What every way to play has in common. `step` tells of something that happened, with the state
 * after it; `change` of everything else that is to be drawn anew.
 */
export class Table extends EventTarget {
  /**
   * @param {Requests} requests
   * @param {string} game
   * @param {number} seats
   */
  constructor(requests, game, seats) {
    super();
    this.requests = requests;
    this.game = game;
    this.seats = seats;
    /** @type {State} what is shown */
    this.view = null;
    /** @type {Item[]} what may be done, and what may not */
    this.items = [];
    /** @type {number | null} whose eyes see the view; null is a spectator */
    this.seat = null;
    /** @type {number[]} the seats that are played at this screen */
    this.mine = [];
    /** @type {Undo | null} */
    this.proposal = null;
    /** @type {Bots} */
    this.bots = {};
    /** @type {Promise<unknown>} what is being done; all is done in turn */
    this.busy = Promise.resolve();
  }

  /**
   * Do one thing after another.
   *
   * @template Result
   * @param {() => Promise<Result>} deed
   * @returns {Promise<Result>}
   */
  next(deed) {
    const done = this.busy.then(deed, deed);
    this.busy = done.catch(() => {});
    return done;
  }

  /** @returns {"open" | "sealed" | "session"} */
  get kind() {
    return "open";
  }

  /** @returns {number | null} when the seat to act must have acted, by this computer's clock */
  get until() {
    return null;
  }

  /** @returns {boolean} whether there is a turn that could be taken back */
  get hasPast() {
    return false;
  }

  /**
   * Act, and tell of it.
   *
   * @param {Action} action
   * @returns {Promise<void>}
   */
  async act(action) {
    throw new Error(`nothing does ${action.type}`);
  }

  /** Look again, at the same. @returns {Promise<void>} */
  async look() {}

  /**
   * Propose to take the last turn back, or answer to that.
   *
   * @param {"propose" | "accept" | "decline" | "withdraw"} word
   * @returns {Promise<void>}
   */
  async undo(word) {
    throw new Error(`nothing does ${word}`);
  }

  /**
   * Return what the service suggests to the seat that looks; null where it cannot be asked.
   *
   * @returns {Promise<Suggestion | null>}
   */
  async hint() {
    return null;
  }

  /** Leave; nothing is told any more. */
  close() {}

  /**
   * @param {GameEvent[]} events
   */
  tell(events) {
    this.dispatchEvent(new CustomEvent("step", { detail: events }));
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }

  /**
   * @param {string} call
   * @param {object} body
   */
  call(call, body) {
    const isDeed = ["apply", "deal"].includes(call);
    return this.requests.ask("POST", `/v1/games/${this.game}/${call}`, { body, isDeed });
  }
}

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
    return this.requests.ask("POST", path, { body, repeats: true });
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
      this.dispatchEvent(new CustomEvent("failure", { detail: error }));
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

/**
 * What this browser may do in a session: kept here, and never part of an address.
 *
 * @typedef {object} Pass
 * @property {string} [host]
 * @property {Record<string, string>} seats
 */

/** A game that the service keeps; what others do is told by a stream. */
export class SessionTable extends Table {
  /**
   * @param {Requests} requests
   * @param {string} game
   * @param {string} id
   * @param {number | null} seat
   */
  constructor(requests, game, id, seat) {
    super(requests, game, 0);
    this.id = id;
    this.seat = seat;
    this.mine = seat === null ? [] : [seat];
    this.version = "";
    this.toldUpTo = 0;
    this.isLive = false;
    /** @type {(() => void) | null} */
    this.unfollow = null;
    this.ahead = new Ahead();
    /** @type {number | null} when the seat to act must have acted, by the service's clock */
    this.deadline = null;
  }

  get until() {
    return this.ahead.here(this.deadline);
  }

  /**
   * Begin a session; whoever begins it takes the first seat that is no computer's.
   *
   * @param {Requests} requests
   * @param {Setup} setup
   */
  static async create(requests, setup) {
    const key = fresh();
    requests.secrets.add(key);
    const headers = { "Idempotency-Key": key };
    const { limit, ...body } = setup;
    if (limit) Object.assign(body, { [limit[0]]: limit[1] });
    const made = await requests.ask("POST", "/v1/sessions", { body, headers, isDeed: true, repeats: true });
    const seat = [...Array(setup.seats).keys()].find((each) => !(each in (setup.bots ?? {}))) ?? null;
    const seats = seat === null ? {} : { [seat]: made.seat_tokens[seat] };
    keep(made.id, { host: made.host_token, seats });
    return new SessionTable(requests, setup.game, made.id, seat);
  }

  /**
   * Sit at a session of an address: with a claim by taking the seat that it is for, else as who
   * this browser has been there, or as a spectator.
   *
   * @param {Requests} requests
   * @param {{id: string, seat: number | null, claim: string | null}} address
   */
  static async join(requests, { id, seat, claim }) {
    let place = seat;
    if (claim !== null) {
      const joined = await requests.ask("POST", `/v1/sessions/${id}/join`, { body: { claim } });
      place = joined.seat;
      const pass = kept(id);
      keep(id, { ...pass, seats: { ...pass.seats, [joined.seat]: joined.token } });
    }
    const token = place === null ? null : (kept(id).seats[place] ?? null);
    const seen = await requests.ask("GET", `/v1/sessions/${id}`, { token });
    return new SessionTable(requests, seen.game, id, token === null ? null : place);
  }

  /** @returns {"session"} */
  get kind() {
    return "session";
  }

  /** @returns {string | null} */
  get token() {
    return this.seat === null ? null : (kept(this.id).seats[this.seat] ?? null);
  }

  /** @returns {string | null} */
  get host() {
    return kept(this.id).host ?? null;
  }

  get hasPast() {
    return this.view?.turn > 0;
  }

  /** Look, and follow what happens. */
  async begin() {
    await this.look();
    this.unfollow = follow(this.requests, this.id, () => this.token, {
      live: (isLive) => {
        this.isLive = isLive;
        this.dispatchEvent(new Event("live"));
      },
      told: (name, data, version) => this.next(() => this.told(name, data, version)),
    });
  }

  close() {
    this.unfollow?.();
  }

  /**
   * @param {string} path
   * @param {object} body
   * @param {boolean} [names]  whether it names the version that it was decided on
   */
  send(path, body, names = true) {
    /** @type {Record<string, string>} */
    const headers = { "Idempotency-Key": fresh() };
    if (names) headers["If-Match"] = `"${this.version}"`;
    const asked = { body, token: this.token, headers, isDeed: true, repeats: true };
    return this.requests.ask("POST", `/v1/sessions/${this.id}${path}`, asked);
  }

  async look() {
    const seen = await this.requests.ask("GET", `/v1/sessions/${this.id}`, { token: this.token });
    this.see(seen);
    await this.ask();
    this.changed();
  }

  /** @param {number | null} deadline  when the seat to act must have acted */
  limit(deadline) {
    if (deadline === this.deadline) return;
    this.deadline = deadline;
    this.dispatchEvent(new Event("live"));
  }

  /** @param {any} seen */
  see(seen) {
    this.version = seen.version;
    this.view = seen.state;
    this.seats = seen.state.players.length;
    this.proposal = seen.undo ?? null;
    this.deadline = seen.deadline_ms;
  }

  /** Ask what may be done now. */
  async ask() {
    if (this.seat === null || this.view.outcome !== null) this.items = [];
    else {
      const path = `/v1/sessions/${this.id}/legal-actions?include_illegal=true`;
      this.items = (await this.requests.ask("GET", path, { token: this.token })).actions;
    }
  }

  /** @param {Action} action */
  act(action) {
    return this.next(async () => {
      const hasTurn = this.view.to_act !== null;
      const step = await this.send("/actions", { action }, hasTurn);
      this.version = step.version;
      this.toldUpTo = Math.max(numberOf(step.version), this.toldUpTo);
      this.view = step.state;
      this.proposal = null;
      this.deadline = null; // until the stream tells it
      await this.ask();
      this.changed();
      this.tell(step.events);
    });
  }

  /** @param {"propose" | "accept" | "decline" | "withdraw"} word */
  undo(word) {
    return this.next(async () => {
      await this.send("/undo", { do: word });
      await this.look();
    });
  }

  /**
   * Take in what the stream tells. Of what was done here the state may be known already, and what
   * happened may have been told already; everything is looked at once and told once.
   *
   * @param {string} name
   * @param {any} data
   * @param {string} version
   */
  async told(name, data, version) {
    if (name === "closed") return;
    const number = numberOf(version);
    if (name === "step") this.ahead.hear(data.at_ms);
    if (number > numberOf(this.version) || name === "reset") await this.look();
    else if (number === numberOf(this.version) && "deadline_ms" in data) this.limit(data.deadline_ms);
    const isNews = number > this.toldUpTo && name !== "snapshot";
    this.toldUpTo = name === "reset" ? number : Math.max(number, this.toldUpTo);
    if (name === "step" && isNews) this.tell(data.events);
    else if (isNews) this.dispatchEvent(new CustomEvent("notice", { detail: name }));
  }

  /**
   * Return a link by which somebody takes a seat. The claim in it is good for one time.
   *
   * @param {number} seat
   */
  async link(seat) {
    const path = `/v1/sessions/${this.id}/seats/${seat}/join-link`;
    const { claim } = await this.requests.ask("POST", path, { token: this.host });
    return address({ session: this.id, seat: String(seat), claim });
  }

  /** Return a link by which anybody may look on. */
  watching() {
    return address({ session: this.id });
  }
}

/** @param {string} version  a number and what makes it unlike any other */
function numberOf(version) {
  return Number.parseInt(version, 10);
}

/**
 * @param {Record<string, string>} parts
 */
function address(parts) {
  return `${location.origin}/play#${new URLSearchParams(parts)}`;
}

/**
 * @param {string} id
 * @returns {Pass}
 */
function kept(id) {
  const text = localStorage.getItem(`session:${id}`);
  return text === null ? { seats: {} } : JSON.parse(text);
}

/**
 * @param {string} id
 * @param {Pass} pass
 */
function keep(id, pass) {
  localStorage.setItem(`session:${id}`, JSON.stringify(pass));
}
