/**
 * The form for a new game. What can be chosen is what the service says of each game.
 *
 * @typedef {import("./table.js").Setup} Setup
 * @typedef {{kind: "open" | "sealed" | "session", setup: Setup}} Wish
 */

import { byId, el } from "./dom.js";
import { pageOf, seatName } from "./game.js";
import { say } from "./words.js";

/** @typedef {import("./requests.js").Requests} Requests */

const PERSON = "person";
const LEVELS = ["random", "greedy", "strong"];
const USUAL = "greedy";
const MOST_LISTED = 20; // seats
const MOST_SECONDS = 7 * 24 * 60 * 60;
const KINDS = /** @type {const} */ (["open", "sealed", "session"]);

/** What is chosen; it outlives a change of language. */
const chosen = {
  game: "",
  kind: /** @type {Wish["kind"]} */ ("open"),
  seats: 0,
  ruleset: "",
  seed: "",
  /** @type {number} what the seat to act has in a session; 0 is as long as it likes */
  seconds: 0,
  limit: "",
  /** @type {string[]} who plays in each seat: a person, or the computer at a level */
  players: [],
  /** @type {Record<string, unknown>} */
  options: {},
};

/** The form as it was last asked for; one is made after the other, and none is sent half made. */
let shown = Promise.resolve();

/**
 * Show the form.
 *
 * @param {Requests} requests
 * @param {string | null} game  the game to begin with, if it is known already
 * @param {(wish: Wish) => void} begin
 * @returns {Promise<void>}
 */
export function show(requests, game, begin) {
  shown = shown.catch(() => {}).then(() => make(requests, game, begin));
  return shown;
}

/**
 * @param {Requests} requests
 * @param {string | null} game
 * @param {(wish: Wish) => void} begin
 */
async function make(requests, game, begin) {
  const { games } = await requests.ask("GET", "/v1/games");
  const names = games.map((/** @type {any} */ each) => each.name);
  const wanted = game !== null && names.includes(game) ? game : chosen.game || names[0];
  if (wanted !== chosen.game)
    Object.assign(chosen, { game: wanted, seats: 0, ruleset: "", options: {} });
  const described = await requests.ask("GET", `/v1/games/${chosen.game}`);
  if (!(chosen.ruleset in rulesets(described))) chosen.ruleset = described.rulesets[0].name;
  chosen.limit = (await pageOf(chosen.game)).limit;
  chosen.seats ||= Math.max(2, described.seats.min);

  const again = () => show(requests, null, begin);
  const form = byId("setup");
  form.replaceChildren(
    choice(
      "game",
      say("lobby.game"),
      games.map((/** @type {any} */ each) => ({ value: each.name, label: each.title })),
      again,
    ),
    choice(
      "kind",
      say("lobby.kind"),
      KINDS.map((kind) => ({
        value: kind,
        label: say(`kind.${kind}`),
        says: say(`kind.${kind}_says`),
      })),
      () => {},
    ),
    el(
      "div",
      { class: "fields" },
      seatsField(described.seats),
      rulesetField(described, again),
      seedField(),
      secondsField(),
    ),
    playersField(),
    options(described),
    el(
      "p",
      { class: "begin" },
      el("button", { type: "submit", class: "button main", id: "deal" }, say("lobby.deal")),
      el("button", { type: "submit", class: "button", id: "against" }, say("lobby.against")),
    ),
  );
  form.onsubmit = async (event) => {
    event.preventDefault();
    const { submitter } = event;
    await shown;
    if (submitter?.id === "against")
      chosen.players = [PERSON, ...Array(chosen.seats - 1).fill(USUAL)];
    begin(wish());
  };
}

/**
 * Return the wish to play a game against the computer, as the game is usually played.
 *
 * @param {Requests} requests
 * @param {string} game
 * @param {string} level
 * @returns {Promise<Wish>}
 */
export async function against(requests, game, level) {
  const {
    rulesets: [{ name: ruleset }],
  } = await requests.ask("GET", `/v1/games/${game}`);
  return { kind: "open", setup: { game, seats: 2, ruleset, options: {}, bots: { 1: level } } };
}

/** @returns {Wish} */
function wish() {
  const { kind, seed, players, seats, seconds, limit, ...setup } = chosen;
  const levels = players.slice(0, seats).entries();
  const bots = Object.fromEntries([...levels].filter(([, player]) => player !== PERSON));
  return {
    kind,
    setup: {
      ...structuredClone(setup),
      seats,
      ...(seed && { seed }),
      ...(kind === "session" && seconds > 0 && { limit: [limit, seconds] }),
      ...(Object.keys(bots).length > 0 && { bots }),
    },
  };
}

/** Return a field for each seat: who plays there. */
function playersField() {
  const list = el("div", { class: "grid" });
  const show = () => {
    const seats = Number.isInteger(chosen.seats) ? Math.min(chosen.seats, MOST_LISTED) : 0;
    list.replaceChildren(...[...Array(seats).keys()].map(playerField));
  };
  byId("setup").addEventListener("input", (event) => {
    if (event.target instanceof Element && event.target.id === "seats-wanted") show();
  });
  show();
  return el(
    "details",
    { class: "options", id: "who" },
    el("summary", {}, say("lobby.players")),
    list,
  );
}

