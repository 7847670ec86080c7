import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readMetrics } from '../../test/metrics.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { newId } from '../platform/secrets/id.ts';
import { countJobs } from './jobs.queries.ts';

/** More than two pieces of a list. */
const accounts = 10_400;
const jobs = 5_200;
const atOnce = 2_600;

/** Calls `act` for each of the rows, so many at once. */
async function inBatches(count: number, act: (size: number, from: number) => Promise<unknown>) {
  for (let from = 0; from < count; from += atOnce) await act(atOnce, from);
}

describe('lists of operators that are longer than a statement reads', () => {
  let service: TestService;
  let operator: Persona;
  before(async () => {
    service = await startService({ role: 'serve' });
    operator = await service.creator('first_ever', { operator: true });
    service.clock.advance({ seconds: 1 });
    await service.creator('second_ever');
    service.clock.advance({ seconds: 1 });
    // All of them are of one moment, so that a piece ends among equals.
    const { database, clock } = service.service.platform;
    const created_at = clock.now();
    await inBatches(accounts, (size, from) =>
      database.db
        .insertInto('creators')
        .values(
          Array.from({ length: size }, (_, at) => {
            const handle = `one_${from + at}`;
            const email = `${handle}@example.org`;
            return {
              id: newId('usr'),
              handle,
              name: handle,
              email,
              operator: 0,
              banned_at: null,
              created_at,
            };
          }),
        )
        .execute(),
    );
  });
  after(() => service.close());

  const find = async (query: string) => {
    const { accounts: found, next } = (await operator.call('GET', `/api/operator/accounts?${query}`)).json();
    return { handles: found.map(({ handle }: { handle: string }) => handle) as string[], next };
  };

  it('find the oldest accounts, in pages', async () => {
    assert.deepEqual(await find('q=_ever'), { handles: ['second_ever', 'first_ever'], next: null });
    const { handles, next } = await find('q=_ever&limit=1');
    assert.deepEqual(handles, ['second_ever']);
    assert.deepEqual(await find(`q=_ever&limit=1&cursor=${next}`), { handles: ['first_ever'], next: null });
    assert.deepEqual(await find('q=nobody_at_all'), { handles: [], next: null });
  });

  it('find each account once', async () => {
    const found: string[] = [];
    let next: string | null = '';
    while (next !== null) {
      const page: Awaited<ReturnType<typeof find>> = await find(`q=_1&limit=100${next && `&cursor=${next}`}`);
      found.push(...page.handles);
      next = page.next;
    }
    const { db } = service.service.platform.database;
    const rows = await db.selectFrom('creators').select('handle').execute();
    const all = rows.map(({ handle }) => handle ?? '').filter((handle) => handle.includes('_1'));
    assert.deepEqual(found.toSorted(), all.toSorted());
  });

  it('count each job once', async () => {
    const { database, clock } = service.service.platform;
    const now = clock.now();
    const job = { run_at: now - 1_000, attempts: 0, outages: 0, asks: 1, created_at: now, failed_at: null };
    await inBatches(jobs, (size, from) =>
      database.db
        .insertInto('jobs')
        .values(
          Array.from({ length: size }, (_, at) => ({
            ...job,
            id: newId('job'),
            kind: (from + at) % 2 === 0 ? 'even' : 'odd',
            ref: `ref_${from + at}`,
            run_at: from + at === 7 ? now - 9_000 : job.run_at,
            failed_at: from + at < 10 ? now : null,
          })),
        )
        .execute(),
    );
    const counted = (await countJobs(database.db, now)).filter(({ kind }) => ['even', 'odd'].includes(kind));
    await database.db.deleteFrom('jobs').where('kind', 'in', ['even', 'odd']).execute();
    const same = { running: 0, later: 0, failed: 5, waiting: jobs / 2 - 5 };
    const since = new Date(now - 1_000).toISOString();
    assert.deepEqual(
      counted.map((kind) => ({ ...kind, oldest_waiting_since: Date.parse(kind.oldest_waiting_since ?? '') })),
      ['even', 'odd'].map((kind) => ({ kind, ...same, oldest_waiting_since: Date.parse(since) })),
    );
  });

  it('count each lost file that something names, and list those that were found first', async () => {
    const { db } = service.service.platform.database;
    const files = 2_600;
    const keyOf = (at: number) => `${String((at * 7) % files).padStart(64, '0')}-${at}`;
    await inBatches(files, (size, from) =>
      db
        .insertInto('damaged_files')
        .values(
          Array.from({ length: size }, (_, at) => ({
            key: keyOf(from + at),
            problem: 'missing',
            found_at: from + at,
          })),
        )
        .execute(),
    );
    // Nothing names the first five any more.
    const file = { size: 1, public: 0, shared_memory: 0, packed: 1, created_at: 0 } as const;
    const named = Array.from({ length: files - 5 }, (_, at) => keyOf(at + 5));
    await db
      .insertInto('blobs')
      .values(named.map((key) => ({ ...file, hash: key.slice(0, 64), key })))
      .execute();
    const health = (await operator.call('GET', '/api/operator/health')).json();
    const { sum } = await readMetrics(service);
    await db.deleteFrom('damaged_files').execute();
    await db.deleteFrom('blobs').where('key', 'in', named).execute();
    assert.deepEqual([health.lost_count, sum('spaceport_lost_files')], [files - 5, files - 5]);
    assert.deepEqual(
      health.lost_files.map(({ key }: { key: string }) => key),
      named.slice(0, 100),
    );
  });
});
