import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { checkImports } from './check-imports.ts';
import { checkFileLength } from './import-rules/file-length.ts';
import { owners } from './import-rules/table-owners.ts';
import { importsOf } from './imports.ts';

/** Returns the violations in these files, as `line: what`. */
function found(files: Record<string, string>): string[] {
  return checkImports(new Map(Object.entries(files))).map(({ line, what }) => `${line}: ${what}`);
}

describe('importsOf', () => {
  it('finds every form of import, with the line of the specifier and the imported names', () => {
    const source = [
      "import a from './a.ts';",
      'import {',
      '  openB,',
      '  type B,',
      "} from './b.ts';",
      "import './c.ts';",
      "export * from './d.ts';",
      "import type { E } from './e.ts';",
      "const f = await import('./f.ts');",
      "export const g = 'from nowhere';",
    ].join('\n');
    assert.deepEqual(
      importsOf(source).map(({ specifier, line }) => [specifier, line]),
      [
        ['./a.ts', 1],
        ['./b.ts', 5],
        ['./c.ts', 6],
        ['./d.ts', 7],
        ['./e.ts', 8],
        ['./f.ts', 9],
      ],
    );
    assert.match(importsOf(source)[1]?.clause ?? '', /openB/u);
  });
});

describe('the import rules between packages', () => {
  const allowed: [string, string][] = [
    ['packages/contract/src/a.ts', 'zod'],
    ['packages/contract/scripts/write.ts', 'node:fs'],
    ['packages/client/src/a.ts', '@spaceport/contract/errors'],
    ['packages/client/src/node/a.ts', 'node:fs'],
    ['packages/cli/src/a.ts', '@spaceport/client/publish'],
    ['packages/cli/src/a.ts', 'commander'],
    ['packages/web/src/a.tsx', '@spaceport/client/client'],
    ['packages/server/src/app.ts', '@spaceport/contract/errors'],
    ['packages/server/src/boards/boards.test.ts', '@spaceport/client/publish'],
    ['packages/server/test/service.ts', '@spaceport/cli/main'],
    ['scripts/demo.ts', '@spaceport/client/publish'],
  ];
  for (const [path, specifier] of allowed)
    it(`${path} may import ${specifier}`, () => {
      assert.deepEqual(found({ [path]: `import '${specifier}';` }), []);
    });

  const refused: [string, string, string][] = [
    ['packages/contract/src/a.ts', 'fastify', 'imports fastify'],
    ['packages/contract/src/a.ts', 'node:fs', 'imports node:fs, which no browser has'],
    ['packages/contract/src/a.ts', '@spaceport/client/x', 'imports the workspace client'],
    ['packages/client/src/a.ts', 'zod', 'imports zod'],
    ['packages/client/src/a.ts', 'node:fs', 'imports node:fs, which no browser has'],
    ['packages/client/src/a.ts', '@spaceport/server/app', 'imports the workspace server'],
    ['packages/cli/src/a.ts', '@spaceport/server/app', 'imports the workspace server'],
    [
      'packages/cli/src/a.ts',
      '../../server/src/app.ts',
      'reaches out of its package to packages/server/src/app.ts',
    ],
    ['packages/web/src/a.tsx', '@spaceport/server/app', 'imports the workspace server'],
    ['packages/server/src/app.ts', '@spaceport/client/publish', 'imports the workspace client'],
    ['packages/new/src/a.ts', 'zod', 'no rule for packages/new'],
  ];
  for (const [path, specifier, what] of refused)
    it(`${path} may not import ${specifier}`, () => {
      assert.deepEqual(found({ [path]: `import '${specifier}';` }), [`1: ${what}`]);
    });
});

