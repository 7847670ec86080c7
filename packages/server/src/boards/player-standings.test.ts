import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import { startService, type TestService } from '../../test/service.ts';
import { rowsOf } from '../platform/db/dialect.ts';
import { givenId } from '../platform/db/ids.ts';
import { findStandings } from './player-standings.ts';
import { rulesOf } from './ranking.ts';

/** More than two pages of submissions. */
const count = 10_050;
const dayMs = 86_400_000;

describe('the standings of a player with many scores', () => {
  let service: TestService;
  let arena: Arena;
  before(async () => {
    service = await startService();
    arena = await makeArena(service, [
      { key: 'best', periods: ['all', 'day'] },
      { key: 'last', keep: 'last', periods: ['all'] },
      { key: 'sum', keep: 'sum', periods: ['all'] },
    ]);
  });
  after(() => service.close());

  it('are those of all of them, which are read in pages', async () => {
    const [handle = ''] = await makePlayers(service, 1);
    const playerId = givenId('usr', `cre_${handle}`);
    const { database } = service.service.platform;
    const { db } = database;
    // The best score is in the second page, and on the first of two days.
    const first = Math.floor(service.clock.now() / dayMs) * dayMs;
    const scores = Array.from({ length: count }, (_, at) => (at === 7_000 ? 50_000 : at % 1_000));
    const rows = scores.map((score, at) => [String(score), String(at < 9_000 ? first - dayMs : first)]);
    const standings = async (key: string) => {
      const board = await db
        .selectFrom('boards')
        .selectAll()
        .where('space_id', '=', arena.spaceId)
        .where('env', '=', 'live')
        .where('key', '=', key)
        .executeTakeFirstOrThrow();
      await sql`
        insert into submissions (board_id, player_id, score, created_at)
        select ${board.id}, ${playerId}, cast(c0 as double precision), cast(c1 as bigint)
        from ${rowsOf(db, rows, 2)} as given`.execute(db);
      let pages = 0;
      const paged = db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          pages++;
          return result;
        },
      });
      const found = await findStandings(paged, rulesOf(board), { boardId: board.id, playerId });
      assert.equal(pages, 3);
      return [...found].map(([window, { sortKey }]) => [window, sortKey]).toSorted();
    };
    const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
    assert.deepEqual(await standings('best'), [
      [dayOf(first - dayMs), -50_000],
      [dayOf(first), -999],
      ['all', -50_000],
    ]);
    assert.deepEqual(await standings('last'), [['all', -(count - 1) % 1_000]]);
    const sum = scores.reduce((all, score) => all + score, 0);
    assert.deepEqual(await standings('sum'), [['all', -sum]]);
  });
});
