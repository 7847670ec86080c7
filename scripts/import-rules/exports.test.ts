import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkExports } from './exports.ts';

const found = (files: Record<string, string>) =>
  checkExports(new Map(Object.entries(files))).map(({ what, why }) => `${what}: ${why}`);

describe('an export', () => {
  it('is imported by another file, by its name or with all others', () => {
    const source = 'export const one = 1;\nexport function two() {}\nexport type Three = 3;';
    const users = [
      "import { one, two, type Three as Third } from './a.ts';",
      "import * as a from './a.ts';\na.one(a.two as a.Three);",
      "const { one, two } = await import('./a.ts');\ntype Three = 3;",
      "export * from './a.ts';",
    ];
    for (const user of users) assert.deepEqual(found({ 'scripts/a.ts': source, 'scripts/b.ts': user }), []);
  });

  it('is found if only its own file needs it, or no file does', () => {
    const source = 'export const one = 1;\nexport const two = one;\nexport type Three = 3;';
    const user = "import { one as first } from './a.ts';\nconst two = 2;";
    assert.deepEqual(found({ 'scripts/a.ts': source }), [
      'exports one: no other file imports it: do not export it',
      'exports two: nothing uses it: delete it',
      'exports Three: nothing uses it: delete it',
    ]);
    assert.deepEqual(found({ 'scripts/a.ts': source, 'scripts/b.ts': user }), [
      'exports two: nothing uses it: delete it',
      'exports Three: nothing uses it: delete it',
    ]);
  });

  it('may be a type that an exported function takes', () => {
    const source = 'export interface Options {}\nexport function open(options: Options) {}';
    assert.deepEqual(found({ 'scripts/a.ts': source, 'scripts/b.ts': "import { open } from './a.ts';" }), []);
  });

  it('may be for other people, or found by the name of its file', () => {
    const source = 'export function up() {}';
    assert.deepEqual(found({ 'packages/client/src/a.ts': source }), []);
    assert.deepEqual(found({ 'packages/server/src/platform/db/migrations/0001-first.ts': source }), []);
    assert.deepEqual(found({ 'packages/server/src/platform/db/other.ts': source }).length, 1);
  });
});
