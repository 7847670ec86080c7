import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { BoardDeclaration } from '@spaceport/contract/declarations';
import { sql } from 'kysely';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import { startService, type TestService } from '../../test/service.ts';
import { rowsOf } from '../platform/db/dialect.ts';
import { givenId } from '../platform/db/ids.ts';
import { toJson } from '../platform/db/json.ts';
import { declaredRulesOf, type RankingRules } from './ranking.ts';
import { daysOf, insertRange } from './rebuild.ts';
import { repairBoard } from './repair-board.ts';
import { rankByNewRules } from './rerank-board.ts';
import { repairRanks, verifyRanks } from './verify-ranks.ts';

const playerCount = 40;

describe('a large board whose rules change', () => {
  let service: TestService;
  let players: string[];
  before(async () => {
    service = await startService({ environment: { RERANK_AT_ONCE: '0', RANK_SEGMENT_SIZE: '4' } });
    players = await makePlayers(service, playerCount);
  });
  after(() => service.close());

  async function filled(board: BoardDeclaration): Promise<Arena> {
    const arena = await makeArena(service, [board]);
    for (const [index, player] of players.entries())
      for (const score of [index, 100 - index]) await arena.score(board.key, player, score);
    return arena;
  }
  const put = async (arena: Arena, board: BoardDeclaration) => {
    const answer = await arena.putBoards([board]);
    assert.equal(answer.status, 200, answer.text());
  };
  const first = async (arena: Arena, query = '') => (await arena.entries('points', query)).json().entries[0];
  const boardOf = (arena: Arena) =>
    service.service.platform.database.db
      .selectFrom('boards')
      .selectAll()
      .where('space_id', '=', arena.spaceId)
      .where('env', '=', 'live')
      .executeTakeFirstOrThrow();
  const isProved = async () =>
    assert.deepEqual((await verifyRanks(service.service.platform)).differences, []);
  const rankings = () =>
    service.service.platform.database.db.selectFrom('rankings').select('window').execute();

  it('is ranked by the new rules once the job is done, and by the old ones until then', async () => {
    const arena = await filled({ key: 'points' });
    await service.service.worker.settle();
    assert.equal((await first(arena)).score, 100);
    await put(arena, { key: 'points', sort: 'asc', periods: ['all', 'day'] });
    await service.settle();
    assert.equal((await first(arena)).score, 0);
    assert.equal((await first(arena, '?period=day')).score, 0);
    for (const keep of ['last', 'sum', 'best'] as const) {
      await put(arena, { key: 'points', keep });
      await service.settle();
      await isProved();
    }
    assert.equal((await first(arena)).score, 100);
    // Nothing is left of the rankings that were put aside.
    assert.ok((await rankings()).every(({ window }) => /^(?:all|[\d-]+)$/u.test(window)));
    const left = await service.service.platform.database.db
      .selectFrom('rerank_changes')
      .selectAll()
      .execute();
    assert.deepEqual(left, []);
  });

  it('loses no post, deletion or ban made meanwhile, whatever the rules change to', async () => {
    const arena = await filled({ key: 'points' });
    const [banned = '', lifted = '', ...others] = players;
    const ban = (method: 'POST' | 'DELETE', handle: string) =>
      arena.creator.call(method, `/api/spaces/${arena.slug}/bans`, { handle });
    await ban('POST', lifted);
    const changes: BoardDeclaration[] = [
      { key: 'points', sort: 'asc' },
      { key: 'points', keep: 'sum', periods: ['all', 'week'] },
      { key: 'points', keep: 'last', sort: 'asc' },
      { key: 'points' },
    ];
    for (const [round, change] of changes.entries()) {
      await put(arena, change);
      const [handle = ''] = others.slice(round);
      const made = await arena.score('points', handle, 500 + round);
      await Promise.all([
        ...others.slice(0, 12).map((player, index) => arena.score('points', player, 200 + index)),
        arena.creator.call('DELETE', `/api/spaces/${arena.slug}/scores/${made.submission.id}`),
        ban(round % 2 === 0 ? 'POST' : 'DELETE', banned),
        ban(round % 2 === 0 ? 'DELETE' : 'POST', lifted),
        // The rules change again while the board is being ranked.
        ...(round === 1 ? [put(arena, { key: 'points', keep: 'sum', periods: ['all', 'month'] })] : []),
      ]);
      await isProved();
      await service.settle();
      await isProved();
      const { ranked_as } = await boardOf(arena);
      assert.equal(ranked_as, null);
    }
  });

  it('is ranked by rules that were set just when the job for earlier ones ended', async () => {
    const arena = await filled({ key: 'points' });
    const { database } = service.service.platform;
    const row = await boardOf(arena);
    // The change of rules has read a row that says that the job runs. It has ended by now.
    const read = { ...row, ranked_as: toJson<RankingRules>({ sort: 'asc', keep: 'last', periods: ['all'] }) };
    await database.transaction(async (tx) => {
      const settings = { sort: 'asc' } as const;
      await tx.db.updateTable('boards').set(settings).where('id', '=', row.id).execute();
      await rankByNewRules(tx, read, { ...read, ...settings });
    });
    await isProved();
    await service.settle();
    await isProved();
    assert.equal((await first(arena)).score, 0);
  });

  it('is repaired by the same job', async () => {
    const arena = await filled({ key: 'points' });
    const { platform } = service.service;
    const { id } = await boardOf(arena);
    await platform.database.db
      .deleteFrom('entries')
      .where('ranking_id', 'in', (query) =>
        query.selectFrom('rankings').select('id').where('board_id', '=', id),
      )
      .where('player_id', '=', givenId('usr', `cre_${players[3]}`))
      .execute();
    const { differences } = await verifyRanks(platform, arena.slug);
    assert.ok(differences.length > 0);
    assert.equal(await repairRanks(platform, differences), 1);
    await isProved();
  });

  it('is whole after several repairs at once', async () => {
    const arena = await filled({ key: 'points', periods: ['all', 'day'] });
    const { platform } = service.service;
    const board = await boardOf(arena);
    const shown = (await arena.entries('points', '?limit=100')).text();
    await Promise.all([1, 2, 3].map(() => repairBoard(platform, board)));
    assert.equal((await boardOf(arena)).ranked_as, null);
    await isProved();
    assert.equal((await arena.entries('points', '?limit=99')).json().total, playerCount);
    assert.equal((await arena.entries('points', '?limit=100')).text(), shown);
  });

  it('leaves a window that begins meanwhile to the posts of that day', async () => {
    const arena = await filled({ key: 'points', keep: 'sum', periods: ['all', 'day'] });
    const { database } = service.service.platform;
    const board = await boardOf(arena);
    const rules = declaredRulesOf(board);
    const days = await database.transaction((tx) => daysOf(tx, board.id, rules, '+'));
    service.clock.advance({ days: 1 });
    await arena.score('points', players[0] ?? '', 1);
    await database.transaction((tx) =>
      insertRange(tx, board, rules, days, { after: givenId('usr', ''), upTo: null }, '+'),
    );
    const nowhere = await database.db
      .selectFrom('entries')
      .selectAll()
      .where('ranking_id', 'not in', (query) => query.selectFrom('rankings').select('id'))
      .execute();
    assert.deepEqual(nowhere, []);
  });
});

/** With segments of two entries, this makes more runs than a statement can take as separate values. */
const submissions = 28_000;

describe('a board that is ranked again', () => {
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
