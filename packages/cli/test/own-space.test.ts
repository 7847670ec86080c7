import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { publishLive, smallGame } from '../../server/test/files.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { exitCodes } from '../src/exit-codes.ts';
import { openSpaceFolder, type SpaceFolder } from './space-folder.ts';

describe('spaceport delete, restore, offline and online', () => {
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

  const seen = async () => (await service.get(service.service.platform.urls.page(space.slug))).status;

  test('do nothing without confirmation', async () => {
    for (const name of ['delete', 'restore', 'offline', 'online']) {
      const asked = await space.json([name]);
      assert.deepEqual([asked.code, asked.document.error.code], [exitCodes.usage, 'not_confirmed'], name);
    }
    assert.equal(await seen(), 200);
  });

  test('take a space offline and back, delete it and bring it back', async () => {
    const offline = await space.json(['offline', '--yes']);
    assert.deepEqual([offline.code, offline.document], [0, { space: space.slug, state: 'offline' }]);
    assert.equal(await seen(), 410);
    assert.equal((await space.json(['online', '--yes'])).document.state, 'listed');
    assert.equal(await seen(), 200);

    const deleted = await space.cli(['delete', '--yes']);
    assert.equal(deleted.code, 0, deleted.stderr);
    assert.match(deleted.stdout, new RegExp(`spaceport restore --space ${space.slug}`, 'u'));
    assert.equal(await seen(), 410);
    const none = await space.json(['status', 'ver_none']);
    assert.match(none.document.error.next, /^See what is there: spaceport versions\./u);
    const again = await space.json(['delete', '--yes']);
    assert.deepEqual([again.code, again.document.error.code], [exitCodes.invalid, 'not_found']);
    assert.equal((await space.json(['restore', '--yes'])).document.state, 'listed');
    assert.equal(await seen(), 200);
  });

  test('show which versions `rollback` takes, and what to do about one that there is not', async () => {
    await publishLive(service, creator, { ...smallGame, 'two.txt': '2' }, { space: space.slug });
    const { stdout } = await space.cli(['versions']);
    assert.match(stdout, /^No\. .* Rollback {2}Id\n2 .* B {12}ver_\w+\n1 .* B {2}yes {7}ver_\w+\n$/u);
    const absent = await space.cli(['rollback', '99']);
    assert.equal(absent.code, exitCodes.invalid);
    assert.match(absent.stderr, /no version 99 .*\nCheck the space, and the number: .*versions\n$/u);
    assert.equal((await space.cli(['rollback', '1'])).code, 0);
  });

  test('delete a version, but not the live one', async () => {
    await publishLive(service, creator, { ...smallGame, 'two.txt': '2' }, { space: space.slug });
    const live = await space.json(['delete-version', '2', '--yes']);
    assert.equal(live.document.error.code, 'not_allowed');
    assert.equal((await space.json(['delete-version', '1'])).document.error.code, 'not_confirmed');
    assert.equal((await space.json(['delete-version', '1', '--yes'])).document.deleted, true);
    const { versions } = (await space.json(['versions'])).document;
    assert.deepEqual(
      versions.map(({ number }: { number: number }) => number),
      [2],
    );
  });

  test('are never suggested for a mistyped command', async () => {
    for (const typed of ['delet', 'reste', 'offlin', 'delete-versio']) {
      const { code, stdout, stderr } = await space.cli([typed]);
      assert.equal(code, exitCodes.usage);
      assert.doesNotMatch(stdout + stderr, /Did you mean/u, typed);
    }
    assert.match((await space.cli(['publis'])).stderr, /Did you mean publish/u);
  });
});
