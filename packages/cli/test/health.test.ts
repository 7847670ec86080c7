import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { browser } from '../../server/test/owning-player.ts';
import { nobodyPlayer } from '../../server/test/played.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { exitCodes } from '../src/exit-codes.ts';
import { openSpaceFolder, type SpaceFolder } from './space-folder.ts';

/** Runs the commands as a creator does, against the real service. */
describe('spaceport plays and errors', () => {
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

  /** Reports a load by another visitor, with an error. */
  async function play(message: string): Promise<void> {
    const who = nobodyPlayer(service);
    const body = { space: space.slug, version: 1 };
    const { session } = (await who.call('POST', '/api/player/sessions', body, browser)).json();
    const began = { ms: 1_200, bytes: 2_500_000 };
    await who.post('plays', { session, part: 0, began, seconds: 70 }, browser);
    const stack = `Error\n    at jump (http://${space.slug}.play.localhost/game.js:1:2)`;
    await who.post('errors', { session, errors: [{ message, stack }] }, browser);
  }

  test('show how versions were played', async () => {
    assert.match((await space.cli(['plays'])).stdout, /^Nobody but you has loaded/u);
    await play('x is not a function');
    const { code, stdout } = await space.cli(['plays']);
    assert.equal(code, 0);
    const [head, row] = stdout.split('\n');
    assert.match(head ?? '', /^Version {2}Loads {2}Never played {2}Played/u);
    assert.match(row ?? '', /^1 +1 +0 +1 min 10 s +1\.\d s \/ 1\.\d s +2\.\d MB \/ 2\.\d MB +1$/u);
    const { document } = await space.json(['plays']);
    assert.deepEqual([document.env, document.versions[0].sessions], ['live', 1]);
    assert.deepEqual((await space.json(['plays', '--sandbox'])).document.versions, []);
  });

  test('list errors, show one, and set its state', async () => {
    assert.match((await space.cli(['errors'])).stdout, /has no open errors/u);
    await play('x is not a function');
    const { document } = await space.json(['errors']);
    const [{ id }] = document.errors;
    assert.match(
      (await space.cli(['errors'])).stdout,
      new RegExp(
        `^${id} {2}x is not a function\n {2}game\\.js, jump · version 1 · 1 time in 1 load · last`,
        'u',
      ),
    );
    assert.equal((await space.json(['errors', '--of', '2'])).document.errors.length, 0);
    const shown = await space.cli(['errors', id]);
    assert.match(shown.stdout, /In Firefox 140 \(1\)\.[\s\S]*at jump \(http:/u);
    assert.match((await space.cli(['errors', id, '--resolve'])).stdout, /is resolved, until a newer/u);
    assert.equal((await space.json(['errors'])).document.errors.length, 0);
    assert.equal((await space.json(['errors', '--resolved'])).document.errors.length, 1);
    assert.match((await space.cli(['errors', id, '--reopen'])).stdout, /is open again/u);
    for (const wrong of [['--of', 'two'], ['--resolve'], [id, '--resolve', '--reopen']])
      assert.equal((await space.cli(['errors', ...wrong])).code, exitCodes.usage, wrong.join(' '));
    const none = await space.json(['errors', 'err_none']);
    assert.deepEqual([none.code, none.document.error.code], [exitCodes.invalid, 'not_found']);
    assert.match(none.document.error.next, /^See what is there: spaceport errors\. Or/u);
  });
});
