import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { lowerPriority } from './low-priority.ts';
import { privateBytes } from './process-memory.ts';

/** The limits of a process. It is killed when it exceeds one. */
export interface ProcessLimits {
  /** The longest run in wall-clock time, including the start of the process. */
  readonly maxMs: number;
  /** The most private memory of the process at any look, in bytes. */
  readonly maxMemoryBytes: number;
  /** The most bytes that it may write to stdout. */
  readonly maxAnswerBytes: number;
  /** The heap of JavaScript (`--max-old-space-size`). Buffers are not in it. */
  readonly heapMebibytes: number;
}

/** The result of a process: its exit code, its stdout, and the start of its stderr. */
export interface ProcessEnd {
  /** The exit code; null if a signal ended the process, sent by us or by a crash. */
  readonly code: number | null;
  readonly answer: Buffer;
  readonly complaint: string;
}

const lookMs = 50;
const maxComplaintBytes = 2_000;

/**
 * Runs a program of ours in a process of its own, which may crash, hang or run out of memory without harm to
 * the service.
 * @param program path of a module
 * @param input written to its stdin
 * @throws if the process cannot be started, and any error of `input`
 */
export async function runBounded(
  program: string,
  args: readonly (string | number)[],
  input: AsyncIterable<Uint8Array> | Uint8Array,
  { maxMs, maxMemoryBytes, maxAnswerBytes, heapMebibytes }: ProcessLimits,
): Promise<ProcessEnd> {
  const flags = [`--max-old-space-size=${heapMebibytes}`, '--no-warnings'];
  const child = spawn(process.execPath, [...flags, program, ...args.map(String)], {
    // The process gets no setting of the service.
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
      startOf(child.stderr, maxComplaintBytes),
      once(child, 'close') as Promise<[number | null]>,
      written(input, child),
    ]);
    return { code, answer, complaint: complaint.toString() };
  } finally {
    clearTimeout(timer);
    clearInterval(looks);
    end();
  }
}

/** Writes the input. The process may end before it has read all: that is no error. */
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
  lowerPriority(pid);
  return setInterval(() => {
    if (pid === undefined) return;
    void privateBytes(pid).then((used) => {
      if (used > maxBytes) onOver();
    });
  }, lookMs);
}

/** Reads a stream to its end, and returns the first bytes. */
export async function startOf(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let room = maxBytes;
  for await (const chunk of stream) {
    if (room === 0) continue;
    // A copy: a slice would keep the whole chunk.
    const kept = Buffer.from(chunk.subarray(0, room));
    chunks.push(kept);
    room -= kept.length;
  }
  return Buffer.concat(chunks);
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
