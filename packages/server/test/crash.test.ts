import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, describe, it } from 'node:test';
import { type Acknowledged, filesOf, publish, verify } from './crash-publish.ts';
import { arm, startToBeKilled, startWithSnapshots } from './kill-points.ts';
import { testFolder } from './prepared.ts';
import type { ServerProcess } from './server-process.ts';
import { startService } from './service.ts';

const onPostgres = process.env.TEST_ENGINE === 'postgres';
/**
 * A publish of three files makes about 42 writes on SQLite and a folder. On PostgreSQL and S3 it makes half
 * as many, because writes to the store are requests there. No kill point is behind the last write. A process
 * is killed before every third write on PostgreSQL, and before every eighth on SQLite. For SQLite, the test
 * below also looks at the data before each write.
 */
const killPoints = onPostgres
  ? Array.from({ length: 7 }, (_, index) => 1 + index * 3)
  : Array.from({ length: 5 }, (_, index) => 1 + index * 8);
/**
 * The least number of real kills. On a busy machine several writes are one commit, so some kill points are
 * not reached.
 */
const minKills = Math.floor(killPoints.length * 0.7);
/** The least number of snapshots, of about 42. On a busy machine several writes are one commit. */
const minSnapshots = 20;
const snapshotTests = 5;

const nothing: Acknowledged = { uploaded: new Set(), finished: false, live: false };
const settings = { JOB_LEASE_SECONDS: '1', PUBLISHES_PER_HOUR: '1000', CHECKS_PER_HOUR: '1000' };

describe('a process that is killed between two writes', () => {
  it(`keeps what it acknowledged, and finishes the rest after a restart: writes ${killPoints}`, async () => {
    const kills = await killBefore(killPoints);
    assert.ok(kills >= minKills, `it was ended only ${kills} times`);
  });
});

const skip = onPostgres ? 'its files are not copied in an instant' : false;

describe('a snapshot of the data before any write of a process', { skip }, () => {
  let folder: string;
  let token: string;
  /** What the client knew was done, each with the time when it learnt of it, oldest first. */
  const acknowledged: { readonly at: bigint; readonly done: Acknowledged }[] = [];
  const files = filesOf('every write');
  before(async () => {
    folder = await mkdtemp(join(testFolder, 'spaceport-snapshots-'));
    const service = await startService({ environment: settings });
    ({ token } = await service.creator());
    await service.service.close();
    const server = await startWithSnapshots(service.environment, folder);
    await arm(server);
    await publish(server, token, files, (done) =>
      acknowledged.push({ at: process.hrtime.bigint(), done }),
    ).finally(() => server.end('SIGKILL'));
    await service.restart();
    await service.close();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const isThere = (number: number) => existsSync(join(folder, `${number}.at`));

  for (let first = 1; first <= snapshotTests; first++)
    it(`has all that was acknowledged, and lets a service finish the rest: every fifth write from ${first}`, async () => {
      for (let number = first; isThere(number); number += snapshotTests) await look(number);
    });

  it(`exists for at least ${minSnapshots} writes`, () => {
    assert.ok(isThere(minSnapshots));
  });

  /** Starts a service from the snapshot with this number, and checks what it finds. */
  async function look(number: number): Promise<void> {
    const snapshot = join(folder, String(number));
    const at = BigInt(readFileSync(`${snapshot}.at`, 'utf8'));
    const done = acknowledged.findLast((one) => one.at < at)?.done ?? nothing;
    const service = await startService({ environment: { ...settings, DATA_DIR: snapshot } });
    try {
      // The leases of the killed process have expired by then.
      service.clock.advance({ seconds: 2 });
      await verify(service, token, done, files);
    } finally {
      await service.close();
    }
  }
});

/**
 * Kills a process before each of these writes of a publish, and checks what the next process finds. Returns
 * the number of kills.
 */
async function killBefore(points: readonly number[]): Promise<number> {
  // A service of this test makes the data and the account. After that, separate processes work on them.
  const service = await startService({ environment: settings });
  const { token } = await service.creator();
  await service.service.close();
  const start = (point: number) => startToBeKilled(service.environment, point);
  let kills = 0;
  let server = await start(points[0] ?? 0);
  try {
    for (const [index, point] of points.entries()) {
      const files = filesOf(`write ${point}`);
      await arm(server);
      let done = nothing;
      await publish(server, token, files, (more) => {
        done = more;
      }).catch(killed(server));
      const ended = server.child.exitCode !== null || server.child.signalCode !== null;
      if (ended) {
        kills++;
        assert.equal((await server.ended).signal, 'SIGKILL');
      } else await server.end('SIGKILL');
      // The process after the last kill is not armed: it only shows what the killed one left.
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

function killed(server: ServerProcess) {
  return async (error: unknown): Promise<void> => {
    // A failed call is accepted only if the process was killed.
    const { signal } = await server.ended;
    if (signal !== 'SIGKILL') throw error;
  };
}
