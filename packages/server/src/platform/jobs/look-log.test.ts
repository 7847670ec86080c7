import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestClock } from '../../../test/clock.ts';
import { engines, migratedDatabase } from '../../../test/database.ts';
import { readableLog } from '../../../test/log-lines.ts';
import { Worker } from './queue.ts';

for (const engine of engines)
  describe(`a worker whose database is away, on ${engine}`, () => {
    it('says so once for each reason, and that it looks again', async (context) => {
      const { database, close } = await migratedDatabase(engine);
      context.after(() => close());
      const { log, lines } = readableLog();
      let away: string | null = null;
      const ours = {
        ...database,
        get db() {
          if (away !== null) throw new Error(away);
          return database.db;
        },
      };
      const worker = new Worker(ours, new TestClock(), log, [], 30);
      for (const next of [null, 'ECONNREFUSED', 'ECONNREFUSED', 'ETIMEDOUT', 'ETIMEDOUT', null, null]) {
        away = next;
        await worker.settle();
      }
      away = 'ECONNREFUSED';
      await worker.settle();
      await worker.stop();
      await new Promise((resolve) => log.flush(resolve));
      const waiting = 'could not look for jobs: they wait until the database answers';
      assert.deepEqual(
        lines.map(({ level, msg, err }) => [level, msg, err?.message]),
        [
          [40, waiting, 'ECONNREFUSED'],
          [40, waiting, 'ETIMEDOUT'],
          [30, 'looking for jobs again', undefined],
          [40, waiting, 'ECONNREFUSED'],
        ],
      );
    });
  });
