/**
 * A table: what every way to play has in common. The page does not know which one it is; each is
 * what an app would do that plays so.
 *
 * @typedef {any} State  a state or an observation, of whichever game
 * @typedef {any} Action
 * @typedef {{code: string, pointer: string, params: any, message: string}} Violation
 * @typedef {{action: Action, legal: boolean, preview: any, violations?: Violation[]}} Item
 * @typedef {{type: string, seat?: number, [name: string]: any}} GameEvent
 * @typedef {{by: number, revealed: boolean, agreed: number[]}} Undo
 * @typedef {"propose" | "accept" | "decline" | "withdraw"} UndoWord
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
 * @typedef {import("./requests.js").Requests} Requests
 */

/**
 * What can be asked of each. `step` tells of something that happened, with the state
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

  /** @returns {boolean} whether the service can be asked what to do */
  get canHint() {
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
   * Return every whole turn that may be done now, with each payment.
   *
   * @returns {Promise<Item[]>}
   */
  async turns() {
    return [];
  }

  /**
   * Go on after something has failed; throw what else does.
   *
   * @param {unknown} _error
   * @returns {Promise<void>}
   */
  async recover(_error) {}

  /**
   * Propose to take the last turn back, or answer to that.
   *
   * @param {UndoWord} word
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
   * Tell what has happened, now or a while ago.
   *
   * @param {GameEvent[]} events
   * @param {boolean} [isLate]
   */
  tell(events, isLate = false) {
    this.dispatchEvent(new CustomEvent("step", { detail: { events, isLate } }));
  }

  /** @param {unknown} error  what failed, although nobody here has asked for it */
  failed(error) {
    this.dispatchEvent(new CustomEvent("failure", { detail: error }));
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }

  /**
   * Return all of a list that is answered a page at a time.
   *
   * @param {(cursor: string | null) => Promise<{actions: Item[], next_cursor: string | null}>} page
   */
  async all(page) {
    const items = [];
    /** @type {string | null} */
    let cursor = null;
    do {
      const { actions, next_cursor: next } = await page(cursor);
      items.push(...actions);
      cursor = next;
    } while (cursor !== null);
    return items;
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
