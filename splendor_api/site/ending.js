/** The end of a game: why it is over, and how everybody stands. */

import { byId, el, redraw } from "./dom.js";
import { seatName } from "./game.js";
import { isSaid, say } from "./words.js";

/**
 * @param {string} game
 * @param {any} outcome  null as long as the game goes on
 * @param {Map<string, string>} reasons
 */
export function show(game, outcome, reasons) {
  const ending = byId("ending");
  ending.hidden = outcome === null;
  if (outcome === null) return;
  const { reason, winners, ranking } = outcome;
  const columns = Object.keys(ranking[0] ?? {});
  const title = winners.length
    ? say("ending.won", { seats: winners.map(seatName).join(", ") })
    : say("ending.nobody");
  redraw(
    ending,
    el("h2", {}, title),
    el("p", {}, reasons.get(reason) ?? reason),
    el(
      "table",
      {},
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          columns.map((name) => el("th", { scope: "col" }, columnName(game, name))),
        ),
      ),
      el(
        "tbody",
        {},
        ranking.map((/** @type {any} */ standing) =>
          el(
            "tr",
            { class: winners.includes(standing.seat) ? "won" : "" },
            columns.map((name) =>
              name === "seat"
                ? el("th", { scope: "row" }, seatName(standing.seat))
                : el("td", {}, String(standing[name])),
            ),
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {string} game
 * @param {string} name
 */
function columnName(game, name) {
  if (isSaid(`${game}.${name}`)) return say(`${game}.${name}`);
  return isSaid(`ending.${name}`) ? say(`ending.${name}`) : name;
}
