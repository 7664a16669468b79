/** What happened: each event in the sentence that the service has for it. */

import { byId, el } from "./dom.js";
import { seatName } from "./game.js";

/** @typedef {import("./game.js").GamePage} GamePage */
/** @typedef {import("./game.js").Scene} Scene */
/** @typedef {import("./table.js").GameEvent} GameEvent */

const KEPT = 200; // lines

/**
 * Tell of events, the newest first.
 *
 * @param {GameEvent[]} events
 * @param {Map<string, string>} sentences  by type of event
 * @param {GamePage} page
 * @param {Scene} scene
 */
export function tell(events, sentences, page, scene) {
  const log = byId("log");
  for (const event of events) {
    log.prepend(
      el(
        "li",
        {},
        typeof event.seat === "number" && el("strong", {}, `${seatName(event.seat)}: `),
        spoken(sentences.get(event.type) ?? event.type),
        page.told(event, scene),
      ),
    );
  }
  while (log.children.length > KEPT) log.lastElementChild?.remove();
}

/**
 * Return a sentence as a player reads it, without the member of the JSON that it names.
 *
 * @param {string} sentence
 */
function spoken(sentence) {
  return sentence.replace(/ ?\(`[^`]*`\)/, "");
}

/**
 * Tell of something that is no event of the game.
 *
 * @param {string} sentence
 */
export function note(sentence) {
  byId("log").prepend(el("li", { class: "quiet" }, sentence));
}

/** Forget all that happened. */
export function clear() {
  byId("log").replaceChildren();
}
