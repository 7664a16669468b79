/**
 * The playground. It knows no rule: what can be pressed is what `legal-actions` lists, what is said
 * is what the service says, and what moves is what events tell.
 */

import { sure } from "./asking.js";
import * as bar from "./bar.js";
import { byId, el, redraw } from "./dom.js";
import * as ending from "./ending.js";
import { bringArt, bringStyle, pageOf, seatName } from "./game.js";
import * as lobby from "./lobby.js";
import * as motion from "./motion.js";
import * as notice from "./notice.js";
import { OpenTable, SealedTable } from "./open_table.js";
import * as pane from "./pane.js";
import { Refusal, Requests } from "./requests.js";
import * as seats from "./seats.js";
import { SessionTable } from "./session_table.js";
import * as story from "./story.js";
import * as switches from "./switches.js";
import * as words from "./words.js";
import { say } from "./words.js";

/** @typedef {import("./game.js").GamePage} GamePage */
/** @typedef {import("./game.js").Scene} Scene */
/** @typedef {import("./table.js").GameEvent} GameEvent */
/** @typedef {import("./table.js").Table} Table */

/**
 * A table that somebody sits at, and what is known of its game.
 *
 * @typedef {object} Sitting
 * @property {Table} table
 * @property {GamePage} page
 * @property {any} described
 * @property {any} components
 */

const requests = new Requests();

/** @type {Sitting | null} */
let sitting = null;
let isBusy = false;
let hinted = ""; // what was said about what is picked

/**
 * Say what went wrong, in the service's words if it has some.
 *
 * @param {unknown} error
 */
function failed(error) {
  if (error instanceof Refusal) notice.say(error.message);
  else notice.say(say("unreachable"), true);
}

/**
 * Say what went wrong, and go on from how it is now, without doing again what was refused.
 *
 * @param {unknown} error
 */
async function recover(error) {
  failed(error);
  try {
    await sitting?.table.recover(error);
  } catch (again) {
    failed(again);
  }
}

/**
 * Sit down at a table, and show it.
 *
 * @param {Table} table
 */
async function sit(table) {
  sitting?.table.close();
  const page = await pageOf(table.game);
  bringStyle(table.game);
  const [described, components] = await Promise.all([
    requests.ask("GET", `/v1/games/${table.game}`),
    requests.ask("GET", `/v1/games/${table.game}/components`),
    bringArt(table.game),
  ]);
  sitting = { table, page, described, components };
  page.forget();
  story.clear();
  seats.clear();
  table.addEventListener("change", () => {
    motion.remember(byId("board"));
    page.forget();
    hinted = "";
    show();
  });
  table.addEventListener("live", () => {
    if (table instanceof SessionTable && table.isLive) notice.pass();
    show();
  });
  table.addEventListener("failure", (event) => {
    void recover(/** @type {CustomEvent} */ (event).detail);
  });
  table.addEventListener("step", (event) => tell(/** @type {CustomEvent} */ (event).detail));
  table.addEventListener("notice", (event) => note(/** @type {CustomEvent} */ (event).detail));
  byId("lobby").hidden = true;
  byId("table").hidden = false;
  byId("story").hidden = false;
}

/** @param {{events: GameEvent[], isLate: boolean}} step */
function tell({ events, isLate }) {
  if (sitting === null) return;
  const { table, page, described } = sitting;
  const flights = isLate ? [] : events.flatMap((event) => page.flights(event));
  motion.fly(byId("board"), table.game, flights);
  story.tell(events, byName(described.events, "type"), page, scene(sitting));
}

/**
 * Tell of a version that no action has made.
 *
 * @param {{kind: string, seat?: number | null, change?: string, spectators?: boolean}} step
 */
function note({ kind, seat, change = "", spectators }) {
  const watching = spectators ? "spectators_in" : "spectators_out";
  const name = kind === "seat" ? (change === "spectators" ? watching : change) : kind;
  const who = typeof seat === "number" ? seatName(seat) : "";
  if (name === "joined" && typeof seat === "number") {
    seats.spend(seat);
    show();
  }
  if (words.isSaid(`story.${name}`)) story.note(say(`story.${name}`, { seat: who }));
}

/**
 * @param {any[]} described
 * @param {string} name
 * @returns {Map<string, string>}
 */
function byName(described, name) {
  return new Map(described.map((each) => [each[name], each.says]));
}

/**
 * @param {Sitting} sitting
 * @returns {Scene}
 */
function scene({ table, components }) {
  return {
    view: table.view,
    items: table.items,
    seat: table.seat,
    mine: table.mine,
    until: table.until,
    components,
    act: (action) => void act(() => table.act(action)),
    turns: () => table.turns(),
    failed,
    again: show,
    nameOf: (seat) => nameOf(table, seat),
  };
}

/**
 * Return a seat as people call it, and who plays there if that is worth saying.
 *
 * @param {Table} table
 * @param {number} seat
 */
function nameOf(table, seat) {
  const level = table.bots[seat];
  if (level !== undefined)
    return `${seatName(seat)} (${say("player.bot", { level: say(`level.${level}`) })})`;
  const isYou = seat === table.seat && (table.kind === "session" || table.mine.length === 1);
  return isYou ? `${seatName(seat)} (${say("seats.you")})` : seatName(seat);
}

/**
 * Do something once, and say so if it is refused. What is pressed meanwhile is not heeded.
 *
 * @param {() => Promise<unknown>} deed
 */
