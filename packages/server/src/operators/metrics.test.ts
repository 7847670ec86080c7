import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { publishLive } from '../../test/files.ts';
import { readMetrics } from '../../test/metrics.ts';
import { startService } from '../../test/service.ts';
import { givenId } from '../platform/db/ids.ts';

const content = 'spaceport_content_duration_seconds_count';
const lookups = 'spaceport_cache_lookups_total';
const database = 'spaceport_database_duration_seconds_count';
const store = 'spaceport_store_duration_seconds_count';

describe('/metrics', () => {
  it('counts requests by operation and host, cache hits, and calls of the database and the store', async (context) => {
    const service = await startService();
    context.after(() => service.close());
    const creator = await service.creator();
    const { space } = await publishLive(service, creator);
    const before = await readMetrics(service);
    const live = service.service.platform.urls.live(space.slug);
    for (const path of ['', '', 'nowhere.js']) await service.get(`${live}${path}`);
    for (let asked = 0; asked < 3; asked++) await service.get(`${service.baseUrl}/api/gallery`);
    const kept = await readMetrics(service);
    assert.ok(kept.sum('spaceport_cache_bytes', { cache: 'responses' }) > 0);
    await creator.call('PATCH', `/api/spaces/${space.slug}`, { title: 'Moon Hopper II' });
    const after = await readMetrics(service);
    const grown = (name: string, labels?: Record<string, string>) =>
      after.sum(name, labels) - before.sum(name, labels);

    const requests = 'spaceport_http_request_duration_seconds_count';
    assert.equal(grown(requests, { operation: 'readGallery', status: '200' }), 3);
    assert.equal(grown(requests, { operation: 'changeSpace', status: '200' }), 1);
    assert.equal(grown(content, { host: 'play', status: '200' }), 2);
    assert.equal(grown(content, { host: 'play', status: '404' }), 1);
    assert.equal(grown(content, { host: 'preview' }), 0);
    assert.equal(grown(lookups, { cache: 'responses', result: 'miss' }), 1);
    assert.equal(grown(lookups, { cache: 'responses', result: 'hit' }), 2);
    assert.ok(after.sum(store, { call: 'write', outcome: 'ok' }) > 0);
    assert.ok(grown(database, { of: 'transaction', outcome: 'ok' }) >= 1);
    assert.ok(grown(database, { of: 'statement', outcome: 'ok' }) >= 2);
    assert.equal(grown(database, { outcome: 'error' }), 0);
  });

  it('counts small files from memory separately from reads of the store', async (context) => {
    const service = await startService();
    context.after(() => service.close());
    const { space } = await publishLive(service, await service.creator());
    const script = `${service.service.platform.urls.live(space.slug)}game.js`;
    const before = await readMetrics(service);
    for (let asked = 0; asked < 3; asked++) assert.equal((await service.get(script)).status, 200);
    const after = await readMetrics(service);
    const grown = (name: string, labels: Record<string, string>) =>
      after.sum(name, labels) - before.sum(name, labels);
    assert.deepEqual(
      [
        grown(lookups, { cache: 'bodies', result: 'miss' }),
        grown(lookups, { cache: 'bodies', result: 'hit' }),
        grown(store, { call: 'read', outcome: 'ok' }),
      ],
      [1, 2, 1],
    );
    assert.ok(after.sum('spaceport_cache_bytes', { cache: 'bodies' }) > 0);
  });

  it('shows the queue and its age, which every node reads from the database', async (context) => {
    const service = await startService({ role: 'serve' });
    context.after(() => service.close({ allowFailedJobs: true }));
    const { db } = service.service.platform.database;
    const now = service.clock.now();
    const job = { kind: 'sample', attempts: 0, created_at: now - 5_000 };
    const rows = [
      { ...job, ref: 'due', run_at: now - 5_000 },
      { ...job, ref: 'older', run_at: now - 60_000 },
      { ...job, ref: 'later', run_at: now + 60_000 },
      { ...job, ref: 'failed', run_at: now, failed_at: now },
    ];
    for (const row of rows)
      await db
        .insertInto('jobs')
        .values({ id: givenId('job', `job_${row.ref}`), ...row })
        .execute();
    const queue = async () => {
      const { sum } = await readMetrics(service);
      const states = ['waiting', 'running', 'later', 'failed'].map((state) =>
        sum('spaceport_jobs', { kind: 'sample', state }),
      );
      const seconds = Math.floor(sum('spaceport_oldest_job_seconds', { kind: 'sample' }));
      return [...states, seconds, sum('spaceport_lost_files')];
    };
    assert.deepEqual(await queue(), [2, 0, 1, 1, 60, 0]);
    await db.deleteFrom('jobs').where('run_at', '<', now).execute();
    assert.deepEqual(await queue(), [0, 0, 1, 1, 0, 0]);
    await db.deleteFrom('jobs').execute();
    assert.deepEqual(await queue(), [0, 0, 0, 0, 0, 0]);
  });
});
