import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { askUntil } from '../../../test/ask-until.ts';
import { TestClock } from '../../../test/clock.ts';
import { engines, migratedDatabase } from '../../../test/database.ts';
import { StoreUnavailable } from '../blobs/blob-store.ts';
import type { Database } from '../db/database.ts';
import { type JobKind, Worker } from './queue.ts';

/** Many more failures than a job may have of its own. */
const outages = 40;
const log = pino({ level: 'silent' });
const errno = (code: string) => Object.assign(new Error(code), { code });

for (const engine of engines) {
  describe(`a job on ${engine}`, () => {
    let database: Database;
    let close: () => Promise<void>;
    before(async () => {
      ({ database, close } = await migratedDatabase(engine));
    });
    after(() => close());

    /**
     * Runs a job that throws these errors in turn and then succeeds. Returns how often it ran, and whether it
     * was given up.
     */
    async function runThrough(ref: string, errors: readonly unknown[]) {
      const clock = new TestClock();
      const left = [...errors];
      const told = { runs: 0, givenUp: null as unknown };
      const kind: JobKind = {
        kind: 'test',
        timeoutSeconds: 60,
        maxAttempts: 3,
        concurrency: 1,
        async run() {
          told.runs++;
          if (left.length > 0) throw left.shift();
        },
        async givenUp({ confirm }, error) {
          await database.transaction(confirm);
          told.givenUp = error;
        },
      };
      const worker = new Worker(database, clock, log, [kind], 30);
      await database.transaction((tx) => tx.enqueue('test', ref, clock.now()));
      for (let round = 0; round < errors.length + 1; round++) {
        await worker.settle();
        clock.advance({ minutes: 1 });
      }
      await worker.stop();
      return told;
    }

    const outage: Record<string, unknown> = {
      'the store': new StoreUnavailable('away'),
      'the store, told by somebody else': new Error('no page', { cause: new StoreUnavailable('away') }),
      'the database': errno('ECONNREFUSED'),
      "the database's name": errno('EAI_AGAIN'),
      "the database's password": errno('28P01'),
      "the database's certificate": errno('CERT_HAS_EXPIRED'),
      'the network': errno('ENETUNREACH'),
      'file descriptors': new Error('no scratch', { cause: errno('EMFILE') }),
      'room on the disk': errno('ENOSPC'),
    };
    for (const [what, error] of Object.entries(outage)) {
      it(`is retried through an outage of ${what}, however long`, async () => {
        const told = await runThrough(
          what,
          Array.from({ length: outages }, () => error),
        );
        assert.deepEqual(told, { runs: outages + 1, givenUp: null });
      });
    }

    it('is given up after three failures of its own, and outages do not count', async () => {
      const own = new Error('its own');
      const away = new StoreUnavailable('away');
      const told = await runThrough('own', [own, away, away, own, away, own, own]);
      assert.deepEqual(told, { runs: 6, givenUp: own });
    });

    it('counts an unreachable foreign site as a failure of its own', async () => {
      const refused = new Error('the mail could not be sent', { cause: errno('ECONNREFUSED') });
      assert.equal((await runThrough('mail', [refused, refused, refused])).givenUp, refused);
    });

    it('is given up together with what is cleaned up, also if the process ends in between', async () => {
      const clock = new TestClock();
      let tries = 0;
      const kind: JobKind = {
        kind: 'unclean',
        timeoutSeconds: 60,
        maxAttempts: 1,
        concurrency: 1,
        run: () => Promise.reject(new Error('its own')),
        givenUp: ({ confirm }) =>
          database.transaction(async (tx) => {
            await confirm(tx);
            if (++tries === 1) throw new Error('the process ends');
          }),
      };
      const row = () =>
        database.db.selectFrom('jobs').selectAll().where('kind', '=', 'unclean').executeTakeFirstOrThrow();
      const worker = new Worker(database, clock, log, [kind], 30);
      await database.transaction((tx) => tx.enqueue('unclean', 'unclean', clock.now()));
      await worker.settle();
      assert.equal((await row()).failed_at, null);
      clock.advance({ minutes: 1 });
      await worker.settle();
      await worker.stop();
      assert.equal(tries, 2);
      assert.notEqual((await row()).failed_at, null);
    });

    it('waits for jobs of another kind that must run before it', async () => {
      const clock = new TestClock();
      const order: string[] = [];
      const base = { timeoutSeconds: 60, maxAttempts: 3, concurrency: 1 };
      const run = async ({ ref }: { ref: string }) => {
        order.push(ref);
        // Another job that goes first is added while the one behind it waits.
        if (ref === 'first 1')
          await database.transaction((tx) => tx.enqueue('first', 'first 3', clock.now()));
      };
      const kinds: JobKind[] = [
        { ...base, kind: 'behind', behind: { kind: 'first', atMostSeconds: 600 }, run },
        { ...base, kind: 'first', run },
      ];
      const worker = new Worker(database, clock, log, kinds, 30);
      const enqueue = (kind: string, ref: string) =>
        database.transaction((tx) => tx.enqueue(kind, ref, clock.now()));
      await enqueue('behind', 'behind 1');
      await enqueue('first', 'first 1');
      await enqueue('first', 'first 2');
      await worker.settle();
      assert.equal(order.at(-1), 'behind 1', order.join());
      assert.equal(order.length, 4);

      await enqueue('behind', 'behind 2');
      clock.advance({ minutes: 10 });
      await enqueue('first', 'first 4');
      order.length = 0;
      await worker.settle();
      await worker.stop();
      assert.equal(order[0], 'behind 2', order.join());
    });

    it('begins after work that was requested after it, if it rests', async () => {
      const clock = new TestClock();
      const order: string[] = [];
      const worked = Promise.withResolvers<void>();
      const base = { timeoutSeconds: 60, maxAttempts: 3, concurrency: 1 };
      const kinds: JobKind[] = [
        {
          ...base,
          kind: 'rests',
          rest: { after: ['works'], quietMs: 600_000, atMostMs: 600_000 },
          run: async ({ ref }) => void order.push(ref),
        },
        {
          ...base,
          kind: 'works',
          run: async ({ ref }) => {
            order.push(ref);
            worked.resolve();
          },
        },
      ];
      const worker = new Worker(database, clock, log, kinds, 30);
      worker.start();
      for (const [kind, ref] of [
        ['rests', 'rested 1'],
        ['rests', 'rested 2'],
        ['works', 'worked'],
      ] as const)
        await database.transaction((tx) => tx.enqueue(kind, ref, clock.now()));
      await worked.promise;
      await worker.settle();
      await worker.stop();
      assert.deepEqual(order, ['worked', 'rested 1', 'rested 2']);
    });

    it('belongs to one worker while it runs, because its lease is renewed', async () => {
      const clock = new TestClock();
      const began = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      let runs = 0;
      const kind: JobKind = {
        kind: 'long',
        timeoutSeconds: 60,
        maxAttempts: 3,
        concurrency: 2,
        async run() {
          runs++;
          began.resolve();
          await end.promise;
        },
      };
      const leaseSeconds = 0.3;
      const worker = new Worker(database, clock, log, [kind], leaseSeconds);
      await database.transaction((tx) => tx.enqueue('long', 'long', clock.now()));
      const leasedUntil = async () =>
        (
          await database.db
            .selectFrom('jobs')
            .select('leased_until')
            .where('kind', '=', 'long')
            .executeTakeFirstOrThrow()
        ).leased_until ?? 0;
      const settled = worker.settle();
      await began.promise;
      const first = await leasedUntil();
      await askUntil(leasedUntil, (until) => until !== first);
      end.resolve();
      await settled;
      await worker.stop();
      assert.equal(runs, 1);
    });
  });
}
