/** What went wrong, above all else; and what is only waited for, until it is there. */

import { byId } from "./dom.js";

let isPassing = false;

/**
 * Say something, in place of what was said before.
 *
 * @param {string} text
 * @param {boolean} [passes]  whether it is true only as long as something is waited for
 */
export function say(text, passes = false) {
  isPassing = passes;
  byId("notice").textContent = text;
  byId("notice").hidden = text === "";
}

/** Let go of it. */
export function clear() {
  say("");
}

/** What was waited for is there. */
export function pass() {
  if (isPassing) clear();
}
