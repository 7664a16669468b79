/**
 * What can be done with what was picked: each button is an action that the service has listed, and
 * one that cannot be pressed says why in the service's words.
 *
 * @typedef {import("../dom.js").Child} Child
 * @typedef {import("../game.js").Item} Item
 * @typedef {import("../game.js").Scene} Scene
 * @typedef {import("./splendor_pick.js").Counts} Counts
 */

import { el } from "../dom.js";
import { reason } from "../game.js";
import { say } from "../words.js";
import { itemOf, returnsOf, takeOf, total } from "./splendor_items.js";
import { art, cardName, colorName, COLORS, counts, nobleName } from "./splendor_names.js";
import { isSame, payments, swapped } from "./splendor_payments.js";
import { choose, pick } from "./splendor_pick.js";

/**
 * @param {Scene} scene
 * @returns {Child[]}
 */
export function tray(scene) {
  if (scene.items.length === 0) return [];
  const { said } = pick();
  const phases = { return_tokens: returning, choose_noble: choosing };
  const phase = phases[/** @type {keyof phases} */ (scene.view.phase)] ?? turn;
  return [...phase(scene), said !== "" && el("p", { class: "why", role: "alert" }, said)];
}

/**
 * @param {Scene} scene
 * @returns {Child[]}
 */
function turn(scene) {
  const { card, level, colors } = pick();
  if (card !== null) {
    return [
      what(cardName(scene, card)),
      ...buying(scene, card),
      deed(scene, itemOf(scene, "reserve", { card }), "reserve"),
    ];
  }
  if (level !== null) {
    return [
      what(say("splendor.top_card", { level })),
      deed(scene, itemOf(scene, "reserve", { level }), "reserve"),
    ];
  }
  if (colors.length > 0) {
    return [
      what(colors.map((color) => art(`token-${color}`))),
      deed(scene, takeOf(scene, colors), "take"),
      drop(scene),
    ];
  }
  const pass = itemOf(scene, "pass");
  return [what(say("splendor.pick")), pass?.legal && deed(scene, pass, "pass")];
}

/**
 * Return the button that buys a card, and where there is a choice, what it is paid with.
 *
 * @param {Scene} scene
 * @param {number} card
 * @returns {Child[]}
 */
function buying(scene, card) {
  const item = itemOf(scene, "buy", { card });
  const ways = item?.legal ? payments(scene, card) : [];
  if (!item || ways.length < 2) return [deed(scene, item, "buy")];
  const usual = item.preview.payment;
  const paid = pick().paid ?? usual;
  const action = isSame(paid, usual) ? item.action : { ...item.action, payment: paid };
  return [
    deed(scene, { ...item, action, preview: { ...item.preview, payment: paid } }, "buy"),
    el(
      "div",
      { class: "paying", role: "group", "aria-label": say("splendor.pay_with") },
      el("span", { class: "quiet", "aria-hidden": "true" }, say("splendor.pay_with")),
      COLORS.filter((color) => ways.some((way) => way[color])).map((color) =>
        coin(scene, card, color, { paid, usual, ways }),
      ),
    ),
  ];
}

/**
 * Return the tokens of a colour that a card is paid with. A press pays gold for one of them; on
 * gold, it pays as is usual.
 *
 * @param {Scene} scene
 * @param {number} card
 * @param {string} color
 * @param {{paid: Counts, usual: Counts, ways: Counts[]}} paying
 */
function coin(scene, card, color, { paid, usual, ways }) {
  const isGold = color === "gold";
  const count = paid[color] ?? 0;
  const next = isGold ? usual : swapped(paid, color, ways);
  const isAble = next !== undefined && !isSame(next, paid);
  const name = { color: colorName(color), count };
  return el(
    "button",
    {
      type: "button",
      class: count ? "pile" : "pile bare",
      "data-key": `pay-${color}`,
      "aria-label": isGold ? say("splendor.least_gold", name) : say("splendor.pay_gold", name),
      "aria-disabled": isAble ? null : "true",
      onclick: () => isAble && choose(scene, { card, paid: next }),
    },
    art(`token-${color}`),
    el("span", { class: "count", "aria-hidden": "true" }, count),
  );
}

