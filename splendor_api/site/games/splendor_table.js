/**
 * What lies on the table: nobles, market, bank, and what each seat has.
 *
 * @typedef {import("../dom.js").Child} Child
 * @typedef {import("../game.js").Scene} Scene
 */

import { clock } from "../clock.js";
import { el } from "../dom.js";
import { reason } from "../game.js";
import { say } from "../words.js";
import { canTake, itemOf, takes } from "./splendor_items.js";
import { art, cardName, cardOf, colorName, COLORS, nobleName, prestige } from "./splendor_names.js";
import { choose, pick } from "./splendor_pick.js";

const LEVELS = ["3", "2", "1"];

/**
 * @param {Scene} scene
 * @returns {Child[]}
 */
export function table(scene) {
  const { nobles, players } = scene.view;
  return [
    el(
      "ul",
      { class: "nobles", "aria-label": say("splendor.nobles") },
      nobles.map((/** @type {number} */ id) =>
        el("li", { "data-place": `noble-${id}` }, shown(`noble-${id}`, nobleName(scene, id))),
      ),
    ),
    el(
      "div",
      { class: "market" },
      LEVELS.map((level) => row(scene, level)),
    ),
    el(
      "ul",
      { class: "bank", "aria-label": say("splendor.bank") },
      COLORS.map((color) => el("li", {}, pile(scene, color))),
    ),
    el(
      "div",
      { class: "players" },
      players.map((/** @type {any} */ _, /** @type {number} */ seat) => player(scene, seat)),
    ),
  ];
}

/**
 * Return something to look at.
 *
 * @param {string} symbol
 * @param {string} label
 * @param {string} [className]
 */
function shown(symbol, label, className = "") {
  return el(
    "span",
    { class: className, role: "img", "aria-label": label, title: label },
    art(symbol),
  );
}

/**
 * @param {Scene} scene
 * @param {string} level
 */
function row(scene, level) {
  const { decks, market } = scene.view;
  const count = decks[level].count ?? decks[level].length;
  const number = Number(level);
  const isPicked = pick().level === number;
  const deck = el(
    "button",
    {
      type: "button",
      class: `deck ${count ? "" : "bare"}`,
      "data-key": `deck-${level}`,
      "data-place": `deck-${level}`,
      "aria-pressed": String(isPicked),
      "aria-label": say("splendor.deck", { level, count }),
      onclick: () => choose(scene, { level: isPicked ? null : number }),
    },
    count > 0 && art(`back-${level}`),
    el("span", { class: "left", "aria-hidden": "true" }, count),
  );
  const slots = market[level].map((/** @type {number | null} */ id, /** @type {number} */ slot) => {
    const place = `slot-${level}-${slot}`;
    return id === null
      ? el("div", { class: "card bare", "data-place": place })
      : card(scene, id, place);
  });
  return el(
    "div",
    { class: "row", role: "group", "aria-label": say("splendor.level", { level }) },
    deck,
    slots,
  );
}

/**
 * Return a card that can be picked, to buy or reserve it.
 *
 * @param {Scene} scene
 * @param {number} id
 * @param {string} place
 */
function card(scene, id, place) {
  const isPicked = pick().card === id;
  const canBuy = itemOf(scene, "buy", { card: id })?.legal ?? false;
  const name = cardName(scene, id);
  return el(
    "button",
    {
      type: "button",
      class: `card ${canBuy ? "can" : ""}`,
      "data-key": `card-${id}`,
      "data-place": place,
      "aria-pressed": String(isPicked),
      "aria-label": canBuy ? `${name}. ${say("splendor.affordable")}` : name,
      onclick: () => choose(scene, { card: isPicked ? null : id }),
    },
    art(`card-${id}`),
    canBuy && el("span", { class: "mark", "aria-hidden": "true" }, "✓"),
  );
}

/**
 * Return the bank's tokens of a colour, to take one or two.
 *
 * @param {Scene} scene
 * @param {string} color
 */
