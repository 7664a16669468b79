/**
 * The seats of a session, links by which others take them or look on, and what the host decides.
 *
 * @typedef {import("./dom.js").Child} Child
 * @typedef {import("./session_table.js").SessionTable} SessionTable
 *
 * @typedef {object} Deciding
 * @property {(seat: number) => string} nameOf
 * @property {(deed: () => Promise<unknown>) => Promise<void>} act  does it, or says why not
 * @property {() => void} again  draws once more
 * @property {(name: string, seat: number | null) => Promise<boolean>} sure
 * @property {() => Promise<void>} removed  what follows once the session is deleted
 */

import { copied } from "./copying.js";
import { byId, el, redraw } from "./dom.js";
import { say } from "./words.js";

/** @type {Map<number, string>} links that were made and are still good */
const links = new Map();

/** Forget the links of another session. */
export function clear() {
  links.clear();
}

/**
 * Forget the link of a seat, for it has been followed.
 *
 * @param {number} seat
 */
export function spend(seat) {
  links.delete(seat);
}

/**
 * @param {SessionTable} table
 * @param {Deciding} deciding
 */
export function show(table, deciding) {
  const seats = [...Array(table.seats).keys()];
  const isHost = table.host !== null && !table.isGone;
  redraw(
    byId("links"),
    seats.map((seat) => row(table, deciding, seat, isHost)),
    (table.spectators || isHost) && onlookers(table),
  );
  byId("hosting").hidden = !isHost;
  redraw(byId("hosted"), isHost && hosted(table, deciding, seats));
}

/**
 * @param {SessionTable} table
 * @param {Deciding} deciding
 * @param {number} seat
 * @param {boolean} isHost
 */
function row(table, deciding, seat, isHost) {
  const make = () =>
    deciding.act(async () => {
      links.set(seat, await table.link(seat));
      deciding.again();
    });
  return el(
    "li",
    {},
    el("span", { class: "name" }, deciding.nameOf(seat)),
    el("span", { class: "quiet" }, standing(table, seat)),
    isHost &&
      isOthers(table, seat) &&
      button(`link-${seat}`, say("seats.link"), deciding.nameOf(seat), make),
    links.has(seat) && shown(links.get(seat) ?? "", say("seats.link_of", { seat })),
  );
}

/**
 * @param {SessionTable} table
 * @param {number} seat
 */
function standing(table, seat) {
  if (table.resigned[seat]) return say("resigned");
  return table.taken[seat] || seat in table.bots ? "" : say("seats.free");
}

/** @param {SessionTable} table */
function onlookers(table) {
  return el(
    "li",
    {},
    el("span", { class: "name" }, say("seats.spectators")),
    table.spectators
      ? shown(table.watching(), say("seats.watching"))
      : el("span", { class: "quiet" }, say("seats.kept_out")),
  );
}

/**
 * Return whether somebody else plays a seat, or may.
 *
 * @param {SessionTable} table
 * @param {number} seat
 */
function isOthers(table, seat) {
  return seat !== table.seat && !(seat in table.bots);
}

/**
 * Return what the host may do, seat by seat, and for all.
 *
 * @param {SessionTable} table
 * @param {Deciding} deciding
 * @param {number[]} seats
 * @returns {Child[]}
 */
function hosted(table, deciding, seats) {
  /**
   * @param {string} name
   * @param {number | null} seat
   * @param {() => Promise<unknown>} deed
   */
  const deed = (name, seat, deed) => {
    const about = seat === null ? "" : deciding.nameOf(seat);
    const ask = async () => {
      if (await deciding.sure(name, seat)) await deciding.act(deed);
    };
    return button(`${name}-${seat ?? "all"}`, say(`host.${name}`), about, ask);
  };
  const isOver = table.view.outcome !== null;
  const rows = seats.map((seat) => {
    const deeds = [
      seat === table.seat && deed("renew", seat, () => table.renew(seat)),
      isOthers(table, seat) &&
        table.taken[seat] &&
        deed("shut_out", seat, () => table.shutOut(seat)),
      seat !== table.seat &&
        !isOver &&
        !table.resigned[seat] &&
        deed("end", seat, () => table.endSeat(seat)),
    ].filter((each) => each !== false && each !== undefined);
    const name = el("span", { class: "name" }, deciding.nameOf(seat));
    return deeds.length > 0 && el("li", {}, name, deeds);
  });
  const remove = deed("remove", null, async () => {
    await table.remove();
    await deciding.removed();
  });
  return [...rows, el("li", {}, watching(table, deciding)), el("li", {}, remove)];
}

/**
 * @param {SessionTable} table
 * @param {Deciding} deciding
 */
function watching(table, deciding) {
  const box = el("input", { type: "checkbox", "data-key": "spectators" });
  box.checked = table.spectators;
  box.addEventListener("change", async () => {
    await deciding.act(() => table.letWatch(box.checked));
    deciding.again();
  });
  return el("label", { class: "check" }, box, say("host.spectators"));
}

/**
 * @param {string} key
 * @param {string} label
 * @param {string} about  what a reader of the screen hears beside the label
 * @param {() => unknown} press
 */
function button(key, label, about, press) {
  return el(
    "button",
    { type: "button", class: "button small", "data-key": key, onclick: press },
    label,
    about && el("span", { class: "heard" }, ` (${about})`),
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
