/** The seats of a session, and links by which others take them or look on. */

import { copied } from "./copying.js";
import { byId, el, redraw } from "./dom.js";
import { say } from "./words.js";

/** @typedef {import("./session_table.js").SessionTable} SessionTable */

/** @type {Map<number, string>} links that were made and can be shown again */
const links = new Map();

/** Forget the links of another session. */
export function clear() {
  links.clear();
}

/**
 * @param {SessionTable} table
 * @param {(seat: number) => string} nameOf
 * @param {(error: unknown) => void} failed
 */
export function show(table, nameOf, failed) {
  const again = () => show(table, nameOf, failed);
  const seats = [...Array(table.seats).keys()];
  redraw(
    byId("links"),
    seats.map((seat) =>
      el(
        "li",
        {},
        el("span", { class: "name" }, nameOf(seat)),
        isFree(table, seat) && maker(table, seat, again, failed),
        links.has(seat) && shown(links.get(seat) ?? "", say("seats.link_of", { seat })),
      ),
    ),
    el(
      "li",
      {},
      el("span", { class: "name" }, say("seats.spectators")),
      shown(table.watching(), say("seats.watching")),
    ),
  );
}

/**
 * Return whether whoever looks may invite somebody to a seat.
 *
 * @param {SessionTable} table
 * @param {number} seat
 */
function isFree(table, seat) {
  return table.host !== null && seat !== table.seat && !(seat in table.bots);
}

/**
 * @param {SessionTable} table
 * @param {number} seat
 * @param {() => void} again
 * @param {(error: unknown) => void} failed
 */
function maker(table, seat, again, failed) {
  const make = () =>
    table.link(seat).then((link) => {
      links.set(seat, link);
      again();
    }, failed);
  return el(
    "button",
    { type: "button", class: "button small", "data-key": `link-${seat}`, onclick: make },
    say("seats.link"),
  );
}

/**
 * @param {string} link
 * @param {string} label
 */
function shown(link, label) {
  const copy = el("button", { type: "button", class: "button small" }, say("copy"));
  copy.addEventListener("click", () => void copied(link, copy));
  return el(
    "span",
    { class: "link" },
    el("input", { type: "text", readonly: true, value: link, "aria-label": label, dir: "ltr" }),
    copy,
  );
}
