import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { killMarked, runMark } from './leftovers.ts';
import { type FileOutcome, outcomeOf } from './outcome.ts';
import type { Told } from './reporter.ts';

export interface RunFileOptions {
  environment: Record<string, string | undefined>;
  /** Marks the processes of this run; no other run may carry one that begins with it. */
  mark: string;
  testLimitSeconds: number;
  fileLimitSeconds: number;
  colour: boolean;
}

const reporter = fileURLToPath(new URL('reporter.ts', import.meta.url));

/** Runs one test file in a process of its own, and ends whatever it leaves behind. */
export async function runFile(file: string, options: RunFileOptions): Promise<FileOutcome> {
  const startedAt = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'spaceport-test-'));
  const events = join(folder, 'events');
  const flags = [
    `--test-timeout=${options.testLimitSeconds * 1_000}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${reporter}`,
    '--test-reporter-destination=stderr',
  ];
  const child = spawn(process.execPath, [...flags, file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...options.environment,
      // Set when the runner itself is under test: the file would report to node's runner instead of here.
      NODE_TEST_CONTEXT: undefined,
      TEST_EVENTS: events,
      [runMark]: options.mark,
      ...(options.colour ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });

  let limitSeconds: number | null = null;
  const limit = setTimeout(() => {
    limitSeconds = options.fileLimitSeconds;
    child.kill('SIGKILL');
  }, options.fileLimitSeconds * 1_000);
  const closed = once(child, 'close');
  const [exitCode]: (number | null)[] = await once(child, 'exit');
  clearTimeout(limit);
  killMarked(options.mark);
  // Not before: what the test started may have held the same pipes.
  await closed;

  const told = await readEvents(events);
  await rm(folder, { recursive: true, force: true });
  return {
    ...outcomeOf(told, { exitCode: exitCode ?? null, limitSeconds }),
    output,
    milliseconds: performance.now() - startedAt,
  };
}

async function readEvents(path: string): Promise<Told[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  // A process that was killed may have left half a line.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Told);
}
