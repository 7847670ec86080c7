import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { engines, migratedDatabase } from '../../../test/database.ts';
import type { Database } from './database.ts';

/** Two megabytes, some 500 pages. */
const large = 'x'.repeat(2 * 1024 * 1024);

describe('the write-ahead log', { skip: !engines.includes('sqlite') }, () => {
  let test: Awaited<ReturnType<typeof migratedDatabase>>;
  let database: Database;
  let observer: DatabaseSync;

  before(async () => {
    test = await migratedDatabase('sqlite');
    database = test.database;
    observer = new DatabaseSync(test.settings.file);
  });
  after(async () => {
    observer.close();
    await test.close();
  });

  const written: string[] = [];
  const write = async (value: string) => {
    const name = `row ${written.length}`;
    await database.transaction(async (tx) => {
      await tx.db.insertInto('settings').values({ name, value }).execute();
    });
    written.push(name);
  };
  const loggedPages = () => Number(observer.prepare('pragma wal_checkpoint(noop)').get()?.log);

  it('is copied into the file while writes go on, and begins anew', async () => {
    while (loggedPages() < 4_000) await write(large);
    let most = 0;
    for (let pages = loggedPages(); pages >= most; pages = loggedPages()) {
      most = pages;
      await write('');
      await nextTurn();
    }
    // The writer copies the log by itself when it has so many pages.
    assert.ok(most < 16_000, `${most} pages`);
    const rows = observer.prepare("select name from settings where name like 'row %'").all();
    assert.deepEqual(rows.map(({ name }) => name).toSorted(), written.toSorted());
    assert.equal(observer.prepare('pragma integrity_check').get()?.integrity_check, 'ok');
  });
});
