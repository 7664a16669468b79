/** Things that move when events are told; nothing does for whoever would rather have it still. */

import { drawing } from "./dom.js";

/** @typedef {import("./game.js").Flight} Flight */

const FLIGHT_MS = 520;
const APART_MS = 90;
const MOST = 24; // flights of one step

/** @type {Map<string, DOMRect>} where everything was before it was drawn anew */
let before = new Map();

/**
 * Remember where everything is, since it will be drawn anew.
 *
 * @param {Element} board
 */
export function remember(board) {
  before = new Map(
    [...places(board)].map(([name, place]) => [name, place.getBoundingClientRect()]),
  );
}

/**
 * Let things fly from where they were to where they are.
 *
 * @param {Element} board
 * @param {string} game
 * @param {Flight[]} flights
 */
export function fly(board, game, flights) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const now = places(board);
  for (const [index, { symbol, from, to }] of flights.slice(0, MOST).entries()) {
    const start = before.get(from) ?? now.get(from)?.getBoundingClientRect();
    const end = now.get(to)?.getBoundingClientRect() ?? before.get(to);
    if (start && end) launch(`${game}-${symbol}`, start, end, index * APART_MS);
  }
}

/**
 * @param {string} symbol
 * @param {DOMRect} start
 * @param {DOMRect} end
 * @param {number} delay
 */
function launch(symbol, start, end, delay) {
  const flying = drawing(symbol, "flying");
  const size = Math.min(start.width, 120);
  flying.style.inlineSize = `${size}px`;
  flying.style.blockSize = `${Math.min(start.height, (size * start.height) / start.width)}px`;
  document.body.append(flying);
  const middle = (/** @type {DOMRect} */ { left, top, width, height }) =>
    `translate(${left + width / 2}px, ${top + height / 2}px) translate(-50%, -50%)`;
  const shrunk = Math.min(1, Math.max(0.35, end.width / size));
  const flight = flying.animate(
    [
      { transform: `${middle(start)} scale(1)`, opacity: 1 },
      { transform: `${middle(end)} scale(${shrunk})`, opacity: 0.85 },
    ],
    { duration: FLIGHT_MS, delay, easing: "cubic-bezier(.3,.1,.25,1)", fill: "both" },
  );
  flight.addEventListener("finish", () => flying.remove());
  flight.addEventListener("cancel", () => flying.remove());
}

/**
 * @param {Element} board
 * @returns {Map<string, Element>}
 */
function places(board) {
  return new Map(
    [...board.querySelectorAll("[data-place]")].map((each) => [
      each.getAttribute("data-place") ?? "",
      each,
    ]),
  );
}
