import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { emptyDatabase, withoutPostgres } from '../../../test/database.ts';
import { startService, type TestService } from '../../../test/service.ts';
import type { Database } from './database.ts';

describe('a postgres server that refuses the user of a running service', {
  skip: withoutPostgres,
}, () => {
  let test: Awaited<ReturnType<typeof emptyDatabase>>;
  let superuser: Database;
  let service: TestService;
  const role = `refused_${process.pid}_${Date.now()}`;
  before(async () => {
    test = await emptyDatabase('postgres');
    superuser = await test.open();
    const url = new URL(test.settings.url ?? '');
    const statements = [
      `create role ${role} login password 'before'`,
      `alter database ${url.pathname.slice(1)} owner to ${role}`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(superuser.db);
    url.username = role;
    url.password = 'before';
    service = await startService({ environment: { DATABASE_URL: url.href } });
  });
  after(async () => {
    await service.close();
    const statements = [
      `reassign owned by ${role} to current_user`,
      `drop owned by ${role}`,
      `drop role ${role}`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(superuser.db);
    await test.close();
  });

  const setPassword = async (password: string) => {
    await sql.raw(`alter role ${role} password '${password}'`).execute(superuser.db);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${role}`.execute(
      superuser.db,
    );
  };

  it('is unavailable for as long as its password is another one', async () => {
    const creator = await service.creator();
    const ask = () => creator.call('GET', '/api/spaces');
    assert.equal((await ask()).status, 200);
    await setPassword('after');
    try {
      // The first ones may still meet the connections that were ended.
      for (let attempt = 0; attempt < 5; attempt++) {
        const refused = await ask();
        assert.equal(refused.status, 503);
        assert.equal(refused.headers['retry-after'], '2');
      }
      assert.equal((await service.anonymous.call('GET', '/readyz')).status, 503);
    } finally {
      await setPassword('before');
    }
    assert.equal((await ask()).status, 200);
  });
});
