import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makers } from '../../server/test/content.ts';
import { accountPlayer } from '../../server/test/played.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { exitCodes } from '../src/exit-codes.ts';
import { openSpaceFolder, type SpaceFolder } from './space-folder.ts';

describe('spaceport content', () => {
  let service: TestService;
  let creator: Persona;
  let space: SpaceFolder;
  before(async () => {
    service = await startService({ environment: { CONTENT_PER_HOUR: '200', CONTENT_PER_PLAYER: '200' } });
    creator = await service.creator();
    space = await openSpaceFolder(service, creator);
  });
  after(async () => {
    space?.remove();
    await service?.close();
  });

  const { published, report } = makers(() => space.slug);

  test('lists what players made page by page, shows an item and deletes it', async () => {
    const ada = await accountPlayer(service, 'ada_makes');
    assert.match((await space.cli(['content', 'list'])).stdout, /^Players have made nothing in /u);
    // A title must not contain control characters, but the data of an item may.
    const first = await published(ada, { title: 'Two craters', data: ['\u001b[31m'] });
    await published(ada, { kind: 'ghost', data: 1 });
    assert.equal((await report(ada, first.id)).status, 202);

    const listed = await space.cli(['content', 'list', '--kind', 'level']);
    assert.equal(listed.code, 0, listed.stderr);
    assert.match(listed.stdout, /^Id +Kind +Title +Player +Likes +Bytes +Published\n/u);
    assert.match(
      listed.stdout,
      new RegExp(`^${first.id} +level +Two craters +@ada_makes .*1 reported`, 'mu'),
    );
    assert.doesNotMatch(listed.stdout, /ghost/u);
    const reported = await space.json(['content', 'list', '--reported']);
    assert.deepEqual(
      reported.document.items.map(({ id }: { id: string }) => id),
      [first.id],
    );
    assert.match((await space.cli(['content', 'list', '--sandbox'])).stdout, /^Players have made nothing/u);

    const shown = await space.cli(['content', 'show', first.id]);
    assert.ok(shown.stdout.startsWith('level "Two craters" by @ada_makes\n'), shown.stdout);
    assert.ok(!shown.stdout.includes('\u001b'));
    assert.deepEqual((await space.json(['content', 'show', first.id])).document.data, ['\u001b[31m']);

    const deleted = await space.json(['content', 'delete', first.id]);
    assert.deepEqual(deleted.document, { space: space.slug, id: first.id, deleted: true });
    const gone = await space.json(['content', 'delete', first.id]);
    assert.deepEqual([gone.code, gone.document.error.code], [exitCodes.invalid, 'not_found']);
    assert.match(gone.document.error.next, /^See what is there: spaceport content list\. Or check "space"/u);

    for (let i = 0; i < 100; i++) await published(ada, { data: i });
    const page = await space.cli(['content', 'list']);
    const [, cursor = ''] = /There are more: --cursor (\S+)$/mu.exec(page.stdout) ?? [];
    const rest = await space.json(['content', 'list', '--cursor', cursor]);
    assert.deepEqual([rest.document.items.length, rest.document.next], [1, null]);
  });
});
