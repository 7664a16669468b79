// Draws the service's own OpenAPI document. "Try it out" asks the service that served the page.

window.addEventListener("DOMContentLoaded", () => {
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
});
