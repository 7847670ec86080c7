import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { gather, type PlannedRun, planRuns } from './plan.ts';

const root = mkdtempSync(join(tmpdir(), 'spaceport-plan-'));
after(() => rmSync(root, { recursive: true }));

const files: Record<string, string> = {
  'packages/server/test/service.ts': 'process.env.TEST_POSTGRES_URL',
  'packages/server/test/personas.ts': "import { startService } from './service.ts';",
  'packages/server/src/boards/boards.test.ts': "import { startService } from '../../test/service.ts';",
  'packages/server/src/boards/ranking.test.ts': "import { rank } from './ranking.ts';",
  'packages/server/test/kill.test.ts': `import { creator } from './personas.ts';
import { spawn } from 'node:child_process';`,
  'scripts/release/tar.test.ts': "import { execFile } from 'node:child_process';",
  'packages/server/src/platform/db/lock.test.ts': 'process.env.TEST_POSTGRES_URL; process.chdir("/");',
  'packages/server/test/one-engine.ts': 'export {};',
  'packages/server/test/several-nodes.ts': 'export {};',
  'packages/web/test/nodes.test.ts': `import { openBrowser } from '../../server/test/browser.ts';
import '../../server/test/several-nodes.ts';
import { startService } from '../../server/test/service.ts';
const browser = await openBrowser();`,
  'packages/server/test/browser.ts': "import './one-engine.ts'; export async function openBrowser() {}",
  'packages/web/test/space.test.ts': `import { openBrowser } from '../../server/test/browser.ts';
import { startService } from '../../server/test/service.ts';
const browser = await openBrowser();`,
  'packages/server/src/clips/clips.test.ts': `import { browserSetting } from '../../test/browser.ts';
import { startService } from '../../test/service.ts';`,
  'packages/server/node_modules/other/index.test.ts': '',
};
for (const [path, source] of Object.entries(files)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), source);
}

const plan = (patterns: string[] = [], engine: 'sqlite' | 'postgres' | null = null) =>
  planRuns({ root, patterns, engine }).map((run) => `${run.file} ${run.engine}`);

describe('planRuns', () => {
  it('runs a test that starts a service on both engines, and any other test once', () => {
    assert.deepEqual(plan(), [
      'packages/server/src/clips/clips.test.ts sqlite',
      'packages/server/test/kill.test.ts sqlite',
      'packages/server/test/kill.test.ts postgres',
      'packages/web/test/nodes.test.ts postgres',
      'packages/web/test/space.test.ts sqlite',
      'packages/server/src/boards/boards.test.ts sqlite',
      'packages/server/src/boards/boards.test.ts postgres',
      'packages/server/src/platform/db/lock.test.ts null',
      'scripts/release/tar.test.ts null',
      'packages/server/src/boards/ranking.test.ts null',
    ]);
  });

  it('runs a browser test on SQLite, or on the engine that was asked for', () => {
    assert.deepEqual(plan(['space.test']), ['packages/web/test/space.test.ts sqlite']);
    assert.deepEqual(plan(['space.test'], 'postgres'), ['packages/web/test/space.test.ts postgres']);
  });

  it('runs a test of several nodes on PostgreSQL, and skips it when another engine was asked for', () => {
    assert.deepEqual(plan(['nodes.test']), ['packages/web/test/nodes.test.ts postgres']);
    assert.deepEqual(plan(['nodes.test'], 'sqlite'), []);
  });

  it('uses only the engine that was asked for', () => {
    assert.deepEqual(plan(['boards.test', 'kill'], 'sqlite'), [
      'packages/server/test/kill.test.ts sqlite',
      'packages/server/src/boards/boards.test.ts sqlite',
    ]);
  });

  it('keeps the files whose path contains one of the words', () => {
    assert.deepEqual(plan(['ranking', 'lock']), [
      'packages/server/src/platform/db/lock.test.ts null',
      'packages/server/src/boards/ranking.test.ts null',
    ]);
  });

  it('gives a test that changes its process a process of its own, but not a test that starts others', () => {
    const alone = planRuns({ root, patterns: [], engine: null }).filter((run) => !run.sharesProcess);
    assert.deepEqual(
      alone.map(({ file }) => file),
      ['packages/server/src/platform/db/lock.test.ts'],
    );
  });

  it('asks for PostgreSQL and S3 only where a test needs them', () => {
    const needs = planRuns({ root, patterns: [], engine: null })
      .filter((run) => run.needsPostgres)
      .map((run) => `${run.file} ${run.engine} ${run.needsS3}`);
    assert.deepEqual(needs, [
      'packages/server/test/kill.test.ts postgres true',
      'packages/web/test/nodes.test.ts postgres true',
      'packages/server/src/boards/boards.test.ts postgres true',
      'packages/server/src/platform/db/lock.test.ts null false',
    ]);
  });
});

describe('gather', () => {
  const run = (
    file: string,
    engine: PlannedRun['engine'],
    { sharesProcess = true, isLong = false, needsPostgres = false } = {},
  ): PlannedRun => ({
    file,
    engine,
    isLong,
    sharesProcess,
    needsPostgres,
    needsS3: false,
  });

  it('puts similar runs into one process, a few at a time, except those that need their own', () => {
    const services = Array.from({ length: 22 }, (_, index) => `${index} `);
    const runs = [
      run('kill ', 'sqlite', { isLong: true, sharesProcess: false }),
      ...['a ', 'b ', 'c ', 'd ', 'e ', 'f ', 'g '].map((file) => run(file, 'sqlite', { isLong: true })),
      ...services.flatMap((file) => [run(file, 'sqlite'), run(file, 'postgres')]),
      run('signal ', null, { sharesProcess: false }),
      run('outage ', null, { needsPostgres: true }),
      run('rule ', null),
      run('other rule ', null),
    ];
    assert.deepEqual(
      gather(runs).map((group) => `${group[0]?.engine}: ${group.map(({ file }) => file).join('')}`),
      [
        'sqlite: kill ',
        'sqlite: a b c d e f ',
        'sqlite: g ',
        `sqlite: ${services.slice(0, 20).join('')}`,
        `postgres: ${services.slice(0, 20).join('')}`,
        'sqlite: 20 21 ',
        'postgres: 20 21 ',
        'null: signal ',
        'null: outage ',
        'null: rule other rule ',
      ],
    );
  });
});
