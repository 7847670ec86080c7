import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testRules, withoutPostgres } from '../../../test/database.ts';
import { testPostgres } from '../../../test/postgres.ts';
import { explained } from '../../commands/failures.ts';
import { openDatabase } from './database.ts';
import { faultOf, UnfitDatabase } from './fit-server.ts';
import { migrate } from './migrate.ts';

describe('what the service cannot work with', () => {
  it('is an old PostgreSQL, and a database that has no place for all letters', () => {
    assert.equal(faultOf({ major: 14, encoding: 'UTF8' }), 'PostgreSQL 14 is too old');
    assert.equal(faultOf({ major: 15, encoding: 'UTF8' }), null);
    assert.equal(faultOf({ major: 18, encoding: 'UTF8' }), null);
    for (const encoding of ['LATIN1', 'SQL_ASCII'])
      assert.match(faultOf({ major: 18, encoding }) ?? '', new RegExp(encoding, 'u'));
  });

  it('is refused before anything is made in it', { skip: withoutPostgres }, async () => {
    const postgres = await testPostgres();
    const url = await postgres.createDatabase(
      'template0',
      "encoding 'LATIN1' locale_provider libc locale 'C'",
    );
    const database = await openDatabase({ url, file: '', maxConnections: 2 }, testRules);
    try {
      const error: unknown = await migrate(database.db).catch((reason: unknown) => reason);
      assert.ok(error instanceof UnfitDatabase, String(error));
      assert.match(explained(error, {}) ?? '', /^The database is encoded in LATIN1.*encoding 'UTF8'\.$/u);
      assert.deepEqual(await database.db.introspection.getTables({ withInternalKyselyTables: true }), []);
    } finally {
      await database.close();
      await postgres.dropDatabase(url);
      await postgres.stop();
    }
  });
});
