import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { importsOf } from '../imports.ts';

export type Engine = 'sqlite' | 'postgres';

/** One test file, to be run once. */
export interface PlannedRun {
  /** From the checkout's root. */
  file: string;
  /** What the service runs on in it; null for a test that starts no service. */
  engine: Engine | null;
  /** It has a browser or starts processes, and waits for them as long as it works. */
  isLong: boolean;
  /**
   * It changes nothing outside itself, and ends what it starts: several such files share a process, since to start one and
   * load what they test takes as long as most of them.
   */
  sharesProcess: boolean;
  /** It reads the address of a service that the runner starts for it. */
  needsPostgres: boolean;
  needsS3: boolean;
}

export interface PlanOptions {
  root: string;
  /** Only files whose path contains one of these; all of them when there is none. */
  patterns: readonly string[];
  /** Only this engine; both when null. */
  engine: Engine | null;
}

const places = [
  'packages/*/src/**/*.test.ts',
  'packages/*/test/**/*.test.ts',
  'scripts/**/*.test.ts',
  'bench/**/*.test.ts',
];

/** What a test imports, itself or through another module, to run against a service that was started whole. */
const serviceModule = 'packages/server/test/service.ts';

/** By importing it a test says that it needs no second engine; the module says when that is so. */
const oneEngineModule = 'packages/server/test/one-engine.ts';
/** By importing it a test says that it is about several processes: the module says what that means. */
const severalNodesModule = 'packages/server/test/several-nodes.ts';
/** What only a test has in it that changes its own process, which others in it would meet. What it starts it also ends. */
const needsOwnProcess =
  /\bprocess\.(?:on|once|exit|exitCode|chdir)\b|process\.kill\(process\.pid|node:worker_threads|\bprocess\.env\.\w+ = |delete process\.env/u;
/** What a test imports to have a browser. */
const browserModule = 'packages/server/test/browser.ts';

/**
 * Tests that need no service once, the others once on every engine: those that see no engine on SQLite alone, and those of
 * several nodes on PostgreSQL alone.
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
      // Those that run a service for a moment are used to each other.
      const sharesProcess =
        lengthOf({ file, modules }) === 1 ||
        ![...modules].some(([path, source]) => !harness.has(path) && needsOwnProcess.test(source));
      const reads = (name: string) => [...modules.values()].some((source) => source.includes(name));
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
      const needs = { needsPostgres: reads('TEST_POSTGRES_URL'), needsS3: reads('TEST_S3_URL') };
      return [{ file, engine: null, isLong, sharesProcess, ...needs }];
    });
}

function enginesOf(modules: ReadonlyMap<string, string>, wanted: Engine | null): Engine[] {
  if (modules.has(severalNodesModule)) return wanted === 'sqlite' ? [] : ['postgres'];
  if (wanted) return [wanted];
  return modules.has(oneEngineModule) ? ['sqlite'] : ['sqlite', 'postgres'];
}

/** Enough to load the server seldom, and few enough that the cores come to their end together. */
const mostInProcess = { long: 6, services: 20, rules: 40 };

/** What runs in one process each, in order. */
export function gather(runs: readonly PlannedRun[]): PlannedRun[][] {
  const gathered: PlannedRun[][] = [];
  const open = new Map<string, PlannedRun[]>();
  for (const run of runs) {
    const kind = run.isLong ? 'long' : run.engine === null ? 'rules' : 'services';
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
 * The long ones are begun first, and those of a second come last, so that no core stands idle at the end while one works
 * on something long: whole processes and browsers, then services, then all else.
 */
function lengthOf({ file, modules }: { file: string; modules: ReadonlyMap<string, string> }): number {
  if (file.startsWith('packages/server/test/') || modules.has(browserModule)) return 2;
  return modules.has(serviceModule) ? 1 : 0;
}

/** The file and what it imports from the test folders, by path: product code does not read test settings. */
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
