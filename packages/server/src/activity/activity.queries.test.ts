import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Insertable, sql } from 'kysely';
import { engines, migratedDatabase } from '../../test/database.ts';
import { rowsOf } from '../platform/db/dialect.ts';
import { givenId } from '../platform/db/ids.ts';
import { toJson } from '../platform/db/json.ts';
import type { Schema } from '../platform/db/schema.ts';
import { countScores } from './activity.queries.ts';

const spaceId = givenId('spc', 'spc_1');
const scores = 300;
const atOnce = 20;

for (const engine of engines)
  it(`scores and players of a busy day are counted in pieces, each once, on ${engine}`, async () => {
    const { database, close } = await migratedDatabase(engine);
    const { db } = database;
    await sql`
      insert into spaces (id, slug, hosted, claimed, state, title, space_type, devices, ai_tools, models, page,
        next_version, revision, created_at, updated_at)
      values (${spaceId}, 'busy', 1, 1, 'listed', 'Busy', 'game', '[]', '[]', '[]', '{}', 1, 1, 0, 0)`.execute(
      db,
    );
    const board: Omit<Insertable<Schema['boards']>, 'id' | 'key' | 'env'> = {
      ...{ space_id: spaceId, title: '', metric: 'score', sort: 'desc', trust: 'client', keep: 'best' },
      ...{ decimals: 0, periods: toJson(['all']), source: 'api', created_at: 0, updated_at: 0 },
    };
    for (const [key, env] of [
      ['a', 'live'],
      ['b', 'live'],
      ['c', 'sandbox'],
    ] as const)
      await db
        .insertInto('boards')
        .values({ ...board, id: givenId('brd', key), key, env })
        .execute();
    // Of the second board, more are of one instant than a piece has.
    const given = Array.from({ length: scores }, (_, at) => {
      const key = 'abc'[at % 3] ?? '';
      return [key, `usr_${at % 7}`, key === 'b' ? 500 : 100 + at];
    });
    await sql`
      insert into submissions (board_id, player_id, score, created_at)
      select c0, c1, 1, cast(c2 as bigint) from ${rowsOf(db, given, 3)} as given`.execute(db);
    const spans = [
      { from: 0, until: 1_000 },
      { from: 130, until: 377 },
      { from: 500, until: 501 },
      { from: 600, until: 1_000 },
    ];
    let most = 0;
    const noted = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        const counted = result.rows.reduce((sum, row) => sum + Number(row.count ?? row.scores ?? 0), 0);
        most = Math.max(most, counted);
        return result;
      },
    });
    for (const span of spans) {
      const within = given.filter(
        ([key, , at]) => key !== 'c' && Number(at) >= span.from && Number(at) < span.until,
      );
      const players = new Set(within.map(([, player]) => player)).size;
      const { scores: found, players: foundPlayers } = await countScores(noted, spaceId, span, atOnce);
      assert.deepEqual([Number(found), Number(foundPlayers)], [within.length, players], JSON.stringify(span));
    }
    // Those of one instant.
    assert.equal(most, scores / 3);
    most = 0;
    await countScores(noted, spaceId, { from: 0, until: 500 }, atOnce);
    assert.ok(most > 0 && most <= atOnce, `${most} in a statement`);
    await close();
  });
