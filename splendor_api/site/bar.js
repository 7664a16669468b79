/**
 * What stands above a table: which it is, what can be done at any time, and a proposal to take back
 * a turn.
 *
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("./table.js").UndoWord} UndoWord
 *
 * @typedef {object} Deeds
 * @property {(word: UndoWord) => unknown} undo
 * @property {() => unknown} hint
 * @property {() => unknown} resign
 * @property {() => unknown} leave
 */

import { byId, el, redraw } from "./dom.js";
import { seatName } from "./game.js";
import { SessionTable } from "./session_table.js";
import { say } from "./words.js";

/**
 * @param {Table} table
 * @param {string} title
 * @param {Deeds} deeds
 */
export function show(table, title, deeds) {
  byId("table-title").textContent = title;
  redraw(byId("facts"), facts(table));
  redraw(byId("deeds"), buttons(table, deeds));
  proposal(table, deeds);
}

/** @param {Table} table */
function facts(table) {
  const said = [say(`kind.${table.kind}`), say("turn", { turn: table.view.turn })];
  const chips = said.map((text) => el("span", { class: "chip" }, text));
  if (table instanceof SessionTable) {
    chips.push(el("span", { class: `chip ${line(table)}`, role: "status" }, say(line(table))));
    if (table.seat === null) chips.push(el("span", { class: "chip" }, say("seats.spectator")));
  }
  return chips;
}

/**
 * Return the word for how the table is connected to the service.
 *
 * @param {SessionTable} table
 */
function line({ isGone, isLive, view }) {
  if (isGone) return "gone";
  if (view.outcome !== null) return "over";
  return isLive ? "live" : "not_live";
}

/**
 * @param {Table} table
 * @param {Deeds} deeds
 */
function buttons(table, deeds) {
  const isGone = table instanceof SessionTable && table.isGone;
  const canAct = table.view.outcome === null && table.seat !== null && !isGone;
  const isUndone = !table.hasPast || table.proposal !== null;
  const isLost = table.items.length === 0;
  return [
    canAct && button("undo", say("undo.propose"), () => deeds.undo("propose"), isUndone),
    canAct && table.canHint && button("hint", say("hint"), deeds.hint, isLost),
    canAct && button("resign", say("resign"), deeds.resign),
    button("new", say("new_game"), deeds.leave),
  ];
}

/**
 * @param {Table} table
 * @param {Deeds} deeds
 */
function proposal({ proposal: made, seat }, deeds) {
  const place = byId("proposal");
  place.hidden = made === null;
  if (made === null) return;
  /** @param {UndoWord} word */
  const answer = (word) => button(`undo-${word}`, say(`undo.${word}`), () => deeds.undo(word));
  const answers = made.by === seat ? [answer("withdraw")] : [answer("accept"), answer("decline")];
  const isAsked = seat !== null && !made.agreed.includes(seat);
  const said = say("undo.proposed", { seat: seatName(made.by) });
  redraw(place, el("p", {}, said, made.revealed && ` ${say("undo.revealed")}`), isAsked && answers);
}

/**
 * @param {string} key
 * @param {string} label
 * @param {() => unknown} press
 * @param {boolean} [isDisabled]
 */
function button(key, label, press, isDisabled = false) {
  const attributes = { type: "button", class: "button small", "data-key": key, onclick: press };
  return el("button", { ...attributes, disabled: isDisabled }, label);
}
