/**
 * The ways to pay for a card: those of the whole turns that the service lists, which are asked for
 * once somebody wants to buy.
 *
 * @typedef {import("../game.js").Item} Item
 * @typedef {import("../game.js").Scene} Scene
 * @typedef {import("./splendor_pick.js").Counts} Counts
 */

import { COLORS } from "./splendor_names.js";

/** @type {WeakMap<Item[], Item[]>} the whole turns, by the list of choices that they are of */
const known = new WeakMap();

/**
 * Return every way to pay for a card; none as long as they are not known.
 *
 * @param {Scene} scene
 * @param {number} card
 * @returns {Counts[]}
 */
export function payments(scene, card) {
  const turns = known.get(scene.items);
  if (turns === undefined) void ask(scene);
  /** @type {Counts[]} */
  const ways = [];
  for (const { action, preview } of turns ?? []) {
    if (action.type !== "buy" || action.card !== card) continue;
    if (!ways.some((way) => isSame(way, preview.payment))) ways.push(preview.payment);
  }
  return ways;
}

/** @param {Scene} scene */
async function ask(scene) {
  known.set(scene.items, []);
  try {
    known.set(scene.items, await scene.turns());
    scene.again();
  } catch (error) {
    known.delete(scene.items);
    scene.failed(error);
  }
}

/**
 * Return the way that pays one gold token more and one of a colour less, if there is one.
 *
 * @param {Counts} paid
 * @param {string} color
 * @param {Counts[]} ways
 */
export function swapped(paid, color, ways) {
  const wanted = { ...paid, [color]: (paid[color] ?? 0) - 1, gold: (paid.gold ?? 0) + 1 };
  return ways.find((way) => isSame(way, wanted));
}

/**
 * @param {Counts} one
 * @param {Counts} other
 */
export function isSame(one, other) {
  return COLORS.every((color) => (one[color] ?? 0) === (other[color] ?? 0));
}
