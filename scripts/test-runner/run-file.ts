import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { killGroup, killMarked, runMark } from './leftovers.ts';
import { type FileOutcome, outcomeOf, type ProcessEnd, processorOf, toldOf } from './outcome.ts';
import { processorMeter } from './processor.ts';
import type { Reading, Told } from './reporter.ts';
import { onSilence } from './silence.ts';
import { compileCache } from './warm-cache.ts';

export interface RunFileOptions {
  environment: Record<string, string | undefined>;
  /** Marks the processes of this run. The mark of another run must not begin with it. */
  mark: string;
  testLimitSeconds: number;
  /** The longest time without a report of a test. It is longer than one test may take on a slow machine. */
  quietLimitSeconds: number;
  colour: boolean;
  /** Kills the process of the file when it is aborted. */
  signal?: AbortSignal;
}

/** How long the runner waits for the output of a process that has ended. */
export const closeSeconds = 5;
const processorSince = processorMeter();
const reporter = fileURLToPath(new URL('reporter.ts', import.meta.url));
const preloads = ['unwatched-promises.ts', 'property-sizes.ts'].map(
  (name) => `--import=${new URL(name, import.meta.url).href}`,
);
const watch = new URL('statements/watch.ts', import.meta.url).href;
const together = fileURLToPath(new URL('together.ts', import.meta.url));

/** Runs one test file in a process of its own, and kills all processes that it leaves behind. */
export async function runFile(file: string, options: RunFileOptions): Promise<FileOutcome> {
  const { told, end, readings: _, ...rest } = await runProcess([file], options);
  return { ...outcomeOf(told, end), ...rest };
}

/** Runs several files in one process. */
export async function runTogether(files: readonly string[], options: RunFileOptions): Promise<FileOutcome[]> {
  const [first] = files;
  if (files.length === 1 && first !== undefined) return [await runFile(first, options)];
  const { told, end, output, readings, processorSeconds } = await runProcess([together, ...files], options);
  const shares = files.map((file) => toldOf(file, told));
  const seconds = processorSeconds === null ? null : processorOf(files, readings, processorSeconds);
  const isThrough = shares.every(({ milliseconds }) => milliseconds !== null);
  const failed = told.some((line) => line.what === 'ended' && line.outcome === 'failed');
  let shown = false;
  return shares.map(({ told: own, milliseconds }, index) => {
    // A bad end of the process that no test explains counts for the files that had not ended. If all had
    // ended, it counts for the last one.
    const isItsEnd = milliseconds === null || (isThrough && !failed && index === files.length - 1);
    const outcome = outcomeOf(own, isItsEnd ? end : { exitCode: 0, quietSeconds: null });
    const isFirstToFail = outcome.failures.length > 0 && !shown;
    shown ||= isFirstToFail;
    return {
      ...outcome,
      // The output of the process is shown once, with the first file that failed.
      output: isFirstToFail ? output : '',
      milliseconds: milliseconds ?? 0,
      processorSeconds: seconds?.[index] ?? null,
    };
  });
}

interface Run extends Pick<FileOutcome, 'output' | 'milliseconds' | 'processorSeconds'> {
  readonly told: readonly Told[];
  readonly readings: readonly Reading[];
  readonly end: ProcessEnd;
}

async function runProcess(words: readonly string[], options: RunFileOptions): Promise<Run> {
  const startedAt = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'spaceport-test-'));
  const events = join(folder, 'events');
  const flags = [
    ...preloads,
    ...(options.environment.TEST_STATEMENTS === undefined ? [] : [`--import=${watch}`]),
    `--test-timeout=${options.testLimitSeconds * 1_000}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${reporter}`,
    '--test-reporter-destination=stderr',
  ];
  const child = spawn(process.execPath, [...flags, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, which can be killed as a whole.
    detached: true,
    env: {
      ...options.environment,
      // It is set when a test runs this runner. Then the file would report to node's runner instead of here.
      NODE_TEST_CONTEXT: undefined,
      TEST_EVENTS: events,
      NODE_COMPILE_CACHE: compileCache,
      [runMark]: options.mark,
      ...(options.colour ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });

  let quietSeconds: number | null = null;
  const kill = () => child.kill('SIGKILL');
  // Each begin and end of a test adds a line to this file.
  const stopListening = onSilence(events, options.quietLimitSeconds, () => {
    quietSeconds = options.quietLimitSeconds;
    kill();
  });
  options.signal?.addEventListener('abort', kill);
  const closed = once(child, 'close');
  const [exitCode]: (number | null)[] = await once(child, 'exit');
  const processorSeconds = processorSince();
  stopListening();
  options.signal?.removeEventListener('abort', kill);
  if (child.pid !== undefined) killGroup(child.pid);
  killMarked(options.mark);
  // Processes that the test started may still hold the pipes, if they were not found and killed above.
  await Promise.race([closed, pause(closeSeconds * 1_000, undefined, { ref: false })]);
  for (const stream of [child.stdout, child.stderr]) stream.destroy();

  const { told, readings } = await readEvents(events);
  await rm(folder, { recursive: true, force: true });
  return {
    told,
    readings,
    end: { exitCode: exitCode ?? null, quietSeconds },
    output,
    milliseconds: performance.now() - startedAt,
    processorSeconds,
  };
}

async function readEvents(path: string): Promise<Pick<Run, 'told' | 'readings'>> {
  const text = await readFile(path, 'utf8').catch(() => '');
  // A killed process may leave an incomplete last line.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const lines = whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Told | Reading);
  return {
    told: lines.filter((line) => line.what !== 'reading'),
    readings: lines.filter((line) => line.what === 'reading'),
  };
}
