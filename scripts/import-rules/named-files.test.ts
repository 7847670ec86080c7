import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkNamedFiles, checkRooms } from './named-files.ts';

const files = new Set([
  'packages/web/src/ui/frame.tsx',
  'packages/server/src/saves/saves.ts',
  'packages/server/src/saves/losers.ts',
  'packages/server/src/platform/db/dialect.ts',
]);
const found = (text: string) =>
  checkNamedFiles('docs/a.md', text, files).map(({ line, what }) => `${line}: ${what}`);

describe('the files that a document names', () => {
  it('are found by the end of their path, also with alternatives', () => {
    assert.deepEqual(
      found('`ui/frame.tsx`, `packages/server/src/saves/saves.ts` and `saves/{saves,losers}.ts`'),
      [],
    );
    assert.deepEqual(found('\n`ui/covers.ts`, `aves.ts`, `saves/{saves,gone}.ts`'), [
      '2: ui/covers.ts',
      '2: aves.ts',
      '2: saves/gone.ts',
    ]);
  });

  it('are none where the name is a pattern, or the decision is superseded', () => {
    assert.deepEqual(found('`pages/{name}.page.ts`, `*.queries.ts`, `dist/gone.js`'), []);
    assert.deepEqual(found('**Superseded by [decision 2](b.md).** `gone.ts`'), []);
  });
});

describe('the table of rooms', () => {
  const table = (...rows: string[]) =>
    ["## The server's rooms", '', ...rows.map((row) => `| ${row} | what is in it |`), '', '## Next'].join(
      '\n',
    );
  const problems = (text: string) =>
    checkRooms('a.md', text, files).map(({ line, what }) => `${line}: ${what}`);

  it('has each folder, and no other', () => {
    assert.deepEqual(problems(table('`app.ts`', '`platform/db`', '`saves/`')), []);
    assert.deepEqual(problems(table('`platform/db`', '`saves/`, `losers/`')), ['4: losers']);
    assert.deepEqual(problems(table('`saves/`')), ['1: platform/db']);
  });
});
