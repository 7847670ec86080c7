import assert from 'node:assert/strict';
import process from 'node:process';
import { describe, it } from 'node:test';
import { createClient } from '@spaceport/client/client';
import { fileEntries, listing, sha256 } from './files.ts';
import { arm, startToBeKilled } from './kill-points.ts';
import { rawRequest } from './raw-http.ts';
import type { ServerProcess } from './server-process.ts';
import { startService } from './service.ts';
import { withoutModule } from './without-module.ts';

/**
 * A publish of three files makes some 42 writes on SQLite and a folder, and half of them on PostgreSQL and S3, where those
 * of the store are requests; past the last one there is nothing more to end. The process is ended before each of them on
 * SQLite, and before every third on PostgreSQL: the commits are the same on both.
 */
const killPoints =
  process.env.TEST_ENGINE === 'postgres'
    ? Array.from({ length: 7 }, (_, index) => 1 + index * 3)
    : Array.from({ length: 44 }, (_, index) => 1 + index);
/** At least so many of them are ends of a real process: on a busy machine writes that come at once are one commit. */
const minKills = Math.floor(killPoints.length * 0.7);
const pointsInOneTest = 5;

/** What the service has acknowledged of one publish. */
interface Acknowledged {
  id?: string;
  slug?: string;
  readonly uploaded: Set<string>;
  finished: boolean;
  live: boolean;
}

describe('a process that is killed between any two writes', () => {
  let kills = 0;

  for (let first = 0; first < killPoints.length; first += pointsInOneTest) {
    const points = killPoints.slice(first, first + pointsInOneTest);
    it(`has kept what it acknowledged, and finishes the rest: writes ${points}`, async () => {
      kills += await killBefore(points);
    });
  }

  it(`was ended at least ${minKills} times`, () => {
    assert.ok(kills >= minKills, `only ${kills} times`);
  });
});

/** Ends a process before each of these writes of a publish, and looks at what the next one finds. Returns how often. */
async function killBefore(points: readonly number[]): Promise<number> {
  // A service of the test's own makes the data and the account; then processes work on them.
  const service = await startService({
    environment: { JOB_LEASE_SECONDS: '1', PUBLISHES_PER_HOUR: '1000', CHECKS_PER_HOUR: '1000' },
  });
  const { token } = await service.creator();
  await service.service.close();
  const start = (point: number) => startToBeKilled(service.environment, point);
  let kills = 0;
  let server = await start(points[0] ?? 0);
  try {
    for (const [index, point] of points.entries()) {
      const mark = `write ${point}`;
      // The last is too long to be written in one go.
      const files = {
        'index.html': `<title>${mark}</title>`,
        'a.txt': `a ${mark}`,
        'long.txt': `${mark} `.repeat(50_000),
      };
      await arm(server);
      const done = (await publish(server, token, files).catch(killed(server))) ?? partial;
      const ended = server.child.exitCode !== null || server.child.signalCode !== null;
      if (ended) {
        kills++;
        assert.equal((await server.ended).signal, 'SIGKILL');
      } else await server.end('SIGKILL');
      // The last one is armed no more: it only shows what the one before it left.
      server = await start(points[index + 1] ?? 0);
      await verify(server, token, done, files);
    }
    return kills;
  } finally {
    await server.end('SIGKILL');
    await service.restart();
    await service.close();
  }
}

/** What was acknowledged before the connection broke. */
let partial: Acknowledged;

function killed(server: ServerProcess) {
  return async (error: unknown): Promise<null> => {
    // Only its sudden end excuses a failed call.
    const { signal } = await server.ended;
    if (signal !== 'SIGKILL') throw error;
    return null;
  };
}

async function publish(
  server: ServerProcess,
  token: string,
  files: Record<string, string>,
): Promise<Acknowledged> {
  const done: Acknowledged = { uploaded: new Set(), finished: false, live: false };
  partial = done;
  const client = createClient({ baseUrl: server.baseUrl, token, retry: false });
  const created = await client.createVersion({
    body: { fields: { ...listing, devices: ['desktop'] }, files: fileEntries(files) },
  });
  assert.ok('version' in created);
  done.id = created.version.id;
  done.slug = created.space.slug;
  await upload(server, created.uploads, files, done);
  await client.finishVersion({ params: { id: done.id }, body: { preview: false } });
  done.finished = true;
  const read = await client.readVersion({ params: { id: done.id }, query: { wait: 10 } });
  done.live = read.status === 'live';
  return done;
}

async function upload(
  server: ServerProcess,
  uploads: { sha256: string; url: string }[],
  files: Record<string, string>,
  done: Acknowledged,
) {
  for (const { sha256: hash, url } of uploads) {
    const content = Object.values(files).find((text) => sha256(text) === hash) ?? '';
    const answer = await rawRequest(server.port, url, {
      method: 'PUT',
      body: content,
      headers: { 'content-length': String(content.length) },
    });
    assert.equal(answer.status, 200, answer.text());
    done.uploaded.add(hash);
  }
}

/** Everything acknowledged is there; what was not finished can be, and what was is judged and served. */
async function verify(
  server: ServerProcess,
  token: string,
  done: Acknowledged,
  files: Record<string, string>,
): Promise<void> {
  if (done.id === undefined || done.slug === undefined) return;
  const client = createClient({ baseUrl: server.baseUrl, token, retry: false });
  const params = { id: done.id };
  const read = await client.readVersion({ params });
  for (const entry of fileEntries(files)) {
    if (done.uploaded.has(entry.sha256))
      assert.ok(!read.missing?.includes(entry.path), `${entry.path} was acknowledged`);
  }
  if (done.finished) assert.notEqual(read.status, 'uploading');
  if (done.live) assert.equal(read.status, 'live');
  if (read.status === 'uploading') {
    const { uploads } = await client.freshUploads({ params });
    await upload(server, uploads, files, done);
    await client.finishVersion({ params, body: { preview: false } });
  }
  let judged = await client.readVersion({ params, query: { wait: 20 } });
  if (judged.status === 'checking') judged = await client.readVersion({ params, query: { wait: 20 } });
  assert.equal(judged.status, 'live', `${judged.status}: ${judged.reason}`);
  const live = new URL(server.baseUrl);
  live.host = `${done.slug}.play.localhost:${live.port}`;
  for (const [path, content] of Object.entries(files)) {
    const served = await rawRequest(server.port, new URL(path, live).href);
    assert.equal(served.status, 200, path);
    assert.equal(withoutModule(served.text()), content);
  }
}
