import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestClock } from '../../../test/clock.ts';
import { engines, migratedDatabase } from '../../../test/database.ts';
import { readableLog } from '../../../test/log-lines.ts';
import { type JobKind, Worker } from './queue.ts';

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

    it('says so once, too, if the database still answers what it is asked, as on a full disk', async (context) => {
      const { database, close } = await migratedDatabase(engine);
      context.after(() => close());
      const { log, lines } = readableLog();
      const clock = new TestClock();
      let isFull = true;
      const answering = new Proxy(database.db, {
        get(db, name) {
          if (isFull && name === 'updateTable') throw new Error('database or disk is full');
          const value = Reflect.get(db, name, db);
          return typeof value === 'function' ? value.bind(db) : value;
        },
      });
      const ran: string[] = [];
      const kindOf = (kind: string, rest?: JobKind['rest']): JobKind => ({
        kind,
        timeoutSeconds: 60,
        maxAttempts: 3,
        concurrency: 1,
        ...(rest && { rest }),
        run: async () => void ran.push(kind),
      });
      const kinds = [
        kindOf('resting', { after: ['other'], quietMs: 600_000, atMostMs: 600_000 }),
        kindOf('other'),
      ];
      const worker = new Worker({ ...database, db: answering }, clock, log, kinds, 30);
      await database.transaction((tx) => tx.enqueue('resting', 'resting', clock.now()));
      for (let look = 0; look < 5; look++) await worker.settle();
      isFull = false;
      await worker.settle();
      await worker.stop();
      await new Promise((resolve) => log.flush(resolve));
      assert.deepEqual(ran, ['resting']);
      assert.deepEqual(
        lines.map(({ msg }) => msg),
        ['could not look for jobs: they wait until the database answers', 'looking for jobs again'],
      );
    });
  });
