/**
 * Who may import whom, whose queries name which tables, where JSON is taken at its word, and whether the walks of
 * docs/architecture.md are true, checked over the whole checkout: `npm run lint` runs it. Prints a line for every violation, and exits 1 when there is one.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { checkCycles } from './import-rules/cycles.ts';
import { checkJsonCasts } from './import-rules/json-casts.ts';
import { readModule } from './import-rules/module.ts';
import { checkPages } from './import-rules/pages.ts';
import { checkServer } from './import-rules/server.ts';
import { checkDoors, checkTables } from './import-rules/tables.ts';
import type { Violation } from './import-rules/violation.ts';
import { checkWalks } from './import-rules/walks.ts';
import { checkWorkspaces } from './import-rules/workspaces.ts';

/** Checks files given by path and source. */
export function checkImports(files: ReadonlyMap<string, string>): Violation[] {
  const modules = [...files].map(([path, source]) => readModule(path, source));
  return [
    ...modules.flatMap((module) => [
      ...checkWorkspaces(module),
      ...checkServer(module),
      ...checkPages(module),
      ...checkTables(module),
      ...checkDoors(module),
    ]),
    ...[...files].flatMap(([path, source]) => checkJsonCasts(path, source)),
    ...checkCycles(modules),
  ];
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const paths = globSync('packages/*/{src,test,scripts}/**/*.{ts,tsx}', { cwd: root }).sort();
  const files = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const architecture = 'docs/architecture.md';
  const violations = [
    ...checkImports(files),
    ...checkWalks(architecture, readFileSync(join(root, architecture), 'utf8'), new Set(paths)),
  ];
  for (const { path, line, what, why } of violations) console.log(`${path}:${line}: ${what}: ${why}`);
  if (violations.length > 0) process.exitCode = 1;
}
