/**
 * Elements, made in one call. Nothing here takes markup as text, so nothing can be injected.
 *
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Record<string, unknown>} Attributes
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Return an element. Of the attributes `on…` are listeners, true is an attribute without a value,
 * and false, null and undefined are none.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  assign(made, attributes);
  made.append(...shown(children));
  return made;
}

/**
 * Return a drawing that uses a symbol of a sprite which is in the page already.
 *
 * @param {string} symbol
 * @param {string} [className]
 * @returns {SVGSVGElement}
 */
export function drawing(symbol, className = "") {
  const made = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${symbol}`);
  made.append(use);
  assign(made, { class: `drawing ${className}`.trim(), "aria-hidden": "true", focusable: "false" });
  return made;
}

/**
 * Return an element of the page that has to be there.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`no element #${id}`);
  return found;
}

/**
 * Draw what is in a container anew, and leave the focus where it was: on what has the same
 * `data-key`.
 *
 * @param {Element} container
 * @param {...(Child | Child[])} children
 */
export function redraw(container, ...children) {
  const focused = document.activeElement;
  const held = focused !== null && container.contains(focused);
  const key = held ? focused.closest("[data-key]")?.getAttribute("data-key") : undefined;
  container.replaceChildren(...shown(children));
  if (!key) return;
  const again = container.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
function assign(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on") && typeof value === "function") {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * @param {(Child | Child[])[]} children
 * @returns {(Node | string)[]}
 */
function shown(children) {
  return children
    .flat()
    .filter((each) => each !== null && each !== undefined && each !== false)
    .map((each) => (each instanceof Node ? each : String(each)));
}
