/** A slot takes 256 KiB of JSON: this much text, and what is around it. */
export const mostKeptBytes = 250_000;

/** What a value takes in a slot. */
export function keptBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
