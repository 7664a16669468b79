/**
 * SET on the page. Everybody looks at the same cards; who sees three that belong together calls, or
 * claims them at once. Which three those are nobody tells: it is the game.
 *
 * @typedef {import("../dom.js").Child} Child
 * @typedef {import("../game.js").Flight} Flight
 * @typedef {import("../game.js").GameEvent} GameEvent
 * @typedef {import("../game.js").Item} Item
 * @typedef {import("../game.js").Scene} Scene
 */

import { clock } from "../clock.js";
import { drawing, el } from "../dom.js";
import { reason } from "../game.js";
import { say } from "../words.js";
import * as keys from "./set_keys.js";

const CLAIMED = 3; // cards

export const limit = "call_seconds";

export const hero = ["card-7", "card-41", "card-75"];

/** @type {number[]} the cards that are picked */
let picked = [];

export function forget() {
  picked = [];
}

/** @param {import("../game.js").Action} action */
export function suggest(action) {
  picked = action.cards ?? [];
}

/**
 * @param {Scene} scene
 * @returns {import("../game.js").Drawn}
 */
export function draw(scene) {
  attend(scene);
  return { board: table(scene), tray: tray(scene) };
}

/**
 * Let keys do what the buttons do.
 *
 * @param {Scene} scene
 */
function attend(scene) {
  if (scene.items.length === 0) return keys.rest();
  keys.attend({
    cards: scene.view.table,
    claimers: claimers(scene),
    isPicked: picked.length === CLAIMED,
    pick: (id) => toggle(scene, id),
    drop: () => {
      picked = [];
      scene.again();
    },
    claim: (seat) => claim(scene, seat),
    make: (type, seat) => {
      const item = scene.items.find(({ action }) => action.type === type && action.seat === seat);
      if (item?.legal) scene.act(item.action);
    },
  });
}

/**
 * Return the seats at this screen that may claim now.
 *
 * @param {Scene} scene
 */
function claimers({ items, mine, view }) {
  if (view.to_act !== null) return mine.filter((seat) => seat === view.to_act);
  return mine.filter((seat) => items.some(({ action, legal }) => legal && action.seat === seat));
}

/**
 * @param {Scene} scene
 * @param {number} seat
 */
function claim(scene, seat) {
  scene.act({ type: "claim", seat, cards: picked });
}

/**
 * @param {GameEvent} event
 * @param {Scene} scene
 * @returns {Child[]}
 */
export function told(event, scene) {
  const cards = /** @type {(number | null)[]} */ (event.cards ?? []);
  const seen = cards.filter((id) => id !== null);
  return [
    seen.length > 0 &&
      el(
        "span",
        { class: "sets" },
        seen.map((id) => small(scene, id)),
      ),
    event.features &&
      el(
        "span",
        { class: "about" },
        event.features.map((/** @type {string} */ each) => say(`set.${each}`)).join(", "),
      ),
  ];
}

/**
 * @param {GameEvent} event
 * @returns {Flight[]}
 */
export function flights(event) {
  switch (event.type) {
    case "set_claimed":
      return event.cards.map((/** @type {number} */ id) => ({
        symbol: `card-${id}`,
        from: `card-${id}`,
        to: `seat-${event.seat}`,
      }));
    case "cards_dealt":
      return event.cards.map((/** @type {number} */ id) => ({
        symbol: "back",
        from: "deck",
        to: `card-${id}`,
      }));
    default:
      return [];
  }
}

/**
 * @param {Scene} scene
 * @returns {Child[]}
 */
function table(scene) {
  const { table: cards, deck, players } = scene.view;
  const left = deck.count ?? deck.length;
  return [
    el(
      "div",
      { class: `cards in-${columns(cards.length)}`, role: "group", "aria-label": say("set.table") },
      cards.map((/** @type {number | null} */ id, /** @type {number} */ slot) =>
        id === null ? el("span", { class: "card bare" }) : card(scene, id, slot),
      ),
    ),
    el(
      "div",
      { class: "rest" },
      el(
        "span",
        {
          class: "card deck",
          "data-place": "deck",
          role: "img",
          "aria-label": say("set.deck", { count: left }),
        },
        drawing("set-back"),
        el("span", { class: "left" }, left),
      ),
      el(
        "div",
        { class: "players" },
        players.map((/** @type {any} */ _, /** @type {number} */ seat) => player(scene, seat)),
      ),
    ),
  ];
}

/**
 * Return how many cards lie in a row where there is room: in three rows, as at a table.
 *
 * @param {number} cards
 */
function columns(cards) {
  return Math.min(7, Math.max(3, Math.ceil(cards / CLAIMED)));
}

/**
 * @param {Scene} scene
 * @param {number} id
 * @param {number} slot
 */
function card(scene, id, slot) {
  const isPicked = picked.includes(id);
  const letter = scene.items.length > 0 ? keys.letterOf(slot) : null;
  return el(
    "button",
    {
      type: "button",
      class: "card",
      "data-key": `card-${id}`,
      "data-place": `card-${id}`,
      "aria-pressed": String(isPicked),
      "aria-keyshortcuts": letter,
      "aria-label": cardName(scene, id),
      "aria-disabled": scene.items.length > 0 ? null : "true",
      onclick: () => scene.items.length > 0 && toggle(scene, id),
    },
    drawing(`set-card-${id}`),
    hint(letter),
  );
}

