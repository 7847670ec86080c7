/**
 * Whether a script really makes memory that threads share, rather than asks whether it could: it constructs a
 * `SharedArrayBuffer`, or a `WebAssembly.Memory` with `shared`. A buffer of no or one byte is a probe, as feature
 * detection makes it.
 */
export function usesSharedMemory(text: string): boolean {
  return constructsBuffer.test(text) || constructsMemory(text);
}

/** What to look for first; where neither is, `usesSharedMemory` is false. */
export const sharedMemoryWords = ['SharedArrayBuffer', 'WebAssembly.Memory'] as const;
/** How much text around one of those words decides. */
export const wordContext = { before: 64, after: 448 } as const;

// Each form needs a character after what it looks at, so that a text cut short is never taken for a use.
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
