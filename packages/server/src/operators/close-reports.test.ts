import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Arena, makeArena } from '../../test/arena.ts';
import { startService, type TestService } from '../../test/service.ts';
import { newId } from '../platform/secrets/id.ts';
import { closeReports } from './close-reports.ts';

const count = 1_200;

describe('closing the many reports of one space', () => {
  let service: TestService;
  let arena: Arena;
  before(async () => {
    service = await startService();
    arena = await makeArena(service, []);
  });
  after(() => service.close());

  it('takes few statements, closes the open ones, and records each of them', async () => {
    const { database, clock } = service.service.platform;
    const decided = { note: null, decided_by: null, decided_at: null, content_id: null };
    const rows = Array.from({ length: count }, (_, at) => ({
      ...decided,
      id: newId('rep'),
      space_id: arena.spaceId,
      reason: 'spam',
      message: '',
      reported_at: clock.now(),
      state: at === 0 ? ('dismissed' as const) : ('open' as const),
    }));
    await database.db.insertInto('reports').values(rows).execute();
    let statements = 0;
    const closed = await database.transaction((tx) => {
      const db = tx.db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          statements++;
          return result;
        },
      });
      const ids = rows.map(({ id }) => id);
      return closeReports({ ...tx, db }, ids, { as: 'resolved', note: 'A campaign.', by: 'admin' });
    });
    const open = rows.slice(1).map(({ id }) => id);
    assert.deepEqual(closed.toSorted(), open.toSorted());
    // Two for each five hundred.
    assert.equal(statements, 6);
    const { db } = database;
    const resolved = await db.selectFrom('reports').select('id').where('state', '=', 'resolved').execute();
    assert.equal(resolved.length, count - 1);
    const entries = await db
      .selectFrom('audit_log')
      .select('subject')
      .where('action', '=', 'resolve')
      .execute();
    assert.deepEqual(
      entries.map(({ subject }) => subject).toSorted(),
      open.map((id) => `report:${id}`).toSorted(),
    );
  });
});
