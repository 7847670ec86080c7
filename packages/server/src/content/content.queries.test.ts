import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engines, migratedDatabase } from '../../test/database.ts';
import { explaining, withIndexesOnly } from '../../test/explaining.ts';
import { givenId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import { findPage, type Listed } from './content.queries.ts';
import { findOwnPage } from './own-content.queries.ts';

const place = { spaceId: givenId('spc', 'spc_1'), env: 'live' } as const;
const viewer = givenId('usr', 'usr_1');
const after = { value: 7, id: 'cnt_0000000000000000' };

const lists: Readonly<Record<string, (db: Db) => Promise<unknown[]>>> = {
  ...Object.fromEntries(
    (['new', 'liked'] as const).flatMap((sort) =>
      [null, after].map((from) => {
        const listed: Listed = { ...place, kind: 'level', sort, viewer, mine: false, after: from, limit: 21 };
        return [`${sort}, ${from ? 'from a cursor' : 'from its start'}`, (db: Db) => findPage(db, listed)];
      }),
    ),
  ),
  mine: (db) => findPage(db, { ...place, kind: 'level', sort: 'new', viewer, mine: true, after, limit: 21 }),
  'all of a space': (db) => findOwnPage(db, place, { kind: undefined, reported: false, after, limit: 31 }),
  'a kind of a space': (db) => findOwnPage(db, place, { kind: 'level', reported: false, after, limit: 31 }),
};

for (const engine of engines)
  describe(`lists of content that players made, on ${engine}`, () => {
    for (const [name, list] of Object.entries(lists))
      it(`are read in the order of an index: ${name}`, async () => {
        const { database, close } = await migratedDatabase(engine);
        const plan = await database.transaction(async ({ db }) => {
          if (engine === 'postgres') await withIndexesOnly(db);
          return JSON.stringify(await list(db.withPlugin(explaining(engine))));
        });
        await close();
        assert.match(plan, /content_(?:newest|liked|all|of_player)/u, plan);
        assert.doesNotMatch(plan, /SCAN item|TEMP B-TREE|Seq Scan on content |Sort Key/u, plan);
      });
  });
