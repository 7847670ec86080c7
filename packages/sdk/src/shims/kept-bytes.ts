/** Largest text in a slot. A slot takes 256 KiB of JSON, with the quotes and fields around the text. */
export const mostKeptBytes = 250_000;

/** Returns the bytes that a value takes in a slot. */
export function keptBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
