/**
 * SET by keys, for several at one screen. The number of a seat is its key: it calls, with Shift it
 * says that there is no set, and once three cards are picked it claims them. Each card has a
 * letter. Enter claims for whoever alone can, Escape lets go of what is picked.
 *
 * Nothing is heeded while something is being typed, and all of it can be switched off (WCAG 2.1.4).
 *
 * @typedef {object} Deeds  what keys can do now
 * @property {(number | null)[]} cards  by slot
 * @property {number[]} claimers  the seats at this screen that may claim
 * @property {boolean} isPicked  whether three cards are
 * @property {(id: number) => void} pick
 * @property {() => void} drop
 * @property {(seat: number) => void} claim
 * @property {(type: "call" | "no_set", seat: number) => void} make  does it, if it is legal
 */

const LETTERS = "QWERTYUIOPASDFGHJKLZXCVBNM";
const KEPT_AS = "keys:set";
const SEATS_WITH_KEYS = 10;

/** @type {Deeds | null} */
let deeds = null;

/**
 * Let keys do this from now on, until the table is drawn again.
 *
 * @param {Deeds} now
 */
export function attend(now) {
  deeds = now;
}

/** Let keys do nothing. */
export function rest() {
  deeds = null;
}

/** @returns {boolean} whether keys are heeded; at first where there is a mouse, thus a keyboard */
export function areOn() {
  const kept = localStorage.getItem(KEPT_AS);
  return kept === null ? matchMedia("(hover: hover) and (pointer: fine)").matches : kept === "on";
}

/** @param {boolean} isOn */
export function set(isOn) {
  localStorage.setItem(KEPT_AS, isOn ? "on" : "off");
}

/**
 * Return the key of a slot's card, if keys are heeded and it has one.
 *
 * @param {number} slot
 * @returns {string | null}
 */
export function letterOf(slot) {
  return areOn() ? (LETTERS[slot] ?? null) : null;
}

/**
 * Return the key of a seat, if keys are heeded and it has one.
 *
 * @param {number} seat
 * @returns {string | null}
 */
export function digitOf(seat) {
  return areOn() && seat < SEATS_WITH_KEYS ? String(seat) : null;
}

/**
 * Do what a key is for.
 *
 * @param {KeyboardEvent} event
 */
function pressed(event) {
  if (deeds === null || !areOn() || event.repeat || isMeantElsewhere(event)) return;
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code);
  const isDone = digit ? numbered(deeds, Number(digit[1]), event.shiftKey) : named(deeds, event);
  if (isDone) event.preventDefault();
}

/** @param {KeyboardEvent} event */
function isMeantElsewhere({ target, altKey, ctrlKey, metaKey }) {
  if (altKey || ctrlKey || metaKey) return true;
  const typing =
    "input:not([type=checkbox], [type=radio]), textarea, select, dialog, [contenteditable]";
  return target instanceof Element && target.closest(typing) !== null;
}

/**
 * @param {Deeds} now
 * @param {number} seat
 * @param {boolean} isShifted
 */
function numbered(now, seat, isShifted) {
  if (isShifted) now.make("no_set", seat);
  else if (now.isPicked && now.claimers.includes(seat)) now.claim(seat);
  else now.make("call", seat);
  return true;
}

/**
 * @param {Deeds} now
 * @param {KeyboardEvent} event
 */
function named(now, event) {
  if (event.key === "Escape") now.drop();
  else if (event.key === "Enter") return entered(now, event);
  else {
    const card = now.cards[LETTERS.indexOf(letterIn(event))];
    if (card === undefined || card === null) return false;
    now.pick(card);
  }
  return true;
}

/**
 * Return the letter that a key has, or had if it were a Latin one.
 *
 * @param {KeyboardEvent} event
 */
function letterIn({ key, code }) {
  return /^[a-z]$/i.test(key) ? key.toUpperCase() : code.replace(/^Key(?=[A-Z]$)/, "");
}

/**
 * Claim, unless Enter presses a button.
 *
 * @param {Deeds} now
 * @param {KeyboardEvent} event
 */
function entered({ isPicked, claimers, claim }, { target }) {
  const [only, ...others] = claimers;
  const isButton =
    target instanceof Element && target.closest("button, a, summary, [role=button]") !== null;
  if (!isPicked || only === undefined || others.length > 0 || isButton) return false;
  claim(only);
  return true;
}

document.addEventListener("keydown", pressed);
