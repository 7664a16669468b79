/**
 * Looks into what the service says may be done. No rule is known here: whether something can be
 * picked depends on whether a legal action has it.
 *
 * @typedef {import("../game.js").Item} Item
 * @typedef {import("../game.js").Scene} Scene
 * @typedef {import("./splendor_pick.js").Counts} Counts
 */

import { COLORS, GEMS } from "./splendor_names.js";

/**
 * Return what has this type and these members, legal or not.
 *
 * @param {Scene} scene
 * @param {string} type
 * @param {Record<string, unknown>} [members]
 * @returns {Item | undefined}
 */
export function itemOf({ items }, type, members = {}) {
  const wanted = Object.entries(members);
  return items.find(
    ({ action }) => action.type === type && wanted.every(([name, value]) => action[name] === value),
  );
}

/**
 * Return what takes these colours, and perhaps more.
 *
 * @param {Scene} scene
 * @param {string[]} colors
 * @returns {Item[]}
 */
export function takes({ items }, colors) {
  return items.filter(({ action }) => {
    const taken = takenBy(action);
    return taken !== null && GEMS.every((gem) => many(colors, gem) <= many(taken, gem));
  });
}

/**
 * @param {Scene} scene
 * @param {string[]} colors
 */
export function canTake(scene, colors) {
  return takes(scene, colors).some(({ legal }) => legal);
}

/**
 * Return what takes exactly these colours.
 *
 * @param {Scene} scene
 * @param {string[]} colors
 */
export function takeOf(scene, colors) {
  return takes(scene, colors).find(({ action }) => takenBy(action)?.length === colors.length);
}

/**
 * Return the ways to give tokens back that have at least these.
 *
 * @param {Scene} scene
 * @param {Counts} back
 */
export function returnsOf({ items }, back) {
  return items.filter(
    ({ action, legal }) =>
      legal &&
      action.type === "return_tokens" &&
      COLORS.every((color) => (back[color] ?? 0) <= (action.tokens[color] ?? 0)),
  );
}

/** @param {Counts} counted */
export function total(counted) {
  return COLORS.reduce((sum, color) => sum + (counted[color] ?? 0), 0);
}

/**
 * @param {any} action
 * @returns {string[] | null}
 */
function takenBy(action) {
  if (action.type === "take_different") return action.colors;
  return action.type === "take_same" ? [action.color, action.color] : null;
}

/**
 * @param {string[]} colors
 * @param {string} gem
 */
function many(colors, gem) {
  return colors.filter((color) => color === gem).length;
}
