import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { lowerPriority } from '../low-priority.ts';
import { ByteReader } from './byte-reader.ts';
import type { ContentCoding } from './codings.ts';
import { chunkHeadBytes, requestHead } from './pack-frames.ts';
import { release } from './release.ts';

const program = fileURLToPath(new URL('pack-program.ts', import.meta.url));
const flags = ['--max-old-space-size=64', '--max-semi-space-size=1', '--no-warnings'];
/**
 * Tables of compressors go back to the system with the form that they were made for: glibc keeps blocks under 32
 * MiB for its next ones otherwise, in an arena for each thread. Other systems ignore these settings.
 */
const environment = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '262144', UV_THREADPOOL_SIZE: '1' };
/** Jobs that are due follow one another at once. */
const usualIdleMs = 2_000;

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly answers: ByteReader;
  /** Resolves with the description of its end. */
  readonly ended: Promise<string>;
}

/**
 * Compresses files in a process of its own, whose memory the service does not keep. The process is started for the
 * first file, and ends after two seconds without one. If it fails, only its present file fails; the next one
 * starts another.
 */
export class PackingProcess {
  readonly #idleMs: number;
  #idle: { readonly running: Running; readonly ending: NodeJS.Timeout } | null = null;

  constructor(idleMs = usualIdleMs) {
    this.#idleMs = idleMs;
  }

  /** The id of the process while it waits for a file. For tests. */
  get idlePid(): number | undefined {
    return this.#idle?.running.child.pid;
  }

  /**
   * Yields the compressed form of a file of `sizeBytes` bytes. Takes over the memory of the chunks of `open`.
   * @throws the errors of `open`, the signal's reason, and an error if the process cannot start or ends
   */
  async *compress(
    coding: ContentCoding,
    sizeBytes: number,
    open: () => Promise<AsyncIterable<Uint8Array>>,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const running = this.#take() ?? (await start());
    const end = () => running.child.kill('SIGKILL');
    signal?.addEventListener('abort', end);
    const failures: unknown[] = [];
    const sent = send(running.child, coding, sizeBytes, open).catch((error: unknown) => {
      failures.push(error);
      // Without its file, the process would wait for ever.
      end();
    });
    let isWhole = false;
    try {
      signal?.throwIfAborted();
      yield* formOf(running);
      await sent;
      if (failures.length > 0) throw failures[0];
      isWhole = true;
    } catch (error) {
      signal?.throwIfAborted();
      throw failures.length > 0 ? failures[0] : error;
    } finally {
      signal?.removeEventListener('abort', end);
      if (isWhole) this.#giveBack(running);
      else end();
    }
  }

  close(): void {
    this.#take()?.child.kill('SIGKILL');
  }

  #take(): Running | null {
    if (this.#idle === null) return null;
    const { running, ending } = this.#idle;
    clearTimeout(ending);
    this.#idle = null;
    return isRunning(running.child) ? running : null;
  }

  #giveBack(running: Running): void {
    this.close();
    this.#idle = { running, ending: setTimeout(() => this.close(), this.#idleMs).unref() };
  }
}

/** @throws if it cannot be started */
async function start(): Promise<Running> {
  const child = spawn(process.execPath, [...flags, program], { env: environment });
  await once(child, 'spawn');
  // Its end is noticed by what it does not write any more.
  for (const part of [child, child.stdin, child.stdout, child.stderr]) part.on('error', () => {});
  lowerPriority(child.pid);
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, 2_000);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('close', (code, signal) => resolve(`${code ?? signal}: ${complaint}`));
  });
  return { child, answers: new ByteReader(child.stdout), ended };
}

function isRunning({ exitCode, signalCode }: ChildProcessWithoutNullStreams): boolean {
  return exitCode === null && signalCode === null;
}

/**
 * Sends a file. Ends early if the process has ended.
 * @throws the errors of `open`, and an error if the file has another size
 */
async function send(
  { stdin }: ChildProcessWithoutNullStreams,
  coding: ContentCoding,
  sizeBytes: number,
  open: () => Promise<AsyncIterable<Uint8Array>>,
): Promise<void> {
  const isWritten = (bytes: Uint8Array) =>
    new Promise<boolean>((resolve) => stdin.write(bytes, (error) => resolve(!error)));
  let left = sizeBytes;
  if (!(await isWritten(requestHead(coding, sizeBytes)))) return;
  for await (const chunk of await open()) {
    left -= chunk.byteLength;
    if (left < 0) break;
    if (!(await isWritten(chunk))) return;
    release([chunk]);
  }
  if (left !== 0) throw new Error(`a file to pack does not have ${sizeBytes} bytes`);
}

async function* formOf({ answers, ended }: Running): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    const head = await answers.piece(chunkHeadBytes);
    if (head === null) break;
    const bytes = head.readUInt32BE();
    if (bytes === 0) return;
    yield* answers.next(bytes);
  }
  throw new Error(`the packing process ended with ${await ended}`);
}
