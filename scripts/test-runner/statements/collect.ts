import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { codeOf, type Reached } from './places.ts';
import { type Point, withPoints } from './points.ts';
import { sqliteOnly } from './sqlite-only.ts';

/** Gathers which statements the tests make on which engine. */
export interface Statements {
  readonly folder: string;
  /** Lists what was made on SQLite and not on PostgreSQL; returns whether there is none. */
  report(): boolean;
  remove(): void;
}

/** `TEST_STATEMENTS` names a folder where everything is kept: which test file makes what is in its `notes`. */
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

/** They ask everything of everything, and look at little of what comes of it: what only they make is not tested. */
const sweeps = ['packages/server/test/every-operation.test.ts'];

/** Returns each point that was reached on SQLite alone, as a line that says where it is and who reaches it. */
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

/** Which points were reached on the engine, and by which file. */
function reachedOn(engine: Reached['engine'], notes: readonly Reached[]): Map<string, string> {
  const by = new Map<string, string>();
  for (const note of notes) {
    if (note.engine !== engine || sweeps.includes(note.file)) continue;
    for (const [path, points] of Object.entries(note.points))
      for (const point of points) by.set(`${path} ${point}`, note.file);
  }
  return by;
}
