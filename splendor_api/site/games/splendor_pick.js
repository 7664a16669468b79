/**
 * What has been picked so far: colours from the bank, a card or the top of a deck, or tokens to
 * give back; and what was said about a pick that cannot be.
 *
 * @typedef {Record<string, number>} Counts
 * @typedef {object} Pick
 * @property {string[]} colors
 * @property {number | null} card
 * @property {number | null} level
 * @property {Counts} back
 * @property {Counts | null} paid  how the card is paid for; null as the service proposes
 * @property {string} said
 */

/** @type {Pick} */
const NOTHING = { colors: [], card: null, level: null, back: {}, paid: null, said: "" };

/** @type {Pick} */
let picked = NOTHING;

/** @returns {Pick} */
export function pick() {
  return picked;
}

/** Let go of everything. */
export function forget() {
  picked = NOTHING;
}

/**
 * Pick what an action is made of.
 *
 * @param {import("../game.js").Action} action
 */
export function suggest(action) {
  const { type, color, colors, card = null, level = null, tokens, payment = null } = action;
  picked = { ...NOTHING, card, level, paid: payment };
  if (type === "take_different") picked = { ...NOTHING, colors };
  if (type === "take_same") picked = { ...NOTHING, colors: [color, color] };
  if (type === "return_tokens") picked = { ...NOTHING, back: tokens };
}

/**
 * Pick this, and nothing else.
 *
 * @param {import("../game.js").Scene} scene
 * @param {Partial<Pick>} chosen
 */
export function choose(scene, chosen) {
  picked = { ...NOTHING, ...chosen };
  scene.again();
}
