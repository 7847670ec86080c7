/**
 * `npm test`: every test of the repository; those that start a service once on SQLite and a folder, and once
 * on PostgreSQL and an S3 store. `npm test -- boards versions` runs the files whose path contains one of the
 * words, `--engine sqlite|postgres` stays on one engine. The last line is `N passed, N failed, N skipped`.
 */
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureCodeCache } from '../packages/server/build/code-cache.ts';
import { ensureServer } from '../packages/server/build/ensure-server.ts';
import { ensureBuild } from '../packages/server/src/pages/built/build.ts';
import { outcomeOfSecond, triedAgain } from './test-runner/again.ts';
import { collectCodes } from './test-runner/codes.ts';
import { killMarked } from './test-runner/leftovers.ts';
import type { FileOutcome } from './test-runner/outcome.ts';
import { paceOfMachine, runAtPace } from './test-runner/pace.ts';
import { type Engine, gather, type PlannedRun, planRuns } from './test-runner/plan.ts';
import { runTogether } from './test-runner/run-file.ts';
import { startServices } from './test-runner/services.ts';
import { collectStatements } from './test-runner/statements/collect.ts';
import { nameOf, reportFile, summarise } from './test-runner/summary.ts';
import { warmCache } from './test-runner/warm-cache.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { engine: { type: 'string' } },
});
const engine = engineNamed(values.engine);
const root = fileURLToPath(new URL('..', import.meta.url));
const runs = planRuns({ root, patterns: positionals, engine });
const mark = randomUUID();
const [services] = await Promise.all([startServices(runs), warmCache().catch(sayWhy)]);
// One build for all runs, even if sources are edited meanwhile.
const pagesFolder = runs.some((run) => run.engine !== null) ? await ensureBuild().catch(sayWhy) : null;
// The built server, which tests start as a separate process.
if (pagesFolder !== null) await ensureServer().then(ensureCodeCache).catch(sayWhy);
const codes = collectCodes();
// Only a whole run can find error codes that no test produces, and only CI has all tools that the tests need.
const everything = positionals.length === 0 && engine === null;
const statements = everything || process.env.TEST_STATEMENTS ? collectStatements(root) : null;
const outcomes = new Map<PlannedRun, FileOutcome>();
const stopping = new AbortController();
const startedAt = performance.now();

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopEarly);

const waiting = [...gather(runs).entries()];
await runAtPace(nextGroup, paceOfMachine());
// Failed files are tried again only in a whole run: a run of a few files should show their failures.
if (positionals.length === 0) for (const run of triedAgain(outcomes)) await tryAgain(run);
// A service that does not stop in time is ended with this process.
await Promise.race([services.stop(), pause(10_000)]);
killMarked(mark);
const stopped = stopping.signal.aborted;
const reports = everything && !stopped ? [codes.report(), statements?.report() ?? true] : [];
const complete = reports.every(Boolean) || !process.env.CI;
codes.remove();
statements?.remove();
if (!complete) console.log('In CI that is a failure: write the test, or take out what nobody tests.');
const allWell = summarise({ runs, outcomes, stopped, milliseconds: performance.now() - startedAt });
process.exit(allWell && complete ? 0 : 1);

/** Returns the next group of files to run in a process, or null. */
function nextGroup(): (() => Promise<void>) | null {
  const [index, group] = waiting.shift() ?? [];
  if (index === undefined || group === undefined) return null;
  return async () => {
    for (const [run, outcome] of await runGroup(group, `${index}`)) outcomes.set(run, outcome);
  };
}

/** Runs a file alone, after all others have ended. */
async function tryAgain(run: PlannedRun): Promise<void> {
  const first = outcomes.get(run);
  if (stopping.signal.aborted) return;
  const [second] = await runGroup([run], `again-${runs.indexOf(run)}`);
  if (first && second) outcomes.set(run, outcomeOfSecond(first, second[1]));
}

async function runGroup(group: readonly PlannedRun[], name: string): Promise<[PlannedRun, FileOutcome][]> {
  const [first] = group;
  if (first === undefined) return [];
  const results = await runTogether(
    group.map(({ file }) => file),
    {
      mark: `${mark}.${name}.`,
      environment: environmentOf(first),
      testLimitSeconds: 120,
      quietLimitSeconds: 240,
      colour: process.stdout.isTTY === true,
      signal: stopping.signal,
    },
  );
  return group.flatMap((run, at): [PlannedRun, FileOutcome][] => {
    const outcome = results[at];
    if (outcome === undefined) return [];
    if (!stopping.signal.aborted) reportFile(nameOf(run), outcome, process.stdout.isTTY === true);
    return [[run, outcome]];
  });
}

function environmentOf(run: PlannedRun): NodeJS.ProcessEnv {
  const chosen = run.engine ?? engine;
  return {
    ...process.env,
    ...services.environment,
    TEST_CODES_FILE: codes.file,
    TEST_STATEMENTS: run.engine === null ? undefined : statements?.folder,
    ...(pagesFolder === null ? {} : { TEST_PAGES_FOLDER: pagesFolder }),
    ...(chosen ? { TEST_ENGINE: chosen } : {}),
  };
}

/**
 * Reports a failed build. It fails only the tests that open pages; without a built server, tests start the
 * sources.
 */
function sayWhy(error: unknown): null {
  console.error(error instanceof Error ? error.message : error);
  return null;
}

function stopEarly(): void {
  waiting.length = 0;
  stopping.abort();
}

function engineNamed(name: string | undefined): Engine | null {
  if (name === undefined || name === 'sqlite' || name === 'postgres') return name ?? null;
  throw new Error('--engine takes sqlite or postgres.');
}
