import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { publishFiles, smallGame } from '../test/files.ts';
import { startService, type TestService } from '../test/service.ts';
import { createLeapGuard } from './platform/clock/leap.ts';
import { createPlayers } from './players/players.ts';
import { createSweeps } from './sweeps.ts';

describe('the sweeps', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ environment: { AUDIT_DAYS: '1', CUSTOM_DOMAINS: 'on' } });
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

  it('name each of the frequent ones that fails', async (context) => {
    const { platform } = service.service;
    const { db } = platform.database;
    const failed = new Set<unknown>();
    const bothFailed = Promise.withResolvers<void>();
    const log = {
      ...platform.log,
      warn: ({ sweep }: { sweep: unknown }) => {
        failed.add(sweep);
        if (failed.size === 2) bothFailed.resolve();
      },
    } as unknown as typeof platform.log;
    await sql`alter table domains rename to lost_domains`.execute(db);
    await sql`alter table unlisted_pages rename to lost_pages`.execute(db);
    context.mock.timers.enable({ apis: ['setInterval'] });
    const stop = createSweeps({ ...platform, log }, createPlayers(platform)).start();
    context.mock.timers.tick(600_000);
    context.mock.timers.reset();
    await bothFailed.promise;
    stop();
    await sql`alter table lost_domains rename to domains`.execute(db);
    await sql`alter table lost_pages rename to unlisted_pages`.execute(db);
    assert.deepEqual([...failed].sort(), ['domains', 'unlistedPages']);
  });

  it('delete nothing by a clock that has leapt', async (context) => {
    const { platform } = service.service;
    const { db } = platform.database;
    const nobody = { handle: '', token: '', ...service.anonymous };
    const { slug } = (await publishFiles(nobody, smallGame)).space;
    const isThere = async () =>
      (await db.selectFrom('spaces').select('id').where('slug', '=', slug).executeTakeFirst()) !== undefined;
    const told = Promise.withResolvers<void>();
    const log = {
      ...platform.log,
      warn: (said: unknown) => String(said).startsWith('The clock says') && told.resolve(),
    } as unknown as typeof platform.log;
    // The clock is believed at the first look.
    assert.equal(await createLeapGuard(platform)(), true);
    context.mock.timers.enable({ apis: ['setInterval'] });
    const stop = createSweeps({ ...platform, log }, createPlayers(platform)).start();
    service.clock.advance({ days: 30 });
    context.mock.timers.tick(600_000);
    await told.promise;
    assert.equal(await isThere(), true);
    service.clock.advance({ hours: 25 });
    context.mock.timers.tick(600_000);
    context.mock.timers.reset();
    while (await isThere()) await new Promise(setImmediate);
    stop();
  });
});
