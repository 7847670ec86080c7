import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startService } from '../../test/service.ts';
import { givenId } from '../platform/db/ids.ts';

describe('the health that operators see', () => {
  it('counts jobs by kind and state, and lists those that have failed', async () => {
    const service = await startService({ role: 'serve' });
    try {
      const operator = await service.creator('ops', { operator: true });
      const health = async () => (await operator.call('GET', '/api/operator/health')).json();
      const { processes, ...found } = await health();
      const [{ started_at, memory_bytes, ...process }, ...others] = processes;
      assert.deepEqual([process, others], [{ number: 1, runs_jobs: false, restarts: 0 }, []]);
      assert.ok(memory_bytes > 0 && Date.parse(started_at) <= Date.now());
      assert.deepEqual(found, {
        database: 'ok',
        store: 'ok',
        browser: {
          state: 'elsewhere',
          version: null,
          from: null,
          age_days: null,
          sandbox: null,
          reason: null,
        },
        backup: { state: 'off', running: false, error: null, newest: null },
        open_reviews: 0,
        open_reports: 0,
        jobs: [],
        lost_count: 0,
        lost_files: [],
        failed_jobs: [],
      });
      const { db } = service.service.platform.database;
      const now = service.clock.now();
      const job = { run_at: now - 5_000, attempts: 0, created_at: now - 5_000 };
      const rows = [
        { ...job, ref: 'due' },
        { ...job, ref: 'older', run_at: now - 60_000 },
        { ...job, ref: 'later', run_at: now + 3_600_000 },
        { ...job, ref: 'running', lease: givenId('lease', 'l'), leased_until: now + 60_000 },
        { ...job, ref: 'lost', lease: givenId('lease', 'l'), leased_until: now - 1 },
        { ...job, ref: 'failed', attempts: 3, failed_at: now - 1_000, last_error: 'Error: no' },
      ];
      for (const row of rows)
        await db
          .insertInto('jobs')
          .values({ id: givenId('job', `job_${row.ref}`), kind: 'sample', ...row })
          .execute();
      const { jobs, failed_jobs } = await health();
      assert.deepEqual(jobs, [
        {
          kind: 'sample',
          waiting: 3,
          running: 1,
          later: 1,
          failed: 1,
          oldest_waiting_since: new Date(now - 60_000).toISOString(),
        },
      ]);
      assert.deepEqual(failed_jobs, [
        {
          kind: 'sample',
          ref: 'failed',
          attempts: 3,
          error: 'Error: no',
          failed_at: new Date(now - 1_000).toISOString(),
        },
      ]);
    } finally {
      await service.close({ allowFailedJobs: true });
    }
  });
});
