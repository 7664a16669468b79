/** The two switches at the top of each page: language, and dark or light. */

import { byId, el } from "./dom.js";
import { choose, language, languages, say } from "./words.js";

const KEPT_AS = "scheme";
const SCHEMES = ["auto", "light", "dark"];

/** Bring both switches to life; the words are there by now. */
export function begin() {
  const tongues = /** @type {HTMLSelectElement} */ (byId("language"));
  for (const [tag, name] of Object.entries(languages())) {
    tongues.append(el("option", { value: tag, lang: tag }, name));
  }
  tongues.value = language();
  tongues.addEventListener("change", () => void choose(tongues.value));

  const schemes = /** @type {HTMLSelectElement} */ (byId("scheme"));
  schemes.append(...SCHEMES.map((name) => el("option", { value: name }, say(`scheme.${name}`))));
  schemes.value = kept();
  schemes.addEventListener("change", () => {
    localStorage.setItem(KEPT_AS, schemes.value);
    wear();
  });
  document.addEventListener("language", () => {
    for (const option of schemes.options) option.textContent = say(`scheme.${option.value}`);
  });
}

/** Wear the scheme that was chosen here before; without one the system's. */
export function wear() {
  const root = document.documentElement;
  if (kept() === "auto") root.removeAttribute("data-scheme");
  else root.setAttribute("data-scheme", kept());
}

function kept() {
  const scheme = localStorage.getItem(KEPT_AS) ?? "auto";
  return SCHEMES.includes(scheme) ? scheme : "auto";
}
