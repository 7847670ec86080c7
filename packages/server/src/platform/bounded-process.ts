import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { privateBytes } from './process-memory.ts';

export interface ProcessLimits {
  /** By the clock, with starting the process. */
  readonly maxMs: number;
  /** Of the process, at any look. */
  readonly maxMemoryBytes: number;
  /** What it writes to stdout; past that it is ended. */
  readonly maxAnswerBytes: number;
  /** Of JavaScript; what is read and written stands beside it. */
  readonly heapMebibytes: number;
}

export interface ProcessEnd {
  /** Null where it was ended, by us or by what it read. */
  readonly code: number | null;
  readonly answer: Buffer;
  readonly complaint: string;
}

const lookMs = 50;
/** Answering requests comes first. */
const niceness = 5;

/**
 * Runs a program of ours in a process of its own, which may crash, hang or fill up without harm to the service.
 * @param program path of a module
 * @param input written to its stdin
 * @throws where the process does not run at all, and what `input` throws
 */
export async function runBounded(
  program: string,
  args: readonly (string | number)[],
  input: AsyncIterable<Uint8Array> | Uint8Array,
  { maxMs, maxMemoryBytes, maxAnswerBytes, heapMebibytes }: ProcessLimits,
): Promise<ProcessEnd> {
  const flags = [`--max-old-space-size=${heapMebibytes}`, '--no-warnings'];
  const child = spawn(process.execPath, [...flags, program, ...args.map(String)], {
    // It gets none of our settings.
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  await once(child, 'spawn');
  const end = () => child.kill('SIGKILL');
  const timer = setTimeout(end, maxMs);
  const looks = watchMemory(child, maxMemoryBytes, end);
  try {
    const [answer, complaint, [code]] = await Promise.all([
      received(child, maxAnswerBytes, end),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
      written(input, child),
    ]);
    return { code, answer, complaint: complaint.slice(0, 2_000) };
  } finally {
    clearTimeout(timer);
    clearInterval(looks);
    end();
  }
}

/** It may end before it has read all. */
async function written(
  input: AsyncIterable<Uint8Array> | Uint8Array,
  { stdin }: Pick<ChildProcess, 'stdin'>,
): Promise<void> {
  if (stdin === null) return;
  let failed: unknown;
  const source = Readable.from(input instanceof Uint8Array ? [input] : input).on('error', (error) => {
    failed = error;
  });
  await pipeline(source, stdin).catch(() => {});
  if (failed) throw failed;
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

async function received(
  { stdout }: { stdout: NodeJS.ReadableStream },
  maxBytes: number,
  end: () => void,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) end();
    else chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