/**
 * Return what shows the key of something.
 *
 * @param {string | null} key
 */
function hint(key) {
  return key !== null && el("kbd", { "aria-hidden": "true" }, key);
}

/**
 * Pick a card, or let go of it; of more than three the one that was picked first goes.
 *
 * @param {Scene} scene
 * @param {number} id
 */
function toggle(scene, id) {
  picked = picked.includes(id)
    ? picked.filter((each) => each !== id)
    : [...picked, id].slice(-CLAIMED);
  scene.again();
}

/**
 * @param {Scene} scene
 * @param {number} seat
 */
function player(scene, seat) {
  const { sets, failed, score, resigned } = scene.view.players[seat];
  const isNext = scene.view.to_act === seat;
  const last = sets.at(-1);
  return el(
    "section",
    {
      class: `player ${isNext ? "next" : ""}`,
      "data-place": `seat-${seat}`,
      "aria-label": scene.nameOf(seat),
    },
    el(
      "header",
      {},
      el("h3", {}, scene.nameOf(seat)),
      isNext && el("span", { class: "turn" }, say("set.called")),
      isNext && scene.until !== null && clock(scene.until),
      resigned && el("span", { class: "turn" }, say("resigned")),
      scene.view.no_set.includes(seat) && el("span", { class: "turn" }, say("set.said_no_set")),
      el(
        "span",
        { class: "score", title: say("set.score") },
        el("span", { class: "heard" }, `${say("set.score")}: `),
        score,
      ),
    ),
    el("p", {}, say("set.tally", { sets: sets.length, failed })),
    last &&
      el(
        "span",
        { class: "sets" },
        last.map((/** @type {number} */ id) => small(scene, id)),
      ),
  );
}

/**
 * @param {Scene} scene
 * @param {number} id
 */
function small(scene, id) {
  const name = cardName(scene, id);
  return el(
    "span",
    { class: "small", role: "img", "aria-label": name, title: name },
    drawing(`set-card-${id}`),
  );
}

/**
 * @param {Scene} scene
 * @param {number} id
 */
function cardName({ components }, id) {
  const found = components.cards.find((/** @type {any} */ each) => each.id === id);
  const { number, shading, color, shape } = found;
  return say("set.card", {
    number,
    shading: say(`set.${shading}`),
    color: say(`set.${color}`),
    shape: say(`set.${shape}`),
  });
}

/**
 * Return what each seat at this screen can do.
 *
 * @param {Scene} scene
 * @returns {Child[]}
 */
function tray(scene) {
  const { items, mine, view } = scene;
  if (items.length === 0) return [];
  const seats = view.to_act === null ? mine : mine.filter((seat) => seat === view.to_act);
  return [
    el("p", { class: "what whole" }, say("set.pick", { count: picked.length })),
    ...seats.map((seat) => deeds(scene, seat)),
    byKeys(scene),
  ];
}

/**
 * Return the switch for playing by keys.
 *
 * @param {Scene} scene
 */
function byKeys(scene) {
  const box = el("input", { type: "checkbox", "data-key": "by-keys" });
  box.checked = keys.areOn();
  box.addEventListener("change", () => {
    keys.set(box.checked);
    scene.again();
  });
  return el(
    "p",
    { class: "by-keys" },
    el("label", {}, box, ` ${say("set.by_keys")}`),
    box.checked && el("span", { class: "about" }, say("set.keys")),
  );
}

/**
 * @param {Scene} scene
 * @param {number} seat
 */
function deeds(scene, seat) {
  const listed = scene.items.filter(({ action }) => action.seat === seat);
  const isLeft = listed.some(({ legal }) => legal) || scene.view.to_act === seat;
  if (!isLeft) return null;
  return el(
    "div",
    { class: "deed", role: "group", "aria-label": scene.nameOf(seat) },
    el("strong", {}, scene.nameOf(seat), " ", hint(keys.digitOf(seat))),
    el(
      "button",
      {
        type: "button",
        class: "button main",
        "data-key": `claim-${seat}`,
        disabled: picked.length < CLAIMED,
        onclick: () => claim(scene, seat),
      },
      say("set.claim"),
    ),
    listed.map((item) => deed(scene, item, seat)),
  );
}

/**
 * Return the button that does something that is listed; one that cannot be pressed says why.
 *
 * @param {Scene} scene
 * @param {Item} item
 * @param {number} seat
 */
function deed(scene, { action, legal, violations }, seat) {
  const why = legal ? "" : reason({ action, legal, preview: null, violations: violations ?? [] });
  return el(
    "button",
    {
      type: "button",
      class: "button small",
      "data-key": `${action.type}-${seat}`,
      title: why,
      "aria-disabled": legal ? null : "true",
      onclick: () => legal && scene.act(action),
    },
    say(`set.${action.type}`),
    why && el("span", { class: "heard" }, ` (${why})`),
  );
}
