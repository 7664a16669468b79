/**
 * Tables of the service: a session, in which each seat has a token and sees what it may see.
 *
 * @typedef {import("./requests.js").Requests} Requests
 * @typedef {import("./table.js").Action} Action
 * @typedef {import("./table.js").Setup} Setup
 * @typedef {import("./table.js").UndoWord} UndoWord
 */

import { Ahead } from "./clock.js";
import { fresh } from "./requests.js";
import { follow } from "./stream.js";
import { Table } from "./table.js";

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
    const made = await requests.ask("POST", "/v1/sessions", {
      body,
      headers,
      isDeed: true,
      repeats: true,
    });
    const seat =
      [...Array(setup.seats).keys()].find((each) => !(each in (setup.bots ?? {}))) ?? null;
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
    this.seats = seen.seats.length;
    this.bots = Object.fromEntries(
      seen.seats
        .filter((/** @type {any} */ { bot }) => bot !== undefined)
        .map((/** @type {any} */ { seat, bot }) => [seat, bot]),
    );
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

  /** @param {UndoWord} word */
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
    const isShown = number === numberOf(this.version);
    if (number > numberOf(this.version) || name === "reset") await this.look();
    else if (isShown && "deadline_ms" in data) this.limit(data.deadline_ms);
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

  /** Return where in the page's address this table is, for whoever has sat here before. */
  place() {
    const parts = new URLSearchParams({ session: this.id });
    if (this.seat !== null) parts.set("seat", String(this.seat));
    return `#${parts}`;
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
