import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { exitCodes } from '../src/exit-codes.ts';
import { openSpaceFolder, type SpaceFolder } from './space-folder.ts';

/** Runs the commands as a creator does, against the real service. */
describe('spaceport boards, achievements and secret', () => {
  let service: TestService;
  let creator: Persona;
  let space: SpaceFolder;
  before(async () => {
    service = await startService();
    creator = await service.creator();
  });
  after(() => service.close());
  beforeEach(async () => {
    space = await openSpaceFolder(service, creator);
  });
  afterEach(() => space.remove());

  test('puts boards from service.json, shows them as a table, and takes them back as they were read', async () => {
    const none = await space.cli(['boards', 'get']);
    assert.equal(none.stdout, `${space.slug} has no boards yet.\n`);
    space.settings({ boards: [{ key: 'lap', title: 'Best lap', metric: 'time', periods: ['all', 'day'] }] });
    const put = await space.cli(['boards', 'put']);
    assert.equal(put.code, 0, put.stderr);
    assert.match(
      put.stdout,
      /^Key +Title +Ranks by .*\nlap +Best lap +time, low first +best +client +all day +0 /u,
    );
    const read = await space.json(['boards', 'get']);
    assert.deepEqual([read.document.space, read.document.boards[0].sort], [space.slug, 'asc']);
    const again = await space.json(['boards', 'put', '-'], JSON.stringify(read.document));
    assert.equal(again.code, 0, again.stderr);
    assert.deepEqual(
      { ...again.document.boards[0], updated_at: null },
      { ...read.document.boards[0], updated_at: null },
    );
    space.write('more.json', '{ "boards": [{ "key": "coins", "keep": "sum" }] }');
    const both = await space.json(['boards', 'put', 'more.json']);
    assert.deepEqual(
      both.document.boards.map(({ key }: { key: string }) => key),
      ['lap', 'coins'],
    );
  });

  test('reports an error in boards with the field and what to do', async () => {
    const wrong = await space.json(['boards', 'put', '-'], '{ "boards": [{ "key": "lap", "sort": "up" }] }');
    assert.deepEqual([wrong.code, wrong.document.error.code], [exitCodes.invalid, 'invalid']);
    assert.equal(wrong.document.error.details.issues[0].path, 'boards.0.sort');
    const eleven = Array.from({ length: 11 }, (_, index) => ({ key: `b${index}` }));
    const many = await space.json(['boards', 'put', '-'], JSON.stringify(eleven));
    assert.deepEqual([many.code, many.document.error.code], [exitCodes.invalid, 'too_many']);
    assert.equal((await space.json(['boards', 'put', '-'], '{')).document.error.code, 'invalid_file');
    assert.equal(
      (await space.json(['boards', 'put', '-'], '{ "boards": 1 }')).document.error.code,
      'invalid_file',
    );
    assert.equal((await space.json(['boards', 'put', 'nowhere.json'])).document.error.code, 'invalid_file');
    // service.json declares no boards yet.
    assert.equal((await space.json(['boards', 'put'])).document.error.code, 'invalid_file');
    rmSync(join(space.folder, 'service.json'));
    const nowhere = await space.json(['boards', 'put', '--space', space.slug]);
    assert.deepEqual([nowhere.code, nowhere.document.error.code], [exitCodes.usage, 'no_file']);
    assert.equal((await space.cli(['boards', 'get'])).code, exitCodes.usage);
    assert.equal((await space.cli(['boards'])).code, exitCodes.usage);
    const stranger = await space.json(['boards', 'get', '--space', 'not-mine']);
    assert.deepEqual([stranger.code, stranger.document.error.code], [exitCodes.invalid, 'not_found']);
  });

  test('puts achievements and stats from service.json, and takes them back as they were read', async () => {
    assert.match((await space.cli(['achievements', 'get'])).stdout, /has no stats and no achievements yet/u);
    space.settings({
      stats: [{ key: 'wins', op: 'add' }],
      achievements: [{ key: 'first', title: 'First win', trigger: { stat: 'wins', atLeast: 1 } }],
    });
    const put = await space.cli(['achievements', 'put']);
    assert.equal(put.code, 0, put.stderr);
    assert.match(
      put.stdout,
      /^Stat +Label +A posted value\nwins +wins +add\n\nAchievement +Title.*\nfirst +First win +wins ≥ 1/u,
    );
    const read = await space.json(['achievements', 'get']);
    const again = await space.json(['achievements', 'put', '-'], JSON.stringify(read.document));
    assert.deepEqual(again.document, read.document);
    const unknown = '[{ "key": "x", "trigger": { "stat": "none", "atLeast": 1 } }]';
    const wrong = await space.json(['achievements', 'put', '-'], `{ "achievements": ${unknown} }`);
    assert.deepEqual([wrong.code, wrong.document.error.code], [exitCodes.invalid, 'unknown_stat']);
  });

  test('prints the secret alone on stdout, and replaces it only with --yes', async () => {
    assert.match((await space.cli(['secret', 'status'])).stdout, /has no secret yet/u);
    const issued = await space.cli(['secret', 'issue']);
    assert.equal(issued.code, 0, issued.stderr);
    assert.match(issued.stdout, /^sp_secret_\S+\n$/u);
    assert.ok(!issued.stderr.includes('sp_secret_'));
    const status = await space.cli(['secret', 'status']);
    assert.match(status.stdout, /was first issued \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n$/u);
    const unasked = await space.json(['secret', 'issue']);
    assert.deepEqual([unasked.code, unasked.document.error.code], [exitCodes.usage, 'not_confirmed']);
    assert.match(unasked.document.error.message, /stops working at once/u);
    const replaced = await space.json(['secret', 'issue', '--yes']);
    assert.match(replaced.document.secret, /^sp_secret_/u);
    assert.notEqual(`${replaced.document.secret}\n`, issued.stdout);
    assert.match((await space.cli(['secret', 'status'])).stdout, /, replaced \d{4}/u);
  });
});
