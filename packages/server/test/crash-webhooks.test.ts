import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { publishLive } from './files.ts';
import { arm, startToBeKilled } from './kill-points.ts';
import { type RawAnswer, rawRequest } from './raw-http.ts';
import type { ServerProcess } from './server-process.ts';
import { startService } from './service.ts';
import { openReceiver } from './webhook-receiver.ts';

/** A report with its delivery makes some thirty statements; the process is ended before every fourth of them. */
const killPoints = Array.from({ length: 9 }, (_, index) => 1 + index * 4);
const pointsInOneTest = 3;

describe('a process that is killed while something happens and webhooks are told', () => {
  for (let first = 0; first < killPoints.length; first += pointsInOneTest) {
    const points = killPoints.slice(first, first + pointsInOneTest);
    it(`tells all that happened, and nothing else: statements ${points}`, () => killBefore(points));
  }
});

async function killBefore(points: readonly number[]): Promise<void> {
  const receiver = await openReceiver();
  const service = await startService({
    environment: { FETCH_ALLOW: receiver.address, REPORTS_PER_HOUR: '1000' },
  });
  const owner = await service.creator();
  const { slug } = (await publishLive(service, owner)).space;
  const webhooks = [{ url: receiver.url('/hook'), events: ['report.opened'] }];
  const put = await owner.call('PUT', `/api/spaces/${slug}/webhooks`, { webhooks });
  assert.equal(put.status, 200, put.text());
  // From here on processes of their own work on the data.
  await service.service.close();

  const report = ({ port, baseUrl }: ServerProcess): Promise<RawAnswer> =>
    rawRequest(port, new URL(`/api/gallery/${slug}/report`, baseUrl).href, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'spam' }),
    });
  let acknowledged = 0;
  let kills = 0;
  for (const point of points) {
    const server = await startToBeKilled(service.environment, point);
    try {
      await arm(server);
      const answers = await Promise.allSettled([report(server), report(server), report(server)]);
      for (const answer of answers) {
        if (answer.status === 'rejected') continue;
        assert.equal(answer.value.status, 202, answer.value.text());
        acknowledged++;
      }
      if (answers.some(({ status }) => status === 'rejected')) {
        assert.equal((await server.ended).signal, 'SIGKILL', 'only its sudden end excuses a lost answer');
        kills++;
      }
    } finally {
      await server.end('SIGKILL');
    }
  }
  await service.restart();
  try {
    assert.ok(kills > 0, 'it was never ended');
    // What a killed worker had leased is free again.
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
