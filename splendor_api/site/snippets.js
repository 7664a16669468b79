/**
 * A request, written as a person would: for a shell, in Python, in TypeScript. What is shown runs
 * as it is, once the secrets in it are put back.
 *
 * @typedef {import("./requests.js").Exchange} Exchange
 */

/** @type {Record<string, (exchange: Exchange) => string>} */
export const TONGUES = { curl, python, typescript };

/**
 * @param {Exchange} exchange
 * @returns {string}
 */
function curl({ method, path, headers, body }) {
  const lines = [`curl -s ${quoted(location.origin + path)}`];
  if (method !== "GET" && !(method === "POST" && body !== undefined)) {
    lines[0] = `curl -s -X ${method} ${quoted(location.origin + path)}`;
  }
  for (const [name, value] of Object.entries(headers))
    lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push(`-d ${quoted(JSON.stringify(body))}`);
  return lines.join(" \\\n  ");
}

/** @param {string} text */
function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * @param {Exchange} exchange
 * @returns {string}
 */
function python({ method, path, headers, body }) {
  const lines = ["import json", "from urllib.request import Request, urlopen", ""];
  const given = [`    ${pythonic(location.origin + path)},`, `    method=${pythonic(method)},`];
  if (body !== undefined) {
    lines.push(`body = ${pythonic(body)}`);
    given.push("    data=json.dumps(body).encode(),");
  }
  given.push(`    headers=${pythonic(headers)},`);
  lines.push("request = Request(", ...given, ")", "with urlopen(request) as answer:");
  lines.push("    print(json.load(answer))");
  return lines.join("\n");
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function pythonic(value) {
  if (value === null || value === undefined) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (Array.isArray(value)) return `[${value.map(pythonic).join(", ")}]`;
  if (typeof value === "object") {
    const members = Object.entries(value).map(
      ([name, each]) => `${pythonic(name)}: ${pythonic(each)}`,
    );
    return `{${members.join(", ")}}`;
  }
  return JSON.stringify(value);
}

/**
 * @param {Exchange} exchange
 * @returns {string}
 */
function typescript({ method, path, headers, body }) {
  const lines = [`const answer = await fetch(${JSON.stringify(location.origin + path)}, {`];
  lines.push(`  method: ${JSON.stringify(method)},`, `  headers: ${JSON.stringify(headers)},`);
  if (body !== undefined) lines.push(`  body: JSON.stringify(${JSON.stringify(body)}),`);
  lines.push("});", "console.log(await answer.json());");
  return lines.join("\n");
}
