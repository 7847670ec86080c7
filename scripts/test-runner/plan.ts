import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { importsOf } from '../imports.ts';

export type Engine = 'sqlite' | 'postgres';

/** One run of one test file. */
export interface PlannedRun {
  /** The path from the checkout's root. */
  file: string;
  /** The engine of the service in this run; null for a test that starts no service. */
  engine: Engine | null;
  /** True for a file that uses a browser or starts processes, for which it often waits. */
  isLong: boolean;
  /**
   * True for a file that does not change its process, and ends everything that it starts. Several such files
   * share a process, because starting a process and loading the tested code takes as long as most of them.
   */
  sharesProcess: boolean;
  /** True for a file that uses the PostgreSQL server that the runner starts; `needsS3` is the same for S3. */
  needsPostgres: boolean;
  needsS3: boolean;
}

export interface PlanOptions {
  root: string;
  /** Selects files whose path contains one of these; all files if it is empty. */
  patterns: readonly string[];
  /** The only engine to run on; both if null. */
  engine: Engine | null;
}

const places = [
  'packages/*/src/**/*.test.ts',
  'packages/*/test/**/*.test.ts',
  'scripts/**/*.test.ts',
  'bench/**/*.test.ts',
];

/** Tests that start the whole service import this module, directly or through another one. */
const serviceModule = 'packages/server/test/service.ts';

/** Tests that need only one engine import this module, which says when that is allowed. */
const oneEngineModule = 'packages/server/test/one-engine.ts';
/** Tests of several nodes import this module, which says what that means. */
const severalNodesModule = 'packages/server/test/several-nodes.ts';
/**
 * Matches the source of a test that changes its own process, which would affect other files in that process.
 */
const needsOwnProcess =
  /\bprocess\.(?:on|once|exit|exitCode|chdir)\b|process\.kill\(process\.pid|node:worker_threads|\bprocess\.env\.\w+ = |delete process\.env|globalThis\.fetch = /u;
/** Tests that start an S3 server of their own import this module. */
const storeModule = 'packages/server/test/s3-server.ts';
/** Settings with the addresses of the servers that the runner starts. */
const postgresAddress = 'TEST_POSTGRES_URL';
const s3Address = 'TEST_S3_URL';
/** Matches the source of a test that starts processes, itself or with the runner. */
const startsProcesses = /node:child_process|\.\/run-file\.ts/u;
/** Tests that use a browser import this module. */
const browserModule = 'packages/server/test/browser.ts';

/**
 * Returns the runs, the longest first. A test that starts no service runs once, and others run once on each
 * engine. Tests that need only one engine run only on SQLite, and tests of several nodes only on PostgreSQL.
 */
export function planRuns({ root, patterns, engine }: PlanOptions): PlannedRun[] {
  const harness = new Set(
    [serviceModule, browserModule].flatMap((path) => [...modulesOf(root, path).keys()]),
  );
  return places
    .flatMap((place) => globSync(place, { cwd: root }))
    .filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
    .map((file) => ({ file, modules: modulesOf(root, file) }))
    .sort((a, b) => lengthOf(b) - lengthOf(a) || (a.file < b.file ? -1 : 1))
    .flatMap(({ file, modules }): PlannedRun[] => {
      const isLong = lengthOf({ file, modules }) === 2;
      // Tests that start a service in their own process can share that process.
      const sharesProcess =
        (!isLong && modules.has(serviceModule)) ||
        ![...modules].some(([path, source]) => !harness.has(path) && needsOwnProcess.test(source));
      if (modules.has(serviceModule)) {
        return enginesOf(modules, engine).map((each) => ({
          file,
          engine: each,
          isLong,
          sharesProcess,
          needsPostgres: each === 'postgres',
          needsS3: each === 'postgres',
        }));
      }
      const needs = {
        needsPostgres: readsSetting(modules, postgresAddress),
        needsS3: readsSetting(modules, s3Address),
      };
      return [{ file, engine: null, isLong, sharesProcess, ...needs }];
    });
}

function enginesOf(modules: ReadonlyMap<string, string>, wanted: Engine | null): Engine[] {
  if (modules.has(severalNodesModule)) return wanted === 'sqlite' ? [] : ['postgres'];
  if (wanted) return [wanted];
  return modules.has(oneEngineModule) ? ['sqlite'] : ['sqlite', 'postgres'];
}

/** The most files in one process: many load the server rarely, and few let all cores end at the same time. */
const mostInProcess = { long: 6, services: 20, rules: 20 };

/** Returns groups of runs, in order. The runs of a group share a process. */
export function gather(runs: readonly PlannedRun[]): PlannedRun[][] {
  const gathered: PlannedRun[][] = [];
  const open = new Map<string, PlannedRun[]>();
  for (const run of runs) {
    const isRules = run.engine === null && !run.needsPostgres && !run.needsS3;
    const kind = run.isLong ? 'long' : isRules ? 'rules' : 'services';
    const like = `${kind} ${run.engine}`;
    const group = run.sharesProcess ? open.get(like) : undefined;
    if (group !== undefined && group.length < mostInProcess[kind]) group.push(run);
    else {
      const begun = [run];
      gathered.push(begun);
      if (run.sharesProcess) open.set(like, begun);
    }
  }
  return gathered;
}

/**
 * Returns how long a file takes: 2 for tests of the server's process and of browsers, 1 for services, databases,
 * stores and other processes, 0 for all others. Long files begin first, so that at the end no core is idle while another one works on a long file.
 */
function lengthOf({ file, modules }: { file: string; modules: ReadonlyMap<string, string> }): number {
  if (file.startsWith('packages/server/test/') || modules.has(browserModule)) return 2;
  const usesServer = [postgresAddress, s3Address].some((name) => readsSetting(modules, name));
  const starts = [...modules.values()].some((source) => startsProcesses.test(source));
  return modules.has(serviceModule) || modules.has(storeModule) || usesServer || starts ? 1 : 0;
}

function readsSetting(modules: ReadonlyMap<string, string>, name: string): boolean {
  return [...modules.values()].some((source) => source.includes(name));
}

/**
 * Returns the sources of a file and of the test modules that it imports, by path. Product code is left out,
 * because it does not read test settings.
 */
function modulesOf(root: string, file: string): Map<string, string> {
  const found = new Map<string, string>();
  const queue = [file];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (found.has(path) || !existsSync(join(root, path))) continue;
    const source = readFileSync(join(root, path), 'utf8');
    found.set(path, source);
    for (const { specifier } of importsOf(source)) {
      const target = join(dirname(path), specifier);
      if (specifier.startsWith('.') && (target.includes('/test/') || target.endsWith('.test.ts')))
        queue.push(target);
    }
  }
  return found;
}