describe('the import rules inside the server', () => {
  const boards = 'packages/server/src/boards/boards.ts';
  const job = 'packages/server/src/platform/jobs/queue.ts';

  it('platform may import platform and the settings', () => {
    const source = "import '../db/dialect.ts';\nimport type { Config } from '../../config.ts';";
    assert.deepEqual(found({ [job]: source }), []);
  });

  it('platform may import no feature and nothing of the root', () => {
    assert.deepEqual(found({ [job]: "import '../../boards/boards.ts';\nimport '../../app.ts';" }), [
      '1: platform imports packages/server/src/boards/boards.ts',
      '2: platform imports packages/server/src/app.ts',
    ]);
  });

  it('a feature may import another’s main module, but not its queries', () => {
    const source = "import '../spaces/spaces.ts';\nimport '../spaces/spaces.queries.ts';";
    assert.deepEqual(found({ [boards]: source }), ['2: boards imports the queries of spaces']);
    assert.deepEqual(found({ [boards]: "import './boards.queries.ts';" }), []);
  });

  it('a table belongs to one room, and only that room’s queries have statements about it', () => {
    const queries = 'packages/server/src/boards/boards.queries.ts';
    const source = [
      "db.with('runs', (runs) => runs.selectFrom('entries')).selectFrom('runs');",
      "db.insertInto('boards');",
      "db.selectFrom('spaces as space');",
      "tx.db.updateTable('spaces');",
      "db.selectFrom('nothing');",
      "db.selectFrom('reports').leftJoin('clips as shown', 'a', 'b');",
      "db.with((name) => name('kept').materialized(), (kept) => kept.selectFrom('boards')).selectFrom('kept');",
    ].join('\n');
    assert.deepEqual(found({ [queries]: source }), [
      '4: boards writes spaces, a table of spaces',
      '5: names the table nothing',
      '6: boards reads reports, a table of operators',
      '6: boards reads clips, a table of clips',
    ]);
    assert.deepEqual(found({ 'packages/server/src/boards/boards.test.ts': source }), []);
    const statements = [
      "db.selectFrom('boards');",
      'sql`select 1`;',
      'sql<number>`count(*)`;',
      'await selectViews(db).execute();',
      'await selectViews(db).executeTakeFirst();',
    ];
    for (const statement of statements)
      for (const path of [boards, 'packages/server/src/commands/serve.ts'])
        assert.deepEqual(found({ [path]: `\n${statement}` }), ['2: has SQL']);
  });

  it('only the main module offers queries to other rooms', () => {
    const source = "import { a } from './boards.queries.ts';\nexport { b } from './boards.queries.ts';";
    assert.deepEqual(found({ [boards]: source }), []);
    const other = 'packages/server/src/boards/ranking.ts';
    assert.deepEqual(found({ [other]: source }), ['2: offers queries of boards']);
  });

  it('the result of JSON.parse is never cast', () => {
    for (const source of [
      'const page = JSON.parse(space.page) as PageSettings;',
      'return JSON.parse(text.replace(/^x/u, trim(text))) as Page;',
      'const { x }: Key = JSON.parse(row.key);',
    ])
      assert.deepEqual(found({ [boards]: source }), ['1: casts what JSON.parse read'], source);
    for (const source of [
      'const value: unknown = JSON.parse(text);',
      'return JSON.parse(text) as unknown;',
      'const value = schema.parse(JSON.parse(text));',
      'value = fromJson(row.page) as Page;',
    ])
      assert.deepEqual(found({ [boards]: source }), [], source);
  });

  it('every table of the schema has a room, and every listed table is in the schema', () => {
    const schema = readFileSync(
      new URL('../packages/server/src/platform/db/schema.ts', import.meta.url),
      'utf8',
    );
    const [, body = ''] = /^export interface Schema \{\n(.*?)^\}/msu.exec(schema) ?? [];
    const tables = [...body.matchAll(/^ {2}([a-z_]+):/gmu)].map(([, name]) => name);
    assert.deepEqual(tables.toSorted(), [...owners.keys()].toSorted());
  });

  it('only features.ts imports routes', () => {
    const source = "import { bind } from './boards/boards.routes.ts';";
    assert.deepEqual(found({ 'packages/server/src/features.ts': source }), []);
    assert.deepEqual(found({ 'packages/server/src/main.ts': source }), [
      '1: imports the routes packages/server/src/boards/boards.routes.ts',
    ]);
  });

  it('a feature may not open an adapter', () => {
    const source = "import { type Database, openDatabase } from '../platform/db/dialect.ts';";
    assert.deepEqual(found({ [boards]: source }), ['1: imports openDatabase']);
    assert.deepEqual(found({ 'packages/server/src/boards/boards.test.ts': source }), []);
  });

  it('features may not form a circle, even over several files', () => {
    const circle = {
      'packages/server/src/a/a.ts': "import '../b/b.ts';",
      'packages/server/src/b/b.ts': "import type { C } from '../c/c.ts';",
      'packages/server/src/c/c.ts': "\nimport '../a/other.ts';",
    };
    assert.deepEqual(found(circle), ['2: closes the circle a → b → c → a']);
    assert.deepEqual(found({ ...circle, 'packages/server/src/c/c.ts': '' }), []);
  });
});

it('gives the reason for every violation', () => {
  const [violation] = checkImports(new Map([['packages/contract/src/a.ts', "import 'preact';"]]));
  assert.deepEqual(violation, {
    path: 'packages/contract/src/a.ts',
    line: 1,
    what: 'imports preact',
    why: 'what is promised depends on nothing but zod',
  });
});

describe('the length of a file', () => {
  const of = (lines: number) => 'x;\n'.repeat(lines);
  it('is at most 300 lines, with or without a newline at the end', () => {
    assert.deepEqual(checkFileLength('packages/web/src/a.css', of(300)), []);
    assert.deepEqual(checkFileLength('packages/web/src/a.css', of(300).trimEnd()), []);
    const [violation] = checkFileLength('packages/server/src/a.test.ts', of(301));
    assert.deepEqual([violation?.line, violation?.what], [301, 'has 301 lines']);
  });
  it('may be more for the schema alone', () => {
    assert.deepEqual(checkFileLength('packages/server/src/platform/db/schema.ts', of(900)), []);
  });
});

describe('the import rules between pages', () => {
  const from = 'packages/web/src/pages/operator/reviews.tsx';
  it('a page may not import files of another page, not even styles', () => {
    for (const there of ['../manage/versions/files.tsx', '../manage/manage.css'])
      assert.equal(found({ [from]: `import '${there}';` }).length, 1, there);
  });
  it('a page may import its own files and the rooms beside it', () => {
    for (const there of ['./paged.tsx', './views/log.tsx', '../../ui/button.tsx', '../../report/report.css'])
      assert.deepEqual(found({ [from]: `import '${there}';` }), [], there);
  });
});
