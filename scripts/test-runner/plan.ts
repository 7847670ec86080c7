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

const places = ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'scripts/**/*.test.ts'];

/** What a test imports, itself or through another module, to run against a service that was started whole. */
const serviceModule = 'packages/server/test/service.ts';

/**
 * What opens a browser of its own: it looks at pages, which see the answers of the API alone. What those say on each engine
 * is tested over HTTP, at a tenth of the time.
 */
const browserModule = 'packages/server/test/browser.ts';

/** Tests that need no service once, the others once on every engine, and those of pages on SQLite alone. */
export function planRuns({ root, patterns, engine }: PlanOptions): PlannedRun[] {
  const files = places
    .flatMap((place) => globSync(place, { cwd: root }))
    .filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
    .sort((a, b) => Number(isLong(b)) - Number(isLong(a)) || (a < b ? -1 : 1));
  return files.flatMap((file): PlannedRun[] => {
    const modules = modulesOf(root, file);
    if (modules.has(serviceModule)) {
      const engines: Engine[] = engine
        ? [engine]
        : opensBrowser(modules)
          ? ['sqlite']
          : ['sqlite', 'postgres'];
      return engines.map((each) => ({
        file,
        engine: each,
        needsPostgres: each === 'postgres',
        needsS3: each === 'postgres',
      }));
    }
    const reads = (name: string) => [...modules.values()].some((source) => source.includes(name));
    const needs = { needsPostgres: reads('TEST_POSTGRES_URL'), needsS3: reads('TEST_S3_URL') };
    return [{ file, engine: null, ...needs }];
  });
}

function opensBrowser(modules: ReadonlyMap<string, string>): boolean {
  return [...modules].some(([path, source]) => path !== browserModule && source.includes('openBrowser('));
}

/** What starts whole processes takes longest: begun first, it does not keep everyone waiting at the end. */
function isLong(file: string): boolean {
  return file.startsWith('packages/server/test/');
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
