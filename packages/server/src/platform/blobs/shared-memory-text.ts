/**
 * Returns whether a script really creates memory that threads share, and does not only test for the feature.
 * It constructs a `SharedArrayBuffer`, or a `WebAssembly.Memory` with `shared`. A buffer of no or one byte is
 * a feature test.
 */
export function usesSharedMemory(text: string): boolean {
  return constructsBuffer.test(text) || constructsMemory(text);
}

/** The words to look for first: without one of them, `usesSharedMemory` is false. */
export const sharedMemoryWords = ['SharedArrayBuffer', 'WebAssembly.Memory'] as const;
/** How many characters around one of those words are needed to decide. */
export const wordContext = { before: 64, after: 448 } as const;

// Each pattern needs a character after the part that it looks at, so that a text cut short never matches.
const constructsBuffer =
  /\bnew\s{1,16}(?:(?:globalThis|window|self)\s?\.\s?)?SharedArrayBuffer\s{0,16}(?:\(\s{0,16}(?:[^01)\s]|[01]\s{0,16}[^)\s])|[;,])/u;
const memoryDescriptor =
  /\bnew\s{1,16}(?:(?:globalThis|window|self)\s?\.\s?)?WebAssembly\.Memory\s{0,16}\(\s{0,16}\{([^{}]{0,360})\}/gu;
const shared = /(?:^|[\s,'"])shared['"]?\s{0,16}:\s{0,16}(?:true|!0)/u;
const ofNoPages = /(?:^|[\s,'"])maximum['"]?\s{0,16}:\s{0,16}[01]\s{0,16}(?:,|$)/u;

function constructsMemory(text: string): boolean {
  for (const [, descriptor = ''] of text.matchAll(memoryDescriptor)) {
    if (shared.test(descriptor) && !ofNoPages.test(descriptor)) return true;
  }
  return false;
}