async function act(deed) {
  if (isBusy) return;
  isBusy = true;
  byId("table").setAttribute("aria-busy", "true");
  notice.clear();
  try {
    await deed();
    notice.pass();
  } catch (error) {
    await recover(error);
  } finally {
    isBusy = false;
    byId("table").removeAttribute("aria-busy");
  }
}

/** Draw everything as it is now. */
function show() {
  if (sitting === null || sitting.table.view === null) return;
  const { table, page, described } = sitting;
  const { board, tray } = page.draw(scene(sitting));
  byId("board").className = `felt ${table.game} ${table.items.length > 0 ? "" : "still"}`;
  redraw(byId("board"), board);
  byId("tray").hidden = tray.length === 0;
  redraw(byId("tray"), tray, hinted !== "" && el("p", { id: "hinted", role: "status" }, hinted));
  bar.show(table, described.title, deeds(table));
  ending.show(table.game, table.view.outcome, byName(described.outcomes, "reason"));
  byId("seats").hidden = !(table instanceof SessionTable);
  if (table instanceof SessionTable) seats.show(table, deciding(table));
}

/**
 * Return what can be done at any time.
 *
 * @param {Table} table
 * @returns {bar.Deeds}
 */
function deeds(table) {
  return {
    undo: (word) => act(() => table.undo(word)),
    hint: () => act(hint),
    resign: () => resign(table),
    leave,
  };
}

/**
 * Return what a host does, once it is sure; each is done as any other deed is.
 *
 * @param {SessionTable} table
 * @returns {seats.Deciding}
 */
function deciding(table) {
  return {
    nameOf: (seat) => nameOf(table, seat),
    act,
    again: show,
    sure: (name, seat) => {
      const who = seat === null ? "" : seatName(seat);
      return sure(say(`host.${name}_sure`, { seat: who }), say(`host.${name}`));
    },
    removed: async () => {
      await leave();
      notice.say(say("host.removed"));
    },
  };
}

/** Pick what the service suggests, and say why; whether it is done is for whoever plays. */
async function hint() {
  if (sitting === null) return;
  const suggestion = await sitting.table.hint();
  const [best] = suggestion?.ranked ?? [];
  if (suggestion?.action && best) {
    sitting.page.suggest(suggestion.action);
    const reasons = best.reasons.map(({ message }) => message).join(" ");
    hinted = say("hint.says", { reasons });
  } else hinted = say("hint.none");
  show();
}

/** @param {Table} table */
async function resign(table) {
  const { to_act: next } = table.view;
  const seat = table.mine.includes(next) ? next : table.seat;
  if (await sure(say("resign_sure", { seat: seatName(seat) }), say("resign"))) {
    await act(() => table.act({ type: "resign", seat }));
  }
}

/** Get up, and choose another game. */
function leave() {
  notice.clear();
  history.replaceState(null, "", location.pathname);
  return welcome(null);
}

/** @param {string | null} game */
async function welcome(game) {
  sitting?.table.close();
  sitting = null;
  byId("table").hidden = true;
  byId("story").hidden = true;
  byId("seats").hidden = true;
  byId("lobby").hidden = false;
  await lobby.show(requests, game, (wish) => void act(() => begin(wish)));
}

/** @param {lobby.Wish} wish */
async function begin({ kind, setup }) {
  if (kind === "session") {
    const table = await SessionTable.create(requests, setup);
    await sit(table);
    await table.begin();
    history.replaceState(null, "", table.place());
  } else {
    const table =
      kind === "sealed" ? new SealedTable(requests, setup) : new OpenTable(requests, setup);
    await table.deal();
    await sit(table);
    await table.look();
    history.replaceState(null, "", "#again");
  }
  byId("table-title").scrollIntoView({ block: "nearest" });
}

/** Go to where the address leads: to a session, or to a new game. */
async function arrive() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const id = parts.get("session");
  const game = parts.get("game");
  const level = parts.get("against");
  if (id === null && game !== null && level !== null) {
    return begin(await lobby.against(requests, game, level));
  }
  const again = parts.has("again") ? OpenTable.again(requests) : null;
  if (again !== null) {
    await sit(again);
    return again.look();
  }
  if (id === null) return welcome(game);
  const seat = parts.has("seat") ? Number(parts.get("seat")) : null;
  const claim = parts.get("claim");
  if (claim !== null) requests.secrets.add(claim);
  parts.delete("claim");
  history.replaceState(null, "", `#${parts}`);
  const table = await SessionTable.join(requests, { id, seat, claim });
  await sit(table);
  await table.begin();
}

switches.wear();
pane.begin(requests);
await words.begin();
switches.begin();
document.addEventListener("language", () => {
  void act(async () => {
    if (sitting === null) return welcome(null);
    sitting.described = await requests.ask("GET", `/v1/games/${sitting.table.game}`);
    await sitting.table.look();
  });
});
requests.addEventListener("wait", (event) => {
  const { problem, seconds } = /** @type {CustomEvent} */ (event).detail;
  notice.say(`${problem.message} ${say("waits", { seconds })}`, true);
});
addEventListener("online", notice.pass);
addEventListener("hashchange", () => void act(arrive));
try {
  await arrive();
  notice.pass();
} catch (error) {
  failed(error);
  await welcome(null).catch(failed);
}
document.documentElement.dataset.ready = "";