function pile(scene, color) {
  const count = scene.view.bank[color];
  const { colors } = pick();
  const picked = colors.filter((each) => each === color).length;
  const attributes = {
    class: `pile ${count ? "" : "bare"}`,
    "data-place": `bank-${color}`,
    "aria-label": say("splendor.pile", { color: colorName(color), count }),
  };
  const inside = [
    art(`token-${color}`),
    el("span", { class: "count", "aria-hidden": "true" }, count),
    picked > 0 && el("span", { class: "picked", "aria-hidden": "true" }, `+${picked}`),
  ];
  if (color === "gold") return el("span", { ...attributes, role: "img" }, inside);
  const isAble = picked > 0 || canTake(scene, [...colors, color]);
  return el(
    "button",
    {
      ...attributes,
      type: "button",
      "data-key": `bank-${color}`,
      "aria-pressed": String(picked > 0),
      "aria-disabled": isAble ? null : "true",
      onclick: () => take(scene, color),
    },
    inside,
  );
}

/**
 * Pick a token of a colour, then a second one if there is nothing else, then let go of it.
 *
 * @param {Scene} scene
 * @param {string} color
 */
function take(scene, color) {
  const { colors } = pick();
  const more = [...colors, color];
  const isMore = !colors.includes(color) || (colors.length === 1 && canTake(scene, more));
  if (!isMore) choose(scene, { colors: colors.filter((each) => each !== color) });
  else if (canTake(scene, more)) choose(scene, { colors: more });
  else choose(scene, { colors, said: reason(takes(scene, more).find(({ legal }) => !legal)) });
}

/**
 * Return what a seat has.
 *
 * @param {Scene} scene
 * @param {number} seat
 */
function player(scene, seat) {
  const held = scene.view.players[seat];
  const isNext = scene.view.to_act === seat;
  const name = scene.nameOf(seat);
  const points = prestige(scene, seat);
  return el(
    "section",
    { class: `player ${isNext ? "next" : ""}`, "data-place": `seat-${seat}`, "aria-label": name },
    el(
      "header",
      {},
      el("h3", {}, name),
      isNext && el("span", { class: "turn" }, say("to_act")),
      isNext && scene.until !== null && clock(scene.until),
      held.resigned && el("span", { class: "turn" }, say("resigned")),
      shownPrestige(points),
    ),
    el(
      "ul",
      { class: "purse" },
      COLORS.map((color) => purse(scene, seat, color)),
    ),
    held.reserved.length + held.nobles.length > 0 &&
      el(
        "div",
        { class: "kept" },
        held.reserved.map((/** @type {any} */ each) => reserved(scene, seat, each)),
        held.nobles.map((/** @type {number} */ id) =>
          shown(`noble-${id}`, nobleName(scene, id), "tile"),
        ),
      ),
  );
}

/** @param {number} points */
function shownPrestige(points) {
  return el(
    "span",
    { class: "prestige", title: say("splendor.prestige") },
    el("span", { class: "heard" }, `${say("splendor.prestige")}: `),
    points,
  );
}

/**
 * Return a seat's tokens and bonuses of a colour.
 *
 * @param {Scene} scene
 * @param {number} seat
 * @param {string} color
 */
function purse(scene, seat, color) {
  const held = scene.view.players[seat];
  const tokens = held.tokens[color];
  const bonus = held.cards.filter(
    (/** @type {number} */ id) => cardOf(scene, id).bonus === color,
  ).length;
  const label = say("splendor.held", { color: colorName(color), tokens, bonus });
  return el(
    "li",
    { class: tokens + bonus ? "" : "none", "data-place": `seat-${seat}-${color}`, title: label },
    el("span", { class: "heard" }, label),
    art(`gem-${color}`),
    el("span", { class: tokens ? "tokens" : "tokens zero", "aria-hidden": "true" }, tokens),
    color !== "gold" &&
      el("span", { class: bonus ? "bonus" : "bonus zero", "aria-hidden": "true" }, bonus),
  );
}

/**
 * Return a card that a seat has reserved: to be bought by whoever is to act, if it is seen.
 *
 * @param {Scene} scene
 * @param {number} seat
 * @param {{card?: number, level?: number, hidden: boolean}} held
 */
function reserved(scene, seat, { card: id, level = 0 }) {
  if (id === undefined) return shown(`back-${level}`, say("splendor.face_down", { level }), "card");
  const canAct = seat === scene.view.to_act && scene.mine.includes(seat);
  return canAct ? card(scene, id, `kept-${id}`) : shown(`card-${id}`, cardName(scene, id), "card");
}
