/**
 * Splendor on the page. The table is in `splendor_table.js`, what can be done in
 * `splendor_tray.js`.
 *
 * @typedef {import("../game.js").Flight} Flight
 * @typedef {import("../game.js").GameEvent} GameEvent
 * @typedef {import("../game.js").Scene} Scene
 */

import { el } from "../dom.js";
import { cardName, counts, each, nobleName } from "./splendor_names.js";
import { table } from "./splendor_table.js";
import { tray } from "./splendor_tray.js";

export { forget, suggest } from "./splendor_pick.js";

export const limit = "turn_seconds";

export const hero = ["card-90", "card-48", "card-77", "card-12", "card-25"];

/**
 * @param {Scene} scene
 * @returns {import("../game.js").Drawn}
 */
export function draw(scene) {
  return { board: table(scene), tray: tray(scene) };
}

/**
 * @param {GameEvent} event
 * @param {Scene} scene
 * @returns {import("../dom.js").Child[]}
 */
export function told(event, scene) {
  const about = [];
  const tokens = event.tokens ?? event.payment;
  if (tokens) about.push(counts(tokens));
  if (typeof event.card === "number") {
    about.push(el("span", { class: "about" }, cardName(scene, event.card)));
  }
  if (typeof event.noble === "number") {
    about.push(el("span", { class: "about" }, nobleName(scene, event.noble)));
  }
  return about;
}

/**
 * @param {GameEvent} event
 * @returns {Flight[]}
 */
export function flights(event) {
  const seat = `seat-${event.seat}`;
  /** @param {string} color @returns {Flight} */
  const taken = (color) => {
    return { symbol: `token-${color}`, from: `bank-${color}`, to: `${seat}-${color}` };
  };
  /** @param {string} color @returns {Flight} */
  const returned = (color) => {
    return { symbol: `token-${color}`, from: `${seat}-${color}`, to: `bank-${color}` };
  };
  const slot = `slot-${event.level}-${event.slot}`;
  const deck = `deck-${event.level}`;
  const face = `card-${event.card}`;
  switch (event.type) {
    case "tokens_taken":
      return each(event.tokens).map(taken);
    case "tokens_returned":
      return each(event.tokens).map(returned);
    case "card_bought": {
      const from = event.slot === null ? `kept-${event.card}` : slot;
      return [...each(event.payment).map(returned), { symbol: face, from, to: seat }];
    }
    case "card_reserved": {
      const isUnseen = event.slot === null;
      const symbol = isUnseen ? `back-${event.level}` : face;
      const flight = { symbol, from: isUnseen ? deck : slot, to: seat };
      return event.gold ? [flight, taken("gold")] : [flight];
    }
    case "card_revealed":
      return event.card ? [{ symbol: face, from: deck, to: slot }] : [];
    case "noble_visited":
      return [{ symbol: `noble-${event.noble}`, from: `noble-${event.noble}`, to: seat }];
    default:
      return [];
  }
}
