import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { codeOf, type Reached } from './places.ts';
import { type Point, withPoints } from './points.ts';
import { sqliteOnly } from './sqlite-only.ts';

/** Collects the statements that the tests make on each engine. */
export interface Statements {
  readonly folder: string;
  /** Prints the points that were reached on SQLite and not on PostgreSQL. Returns whether there are none. */
  report(): boolean;
  remove(): void;
}

/**
 * Writes the watched sources of the queries, and makes the folder for records of the tests. If
 * `TEST_STATEMENTS` names a folder, everything is kept there; its `notes` have the points that each test file
 * reached.
 */
export function collectStatements(root: string): Statements {
  const kept = process.env.TEST_STATEMENTS;
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'spaceport-statements-'));
  for (const name of ['code', 'notes']) mkdirSync(join(folder, name), { recursive: true });
  const pointsOf = new Map<string, readonly Point[]>();
  for (const path of globSync('packages/server/src/**/*.queries.ts', { cwd: root })) {
    const { code, points } = withPoints(readFileSync(join(root, path), 'utf8'), 'reached');
    pointsOf.set(path, points);
    writeFileSync(codeOf(folder, path), `const reached = reachedPoints(${JSON.stringify(path)});${code}`);
  }
  return {
    folder,
    report() {
      const notes = readdirSync(join(folder, 'notes')).map(
        (name): Reached => JSON.parse(readFileSync(join(folder, 'notes', name), 'utf8')),
      );
      const missing = onlyOnSqlite(notes, pointsOf);
      if (missing.length === 0) return true;
      console.log('\nStatements that a test makes on SQLite, and none on PostgreSQL:');
      for (const line of missing) console.log(`  ${line}`);
      return false;
    },
    remove: () => {
      if (kept === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Files that call every operation but check few results. Statements that only they make are not tested. */
const sweeps = ['packages/server/test/every-operation.test.ts'];

/**
 * Returns a line for each point that was reached on SQLite alone: its place, and a test file that reaches it.
 */
export function onlyOnSqlite(
  notes: readonly Reached[],
  pointsOf: ReadonlyMap<string, readonly Point[]>,
  excused: Readonly<Record<string, string>> = sqliteOnly,
): string[] {
  const onSqlite = reachedOn('sqlite', notes);
  const onPostgres = reachedOn('postgres', notes);
  return [...onSqlite]
    .filter(([key]) => !onPostgres.has(key))
    .flatMap(([key, file]) => {
      const [path = '', number] = key.split(' ');
      const point = pointsOf.get(path)?.[Number(number)];
      if (point === undefined || excused[`${path} ${point.name}`] !== undefined) return [];
      return [`${path}:${point.line} ${point.name}, by ${file}`];
    })
    .sort();
}

/** Returns the points that were reached on an engine, each with a test file that reaches it. */
function reachedOn(engine: Reached['engine'], notes: readonly Reached[]): Map<string, string> {
  const by = new Map<string, string>();
  for (const note of notes) {
    if (note.engine !== engine || sweeps.includes(note.file)) continue;
    for (const [path, points] of Object.entries(note.points))
      for (const point of points) by.set(`${path} ${point}`, note.file);
  }
  return by;
}
