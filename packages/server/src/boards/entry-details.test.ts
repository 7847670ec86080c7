import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import { startService, type TestService } from '../../test/service.ts';
import { emptyCreator } from '../accounts/close-account.queries.ts';
import type { AccountId } from '../platform/db/ids.ts';
import { detailsOf } from './entry-details.ts';

describe('what pages show of an entry besides its place', () => {
  let service: TestService;
  let arena: Arena;
  let player: string;
  let playerId: AccountId;
  let entry: { submission_id: number };
  before(async () => {
    service = await startService({ environment: { RESPONSE_CACHE_BYTES: '0' } });
    arena = await makeArena(service, [{ key: 'points' }]);
  });
  after(() => service.close());
  beforeEach(async () => {
    const { db } = service.service.platform.database;
    [player = ''] = await makePlayers(service, 1);
    const { id } = await db
      .selectFrom('creators')
      .select('id')
      .where('handle', '=', player)
      .executeTakeFirstOrThrow();
    const { submission } = await arena.score('points', player, 1);
    playerId = id;
    entry = { submission_id: submission.id };
  });

  const handlesOnPage = async (): Promise<string[]> => {
    const { entries } = (await arena.entries('points', '?limit=100')).json();
    return entries.map(({ handle }: { handle: string }) => handle);
  };
  const close = () => service.service.platform.database.transaction((tx) => emptyCreator(tx, playerId));
  /** Unlike `emptyCreator`, this announces nothing. */
  const dropHandle = () =>
    service.service.platform.database.db
      .updateTable('creators')
      .set({ handle: null })
      .where('id', '=', playerId)
      .execute();
  const handleNow = async () => {
    const [details] = await detailsOf(service.service.platform.database, [entry]);
    return details?.handle;
  };

  it('names nobody who has deleted the account', async () => {
    assert.ok((await handlesOnPage()).includes(player));
    assert.equal(await handleNow(), player);
    await close();
    assert.ok(!(await handlesOnPage()).includes(player));
    assert.equal(await handleNow(), '');
  });

  it('finds the player who has the handle now', async () => {
    const { database } = service.service.platform;
    const around = async () => {
      const answer = await arena.entries('points', `?around=${player}&limit=1`);
      return answer.status === 200 ? answer.json().entries[0].submission : answer.json().error;
    };
    // The second one is found by the id that the first one has left.
    for (const _ of [1, 2]) assert.equal(await around(), entry.submission_id);
    await close();
    assert.equal(await around(), 'no_such_player');
    const [other = ''] = await makePlayers(service, 1);
    const { submission } = await arena.score('points', other, 2);
    await handlesOnPage();
    const { id } = await database.db
      .updateTable('creators')
      .set({ handle: player })
      .where('handle', '=', other)
      .returning('id')
      .executeTakeFirstOrThrow();
    database.announcements.deliver([`shown:person:${id}`]);
    assert.equal(await around(), submission.id);
  });

  it('is not kept if it was read before a change and arrives after it', async () => {
    const { database } = service.service.platform;
    const reading = detailsOf(database, [entry]);
    database.announcements.deliver([`shown:person:${playerId}`]);
    assert.equal((await reading)[0]?.handle, player);
    await dropHandle();
    assert.equal(await handleNow(), '');
  });

  it('is read again when another process may have changed anything', async () => {
    const { database } = service.service.platform;
    assert.equal(await handleNow(), player);
    await dropHandle();
    assert.equal(await handleNow(), player);
    database.announcements.deliverEverything();
    assert.equal(await handleNow(), '');
  });

  it('is nothing for a score that was deleted', async () => {
    assert.equal(await handleNow(), player);
    const gone = { submission_id: entry.submission_id + 1_000_000 };
    const [known, missing] = await detailsOf(service.service.platform.database, [entry, gone]);
    assert.equal(known?.handle, player);
    assert.equal(missing, null);
  });
});
