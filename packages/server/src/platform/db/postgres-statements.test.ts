import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { migratedDatabase, testRules, withoutPostgres } from '../../../test/database.ts';
import { type Database, openDatabase } from './database.ts';
import { StatementNames } from './postgres-statements.ts';

/** Runs after which a statement has a name, and PostgreSQL keeps its plan. */
const often = 12;

it('frequent statements are named by their text until the tables change', () => {
  const names = new StatementNames();
  const name = nameAfter(names, 'select 1');
  assert.match(name ?? '', /^s\d+_[\w-]{22}$/u);
  assert.equal(names.of('select 2'), undefined, 'what comes for the first time has none');
  assert.equal(nameAfter(new StatementNames(), 'select 1'), name, 'of another process it is the same');
  assert.notEqual(nameAfter(names, 'select 2'), name);
  names.renew();
  assert.notEqual(nameAfter(names, 'select 1'), name);
});

function nameAfter(names: StatementNames, text: string): string | undefined {
  let name: string | undefined;
  for (let times = 0; times < often; times++) name = names.of(text);
  return name;
}

describe('named statements', { skip: withoutPostgres }, () => {
  let test: Awaited<ReturnType<typeof migratedDatabase>>;
  before(async () => {
    test = await migratedDatabase('postgres');
  });
  after(() => test.close());

  /** Opens one connection, so that statements prepared on it can be seen on it. */
  const withOne = async (namedStatements: boolean, work: (database: Database) => Promise<void>) => {
    const database = await openDatabase({ ...test.settings, maxConnections: 1, namedStatements }, testRules);
    try {
      await work(database);
    } finally {
      await database.close();
    }
  };
  const read = ({ db }: Pick<Database, 'db'>) =>
    db.selectFrom('settings').selectAll().where('name', '=', 'nothing').execute();
  const readOften = async (database: Database) => {
    for (let times = 0; times < often; times++) assert.deepEqual(await read(database), []);
  };
  const countPrepared = async ({ db }: Database) => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from pg_prepared_statements where statement like '%from "settings"%'`.execute(db);
    return rows[0]?.n;
  };

  it('are prepared on their connection', () =>
    withOne(true, async (database) => {
      await readOften(database);
      assert.equal(await countPrepared(database), 1);
    }));

  it('are not prepared when a setting switches that off', () =>
    withOne(false, async (database) => {
      await readOften(database);
      assert.equal(await countPrepared(database), 0);
    }));

  it('still work after a migration changed their table, in a transaction too', () =>
    withOne(true, async (database) => {
      const change = (column: string) =>
        sql`alter table settings add column ${sql.ref(column)} text`.execute(test.database.db);
      await readOften(database);
      await change('added');
      assert.deepEqual(await read(database), []);
      await readOften(database);
      await change('also');
      let attempts = 0;
      await database.transaction(async (tx) => {
        attempts += 1;
        await read(tx);
      });
      assert.equal(attempts, 2);
    }));
});
