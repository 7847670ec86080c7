import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { type Arena, makeArena } from '../../test/arena.ts';
import { startService, type TestService } from '../../test/service.ts';
import { rowsOf } from '../platform/db/dialect.ts';
import { verifyRanks } from './verify-ranks.ts';

/** With segments of two entries, more runs than any engine takes in one statement as values of their own. */
const submissions = 28_000;

describe('a board that is ranked anew', () => {
  let service: TestService;
  let arena: Arena;
  before(async () => {
    service = await startService({ environment: { RANK_SEGMENT_SIZE: '2' } });
    arena = await makeArena(service, [{ key: 'points' }]);
  });
  after(() => service.close());

  it('may be of any size', async () => {
    const { platform } = service.service;
    await platform.database.transaction(async (tx) => {
      const { id } = await tx.db
        .selectFrom('boards')
        .select('id')
        .where('key', '=', 'points')
        .where('env', '=', 'live')
        .executeTakeFirstOrThrow();
      const rows = Array.from({ length: submissions }, (_, index) => [
        `player_${index}`,
        (index * 7919) % 10_007,
      ]);
      await sql`
        insert into submissions (board_id, player_id, score, created_at)
        select ${id}, c0, cast(c1 as double precision), cast(${platform.clock.now()} as bigint)
        from ${rowsOf(tx.db, rows, 2)} as given`.execute(tx.db);
    });
    const put = await arena.putBoards([{ key: 'points', sort: 'asc' }]);
    assert.equal(put.status, 200, put.text());
    await service.settle();
    const verified = await verifyRanks(platform, arena.slug);
    assert.deepEqual([verified.entries, verified.differences], [submissions, []]);
  });
});
