/** The pane of requests: each as curl, Python or TypeScript, with its answer. */

import { copied } from "./copying.js";
import { byId, el } from "./dom.js";
import { TONGUES } from "./snippets.js";
import { say } from "./words.js";

/** @typedef {import("./requests.js").Exchange} Exchange */

const SHOWN = 40; // exchanges
const LONG = /([\w-]{4})[\w-]{18,}/g; // an id, too long for a line
const NAMES = { curl: "curl", python: "Python", typescript: "TypeScript" };

/**
 * Show every exchange in the pane, from now on.
 *
 * @param {import("./requests.js").Requests} requests
 */
export function begin(requests) {
  const list = byId("exchanges");
  const mask = /** @type {HTMLInputElement} */ (byId("mask"));
  let tongue = "curl";

  /** @param {string} text */
  const shown = (text) => (mask.checked ? requests.masked(text) : text);

  /** @param {Exchange} exchange */
  const item = (exchange) => {
    const details = el("details", {}, summary(exchange, shown));
    details.addEventListener("toggle", () => fill(details, exchange));
    return el("li", { "data-number": exchange.number }, details);
  };

  /**
   * @param {HTMLDetailsElement} details
   * @param {Exchange} exchange
   */
  const fill = (details, exchange) => {
    details.querySelector(".exchange")?.remove();
    if (!details.open) return;
    const request = shown(TONGUES[tongue]?.(exchange) ?? "");
    const answer = shown(JSON.stringify(exchange.answer, null, 1) ?? "");
    details.append(
      el("div", { class: "exchange" }, code(request, "request"), code(answer, "answer")),
    );
  };

  const refill = () => {
    for (const each of list.querySelectorAll("li")) {
      const number = Number(each.dataset.number);
      const exchange = requests.exchanges.find((one) => one.number === number);
      const details = each.querySelector("details");
      if (exchange && details) {
        details.querySelector("summary")?.replaceWith(summary(exchange, shown));
        fill(details, exchange);
      }
    }
  };

  const tongues = byId("tongues");
  for (const name of Object.keys(TONGUES)) {
    const input = el("input", { type: "radio", name: "tongue", value: name, id: `as-${name}` });
    input.checked = name === tongue;
    input.addEventListener("change", () => {
      tongue = name;
      refill();
    });
    tongues.append(input, el("label", { for: `as-${name}` }, NAMES[/** @type {"curl"} */ (name)]));
  }
  mask.addEventListener("change", refill);
  document.addEventListener("language", refill);

  requests.addEventListener("exchange", (event) => {
    const exchange = /** @type {CustomEvent<Exchange>} */ (event).detail;
    const newest = item(exchange);
    const newestDetails = newest.querySelector("details");
    if (exchange.isDeed && newestDetails) {
      for (const each of list.querySelectorAll("details[data-followed]"))
        each.removeAttribute("open");
      newestDetails.dataset.followed = "";
      newestDetails.open = !isNarrow();
    }
    list.prepend(newest);
    while (list.children.length > SHOWN) list.lastElementChild?.remove();
  });
}

function isNarrow() {
  return matchMedia("(max-width: 70rem)").matches;
}

/**
 * @param {Exchange} exchange
 * @param {(text: string) => string} shown
 */
function summary(exchange, shown) {
  const tone = exchange.status < 400 ? "good" : "bad";
  return el(
    "summary",
    {},
    el("span", { class: "method", dir: "ltr" }, exchange.method),
    el("span", { class: "path", dir: "ltr" }, shown(exchange.path).replace(LONG, "$1…")),
    el("span", { class: `status ${tone}` }, exchange.status),
    el("span", { class: "ms", dir: "ltr" }, `${Math.round(exchange.ms)} ms`),
  );
}

/**
 * @param {string} text
 * @param {"request" | "answer"} what
 */
function code(text, what) {
  const copy = el("button", { type: "button", class: "button small" }, say("copy"));
  copy.addEventListener("click", () => void copied(text, copy));
  return el(
    "section",
    { class: what },
    el("header", {}, el("h3", {}, say(`pane.${what}`)), copy),
    el("pre", { dir: "ltr", tabindex: "0", "aria-label": say(`pane.${what}`) }, text),
  );
}
