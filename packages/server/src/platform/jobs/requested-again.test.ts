import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { startService, type TestService } from '../../../test/service.ts';
import type { Database } from '../db/database.ts';
import { type JobKind, Worker } from './queue.ts';

const log = pino({ level: 'silent' });

/** The service has a worker too, which takes only the kinds of the service. */
describe('a job that is requested while it runs', () => {
  let service: TestService;
  let database: Database;
  before(async () => {
    service = await startService();
    ({ database } = service.service.platform);
  });
  after(() => service.close());

  it('runs once more, however often it is requested', async () => {
    const { clock } = service;
    const ask = () => database.transaction((tx) => tx.enqueue('again', 'again', clock.now()));
    let runs = 0;
    const kind: JobKind = {
      kind: 'again',
      timeoutSeconds: 60,
      maxAttempts: 3,
      concurrency: 2,
      async run({ confirmLease }) {
        if (runs === 0) {
          await ask();
          await ask();
        }
        await database.transaction(confirmLease);
        runs++;
      },
    };
    const worker = new Worker(database, clock, log, [kind], 30);
    await ask();
    await worker.settle();
    await worker.stop();
    assert.equal(runs, 2);
  });

  it('is not given up after its last attempt', async () => {
    const { clock } = service;
    const ask = () => database.transaction((tx) => tx.enqueue('asked', 'asked', clock.now()));
    const told = { runs: 0, givenUp: 0 };
    const kind: JobKind = {
      kind: 'asked',
      timeoutSeconds: 60,
      maxAttempts: 1,
      concurrency: 1,
      async run() {
        told.runs++;
        if (told.runs > 1) return;
        await ask();
        throw new Error('its own');
      },
      async givenUp({ confirm }) {
        await database.transaction(confirm);
        told.givenUp++;
      },
    };
    const worker = new Worker(database, clock, log, [kind], 30);
    await ask();
    await worker.settle();
    await worker.stop();
    assert.deepEqual(told, { runs: 2, givenUp: 0 });
    const left = await database.db.selectFrom('jobs').selectAll().where('kind', '=', 'asked').execute();
    assert.deepEqual(left, []);
  });
});
