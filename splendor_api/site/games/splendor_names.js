/**
 * What things are called, in words and in small drawings.
 *
 * @typedef {import("../game.js").Scene} Scene
 * @typedef {import("./splendor_pick.js").Counts} Counts
 */

import { drawing, el } from "../dom.js";
import { say } from "../words.js";

export const GEMS = ["white", "blue", "green", "red", "black"];
export const COLORS = [...GEMS, "gold"];

/**
 * Return a symbol of the game, drawn.
 *
 * @param {string} symbol
 */
export function art(symbol) {
  return drawing(`splendor-${symbol}`);
}

/** @param {string} color */
export function colorName(color) {
  return say(`splendor.${color}`);
}

/**
 * @param {Scene} scene
 * @param {number} id
 * @returns {{level: number, bonus: string, points: number, cost: Counts}}
 */
export function cardOf({ components }, id) {
  return components.cards.find((/** @type {any} */ card) => card.id === id);
}

/**
 * @param {Scene} scene
 * @param {number} id
 * @returns {{name: string, points: number, requires: Counts}}
 */
export function nobleOf({ components }, id) {
  return components.nobles.find((/** @type {any} */ noble) => noble.id === id);
}

/**
 * @param {Scene} scene
 * @param {number} id
 */
export function cardName(scene, id) {
  const { level, bonus, points, cost } = cardOf(scene, id);
  return say("splendor.card", { level, color: colorName(bonus), points, cost: listed(cost) });
}

/**
 * @param {Scene} scene
 * @param {number} id
 */
export function nobleName(scene, id) {
  const { name, points, requires } = nobleOf(scene, id);
  return say("splendor.noble", { name, points, cost: listed(requires) });
}

/** @param {Counts} counted */
function listed(counted) {
  return GEMS.filter((gem) => counted[gem])
    .map((gem) => `${counted[gem]} ${colorName(gem)}`)
    .join(", ");
}

/**
 * Return how many there are of each colour, as small drawings.
 *
 * @param {Counts} counted
 */
export function counts(counted) {
  const some = COLORS.filter((color) => counted[color]);
  return el(
    "span",
    { class: "counts" },
    some.map((color) =>
      el(
        "span",
        { class: "some" },
        counted[color],
        art(`gem-${color}`),
        el("span", { class: "heard" }, `${colorName(color)} `),
      ),
    ),
    some.length === 0 && say("splendor.free"),
  );
}

/**
 * Return the colour of each token of some, one by one.
 *
 * @param {Counts} counted
 * @returns {string[]}
 */
export function each(counted) {
  return COLORS.flatMap((color) => Array(counted[color] ?? 0).fill(color));
}

/**
 * Return the prestige that a seat shows on the table.
 *
 * @param {Scene} scene
 * @param {number} seat
 */
export function prestige(scene, seat) {
  const { cards, nobles } = scene.view.players[seat];
  const points = [
    ...cards.map((/** @type {number} */ id) => cardOf(scene, id).points),
    ...nobles.map((/** @type {number} */ id) => nobleOf(scene, id).points),
  ];
  return points.reduce((sum, each) => sum + each, 0);
}
