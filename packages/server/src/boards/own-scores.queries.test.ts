import assert from 'node:assert/strict';
import { it } from 'node:test';
import { engines, migratedDatabase } from '../../test/database.ts';
import { explaining, withIndexesOnly } from '../../test/explaining.ts';
import { newId } from '../platform/secrets/id.ts';
import { findOwnSubmissions } from './own-scores.queries.ts';

for (const engine of engines)
  it(`a later page of a player's submissions begins behind the one before, on ${engine}`, async () => {
    const { database, close } = await migratedDatabase(engine);
    const plans: unknown[] = [];
    await database.transaction(async ({ db }) => {
      if (engine === 'postgres') await withIndexesOnly(db);
      const after = { boardId: newId('brd'), id: 7 };
      await findOwnSubmissions(db.withPlugin(explaining(engine, plans)), newId('usr'), after, 500);
    });
    await close();
    const plan = JSON.stringify(plans);
    const behind =
      engine === 'sqlite'
        ? /submissions_player \(board_id=\? AND player_id=\? AND (?:id|rowid)>\?\)/u
        : /submissions_player on submissions[^}]*\},\{[^}]*Index Cond: [^}]*\(id > /u;
    assert.match(plan, behind, plan);
    assert.doesNotMatch(plan, /SCAN submission|TEMP B-TREE|Seq Scan/u, plan);
  });