/**
 * @param {Scene} scene
 * @returns {Child[]}
 */
function returning(scene) {
  const { back } = pick();
  const due = Math.max(0, ...returnsOf(scene, {}).map(({ action }) => total(action.tokens)));
  const exact = returnsOf(scene, back).find(({ action }) => total(action.tokens) === total(back));
  const held = scene.view.players[scene.view.to_act].tokens;
  return [
    what(say("splendor.give_back", { count: due, picked: total(back) })),
    el(
      "div",
      { class: "tokens" },
      COLORS.filter((color) => held[color]).map((color) => own(scene, color)),
    ),
    deed(scene, exact, "return"),
    drop(scene),
  ];
}

/**
 * Return the tokens that the seat has of a colour, to give some back.
 *
 * @param {Scene} scene
 * @param {string} color
 */
function own(scene, color) {
  const { back } = pick();
  const given = back[color] ?? 0;
  const count = scene.view.players[scene.view.to_act].tokens[color] - given;
  const more = { ...back, [color]: given + 1 };
  const isAble = returnsOf(scene, more).length > 0;
  return el(
    "button",
    {
      type: "button",
      class: "pile",
      "data-key": `back-${color}`,
      "aria-label": say("splendor.pile", { color: colorName(color), count }),
      "aria-disabled": isAble ? null : "true",
      onclick: () => isAble && choose(scene, { back: more }),
    },
    art(`token-${color}`),
    el("span", { class: "count", "aria-hidden": "true" }, count),
    given > 0 && el("span", { class: "picked", "aria-hidden": "true" }, `−${given}`),
  );
}

/**
 * @param {Scene} scene
 * @returns {Child[]}
 */
function choosing(scene) {
  const visits = scene.items.filter(({ action, legal }) => legal && action.type === "choose_noble");
  return [
    what(say("splendor.choose_noble")),
    ...visits.map(({ action }) =>
      el(
        "button",
        {
          type: "button",
          class: "tile",
          "data-key": `noble-${action.noble}`,
          "aria-label": nobleName(scene, action.noble),
          onclick: () => scene.act(action),
        },
        art(`noble-${action.noble}`),
      ),
    ),
  ];
}

/** @param {Child | Child[]} said */
function what(said) {
  return el("p", { class: "what" }, said);
}

/** @param {Scene} scene */
function drop(scene) {
  return el(
    "button",
    { type: "button", class: "button", "data-key": "drop", onclick: () => choose(scene, {}) },
    say("splendor.drop"),
  );
}

/**
 * Return the button that does something, or that cannot and says why.
 *
 * @param {Scene} scene
 * @param {Item | undefined} item
 * @param {"buy" | "reserve" | "take" | "pass" | "return"} name
 */
function deed(scene, item, name) {
  const isLegal = item?.legal ?? false;
  const why = reason(item);
  const preview = item?.preview ?? {};
  return el(
    "div",
    { class: "deed" },
    el(
      "button",
      {
        type: "button",
        class: name === "reserve" ? "button" : "button main",
        "data-key": `deed-${name}`,
        "aria-disabled": isLegal ? null : "true",
        "aria-describedby": why ? `why-${name}` : null,
        onclick: () => isLegal && scene.act(item?.action),
      },
      say(`splendor.${name}`),
      preview.payment && counts(preview.payment),
    ),
    why && el("p", { class: "why", id: `why-${name}` }, why),
    preview.must_return > 0 &&
      el("p", {}, say("splendor.must_return", { count: preview.must_return })),
    preview.nobles?.length > 0 &&
      el(
        "p",
        { class: "comes" },
        say("splendor.noble_comes"),
        preview.nobles.map((/** @type {number} */ id) => art(`noble-${id}`)),
      ),
  );
}
