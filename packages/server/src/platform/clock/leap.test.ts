import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestClock } from '../../../test/clock.ts';
import { engines, migratedDatabase } from '../../../test/database.ts';
import { readableLog } from '../../../test/log-lines.ts';
import { createLeapGuard } from './leap.ts';

for (const engine of engines)
  describe(`a clock that decides what is old, on ${engine}`, () => {
    let test: Awaited<ReturnType<typeof migratedDatabase>>;
    before(async () => {
      test = await migratedDatabase(engine);
    });
    after(() => test.close());

    /** Begins anew, with a database that has seen no clock yet. */
    async function guarded() {
      const { database } = test;
      await database.db.deleteFrom('settings').execute();
      const { log, lines } = readableLog();
      const clock = new TestClock();
      /** A process, new or restarted, whose clock this is. */
      const guard = (own = clock) => createLeapGuard({ database, clock: own, log });
      return { clock, guard, lines };
    }

    it('is believed while it runs on, and after less than a day', async () => {
      const { clock, guard, lines } = await guarded();
      assert.equal(await guard()(), true);
      for (const hours of [0.1, 23, 23]) {
        clock.advance({ hours });
        assert.equal(await guard()(), true);
      }
      assert.deepEqual(lines, []);
    });

    it('is not believed for a day after a leap, also after a restart, and the log says so once', async () => {
      const { clock, guard, lines } = await guarded();
      await guard()();
      clock.advance({ days: 30 });
      assert.equal(await guard()(), false);
      clock.advance({ hours: 23 });
      assert.equal(await guard()(), false);
      await new Promise(setImmediate);
      assert.match(
        lines.map(({ msg }) => msg).join('\n'),
        /^The clock says \S+, and the service was last used at [^\n]+$/u,
      );
      clock.advance({ hours: 2 });
      assert.equal(await guard()(), true);
      clock.advance({ hours: 2 });
      assert.equal(await guard()(), true);
    });

    it('is believed at once when it is put right, and a later leap is a new one', async () => {
      const { clock, guard } = await guarded();
      await guard()();
      clock.advance({ days: 30 });
      assert.equal(await guard()(), false);
      clock.advance({ days: -30 });
      assert.equal(await guard()(), true);
      clock.advance({ days: 32 });
      assert.equal(await guard()(), false);
      clock.advance({ days: -12 });
      assert.equal(await guard()(), false, 'it is still twenty days ahead');
      clock.advance({ hours: 25 });
      assert.equal(await guard()(), true);
    });

    it('is not believed as long as another process knows better', async () => {
      const { clock, guard } = await guarded();
      const wrong = new TestClock();
      wrong.advance({ days: 30 });
      for (let hour = 0; hour < 50; hour++) {
        assert.equal(await guard()(), true);
        assert.equal(await guard(wrong)(), false);
        for (const one of [clock, wrong]) one.advance({ hours: 1 });
      }
    });

    it('of a first start may have been ahead', async () => {
      const { clock, guard } = await guarded();
      clock.advance({ days: 3_000 });
      assert.equal(await guard()(), true);
      clock.advance({ days: -3_000 });
      assert.equal(await guard()(), true);
      clock.advance({ days: 3_000 });
      assert.equal(await guard()(), false);
    });
  });
