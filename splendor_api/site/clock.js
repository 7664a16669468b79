/** A clock that runs down, for whoever has so much time and no more. */

import { el } from "./dom.js";

const TICK_MS = 250;
const SHORT_SECONDS = 5;

/**
 * Return a clock that runs until a moment, as long as it is in the page.
 *
 * @param {number} until  in milliseconds since 1970, as this computer counts them
 */
export function clock(until) {
  const shown = el("span", { class: "clock", role: "timer" });
  const tick = () => {
    const left = Math.max(0, Math.ceil((until - Date.now()) / 1000));
    shown.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    shown.classList.toggle("short", left <= SHORT_SECONDS);
  };
  tick();
  const ticking = setInterval(() => {
    if (shown.isConnected) tick();
    else clearInterval(ticking);
  }, TICK_MS);
  return shown;
}

/** What this computer's clock is ahead of the service's, found by what is told as it happens. */
export class Ahead {
  constructor() {
    /** @type {number | null} the least seen: what is told late seems to be more */
    this.ms = null;
  }

  /**
   * Hear when something happened, by the service's clock.
   *
   * @param {number} atMs
   */
  hear(atMs) {
    const ahead = Date.now() - atMs;
    this.ms = this.ms === null ? ahead : Math.min(this.ms, ahead);
  }

  /**
   * Return a moment of the service as this computer counts.
   *
   * @param {number | null} atMs
   */
  here(atMs) {
    return atMs === null ? null : atMs + (this.ms ?? 0);
  }
}
