import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { publishLive } from './files.ts';
import { arm, chosenPoints, startToBeKilled } from './kill-points.ts';
import { type RawAnswer, rawRequest } from './raw-http.ts';
import type { ServerProcess } from './server-process.ts';
import { startService } from './service.ts';
import { openReceiver } from './webhook-receiver.ts';

/**
 * A report with its delivery makes about five writes. The process is killed before each of them, and before
 * those of the next report.
 */
const killPoints = chosenPoints([1, 2, 3, 4, 5, 6, 7, 8]);
const pointsInOneTest = 4;
const mostReports = 20;

describe('a process that is killed while webhooks are sent', () => {
  for (let first = 0; first < killPoints.length; first += pointsInOneTest) {
    const points = killPoints.slice(first, first + pointsInOneTest);
    it(`delivers every event, and no other: writes ${points}`, () => killBefore(points));
  }
});

async function killBefore(points: readonly number[]): Promise<void> {
  const receiver = await openReceiver();
  const service = await startService({
    environment: { FETCH_ALLOW: receiver.address, REPORTS_PER_HOUR: '1000', JOB_LEASE_SECONDS: '1' },
  });
  const owner = await service.creator();
  const { slug } = (await publishLive(service, owner)).space;
  const webhooks = [{ url: receiver.url('/hook'), events: ['report.opened'] }];
  const put = await owner.call('PUT', `/api/spaces/${slug}/webhooks`, { webhooks });
  assert.equal(put.status, 200, put.text());
  // From here on, separate server processes work on the data.
  await service.service.close();

  const report = ({ port, baseUrl }: ServerProcess): Promise<RawAnswer> =>
    rawRequest(port, new URL(`/api/gallery/${slug}/report`, baseUrl).href, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'spam' }),
    });
  let acknowledged = 0;
  /**
   * Sends reports one after the other until the process ends. Each report waits for the webhook of the
   * previous one.
   */
  async function reportUntilItEnds(server: ServerProcess): Promise<void> {
    for (let count = 0; count < mostReports; count++) {
      const told = Promise.withResolvers<void>();
      receiver.answer('/hook', (response) => {
        response.end('ok');
        told.resolve();
      });
      const answer = await report(server).catch(() => null);
      if (answer === null) break;
      assert.equal(answer.status, 202, answer.text());
      acknowledged++;
      await Promise.race([told.promise, server.ended]);
    }
    assert.equal((await server.ended).signal, 'SIGKILL');
  }
  for (const point of points) {
    const server = await startToBeKilled(service.environment, point);
    try {
      await arm(server);
      await reportUntilItEnds(server);
    } finally {
      await server.end('SIGKILL');
    }
  }
  await service.restart();
  try {
    // The leases of the killed worker have expired by then.
    service.clock.advance({ minutes: 1 });
    await service.settle();
    const { db } = service.service.platform.database;
    const reports = await db.selectFrom('reports').select('id').execute();
    assert.ok(reports.length >= acknowledged, `${reports.length} of ${acknowledged}`);
    const told = new Set(receiver.received('/hook').map(({ event }) => event.id));
    assert.equal(told.size, reports.length);
    const waiting = await db
      .selectFrom('webhook_deliveries')
      .select('event_id')
      .where('state', '!=', 'delivered')
      .execute();
    assert.deepEqual(waiting, []);
  } finally {
    await service.close();
    await receiver.close();
  }
}
