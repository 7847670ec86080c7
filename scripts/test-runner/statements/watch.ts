/**
 * This module is loaded before a test file if statements are collected. It records the points of the
 * `*.queries.ts` that the file reaches. Processes that a test starts are not watched.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { codeOf, type Reached } from './places.ts';

const { TEST_STATEMENTS: folder, TEST_ENGINE: engine = 'sqlite' } = process.env;
const root = fileURLToPath(new URL('../../..', import.meta.url));
const reached = new Map<string, Set<number>>();

if (folder !== undefined) {
  Object.assign(globalThis, { reachedPoints: watched });
  registerHooks({
    load(url, context, nextLoad) {
      const code = url.endsWith('.queries.ts') ? codeOf(folder, relative(root, fileURLToPath(url))) : null;
      if (code === null || !existsSync(code)) return nextLoad(url, context);
      return { format: 'module', source: readFileSync(code), shortCircuit: true };
    },
  });
  process.on('exit', () => noteReached(relative(root, process.argv[1] ?? '')));
}

function watched(path: string): (point: number) => void {
  const points = new Set<number>();
  reached.set(path, points);
  return (point) => points.add(point);
}

/** Writes the points that were reached since the last call, as those of this test file. */
export function noteReached(file: string): void {
  const points = Object.fromEntries(
    [...reached].filter(([, set]) => set.size > 0).map(([path, set]) => [path, [...set]]),
  );
  if (folder === undefined || Object.keys(points).length === 0) return;
  for (const set of reached.values()) set.clear();
  const note: Reached = { file, engine, points };
  writeFileSync(join(folder, 'notes', `${randomBytes(8).toString('hex')}.json`), JSON.stringify(note));
}
