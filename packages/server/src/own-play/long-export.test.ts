import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Arena, makeArena } from '../../test/arena.ts';
import { accountPlayer, type PlayingVisitor } from '../../test/played.ts';
import { startService, type TestService } from '../../test/service.ts';
import { newId } from '../platform/secrets/id.ts';
import { most } from './own-play.queries.ts';

const handle = 'plays_much';
const spacesPlayed = most + 1;
const spacesAtOnce = 100;

describe('the data of a player who has played in many spaces', () => {
  let service: TestService;
  let arena: Arena;
  let who: PlayingVisitor;
  before(async () => {
    service = await startService();
    arena = await makeArena(service, []);
    await arena.putAchievements({ achievements: [{ key: 'found', title: 'Found' }] });
    who = await accountPlayer(service, handle);
    for (let at = 0; at < spacesPlayed; at += spacesAtOnce)
      await playCopies(Math.min(spacesAtOnce, spacesPlayed - at));
  });
  after(() => service.close());

  /** Copies the space so often, and has the player play each copy and unlock its achievement. */
  async function playCopies(count: number): Promise<void> {
    const { database, clock } = service.service.platform;
    const { db } = database;
    const { id: account } = await db
      .selectFrom('creators')
      .select('id')
      .where('handle', '=', handle)
      .executeTakeFirstOrThrow();
    const space = await db
      .selectFrom('spaces')
      .selectAll()
      .where('id', '=', arena.spaceId)
      .executeTakeFirstOrThrow();
    const achievement = await db
      .selectFrom('achievements')
      .selectAll()
      .where('space_id', '=', arena.spaceId)
      .where('env', '=', 'live')
      .executeTakeFirstOrThrow();
    const now = clock.now();
    const ids = Array.from({ length: count }, () => newId('spc'));
    await database.transaction(async (tx) => {
      await tx.db
        .insertInto('spaces')
        .values(ids.map((id) => ({ ...space, id, slug: id.replace('_', '-'), live_version_id: null })))
        .execute();
      await tx.db
        .insertInto('achievements')
        .values(ids.map((id) => ({ ...achievement, space_id: id })))
        .execute();
      await tx.db
        .insertInto('account_plays')
        .values(
          ids.map((id) => ({ account_id: account, space_id: id, first_at: now, last_at: now, played_ms: 0 })),
        )
        .execute();
      await tx.db
        .insertInto('unlocks')
        .values(
          ids.map((id) => ({
            space_id: id,
            env: 'live' as const,
            key: 'found',
            player_id: account,
            unlocked_at: now,
          })),
        )
        .execute();
      const saved = { env: 'live', player_id: account, slot: 'main', type: 'json', bytes: 1 } as const;
      const content = { digest: 'a digest', device: '', at: now, data: '1' };
      await tx.db
        .insertInto('saves')
        .values(ids.map((id) => ({ ...saved, ...content, space_id: id, version: 1 })))
        .execute();
      const lost = { lost_to: 1, lost_at: now };
      await tx.db
        .insertInto('save_losers')
        .values(ids.map((id) => ({ ...saved, ...content, ...lost, space_id: id, id: newId('lost') })))
        .execute();
    });
  }

  const lengthsIn = async (path: string) => {
    const { played, achievements, saves, losers } = (await who.call('GET', path)).json();
    return [played, achievements, saves, losers].map(({ length }) => length);
  };

  it('is exported whole, and its page shows the newest', async () => {
    assert.deepEqual(await lengthsIn('/api/player/me'), [most, most, most, most]);
    const all = spacesPlayed;
    assert.deepEqual(await lengthsIn('/api/player/me/export'), [all, all, all, all]);
  });
});
