import assert from 'node:assert/strict';
import { it } from 'node:test';
import { engines, migratedDatabase } from '../../test/database.ts';
import { explaining, withIndexesOnly } from '../../test/explaining.ts';
import { givenId } from '../platform/db/ids.ts';
import { findOpenRooms } from './rooms.queries.ts';

for (const engine of engines)
  it(`rooms with a place are found in the order of an index that has no full ones, on ${engine}`, async () => {
    const { database, close } = await migratedDatabase(engine);
    const plan = await database.transaction(async ({ db }) => {
      if (engine === 'postgres') await withIndexesOnly(db);
      const place = { spaceId: givenId('spc', 'spc_1'), env: 'live', movedMs: 0 } as const;
      return JSON.stringify(await findOpenRooms(db.withPlugin(explaining(engine)), place));
    });
    await close();
    assert.match(plan, /rooms_with_a_place/u, plan);
    assert.doesNotMatch(plan, /TEMP B-TREE|Seq Scan on rooms|Sort Key/u, plan);
  });
