/** A question that is answered yes or no, before something that cannot be taken back. */

import { byId, el } from "./dom.js";
import { say } from "./words.js";

/**
 * Ask; return whether the answer was yes.
 *
 * @param {string} question
 * @param {string} yes
 * @returns {Promise<boolean>}
 */
export function sure(question, yes) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
  dialog.replaceChildren(
    el("h2", { id: "dialog-title" }, question),
    el(
      "form",
      { method: "dialog" },
      el("button", { class: "button", value: "no" }, say("no")),
      el("button", { class: "button main", value: "yes" }, yes),
    ),
  );
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
