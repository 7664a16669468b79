/**
 * Tables of the service: a session, in which each seat has a token and sees what it may see.
 *
 * @typedef {import("./requests.js").Requests} Requests
 * @typedef {import("./table.js").Action} Action
 * @typedef {import("./table.js").Setup} Setup
 * @typedef {import("./table.js").UndoWord} UndoWord
 */

import { Ahead } from "./clock.js";
import { fresh, passes, Refusal } from "./requests.js";
import { follow } from "./stream.js";
import { Table } from "./table.js";

/**
 * What this browser may do in a session: kept here, and never part of an address.
 *
 * @typedef {object} Pass
 * @property {string} [host]
 * @property {Record<string, string>} seats
 */

const STRANGER = [401, 403, 404]; // statuses of answers to whoever has no token of the session
const GONE = [404, 410];

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
    /** the version up to which all that happened was told */
    this.toldUpTo = "";
    this.isLive = false;
    this.isGone = false;
    /** @type {boolean[]} whether there is a token for each seat */
    this.taken = [];
    /** @type {boolean[]} whether each seat has left the game */
    this.resigned = [];
    this.spectators = true;
    /** @type {{deed: string, key: string} | null} what was sent and never answered */
    this.unanswered = null;
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
    const look = (/** @type {string | null} */ as) =>
      requests.ask("GET", `/v1/sessions/${id}`, { token: as });
    try {
      const { game } = await look(token ?? kept(id).host ?? null);
      return new SessionTable(requests, game, id, token === null ? null : place);
    } catch (error) {
      const isVoid = error instanceof Refusal && STRANGER.includes(error.status);
      if (token === null || !isVoid) throw error;
      const { game } = await look(kept(id).host ?? null);
      return new SessionTable(requests, game, id, null);
    }
  }

  /** @returns {"session"} */
  get kind() {
    return "session";
  }

  /** @returns {string | null} the seat's, else the host's, who sees as much as a spectator */
  get token() {
    return this.seat === null ? this.host : (kept(this.id).seats[this.seat] ?? null);
  }

  /** @returns {string | null} */
  get host() {
    return kept(this.id).host ?? null;
  }

  get hasPast() {
    return this.view?.turn > 0;
  }

  /** Look, tell what has happened so far, and follow what happens. */
  async begin() {
    await this.look();
    await this.catchUp();
    this.follow();
  }

  follow() {
    this.unfollow?.();
    if (this.view.outcome !== null) return;
    this.unfollow = follow(this.requests, this.id, () => this.token, {
      live: (isLive) => {
        this.isLive = isLive;
        this.dispatchEvent(new Event("live"));
      },
      told: (name, data, version) => this.next(() => this.told(name, data, version)),
      missed: () => this.next(() => this.missed()),
    });
  }

  close() {
    this.unfollow?.();
  }

  /**
   * Do something, once: what is asked for again since there was no answer has the key of before.
   *
   * @param {string} path
   * @param {object} body
   * @param {boolean} [names]  whether it names the version that it was decided on
   */
  async send(path, body, names = true) {
    /** @type {Record<string, string>} */
    const version = names ? { "If-Match": `"${this.version}"` } : {};
    const deed = JSON.stringify([path, body, version]);
    const key = this.unanswered?.deed === deed ? this.unanswered.key : fresh();
    const headers = { "Idempotency-Key": key, ...version };
    const asked = { body, token: this.token, headers, isDeed: true };
    try {
      const answer = await this.requests.ask("POST", `/v1/sessions/${this.id}${path}`, asked);
      this.unanswered = null;
      return answer;
    } catch (error) {
      this.unanswered = passes(error) ? { deed, key } : null;
      throw error;
    }
  }

  /**
   * Do something that only the host may.
   *
   * @param {"POST" | "PATCH" | "DELETE"} method
   * @param {string} path
   * @param {import("./requests.js").Asked} [asked]
   */
  asHost(method, path, asked = {}) {
    return this.next(async () => {
      const token = this.host;
      const url = `/v1/sessions/${this.id}${path}`;
      return this.requests.ask(method, url, { ...asked, token, isDeed: true });
    });
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
    this.taken = seen.seats.map((/** @type {any} */ { taken }) => taken);
    this.resigned = seen.seats.map((/** @type {any} */ { resigned }) => resigned);
    this.spectators = seen.spectators;
    this.proposal = seen.undo ?? null;
    this.deadline = seen.deadline_ms;
  }

  turns() {
    const path = `/v1/sessions/${this.id}/legal-actions?detail=turns`;
    return this.all((cursor) =>
      this.requests.ask("GET", cursor ? `${path}&cursor=${cursor}` : path, { token: this.token }),
    );
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
      const isNext = numberOf(step.version) === numberOf(this.toldUpTo) + 1;
      if (numberOf(step.version) > numberOf(this.version)) {
        this.version = step.version;
        this.view = step.state;
        this.proposal = null;
        this.deadline = null; // until the stream tells it
        await this.ask();
        this.changed();
      }
      if (isNext) this.recount({ ...step, kind: "action" });
      else await this.catchUp(); // somebody else was quicker
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
    if (name === "closed") return this.closed(data.reason);
    if (name === "reset") return this.reset();
    if (name === "step") this.ahead.hear(data.at_ms);
    const number = numberOf(version);
    if (number > numberOf(this.version)) await this.look();
    else if (number === numberOf(this.version) && "deadline_ms" in data) {
      this.limit(data.deadline_ms);
    }
    if (number <= numberOf(this.toldUpTo)) return;
    if (name === "snapshot") await this.catchUp();
    else this.recount(data);
  }

  /**
   * The stream has ended: with the game, with the session, or with the token that opened it.
   *
   * @param {string} reason
   */
  async closed(reason) {
    if (reason === "over") return;
    try {
      await this.look();
      this.follow();
    } catch (error) {
      this.failed(error);
    }
  }

  /** Take in what was missed while the stream was cut; return whether more may come. */
  async missed() {
    try {
      await this.look();
      await this.catchUp();
    } catch (error) {
      if (passes(error)) throw error;
      this.failed(error);
      return false;
    }
    return this.view.outcome === null;
  }

  /** Tell everything that happened since what was told last, in order. */
  async catchUp() {
    if (this.toldUpTo === this.version) return;
    const since = this.toldUpTo && `?after=${encodeURIComponent(this.toldUpTo)}`;
    const path = `/v1/sessions/${this.id}/actions${since}`;
    try {
      const { steps } = await this.requests.ask("GET", path, { token: this.token });
      for (const step of steps) this.recount(step, true);
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 412)) throw error;
      await this.reset();
    }
  }

  /** What was told is not how it was: the service has lost something. */
  async reset() {
    await this.look();
    this.toldUpTo = this.version;
    this.dispatchEvent(new CustomEvent("notice", { detail: { kind: "reset" } }));
  }

  /**
   * Tell of one version, unless that was done already.
   *
   * @param {any} step
   * @param {boolean} [isLate]
   */
  recount(step, isLate = false) {
    if (numberOf(step.version) <= numberOf(this.toldUpTo)) return;
    this.toldUpTo = step.version;
    if (step.kind === "action") this.tell(step.events, isLate);
    else this.dispatchEvent(new CustomEvent("notice", { detail: step }));
  }

  /**
   * Go on as whoever one still is: without a token that is void one only looks on, and of a session
   * that is gone only what is shown is left.
   *
   * @param {unknown} error
   */
  async recover(error) {
    if (this.isGone) return;
    const status = error instanceof Refusal ? error.status : 0;
    const isVoid = STRANGER.includes(status) && this.seat !== null;
    if (GONE.includes(status) && !isVoid) return this.lose();
    if (isVoid) Object.assign(this, { seat: null, mine: [] });
    try {
      await this.look();
      await this.catchUp();
    } catch (again) {
      if (!(again instanceof Refusal && GONE.includes(again.status))) throw again;
      return this.lose();
    }
    if (isVoid) this.follow();
  }

  /** The session is there no more. */
  lose() {
    this.close();
    Object.assign(this, { items: [], proposal: null, isLive: false, isGone: true });
    this.changed();
  }

  /**
   * Return a link by which somebody takes a seat. The claim in it is good for one time.
   *
   * @param {number} seat
   */
  async link(seat) {
    const { claim } = await this.asHost("POST", `/seats/${seat}/join-link`);
    return address({ session: this.id, seat: String(seat), claim });
  }

  /**
   * Have another token for a seat that is played here; whoever else has the old one is shut out.
   *
   * @param {number} seat
   */
  async renew(seat) {
    const { token } = await this.asHost("POST", `/seats/${seat}/token`);
    const pass = kept(this.id);
    keep(this.id, { ...pass, seats: { ...pass.seats, [seat]: token } });
    await this.look();
  }

  /**
   * Take a seat's token away.
   *
   * @param {number} seat
   */
  async shutOut(seat) {
    await this.asHost("DELETE", `/seats/${seat}/token`);
    await this.look();
  }

  /**
   * Take an absent seat out of the game.
   *
   * @param {number} seat
   */
  async endSeat(seat) {
    const headers = { "Idempotency-Key": fresh() };
    await this.asHost("POST", `/seats/${seat}/resign`, { headers });
    await this.look();
    await this.catchUp();
  }

  /**
   * Let others look on, or keep them out.
   *
   * @param {boolean} spectators
   */
  async letWatch(spectators) {
    await this.asHost("PATCH", "", { body: { spectators } });
    await this.look();
  }

  /** Delete the session. */
  async remove() {
    this.close();
    await this.asHost("DELETE", "");
    localStorage.removeItem(keptAs(this.id));
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
  return Number.parseInt(version, 10) || 0;
}

/**
 * @param {Record<string, string>} parts
 */
function address(parts) {
  return `${location.origin}/play#${new URLSearchParams(parts)}`;
}

/** @param {string} id */
function keptAs(id) {
  return `session:${id}`;
}

/**
 * @param {string} id
 * @returns {Pass}
 */
function kept(id) {
  const text = localStorage.getItem(keptAs(id));
  return text === null ? { seats: {} } : JSON.parse(text);
}

/**
 * @param {string} id
 * @param {Pass} pass
 */
function keep(id, pass) {
  localStorage.setItem(keptAs(id), JSON.stringify(pass));
}
