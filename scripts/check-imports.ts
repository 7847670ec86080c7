/**
 * Checks the whole checkout, as a part of `npm run lint`: the allowed imports, exports that nothing imports,
 * the tables in each room's queries, casts of parsed JSON, the length of files, the files that documents name, and the
 * walks and rooms of docs/architecture.md. Prints a line for every violation, and exits with 1 if there is one.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { checkCycles } from './import-rules/cycles.ts';
import { checkExports } from './import-rules/exports.ts';
import { checkFileLength } from './import-rules/file-length.ts';
import { checkJsonCasts } from './import-rules/json-casts.ts';
import { readModule } from './import-rules/module.ts';
import { checkNamedFiles, checkRooms } from './import-rules/named-files.ts';
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
  const read = (pattern: string) =>
    globSync(pattern, { cwd: root, exclude: ['**/vendor', '**/node_modules'] })
      .sort()
      .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);
  const files = new Map(read('packages/*/{src,test,scripts}/**/*.{ts,tsx}'));
  const others = [
    ...read('{packages/*/{src,test,bin,build},bench,examples,scripts}/**/*.{ts,tsx,js,mjs,css}'),
    ...read('packages/*/vite.config.ts'),
  ];
  const all = new Map([...files, ...others]);
  const architecture = 'docs/architecture.md';
  const described = readFileSync(join(root, architecture), 'utf8');
  const documents = [...read('{README.md,docs/**/*.md,packages/cli/README.md}')];
  const named = new Set([...all.keys(), 'docs/sdk.d.ts']);
  const violations = [
    ...checkImports(files),
    ...[...all].flatMap(([path, source]) => checkFileLength(path, source)),
    ...checkExports(all),
    ...checkWalks(architecture, described, new Set(files.keys())),
    ...checkRooms(architecture, described, named),
    ...documents.flatMap(([path, text]) => checkNamedFiles(path, text, named)),
  ];
  for (const { path, line, what, why } of violations) console.log(`${path}:${line}: ${what}: ${why}`);
  if (violations.length > 0) process.exitCode = 1;
}
