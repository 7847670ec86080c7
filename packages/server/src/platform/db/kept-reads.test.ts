import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Announcements } from './announcements.ts';
import type { SpaceId } from './ids.ts';
import { keptRead } from './kept-reads.ts';
import type { Db } from './schema.ts';
import { shownThing } from './shown.ts';

const id = 'spc_1' as SpaceId;

/** A read of one row, which each test changes, and of which the reads are counted. */
function counted() {
  const row = { title: 'Old', reads: 0, wait: Promise.resolve() };
  const database = { db: {} as Db, announcements: new Announcements() };
  const find = keptRead({
    kind: 'space',
    read: async (_db: Db, slug: string) => {
      row.reads += 1;
      const { title } = row;
      await row.wait;
      return slug === 'none' ? undefined : { id, title };
    },
    tagOf: () => `space:${id}` as const,
  });
  const announce = (tag: string) => database.announcements.deliver([`${shownThing}:${tag}`]);
  return { row, database, announce, find: async (slug = 'a') => (await find(database, slug))?.title };
}

suite('a kept read', () => {
  test('is read once until its tag is announced', async () => {
    const { row, announce, find } = counted();
    assert.equal(await find(), 'Old');
    row.title = 'New';
    announce('board:brd_1');
    announce('space:spc_2');
    assert.equal(await find(), 'Old');
    assert.equal(row.reads, 1);
    announce(`space:${id}`);
    assert.equal(await find(), 'New');
  });

  test('is read again after an announcement of everything', async () => {
    const { row, announce, find } = counted();
    for (const all of ['*', 'space:*']) {
      await find();
      announce(all);
      await find();
    }
    assert.equal(row.reads, 3);
  });

  test('is not kept if it began before a change', async () => {
    const { row, announce, find } = counted();
    const { promise, resolve } = Promise.withResolvers<void>();
    row.wait = promise;
    const begun = find();
    row.title = 'New';
    announce(`space:${id}`);
    resolve();
    assert.equal(await begun, 'Old');
    assert.equal(await find(), 'New');
  });

  test('is not used while announcements do not arrive', async () => {
    const { row, database, find } = counted();
    await find();
    database.announcements.isDeaf = true;
    row.title = 'New';
    assert.equal(await find(), 'New');
  });

  test('keeps nothing of what is not there', async () => {
    const { row, find } = counted();
    await find('none');
    await find('none');
    assert.equal(row.reads, 2);
  });
});
