/** Text into the clipboard. */

import { say } from "./words.js";

const SHOWN_MS = 1500;

/**
 * Copy a text, and say so on the button that was pressed.
 *
 * @param {string} text
 * @param {HTMLElement} button
 */
export async function copied(text, button) {
  const usual = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = say("copied");
  } catch {
    button.textContent = say("not_copied");
  }
  setTimeout(() => {
    button.textContent = usual;
  }, SHOWN_MS);
}
