import { fileURLToPath } from 'node:url';
import { runBounded } from '../platform/bounded-process.ts';
import type { Picture } from '../platform/browser/visit.ts';

/** The exit code of the process for bytes that are not a picture. */
export const unreadable = 3;

export interface PictureLimits {
  readonly maxPixels: number;
  /** The longest time in milliseconds, including the start of the process. */
  readonly maxMs: number;
  /** The largest memory of the process that may be seen at any look, in bytes. */
  readonly maxMemoryBytes: number;
}

const program = fileURLToPath(new URL('picture-program.ts', import.meta.url));
const heapMebibytes = 64;
/** Two WebP of a known size are never larger. */
const maxAnswerBytes = 16 * 1024 * 1024;

/**
 * Makes both sizes of an untrusted picture in a separate process, so that a hostile one cannot crash, block
 * or fill the service. Returns null if it cannot be read within the limits.
 * @throws if the process cannot run at all
 */
export async function encodeInProcess(
  bytes: Uint8Array,
  { maxPixels, maxMs, maxMemoryBytes }: PictureLimits,
): Promise<Omit<Picture, 'isPlain'> | null> {
  const limits = { maxMs, maxMemoryBytes, maxAnswerBytes, heapMebibytes };
  const { code, answer, complaint } = await runBounded(program, [maxPixels, maxMs], bytes, limits);
  if (code === 0) return sizesIn(answer);
  // The process was ended because of a limit, or it crashed while reading.
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
