/**
 * What the page says, in the language of whoever reads it.
 *
 * @typedef {object} Spoken
 * @property {string} language
 * @property {"ltr" | "rtl"} direction
 * @property {Record<string, string>} languages
 * @property {Record<string, string>} words
 */

const KEPT_AS = "language";
const FIRST = "en";

/** @type {Spoken} */
let spoken = { language: FIRST, direction: "ltr", languages: {}, words: {} };

/** @returns {string} the language that is spoken */
export function language() {
  return spoken.language;
}

/** @returns {Record<string, string>} every language by its tag, under its own name */
export function languages() {
  return spoken.languages;
}

/**
 * Return the words of a key, with the parameters that they name in braces.
 *
 * @param {string} key
 * @param {Record<string, string | number>} [params]
 * @returns {string}
 */
export function say(key, params = {}) {
  const template = spoken.words[key] ?? key;
  return template.replace(/\{(\w+)\}/g, (whole, name) => String(params[name] ?? whole));
}

/**
 * Return whether there are words for a key.
 *
 * @param {string} key
 */
export function isSaid(key) {
  return key in spoken.words;
}

/** Speak as was chosen here before, or else as the browser would like it. */
export async function begin() {
  await load(localStorage.getItem(KEPT_AS) ?? document.documentElement.lang ?? FIRST);
  if (localStorage.getItem(KEPT_AS) === null) {
    const liked = navigator.languages.map((tag) => tag.split("-")[0] ?? tag);
    const known = liked.find((tag) => tag in spoken.languages) ?? FIRST;
    if (known !== spoken.language) await load(known);
  }
  delete document.documentElement.dataset.waiting;
}

/**
 * Speak a language from now on.
 *
 * @param {string} tag
 */
export async function choose(tag) {
  await load(tag);
  localStorage.setItem(KEPT_AS, tag);
  document.dispatchEvent(new Event("language"));
}

/** @param {string} tag */
async function load(tag) {
  const answer = await fetch(`/site/words/${encodeURIComponent(tag)}`);
  if (!answer.ok) return;
  spoken = await answer.json();
  document.documentElement.lang = spoken.language;
  document.documentElement.dir = spoken.direction;
  translate(document);
}

/**
 * Put the words of the language into everything that names a key: `data-word` for its text,
 * `data-label` for the name that it has for a screen reader.
 *
 * @param {ParentNode} part
 */
export function translate(part) {
  for (const each of part.querySelectorAll("[data-word]")) {
    each.textContent = say(each.getAttribute("data-word") ?? "");
  }
  for (const each of part.querySelectorAll("[data-label]")) {
    each.setAttribute("aria-label", say(each.getAttribute("data-label") ?? ""));
  }
}
