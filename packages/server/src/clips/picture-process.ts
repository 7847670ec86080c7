import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Picture } from '../platform/browser/visit.ts';
import { privateBytes } from '../platform/process-memory.ts';

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
const lookMs = 50;
/** Answering requests comes before making pictures. */
const niceness = 5;
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
  const flags = [`--max-old-space-size=${heapMebibytes}`, '--no-warnings'];
  const child = spawn(process.execPath, [...flags, program, String(maxPixels), String(maxMs)], {
    // It gets none of our settings.
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  await once(child, 'spawn');
  const end = () => child.kill('SIGKILL');
  const timer = setTimeout(end, maxMs);
  const looks = watchMemory(child, maxMemoryBytes, end);
  try {
    // It may end before it has read all.
    child.stdin.on('error', () => {}).end(bytes);
    const [answer, complaint, [code, signal]] = await Promise.all([
      received(child, end),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
    ]);
    if (code === 0) return sizesIn(answer);
    // Ended by us, or brought down by what it read.
    if (code === unreadable || signal !== null) return null;
    throw new Error(`pictures cannot be encoded: ${complaint.slice(0, 2_000)}`);
  } finally {
    clearTimeout(timer);
    clearInterval(looks);
    end();
  }
}

function watchMemory(child: ChildProcess, maxBytes: number, onOver: () => void): NodeJS.Timeout {
  const { pid } = child;
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // It has ended.
  }
  return setInterval(() => {
    if (pid === undefined) return;
    void privateBytes(pid).then((used) => {
      if (used > maxBytes) onOver();
    });
  }, lookMs);
}

async function received({ stdout }: { stdout: NodeJS.ReadableStream }, end: () => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxAnswerBytes) end();
    else chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function sizesIn(answer: Buffer): Omit<Picture, 'isPlain'> {
  const largeEnd = 4 + answer.readUInt32BE(0);
  const smallEnd = largeEnd + 4 + answer.readUInt32BE(largeEnd);
  return {
    large: new Uint8Array(answer.subarray(4, largeEnd)),
    small: new Uint8Array(answer.subarray(largeEnd + 4, smallEnd)),
  };
}
