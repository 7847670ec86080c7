import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestClock } from '../../../test/clock.ts';
import { engines, migratedDatabase, testRules } from '../../../test/database.ts';
import { StoreUnavailable } from '../blobs/blob-store.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { createLog } from '../log.ts';
import { type JobKind, Worker } from './queue.ts';
import { sweepJobs } from './wrong-clock.ts';

const log = createLog({ LOG_LEVEL: 'silent' });

for (const engine of engines) {
  describe(`jobs on ${engine}, after a clock was ahead by hours`, () => {
    let test: Awaited<ReturnType<typeof migratedDatabase>>;
    let database: Database;
    const clock = new TestClock();
    before(async () => {
      test = await migratedDatabase(engine);
      database = await openDatabase(test.settings, { ...testRules, clock });
    });
    after(async () => {
      await database.close();
      await test.close();
    });

    const sweep = () => sweepJobs({ database, clock, config: testRules.config, log });
    const kindOf = (run: JobKind['run']): JobKind => ({
      kind: 'sample',
      timeoutSeconds: 60,
      maxAttempts: 3,
      concurrency: 1,
      run,
    });
    /** Runs what is due, and returns what was. */
    async function work(): Promise<string[]> {
      const ran: string[] = [];
      const worker = new Worker(
        database,
        clock,
        log,
        [kindOf(async ({ ref }) => void ran.push(ref))],
        testRules.config.JOB_LEASE_SECONDS,
      );
      await worker.settle();
      await worker.stop();
      return ran;
    }
    async function withClockAhead(what: () => Promise<unknown>): Promise<void> {
      clock.advance({ hours: 2 });
      await what();
      clock.advance({ hours: -2 });
    }
    const request = (ref: string, waitMs = 0) =>
      database.transaction((tx) => tx.enqueue('sample', ref, tx.now + waitMs));

    it('run that were requested meanwhile', async () => {
      await withClockAhead(() => request('requested'));
      assert.deepEqual(await work(), []);
      await sweep();
      assert.deepEqual(await work(), ['requested']);
    });

    it('run that were requested before, and put back meanwhile', async () => {
      await request('put back');
      await withClockAhead(async () => {
        const fails = kindOf(async () => {
          throw new StoreUnavailable('away');
        });
        const worker = new Worker(database, clock, log, [fails], 30);
        await worker.settle();
        await worker.stop();
      });
      await sweep();
      assert.deepEqual(await work(), ['put back']);
    });

    it('run that a worker had when it was killed meanwhile', async () => {
      await request('leased');
      await withClockAhead(() =>
        database.db
          .updateTable('jobs')
          .set({ leased_until: clock.now() + 30_000 })
          .where('ref', '=', 'leased')
          .execute(),
      );
      assert.deepEqual(await work(), []);
      await sweep();
      assert.deepEqual(await work(), ['leased']);
    });

    it('wait that are due later by the right clock', async () => {
      await request('later', 24 * 3_600_000);
      await sweep();
      assert.deepEqual(await work(), []);
      clock.advance({ days: 1 });
      assert.deepEqual(await work(), ['later']);
    });
  });
}
