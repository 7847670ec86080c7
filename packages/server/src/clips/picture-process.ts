import { fileURLToPath } from 'node:url';
import { runBounded } from '../platform/bounded-process.ts';
import type { Picture } from '../platform/browser/visit.ts';

/** What the process ends with where the bytes are no picture. */
export const unreadable = 3;

export interface PictureLimits {
  readonly maxPixels: number;
  /** By the clock, with starting the process. */
  readonly maxMs: number;
  /** Of the process, at any look. */
  readonly maxMemoryBytes: number;
}

const program = fileURLToPath(new URL('picture-program.ts', import.meta.url));
const heapMebibytes = 64;
/** Two WebP of a known size are never larger. */
const maxAnswerBytes = 16 * 1024 * 1024;

/**
 * Makes both sizes of somebody's picture in a process of its own, which a hostile one may crash, hold or fill without
 * harm to the service. Null if it cannot be read within the limits.
 * @throws where the process does not run at all
 */
export async function encodeInProcess(
  bytes: Uint8Array,
  { maxPixels, maxMs, maxMemoryBytes }: PictureLimits,
): Promise<Omit<Picture, 'isPlain'> | null> {
  const limits = { maxMs, maxMemoryBytes, maxAnswerBytes, heapMebibytes };
  const { code, answer, complaint } = await runBounded(program, [maxPixels, maxMs], bytes, limits);
  if (code === 0) return sizesIn(answer);
  // Ended by us, or brought down by what it read.
  if (code === unreadable || code === null) return null;
  throw new Error(`pictures cannot be encoded: ${complaint}`);
}

function sizesIn(answer: Buffer): Omit<Picture, 'isPlain'> {
  const largeEnd = 4 + answer.readUInt32BE(0);
  const smallEnd = largeEnd + 4 + answer.readUInt32BE(largeEnd);
  return {
    large: new Uint8Array(answer.subarray(4, largeEnd)),
    small: new Uint8Array(answer.subarray(largeEnd + 4, smallEnd)),
  };
}
