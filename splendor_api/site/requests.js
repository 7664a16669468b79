/**
 * Requests to the service, each remembered with its answer for whoever wants to see how it is done.
 *
 * @typedef {object} Exchange
 * @property {number} number
 * @property {string} method
 * @property {string} path
 * @property {Record<string, string>} headers
 * @property {unknown} body
 * @property {number} status  0 as long as there is no answer
 * @property {unknown} answer
 * @property {number} ms
 * @property {boolean} isDeed
 *
 * @typedef {object} Asked
 * @property {unknown} [body]
 * @property {string | null} [token]
 * @property {Record<string, string>} [headers]
 * @property {boolean} [isDeed]  whether it does something, and does not only look
 */

import { language } from "./words.js";

const KEPT = 120; // exchanges; the oldest go first
const TRIES = 4;
const PAUSE_MS = 400;
const LONGEST_PAUSE_S = 30; // whoever is told to wait for longer is told so, and asks again

const LATER = [429, 503]; // statuses

/** Names of members that hold a secret, or several. */
const SECRET_NAMES = new Set([
  "claim",
  "host_token",
  "seat_key",
  "seat_keys",
  "seat_tokens",
  "ticket",
  "token",
]);

/** The service has refused a request; what it said is a problem document (RFC 9457). */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {any} problem
   */
  constructor(status, problem) {
    const told = (problem?.violations ?? []).map((/** @type {any} */ each) => each.message);
    super(told.length ? told.join(" ") : (problem?.detail ?? problem?.title ?? String(status)));
    this.status = status;
    this.problem = problem;
  }
}

/**
 * Return whether asking again later may help: there was no answer, or one that says so.
 *
 * @param {unknown} error
 */
export function passes(error) {
  return !(error instanceof Refusal) || LATER.includes(error.status);
}

/**
 * Everything that was asked, the newest last. An `exchange` event tells of each new answer, a
 * `wait` event of an answer that is to be had later.
 */
export class Requests extends EventTarget {
  constructor() {
    super();
    /** @type {Exchange[]} */
    this.exchanges = [];
    /** @type {Set<string>} */
    this.secrets = new Set();
    this.count = 0;
  }

  /**
   * Ask the service; return the answer's data, or throw a `Refusal`.
   *
   * @param {string} method
   * @param {string} path
   * @param {Asked} [asked]
   * @returns {Promise<any>}
   */
  async ask(method, path, { body, token = null, headers = {}, isDeed = false } = {}) {
    /** @type {Record<string, string>} */
    const sent = { "Accept-Language": language(), ...headers };
    if (body !== undefined) sent["Content-Type"] = "application/json";
    if (token !== null) {
      this.secrets.add(token);
      sent.Authorization = `Bearer ${token}`;
    }
    this.learn(body);
    /** @type {Exchange} */
    const exchange = {
      number: this.count++,
      method,
      path,
      headers: sent,
      body,
      status: 0,
      answer: null,
      ms: 0,
      isDeed,
    };
    this.exchanges.push(exchange);
    this.exchanges.splice(0, Math.max(0, this.exchanges.length - KEPT));
    await this.send(exchange);
    this.learn(exchange.answer);
    this.dispatchEvent(new CustomEvent("exchange", { detail: exchange }));
    if (exchange.status >= 400) throw new Refusal(exchange.status, exchange.answer);
    return exchange.answer;
  }

  /**
   * Send a request, and send the same again where its answer was lost or is to be had later: what
   * may be done only once has a key that it is known by.
   *
   * @param {Exchange} exchange
   */
  async send(exchange) {
    const { method, path, headers, body } = exchange;
    const began = performance.now();
    for (let left = TRIES; left > 0; left -= 1) {
      try {
        const text = body === undefined ? null : JSON.stringify(body);
        const answer = await fetch(path, { method, headers, body: text, cache: "no-cache" });
        exchange.status = answer.status;
        exchange.answer = answer.status === 204 ? null : await answer.json();
        const seconds = Number(answer.headers.get("Retry-After") ?? 1);
        if (!LATER.includes(answer.status) || seconds > LONGEST_PAUSE_S || left === 1) break;
        const problem = new Refusal(answer.status, exchange.answer);
        this.dispatchEvent(new CustomEvent("wait", { detail: { problem, seconds } }));
        await pause(seconds * 1000);
      } catch (error) {
        if (left === 1) throw error;
        await pause(PAUSE_MS * (TRIES - left + 1));
      }
    }
    exchange.ms = performance.now() - began;
  }

  /**
   * Remember what is secret in a body, so that it can be masked wherever it turns up.
   *
   * @param {unknown} value
   * @param {boolean} [isSecret]
   */
  learn(value, isSecret = false) {
    if (typeof value === "string") {
      if (isSecret) this.secrets.add(value);
    } else if (Array.isArray(value)) {
      for (const each of value) this.learn(each, isSecret);
    } else if (value !== null && typeof value === "object") {
      for (const [name, each] of Object.entries(value)) {
        this.learn(each, SECRET_NAMES.has(name));
      }
    }
  }

  /**
   * Return a text without any secret in it.
   *
   * @param {string} text
   */
  masked(text) {
    let shown = text;
    for (const secret of this.secrets) shown = shown.replaceAll(secret, "••••••••");
    return shown;
  }
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Return a text that nobody can guess and that was never used before. */
export function fresh() {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
