import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onSide, type Side } from './tools.ts';

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a program on one side's cores. It ends with this process at the latest. */
export function start(
  side: Side,
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): ChildProcess {
  const child = spawn(...onSide(side, command, args), { stdio: 'ignore', ...options });
  running.add(child);
  child.once('close', (code, signal) => {
    // The program ended unexpectedly, which is the cause of later failures.
    if (running.delete(child) && (code ?? signal) !== 0)
      console.error(`${command} ended with ${code ?? signal}`);
  });
  return child;
}

/** Ends a program and waits until it has gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  running.delete(child);
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/**
 * Runs a program to its end. @returns its output. @throws an error with its stderr if it fails or takes too
 * long
 */
export async function run(
  side: Side,
  command: string,
  args: readonly string[],
  { timeoutMs, ...options }: { cwd?: string; env?: Record<string, string>; timeoutMs?: number } = {},
): Promise<string> {
  const child = start(side, command, args, {
    ...options,
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${texts.err}${texts.out}`);
  return texts.out;
}

/** Returns the duration of `work` in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Makes a folder that is deleted when its block ends: `await using folder = await temporaryFolder()`. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'spaceport-bench-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Returns a free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

const startMs = 60_000;

/**
 * Resolves as soon as the address answers 200. @throws an error if the program ends or a minute passes before
 */
export async function untilAnswers(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + startMs;
  while (performance.now() < deadline) {
    if (child.exitCode !== null)
      throw new Error(`the server ended with ${child.exitCode} before it answered`);
    try {
      const answer = await fetch(url);
      await answer.arrayBuffer();
      if (answer.ok) return;
    } catch {}
    await pause(2);
  }
  throw new Error(`${url} did not answer in ${startMs} ms`);
}

/** Waits until earlier writes are on disk, so that no side pays for another's. */
export async function settle(folder: string): Promise<void> {
  await run('load', 'sync', ['-f', folder]);
}
