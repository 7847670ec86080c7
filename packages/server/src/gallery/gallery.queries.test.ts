import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engines, migratedDatabase } from '../../test/database.ts';
import { explaining, withIndexesOnly } from '../../test/explaining.ts';
import { findPublicSpaces } from './gallery.queries.ts';

const cursor = { value: 7, id: 'spc_0000000000000000' };
const indexes = { plays: 'spaces_played', created_at: 'spaces_new' } as const;

for (const engine of engines)
  describe(`lists of the gallery, on ${engine}`, () => {
    for (const order of ['plays', 'created_at'] as const)
      for (const spaceType of [undefined, 'music'])
        for (const after of [null, cursor])
          it(`read only what they show: ${spaceType ?? 'all'} by ${order}${after ? ', a later page' : ''}`, async () => {
            const { database, close } = await migratedDatabase(engine);
            const plan = await database.transaction(async ({ db }) => {
              if (engine === 'postgres') await withIndexesOnly(db);
              const asked = { spaceType, order, after, limit: 25 };
              return JSON.stringify(await findPublicSpaces(db.withPlugin(explaining(engine)), asked));
            });
            await close();
            const index = `${indexes[order]}${spaceType ? '_of_type' : ''}\\b`;
            assert.match(plan, new RegExp(index, 'u'), plan);
            assert.doesNotMatch(plan, /SCAN space|TEMP B-TREE|Seq Scan on spaces|Sort Key/u, plan);
          });
  });
