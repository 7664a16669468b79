// All of Node that is used, so that its types need not be installed.

declare module "node:fs" {
  export function readFileSync(path: string, encoding: "utf8"): string;
}

declare module "node:util" {
  export function isDeepStrictEqual(one: unknown, other: unknown): boolean;
}