/** @param {number} seat */
function playerField(seat) {
  const labels = [PERSON, ...LEVELS].map((name) =>
    el(
      "option",
      { value: name },
      name === PERSON ? say("player.person") : say("player.bot", { level: say(`level.${name}`) }),
    ),
  );
  const select = el("select", { id: `player-${seat}` }, labels);
  chosen.players[seat] ??= PERSON;
  select.value = chosen.players[seat] ?? PERSON;
  select.addEventListener("change", () => {
    chosen.players[seat] = select.value;
  });
  return el("div", { class: "option" }, el("label", { for: select.id }, seatName(seat)), select);
}

/** @param {any} described */
function rulesets(described) {
  return Object.fromEntries(described.rulesets.map((/** @type {any} */ each) => [each.name, each]));
}

/**
 * @param {"game" | "kind"} name
 * @param {string} legend
 * @param {{value: string, label: string, says?: string}[]} values
 * @param {() => void} changed
 */
function choice(name, legend, values, changed) {
  return el(
    "fieldset",
    { class: `choice ${name}` },
    el("legend", {}, legend),
    values.map(({ value, label, says }) => {
      const input = el("input", { type: "radio", name, value, id: `${name}-${value}` });
      input.checked = chosen[name] === value;
      input.addEventListener("change", () => {
        if (name === "game")
          Object.assign(chosen, { game: value, seats: 0, ruleset: "", options: {} });
        else chosen.kind = /** @type {Wish["kind"]} */ (value);
        changed();
      });
      return el(
        "label",
        { for: input.id },
        input,
        el("span", { class: "name" }, label),
        says && el("span", { class: "quiet" }, says),
      );
    }),
  );
}

/** @param {{min: number, max: number}} range */
function seatsField({ min, max }) {
  const input = el("input", {
    type: "number",
    id: "seats-wanted",
    min,
    max,
    value: chosen.seats,
    required: true,
  });
  input.addEventListener("input", () => {
    chosen.seats = input.valueAsNumber;
  });
  return el("label", {}, el("span", {}, say("lobby.seats")), input);
}

/**
 * @param {any} described
 * @param {() => void} again
 */
function rulesetField(described, again) {
  const select = el(
    "select",
    { id: "ruleset" },
    described.rulesets.map((/** @type {any} */ each) =>
      el("option", { value: each.name }, each.name),
    ),
  );
  select.value = chosen.ruleset;
  select.addEventListener("change", () => {
    Object.assign(chosen, { ruleset: select.value, options: {} });
    again();
  });
  return el("label", {}, el("span", {}, say("lobby.ruleset")), select);
}

function seedField() {
  const input = el("input", {
    type: "text",
    id: "seed",
    value: chosen.seed,
    maxlength: 128,
    autocomplete: "off",
    placeholder: say("lobby.by_chance"),
  });
  input.addEventListener("input", () => {
    chosen.seed = input.value;
  });
  return el("label", {}, el("span", {}, say("lobby.seed")), input);
}

function secondsField() {
  const input = el("input", {
    type: "number",
    id: "seconds",
    min: 1,
    max: MOST_SECONDS,
    value: chosen.seconds || "",
    placeholder: say("lobby.no_limit"),
  });
  input.addEventListener("input", () => {
    chosen.seconds = input.valueAsNumber || 0;
  });
  return el("label", { class: "of-session" }, el("span", {}, say(`${chosen.game}.seconds`)), input);
}

/**
 * Return a field for each option of a game. What is left as it is is not sent.
 *
 * @param {any} described
 */
function options(described) {
  return el(
    "details",
    { class: "options", id: "options" },
    el("summary", {}, say("lobby.options")),
    el(
      "div",
      { class: "grid" },
      described.options.map((/** @type {any} */ each) => option(each)),
    ),
  );
}

/** @param {any} described */
function option({ name, type, says, defaults, minimum, maximum, values }) {
  const usual = defaultOf(defaults[chosen.ruleset]);
  const now = chosen.options[name] ?? usual;
  /** @param {unknown} value */
  const set = (value) => {
    if (value === usual) delete chosen.options[name];
    else chosen.options[name] = value;
  };
  const id = `option-${name}`;
  let field;
  if (type === "boolean") {
    const box = el("input", { type: "checkbox", id });
    box.checked = now === true;
    box.addEventListener("change", () => set(box.checked));
    field = box;
  } else if (type === "integer" && !values) {
    const number = el("input", {
      type: "number",
      id,
      min: minimum,
      max: maximum,
      value: now ?? "",
    });
    number.addEventListener("input", () => set(number.value === "" ? usual : number.valueAsNumber));
    field = number;
  } else {
    const select = el(
      "select",
      { id },
      values.map((/** @type {any} */ value) => el("option", { value }, value)),
    );
    select.value = String(now);
    select.addEventListener("change", () => {
      set(values.find((/** @type {any} */ value) => String(value) === select.value));
    });
    field = select;
  }
  return el(
    "div",
    { class: "option" },
    el("label", { for: id }, el("code", {}, name)),
    field,
    el("p", { class: "quiet" }, says),
  );
}

/** @param {any} value  a value, or one for each number of seats */
function defaultOf(value) {
  return value !== null && typeof value === "object" ? value[chosen.seats] : value;
}
