import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startService, type TestService } from '../test/service.ts';

describe('the sweeps', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ environment: { AUDIT_DAYS: '1' } });
  });
  after(() => service.close());

  it('do their work although one of them fails', async () => {
    const { db } = service.service.platform.database;
    const entry = {
      id: 'aud_old',
      at: 0,
      actor: 'admin',
      action: 'hold',
      subject: 'space:x',
      reason: null,
    } as const;
    await db.insertInto('audit_log').values(entry).execute();
    await sql`alter table save_losers rename to lost_somewhere`.execute(db);
    await assert.rejects(service.service.sweep(), /1 sweeps failed/u);
    await sql`alter table lost_somewhere rename to save_losers`.execute(db);
    assert.deepEqual(await db.selectFrom('audit_log').select('id').execute(), []);
    await service.service.sweep();
  });
});
