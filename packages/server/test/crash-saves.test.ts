import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { publishLive } from './files.ts';
import { arm, chosenPoints, startToBeKilled } from './kill-points.ts';
import { rawRequest } from './raw-http.ts';
import type { ServerProcess } from './server-process.ts';
import { startService } from './service.ts';

/**
 * A round of the calls below makes about eleven commits. The process is killed before most of them, the first
 * and the last included.
 */
const killPoints = chosenPoints([1, 2, 4, 5, 7, 8, 10, 11]);
const pointsInOneTest = 4;

describe('a process that is killed while players save', () => {
  for (let first = 0; first < killPoints.length; first += pointsInOneTest) {
    const points = killPoints.slice(first, first + pointsInOneTest);
    it(`has every save that it acknowledged, and no partial save: writes ${points}`, () =>
      killBefore(points));
  }
});

interface Slot {
  readonly path: string;
  readonly authorization: string;
  /** The number of the version that was acknowledged last. `data` is its content. */
  version: number;
  data: string;
  /** Data that was sent later and not acknowledged: it may or may not be stored. Null if there is none. */
  sent: string | null;
}

async function killBefore(points: readonly number[]): Promise<void> {
  const service = await startService();
  const { slug } = (await publishLive(service, await service.creator())).space;
  const slots: Slot[] = Array.from(
    { length: 3 },
    () => `Guest ${randomBytes(32).toString('base64url')}`,
  ).flatMap((authorization) =>
    ['a', 'b'].map((slot) => ({
      path: `/api/player/saves/${slot}?space=${slug}`,
      authorization,
      version: 0,
      data: '',
      sent: null,
    })),
  );
  // The data exists now. From here on, separate server processes work on it.
  await service.service.close();

  const call = (server: ServerProcess, slot: Slot, method: string, body?: unknown) =>
    rawRequest(server.port, new URL(slot.path, server.baseUrl).href, {
      method,
      headers: {
        authorization: slot.authorization,
        'sec-fetch-site': 'same-origin',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(slot.version === 0 ? {} : { 'if-match': `"${slot.version}"` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const write = async (server: ServerProcess, slot: Slot, data: string) => {
    slot.sent = data;
    const answer = await call(server, slot, 'PUT', { data });
    assert.equal(answer.status, 200, answer.text());
    Object.assign(slot, { version: answer.json().version, data, sent: null });
  };

  let kills = 0;
  let server = await startToBeKilled(service.environment, points[0] ?? 0);
  try {
    for (const [round] of points.entries()) {
      await arm(server);
      const lost = await Promise.allSettled(
        slots.map(async (slot, index) => {
          await write(server, slot, `${round} first ${index} ${'x'.repeat(5_000)}`);
          await write(server, slot, `${round} second ${index}`);
        }),
      );
      if (lost.some(({ status }) => status === 'rejected')) {
        assert.equal((await server.ended).signal, 'SIGKILL', 'only its sudden end excuses a lost answer');
        kills++;
      } else await server.end('SIGKILL');
      server = await startToBeKilled(service.environment, points[round + 1] ?? 0);
      for (const slot of slots) {
        const read = await call(server, slot, 'GET');
        const found = read.status === 404 ? '' : read.json().data;
        assert.ok(
          found === slot.data || found === slot.sent,
          `${found.slice(0, 20)} of ${slot.data.slice(0, 20)}`,
        );
        // A client that got no answer sends the write again, with the base version that it had.
        if (slot.sent !== null) await write(server, slot, slot.sent);
      }
    }
  } finally {
    await server.end('SIGKILL');
    await service.restart();
  }
  try {
    assert.ok(kills > 0, 'it was never ended');
    const losers = await service.service.platform.database.db
      .selectFrom('save_losers')
      .select('id')
      .execute();
    assert.deepEqual(losers, [], 'what is sent again is no conflict');
  } finally {
    await service.close();
  }
}
