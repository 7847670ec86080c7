import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { askUntil } from '../../../test/ask-until.ts';
import { emptyDatabase, engines } from '../../../test/database.ts';
import type { Database } from './database.ts';
import { appliedMigrations, migrate, migrationNames } from './migrate.ts';
import { oldestKnown, SchemaTooNew, tellOlder } from './oldest-program.ts';

async function tableNames({ db }: Database): Promise<string[]> {
  const tables = await db.introspection.getTables();
  return tables.map(({ name }) => name).sort();
}

for (const engine of engines)
  describe(`migrate on ${engine}`, () => {
    it('creates every table in an empty database, and changes nothing the second time', async () => {
      const test = await emptyDatabase(engine);
      const database = await test.open();
      await migrate(database.db);
      const tables = await tableNames(database);
      assert.ok(['blobs', 'creators', 'jobs', 'spaces', 'versions'].every((name) => tables.includes(name)));

      await database.db.insertInto('settings').values({ name: 'kept', value: 'yes' }).execute();
      await migrate(database.db);
      assert.deepEqual(await tableNames(database), tables);
      const kept = await database.db.selectFrom('settings').selectAll().executeTakeFirst();
      assert.equal(kept?.value, 'yes');
      await test.close();
    });

    it('runs once when several processes start on an empty database at once', async () => {
      const test = await emptyDatabase(engine);
      const databases = await Promise.all(Array.from({ length: 4 }, () => test.open()));
      await Promise.all(databases.map(({ db }) => migrate(db)));
      assert.ok((await tableNames(databases[0] as Database)).includes('jobs'));
      await test.close();
    });

    it('accepts a database that a newer version has migrated, and refuses one of another program', async () => {
      const test = await emptyDatabase(engine);
      const { db } = await test.open();
      await migrate(db);
      const applied = await appliedMigrations(db);
      const note = (name: string) =>
        sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(
          db,
        );
      await note('9998-of-the-next-version');
      await migrate(db);
      assert.deepEqual(await appliedMigrations(db), [...applied, '9998-of-the-next-version']);
      await note('0001-of-another-program');
      await assert.rejects(migrate(db), /0001-of-another-program/u);
      await test.close();
    });

    it('needs no lock where nothing is left to do, as behind a pooler that keeps it', {
      skip: engine === 'sqlite',
    }, async () => {
      const test = await emptyDatabase(engine);
      const database = await test.open();
      await migrate(database.db);
      await database.db.connection().execute(async (holder) => {
        // Kysely's own lock of migrations.
        await sql`select pg_advisory_lock(3853314791062309107)`.execute(holder);
        await migrate(database.db);
      });
      await test.close();
    });

    it('refuses a database that was used by a version that is more than one newer', async () => {
      const test = await emptyDatabase(engine);
      const { db } = await test.open();
      await migrate(db);
      await tellOlder(db);
      await tellOlder(db);
      const note = (name: string) =>
        sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(
          db,
        );
      await note('9997-of-the-next-version');
      await migrate(db);
      await note('9998-of-the-version-after-it');
      const told = await db.selectFrom('settings').selectAll().execute();
      assert.deepEqual(
        told.map(({ value }) => value),
        [oldestKnown],
      );
      await db.updateTable('settings').set({ value: '9997-of-the-next-version' }).execute();
      await assert.rejects(migrate(db), SchemaTooNew);
      // A node of this version that still runs does not undo it.
      await tellOlder(db);
      await assert.rejects(migrate(db), /does not know 9997-of-the-next-version/u);
      await test.close();
    });

    it('begins anew when it and a request wait for each other', {
      skip: engine === 'sqlite' && 'SQLite has one writer, and no deadlocks',
    }, async () => {
      const test = await emptyDatabase(engine);
      const [migrating, other] = [await test.open(), await test.open()];
      await migrate(migrating.db, '0048-run-changes');
      const { whole } = await other.db.transaction().execute(async (request) => {
        // So PostgreSQL ends the migration, which looks for a deadlock first, and not the request.
        await sql`set local deadlock_timeout = '1min'`.execute(request);
        await sql`select 1 from spaces`.execute(request);
        // It changes the webhooks, and then waits for the spaces.
        const whole = migrate(migrating.db);
        await askUntil(
          async () =>
            (
              await sql<{ waits: boolean }>`
                select exists (select from pg_locks where relation = 'spaces'::regclass and not granted) as waits`.execute(
                migrating.db,
              )
            ).rows[0]?.waits,
          (waits) => waits === true,
        );
        await sql`select 1 from webhooks`.execute(request);
        // The transaction has to end first.
        return { whole };
      });
      await whole;
      assert.equal((await appliedMigrations(migrating.db)).at(-1), migrationNames.at(-1));
      await test.close();
    });

    it('leaves nothing behind when it fails, so that it can run again', async () => {
      const test = await emptyDatabase(engine);
      const database = await test.open();
      // It has the name of a table in the middle of the first migration.
      await sql`create table versions (id text)`.execute(database.db);
      await assert.rejects(migrate(database.db), /versions.* already exists/u);
      assert.deepEqual(await tableNames(database), ['versions']);

      await sql`drop table versions`.execute(database.db);
      await migrate(database.db);
      assert.ok((await tableNames(database)).includes('jobs'));
      await test.close();
    });
  });
