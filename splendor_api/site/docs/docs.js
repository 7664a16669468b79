// Draws the service's own OpenAPI document. "Execute" asks the service that served the page.

import { wear } from "/site/switches.js";

wear(); // light or dark, as it was chosen on the other pages
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;
const paint = () => root.classList.toggle("dark-mode", (root.dataset.scheme ?? (dark.matches ? "dark" : "light")) === "dark");
dark.addEventListener("change", paint);
paint();

window.SwaggerUIBundle({
  domNode: document.getElementById("reference"),
  url: "/openapi.json",
  deepLinking: true, // an operation has an address: /docs#/rules/apply
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  docExpansion: "list",
  filter: true,
  persistAuthorization: false, // a token stays on the page that it was given to
  tryItOutEnabled: true,
  validatorUrl: null, // nobody else is told of the document
});
