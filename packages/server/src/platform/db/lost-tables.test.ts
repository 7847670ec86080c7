import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { emptyDatabase, withoutPostgres } from '../../../test/database.ts';
import { readableLog } from '../../../test/log-lines.ts';
import { startService, type TestService } from '../../../test/service.ts';
import { linkKey } from '../secrets/installation-keys.ts';
import type { Database } from './database.ts';

describe('a postgres database that lost its tables under a running service', {
  skip: withoutPostgres,
}, () => {
  let test: Awaited<ReturnType<typeof emptyDatabase>>;
  let superuser: Database;
  let service: TestService;
  const { log, lines } = readableLog();
  before(async () => {
    test = await emptyDatabase('postgres');
    superuser = await test.open();
    service = await startService({ environment: { DATABASE_URL: test.settings.url ?? '' }, log });
  });
  after(async () => {
    await service.close();
    await test.close();
  });

  const run = async (...statements: string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(superuser.db);
  };
  const readyz = async () => {
    const { status, json } = await service.anonymous.call('GET', '/readyz');
    return [status, json().status, json().database];
  };

  for (const [what, lose, find] of [
    ['its schema', ['alter schema public rename to kept'], ['alter schema kept rename to public']],
    [
      'all tables',
      ['alter schema public rename to kept', 'create schema public'],
      ['drop schema public', 'alter schema kept rename to public'],
    ],
  ] as const)
    it(`is not ready without ${what}, refuses requests for now, and works again when they are back`, async () => {
      const creator = await service.creator();
      const statuses = () =>
        Promise.all(
          ['/api/spaces', '/api/gallery', '/api/v1/hosting/versions/none', '/s/none'].map(async (path) => {
            const { status, headers } = await creator.call('GET', path);
            return status === 503 ? [status, headers['retry-after']] : status;
          }),
        );
      assert.deepEqual(await readyz(), [200, 'ok', 'ok']);
      const before = await statuses();
      await run(...lose);
      try {
        assert.deepEqual(await readyz(), [503, 'unavailable', 'lost']);
        const refused = [503, '2'];
        assert.deepEqual(await statuses(), [refused, refused, refused, refused]);
      } finally {
        await run(...find);
      }
      assert.deepEqual(await readyz(), [200, 'ok', 'ok']);
      assert.deepEqual(await statuses(), before);
    });

  it('is not ready with the database of another installation', async () => {
    const key = (value: string) =>
      superuser.db.updateTable('settings').set({ value }).where('name', '=', linkKey).execute();
    const { value } = await superuser.db
      .selectFrom('settings')
      .select('value')
      .where('name', '=', linkKey)
      .executeTakeFirstOrThrow();
    await key('of another');
    try {
      assert.deepEqual(await readyz(), [503, 'unavailable', 'lost']);
    } finally {
      await key(value);
    }
    assert.deepEqual(await readyz(), [200, 'ok', 'ok']);
  });

  it('says once in the log what is wrong, and when it is over', async () => {
    lines.length = 0;
    await run('alter schema public rename to kept');
    try {
      await readyz();
      await readyz();
    } finally {
      await run('alter schema kept rename to public');
    }
    await readyz();
    const said = lines.filter(({ msg }) => msg === 'not ready' || msg === 'ready again');
    assert.equal(said.length, 2, JSON.stringify(said));
    assert.match(
      said[0]?.reason ?? '',
      /tables of the service are gone.*relation "settings" does not exist/u,
    );
  });
});
