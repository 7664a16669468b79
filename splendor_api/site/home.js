/** The page at the root: its languages, its two switches, and what can be copied. */

import { copied } from "./copying.js";
import { byId, drawing, el } from "./dom.js";
import { bringArt, pageOf } from "./game.js";
import * as switches from "./switches.js";
import * as words from "./words.js";

switches.wear();
await words.begin();
switches.begin();

const line = byId("line");
line.textContent = (line.textContent ?? "").replaceAll("http://127.0.0.1:8000", location.origin);
byId("copy").addEventListener("click", () => void copied(line.textContent ?? "", byId("copy")));

const { games } = await (await fetch("/v1/games")).json();
for (const { name } of games) {
  const { hero } = await pageOf(name);
  await bringArt(name, hero);
  byId("hero").append(
    el(
      "div",
      { class: "fan" },
      hero.map((symbol) => drawing(`${name}-${symbol}`)),
    ),
  );
}
document.documentElement.dataset.ready = "";
