import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import { engines, migratedDatabase } from '../../test/database.ts';
import { explaining, withIndexesOnly } from '../../test/explaining.ts';
import { startService, type TestService } from '../../test/service.ts';
import { newId } from '../platform/secrets/id.ts';
import { findDays } from './rebuild.queries.ts';

const dayMs = 86_400_000;

describe('the days of the submissions to a board', () => {
  let service: TestService;
  let arena: Arena;
  before(async () => {
    service = await startService();
    arena = await makeArena(service, [{ key: 'one' }, { key: 'other' }, { key: 'empty' }]);
  });
  after(() => service.close());

  it('are those that have some', async () => {
    const [player = ''] = await makePlayers(service, 1);
    const today = Math.floor(service.clock.now() / dayMs);
    const { database } = service.service.platform;
    const boards = await database.db
      .selectFrom('boards')
      .select(['id', 'key'])
      .where('space_id', '=', arena.spaceId)
      .where('env', '=', 'live')
      .execute();
    const board = (name: string) => boards.find(({ key }) => key === name)?.id ?? assert.fail(name);
    const { id: playerId } = await database.db
      .selectFrom('creators')
      .select('id')
      .where('handle', '=', player)
      .executeTakeFirstOrThrow();
    const posted = [0, 0, 1, 5, 5, 400].flatMap((day) => [
      ['one', (today - day) * dayMs] as const,
      ['one', (today - day + 1) * dayMs - 1] as const,
    ]);
    const rows = [...posted, ['other', (today - 3) * dayMs] as const].map(([key, created_at]) => ({
      ...{ board_id: board(key), player_id: playerId, score: 1, meta: null, created_at },
    }));
    await database.db.insertInto('submissions').values(rows).execute();
    const found = await database.transaction(async (tx) => [
      await findDays(tx, board('one')),
      await findDays(tx, board('other')),
      await findDays(tx, board('empty')),
    ]);
    assert.deepEqual(found, [[today - 400, today - 5, today - 1, today], [today - 3], []]);
  });
});

for (const engine of engines)
  it(`the days of the submissions to a board are looked up one by one, on ${engine}`, async () => {
    const { database, close } = await migratedDatabase(engine);
    const plans: unknown[] = [];
    await database.transaction(async ({ db }) => {
      if (engine === 'postgres') await withIndexesOnly(db);
      await findDays({ db: db.withPlugin(explaining(engine, plans)) }, newId('brd'));
    });
    await close();
    const plan = JSON.stringify(plans);
    assert.match(plan, /submissions_day/u, plan);
    if (engine === 'sqlite') assert.match(plan, /submissions_day \(board_id=\? AND created_at>\?\)/u, plan);
    assert.doesNotMatch(plan, /DISTINCT|HashAggregate|Unique|Seq Scan on submissions/u, plan);
  });
