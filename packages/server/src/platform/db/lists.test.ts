import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { engines, migratedDatabase } from '../../../test/database.ts';
import type { Database } from './database.ts';
import { oneOfList, rowsOfList } from './dialect.ts';
import { type Cells, type List, listOf, mostRoom } from './lists.ts';
import { type Given, prepared, preparedForEach } from './prepared.ts';

interface Row {
  at: number;
  text: string | null;
  number: number | null;
}

const readBack = prepared(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql<Row>`
    select cast(c0 as integer) as at, c1 as text, cast(c2 as double precision) as number
    from ${rowsOfList(db, rows, 3)} as given order by 1`,
);

const readTexts = prepared(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql<{ one: string; other: string }>`
    select c0 as one, c2 as other
    from ${rowsOfList(db, rows, ['long text', 'integer', 'long text'])} as given order by c1`,
);

const pick = prepared(
  (db, { names, rows }: Given<{ names: List<string>; rows: List<Cells> }>) => sql<{ name: string }>`
    select c0 as name from ${rowsOfList(db, rows, 1)} as given where c0 in ${oneOfList(db, names)} order by 1`,
);

const cellText = fc
  .string({ unit: 'binary' })
  .filter((text) => text.isWellFormed() && !text.includes('\u0000'));

for (const engine of engines)
  describe(`lists of prepared statements on ${engine}`, () => {
    let database: Database;
    let close: () => Promise<void>;
    before(async () => {
      ({ database, close } = await migratedDatabase(engine));
    });
    after(() => close());

    it('are read as they are given, with any values', async () => {
      const cells = fc.record({
        text: fc.option(fc.oneof(cellText, fc.constantFrom('NULL', '{}', '"', '\\', "'", ',', '', '💡'))),
        number: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(cells, { maxLength: 20 }), async (given) => {
          const wanted = given.map(({ text, number }, at) => ({
            at,
            text,
            number: number === null ? null : number + 0,
          }));
          const rows = listOf(wanted.map(({ at, text, number }) => [at, text, number]));
          assert.deepEqual(plain(await readBack(database.db, { rows })), wanted);
        }),
        { numRuns: 100 },
      );
    });

    it('may have long texts', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(cellText, cellText), { maxLength: 20 }), async (texts) => {
          const rows = listOf(texts.map(([one, other], at) => [one, at, other]));
          const found = await readTexts(database.db, { rows });
          assert.deepEqual(
            found.map(({ one, other }) => [one, other]),
            texts,
          );
        }),
        { numRuns: 100 },
      );
    });

    it('can have any length, below and above the prepared lengths', async () => {
      for (const length of [0, 1, 2, 3, 4, 5, 63, 64, 65, mostRoom, mostRoom + 1, 1_000]) {
        const wanted = Array.from({ length }, (_, at) => ({ at, text: `t${at}`, number: at / 2 }));
        const rows = listOf(wanted.map(({ at, text, number }) => [at, text, number]));
        assert.deepEqual(plain(await readBack(database.db, { rows })), wanted);
      }
    });

    it('can be several in one statement, of different lengths', async () => {
      const rows = listOf(['a', '"b"', 'c\\', 'd'].map((name) => [name]));
      const names = listOf(['"b"', 'c\\', 'e']);
      assert.deepEqual(plain(await pick(database.db, { names, rows })), [{ name: '"b"' }, { name: 'c\\' }]);
      assert.deepEqual(await pick(database.db, { names: listOf<string>([]), rows }), []);
    });

    it('are split into pieces for statements that treat each row separately', async () => {
      const each = preparedForEach(
        (db, { rows, plus }: Given<{ rows: List<Cells>; plus: number }>) => sql<{ n: number }>`
          select cast(c0 as integer) + cast(${plus} as integer) as n from ${rowsOfList(db, rows, 1)} as given`,
      );
      const numbers = Array.from({ length: 2 * mostRoom + 7 }, (_, n) => n);
      const found = await each(database.db, { rows: listOf(numbers.map((n) => [n])), plus: 5 });
      assert.deepEqual(
        found.map(({ n }) => n).sort((one, other) => one - other),
        numbers.map((n) => n + 5),
      );
    });
  });

function plain<T extends object>(rows: readonly T[]): T[] {
  return rows.map((row) => ({ ...row }));
}
