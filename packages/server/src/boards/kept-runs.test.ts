import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { engines, migratedDatabase } from '../../test/database.ts';
import type { Database } from '../platform/db/database.ts';
import type { Engine } from '../platform/db/dialect.ts';
import { givenId } from '../platform/db/ids.ts';
import { borrowRuns, returnRuns } from './borrow-runs.ts';
import { changeEntries, type EntryChange } from './change-entries.ts';
import { locateKept } from './kept-runs.ts';
import type { Place } from './ranking.ts';
import { insertRuns } from './runs.queries.ts';
import { emptyRuns } from './segments.ts';

const segmentSize = 2;
const players = 40;
const rankingId = 1;

const step = fc.record({
  // It is mostly the same process, so that this process begins to keep the runs.
  writer: fc.constantFrom(0, 0, 0, 0, 0, 1),
  isUndone: fc.constantFrom(false, false, false, false, true),
  changes: fc.uniqueArray(
    fc.record({ player: fc.nat(players - 1), score: fc.option(fc.integer({ min: 0, max: 9 })) }),
    { selector: ({ player }) => player, minLength: 1, maxLength: 30 },
  ),
});

/** Makes an empty ranking in a database that two processes have open. */
async function openTwice(engine: Engine) {
  const test = await migratedDatabase(engine);
  const writers = [test.database, await test.open()] as const;
  // The board that the ranking refers to does not exist.
  for (const { db } of writers) if (engine === 'sqlite') await sql`pragma foreign_keys = off`.execute(db);
  await writers[0].transaction(async (tx) => {
    if (engine === 'postgres')
      await sql`alter table rankings drop constraint rankings_board_id_fkey`.execute(tx.db);
    await tx.db
      .insertInto('rankings')
      .values({ id: rankingId, board_id: givenId('brd', 'brd_none'), window: 'all' })
      .execute();
    await insertRuns(tx, emptyRuns(rankingId));
  });
  return { writers, close: () => test.close() };
}

/** Every place in a ranking, by the player. */
type Standing = Map<number, Place>;

let lastSubmission = 0;

/** Returns the changes for these scores, and the places after them. */
function changed(
  before: Standing,
  scores: readonly { readonly player: number; readonly score: number | null }[],
): { changes: EntryChange[]; after: Standing } {
  const after = new Map(before);
  const changes = scores.flatMap(({ player, score }) => {
    const name = { rankingId, playerId: givenId('usr', `usr_${player}`) };
    const stood = before.get(player) ?? null;
    const place = score === null ? null : { sortKey: score, submissionId: ++lastSubmission };
    if (place === null) after.delete(player);
    else after.set(player, place);
    return stood === null && place === null ? [] : [{ ...name, before: stood, after: place }];
  });
  return { changes, after };
}

/** Checks that the ranks in the transaction that makes the changes equal the counted ranks of everyone. */
async function write(database: Database, changes: readonly EntryChange[], after: Standing, isUndone = false) {
  const places = [...after.values()].map((place) => ({ rankingId, ...place }));
  const counted = places.map(
    (own) =>
      places.filter(
        (one) =>
          one.sortKey < own.sortKey || (one.sortKey === own.sortKey && one.submissionId <= own.submissionId),
      ).length,
  );
  const undone = new Error('undone');
  await database
    .transaction(async (tx) => {
      assert.deepEqual(await changeEntries(tx, changes, { segmentSize, places }), counted);
      if (isUndone) throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
}

for (const engine of engines)
  describe(`runs kept in memory, ${engine}`, () => {
    it('give exact ranks while two processes write and some writes roll back', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
          const { writers, close } = await openTwice(engine);
          let stands: Standing = new Map();
          for (const { writer, isUndone, changes: scores } of steps) {
            const { changes, after } = changed(stands, scores);
            await write(writers[writer === 0 ? 0 : 1], changes, after, isUndone);
            if (!isUndone) stands = after;
          }
          await close();
        }),
        { numRuns: 15 },
      );
    });

    it('are kept for a ranking with many writes, until another process writes or a write rolls back', async () => {
      const { writers, close } = await openTwice(engine);
      const [own, other] = writers;
      const isKept = (database: Database) =>
        database.transaction(async (tx) => {
          await borrowRuns(tx, [rankingId]);
          const isLocated = locateKept(tx, { rankingId, sortKey: 5, submissionId: 1 }) !== null;
          await returnRuns(tx);
          return isLocated;
        });
      const all = Array.from({ length: players }, (_, player) => ({ player, score: player }));
      const first = changed(new Map(), all.slice(0, 1));
      await write(own, first.changes, first.after);
      assert.equal(await isKept(own), false, 'one place alone is looked up');
      const second = changed(first.after, all);
      await write(own, second.changes, second.after);
      assert.equal(await isKept(own), true);
      // It moves to another run: otherwise no count would change.
      const third = changed(second.after, [{ player: 3, score: players }]);
      await write(other, third.changes, third.after);
      assert.equal(await isKept(own), false);
      // Where others write too, more has to be looked up before runs are kept again.
      let next = third;
      for (const moved of [5, 6]) {
        next = changed(next.after, all.slice(moved, moved + 1));
        await write(own, next.changes, next.after);
      }
      assert.equal(await isKept(own), true);
      const fifth = changed(next.after, all.slice(7, 9));
      await write(own, fifth.changes, fifth.after, true);
      assert.equal(await isKept(own), false, 'what was undone is not kept');
      await close();
    });
  });
