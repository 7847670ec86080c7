import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { publishLive, smallGame } from '../../test/files.ts';
import { type Outage, startWithOutage } from '../../test/outage.ts';
import type { Persona, TestService } from '../../test/service.ts';

const skip = process.env.TEST_ENGINE !== 'postgres' && 'SQLite answers reads while it is locked';

describe('a game whose database goes away', { skip }, () => {
  let outage: Outage;
  let service: TestService;
  let creator: Persona;
  before(async () => {
    outage = await startWithOutage();
    service = outage.service;
    creator = await service.creator();
  });
  after(() => outage.close());

  const statusOf = async (slug: string, path = '') =>
    (await service.get(`${service.service.platform.urls.live(slug)}${path}`)).status;

  it('goes on with files that nobody has asked for yet, and ends at once when it is taken offline after that', async () => {
    const { space } = await publishLive(service, creator, { ...smallGame, 'level-2.json': '[]' });
    const asleep = await publishLive(service, creator, smallGame);
    assert.equal(await statusOf(space.slug), 200);
    await outage.begin();
    assert.equal(await statusOf(space.slug), 200);
    assert.equal(await statusOf(space.slug, 'level-2.json'), 200);
    assert.equal(await statusOf(asleep.space.slug), 503, 'this node does not know it');
    const readiness = await service.get(`${service.baseUrl}/readyz/content`);
    assert.deepEqual([readiness.status, readiness.json().status], [200, 'degraded']);
    assert.equal((await service.get(`${service.baseUrl}/readyz`)).status, 503);
    await outage.end();
    assert.equal((await creator.call('POST', `/api/spaces/${space.slug}/offline`)).status, 200);
    assert.equal(await statusOf(space.slug, 'level-2.json'), 410);
  });
});
