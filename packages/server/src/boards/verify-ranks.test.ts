import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import { runAdmin } from '../../test/run-admin.ts';
import { startService, type TestService } from '../../test/service.ts';
import { givenId } from '../platform/db/ids.ts';
import { repairRanks, verifyRanks } from './verify-ranks.ts';

describe('verify-ranks', () => {
  let service: TestService;
  let arena: Arena;
  let players: string[];
  before(async () => {
    service = await startService({ environment: { RANK_SEGMENT_SIZE: '4' } });
    arena = await makeArena(service, [
      { key: 'points', periods: ['all', 'day'] },
      { key: 'coins', keep: 'sum' },
    ]);
    players = await makePlayers(service, 50);
    for (const board of ['points', 'coins']) {
      const scores = players.map((player, index) => ({ board, player, score: index / 3 }));
      assert.equal((await arena.post({ scores })).status, 201);
    }
  });
  after(() => service.close());

  it('finds nothing when all ranks agree with the submissions', async () => {
    const { code, json, errors } = await runAdmin(service.environment, ['verify-ranks']);
    assert.equal(code, 0, errors);
    const { segments, ...seen } = json;
    // The sandbox has a copy of each board.
    assert.deepEqual(seen, {
      exact: true,
      boards: 4,
      submissions: 100,
      entries: 150,
      differing: 0,
      differences: [],
    });
    assert.ok(segments > 20);
    const wrong = await runAdmin(service.environment, ['verify-ranks', '--space', 'nowhere']);
    assert.notEqual(wrong.code, 0);
  });

  it('finds wrong ranks and repairs them', async () => {
    const { platform } = service.service;
    const { db } = platform.database;
    const whole = (await arena.entries('points', '?limit=100')).text();
    // A board that is ranked again gets new rankings.
    const anEntry = () => db.selectFrom('entries').selectAll().orderBy('sort_key').executeTakeFirstOrThrow();
    const damages: (() => Promise<unknown>)[] = [
      async () => {
        const { ranking_id, player_id } = await anEntry();
        await db
          .deleteFrom('entries')
          .where('ranking_id', '=', ranking_id)
          .where('player_id', '=', player_id)
          .execute();
      },
      async () => {
        const { ranking_id, player_id } = await anEntry();
        await db
          .updateTable('entries')
          .set({ sort_key: 1 })
          .where('ranking_id', '=', ranking_id)
          .where('player_id', '=', player_id)
          .execute();
      },
      async () => {
        const entry = { ...(await anEntry()), player_id: givenId('usr', 'nobody'), submission_id: 999 };
        await db.insertInto('entries').values(entry).execute();
      },
      () => db.updateTable('ranking_segments').set({ n: 7 }).where('level', '=', 1).execute(),
      () => db.updateTable('ranking_segments').set({ n: 0 }).where('level', '=', 0).execute(),
      () => db.deleteFrom('ranking_segments').where('level', '=', 0).where('low_id', '>', 0).execute(),
      () => db.deleteFrom('ranking_segments').where('low_id', '=', 0).execute(),
    ];
    for (const damage of damages) {
      await damage();
      const { differences } = await verifyRanks(platform, arena.slug);
      assert.ok(differences.length > 0, damage.toString());
      await repairRanks(platform, differences);
      assert.deepEqual((await verifyRanks(platform)).differences, [], damage.toString());
      assert.equal((await arena.entries('points', '?limit=100')).text(), whole);
    }
    await damages[0]?.();
    const { json, errors } = await runAdmin(service.environment, ['verify-ranks', '--repair']);
    assert.deepEqual([json?.exact, json?.repaired], [true, 1], errors);
  });

  it('reads one snapshot, whatever is written meanwhile', async () => {
    const { platform } = service.service;
    const verified = await platform.database.snapshot(async (db) => {
      const count = async () => (await db.selectFrom('submissions').select('id').execute()).length;
      const earlier = await count();
      await arena.score('points', players[0] ?? '', 1_000);
      return [earlier, await count()];
    });
    assert.equal(verified[0], verified[1]);
    const others = Promise.all(
      Array.from({ length: 60 }, (_, index) => arena.score('coins', players[index % 50] ?? '', index)),
    );
    for (let round = 0; round < 5; round++)
      assert.deepEqual((await verifyRanks(platform, arena.slug)).differences, []);
    await others;
  });
});
