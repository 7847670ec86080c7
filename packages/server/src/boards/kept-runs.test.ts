import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { sql } from 'kysely';
import { engines, migratedDatabase } from '../../test/database.ts';
import type { Database } from '../platform/db/database.ts';
import type { Engine } from '../platform/db/dialect.ts';
import { givenId } from '../platform/db/ids.ts';
import { borrowRuns, returnRuns } from './borrow-runs.ts';
import { changeEntries, type EntryChange } from './change-entries.ts';
import { locateKept } from './kept-runs.ts';
import { findRankedPage, type RankedPage } from './ranked-page.queries.ts';
import type { Place } from './ranking.ts';
import { insertRuns } from './runs.queries.ts';
import { lowest } from './runs.ts';
import { RunsForReads } from './runs-for-reads.ts';
import { emptyRuns } from './segments.ts';

const segmentSize = 2;
const players = 40;
const rankingId = 1;
const name = { boardId: givenId('brd', 'brd_none'), window: 'all' };

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
      .values({ id: rankingId, board_id: name.boardId, window: name.window })
      .execute();
    await insertRuns(tx, emptyRuns(rankingId));
  });
  return { writers, close: () => test.close() };
}

const playerOf = (player: number) => givenId('usr', `usr_${player}`);

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
    const entry = { rankingId, playerId: playerOf(player) };
    const stood = before.get(player) ?? null;
    const place = score === null ? null : { sortKey: score, submissionId: ++lastSubmission };
    if (place === null) after.delete(player);
    else after.set(player, place);
    return stood === null && place === null ? [] : [{ ...entry, before: stood, after: place }];
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

/** Reads the page around each player. */
function readAll(database: Database): Promise<(RankedPage | null)[]> {
  return Promise.all(
    Array.from({ length: players }, (_, player) =>
      findRankedPage(
        database,
        { ...name, limit: 5 },
        { at: 'around-id', playerId: playerOf(player), above: 2 },
      ),
    ),
  );
}

/** Returns the pages around each player, counted here. */
function pagesOf(standing: Standing) {
  const places = [...standing.values()].toSorted(
    (one, other) => one.sortKey - other.sortKey || one.submissionId - other.submissionId,
  );
  return Array.from({ length: players }, (_, player) => {
    const own = standing.get(player);
    if (own === undefined) return null;
    const first = Math.max(0, places.indexOf(own) - 2);
    return { firstRank: first + 1, total: places.length, entries: places.slice(first, first + 5) };
  });
}

/** Returns what `pagesOf` tells of a page. */
function shownOf(page: RankedPage | null) {
  if (page === null) return null;
  const entries = page.entries.map(({ sort_key: sortKey, submission_id: submissionId }) => ({
    sortKey,
    submissionId,
  }));
  return { firstRank: page.firstRank, total: page.total, entries };
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

    it('give exact ranks to reads before, during and after the writes of two processes', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
          const { writers, close } = await openTwice(engine);
          let stands: Standing = new Map();
          for (const { writer, isUndone, changes: scores } of steps) {
            const { changes, after } = changed(stands, scores);
            const [earlier, later] = [pagesOf(stands), pagesOf(isUndone ? stands : after)];
            const [, during] = await Promise.all([
              write(writers[writer === 0 ? 0 : 1], changes, after, isUndone),
              readAll(writers[0]),
            ]);
            for (const [player, page] of during.map(shownOf).entries())
              if (!isDeepStrictEqual(page, earlier[player])) assert.deepEqual(page, later[player]);
            for (const reader of writers) assert.deepEqual((await readAll(reader)).map(shownOf), later);
            if (!isUndone) stands = after;
          }
          await close();
        }),
        { numRuns: 15 },
      );
    });

    it('count for reads where one process writes, after some reads without them', async () => {
      const { writers, close } = await openTwice(engine);
      const [own, other] = writers;
      const areKept = () => RunsForReads.before(own, name)?.areKept() ?? false;
      const first = changed(new Map(), [{ player: 0, score: 1 }]);
      await write(own, first.changes, first.after);
      const page = () =>
        findRankedPage(own, { ...name, limit: 5 }, { at: 'around-id', playerId: playerOf(0), above: 2 });
      for (let read = 1; read <= 31; read++) await page();
      assert.equal(areKept(), false);
      await page();
      assert.equal(areKept(), engine === 'sqlite');
      const second = changed(first.after, [{ player: 1, score: 0 }]);
      const earlier = RunsForReads.before(own, name);
      await own.transaction(async (tx) => {
        await changeEntries(tx, second.changes, { segmentSize });
        assert.equal(RunsForReads.before(own, name), null, 'they are ahead of what is committed');
      });
      assert.equal(earlier?.rankOf({ rankingId, segment: lowest, upTo: 1 }) ?? null, null);
      assert.equal(areKept(), engine === 'sqlite', 'they change with the writes of this process');
      assert.deepEqual(shownOf(await page()), pagesOf(second.after)[0]);
      const third = changed(second.after, [{ player: 2, score: 0 }]);
      await write(other, third.changes, third.after);
      assert.deepEqual(shownOf(await page()), pagesOf(third.after)[0]);
      assert.equal(areKept(), false, 'another process has written');
      await close();
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
