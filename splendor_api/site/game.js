/**
 * What the playground asks of the page of a game, which is `games/<name>.js`, with
 * `games/<name>.css` and `games/<name>.words.json` beside it. Nothing else on the page knows a
 * game.
 *
 * @typedef {import("./dom.js").Child} Child
 * @typedef {import("./table.js").Action} Action
 * @typedef {import("./table.js").GameEvent} GameEvent
 * @typedef {import("./table.js").Item} Item
 *
 * @typedef {object} Scene  all that there is to be drawn
 * @property {any} view  what is seen: an observation
 * @property {Item[]} items  what may be done now, and what may not and why
 * @property {number | null} seat  whose eyes see it
 * @property {number[]} mine  the seats that are played at this screen
 * @property {number | null} until  when the seat to act must have acted; null without a limit
 * @property {any} components  what `GET /v1/games/{game}/components` answers
 * @property {(action: Action) => void} act
 * @property {() => Promise<Item[]>} turns  asks for every whole turn that may be done now
 * @property {(error: unknown) => void} failed  says what went wrong
 * @property {() => void} again  draws once more, after something was picked
 * @property {(seat: number) => string} nameOf
 *
 * @typedef {object} Drawn
 * @property {Child[]} board  what lies on the table
 * @property {Child[]} tray  what can be done with what was picked
 *
 * @typedef {object} Flight  something that moves when an event is told
 * @property {string} symbol
 * @property {string} from  a `data-place` of the board, before the event
 * @property {string} to  a `data-place` of the board, after it
 *
 * @typedef {object} GamePage
 * @property {string[]} hero  symbols that show what the game looks like
 * @property {string} limit  how a session is told what seconds the seat to act has
 * @property {(scene: Scene) => Drawn} draw
 * @property {() => void} forget  lets go of what was picked, since the table has changed
 * @property {(action: Action) => void} suggest  picks what an action is made of
 * @property {(event: GameEvent, scene: Scene) => Child[]} told  what an event was about
 * @property {(event: GameEvent) => Flight[]} flights
 */

import { say } from "./words.js";

/**
 * Return the page of a game.
 *
 * @param {string} name
 * @returns {Promise<GamePage>}
 */
export async function pageOf(name) {
  return import(`./games/${name}.js`);
}

/**
 * Put the style of a game into the document, once.
 *
 * @param {string} name
 */
export function bringStyle(name) {
  const href = `/site/games/${name}.css`;
  if (document.querySelector(`link[href="${href}"]`)) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  document.head.append(link);
}

/**
 * Put the symbols of a game into the document, once, each under `<game>-<symbol>`. They are the
 * service's, which draws with them as well.
 *
 * @param {string} name
 * @param {string[]} [wanted]  these and what they are made of; without it all
 */
export async function bringArt(name, wanted) {
  const id = `art-${name}`;
  if (document.getElementById(id)) return;
  const answer = await fetch(`/v1/games/${name}/art.svg`);
  const parsed = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  if (wanted) keepOnly(parsed, wanted);
  const sprite = document.importNode(parsed.documentElement, true);
  for (const symbol of sprite.querySelectorAll("[id]")) symbol.id = `${name}-${symbol.id}`;
  for (const use of sprite.querySelectorAll("use")) {
    use.setAttribute("href", `#${name}-${used(use)}`);
  }
  sprite.id = id;
  sprite.setAttribute("class", "sprite");
  sprite.setAttribute("aria-hidden", "true");
  document.body.prepend(sprite);
}

/**
 * @param {Document} sprite
 * @param {string[]} wanted
 */
function keepOnly(sprite, wanted) {
  const needed = new Set(wanted);
  for (const symbol of needed) {
    // what is added meanwhile is met as well
    const found = sprite.getElementById(symbol);
    for (const use of found?.querySelectorAll("use") ?? []) needed.add(used(use));
  }
  for (const symbol of sprite.querySelectorAll("symbol")) {
    if (!needed.has(symbol.id)) symbol.remove();
  }
}

/** @param {Element} use */
function used(use) {
  return use.getAttribute("href")?.slice(1) ?? "";
}

/**
 * Return the sentence of what forbids something.
 *
 * @param {Item | undefined} item
 */
export function reason(item) {
  return (item?.violations ?? []).map(({ message }) => message).join(" ");
}

/**
 * Return a seat as people call it.
 *
 * @param {number} seat
 */
export function seatName(seat) {
  return say("seat", { seat });
}
