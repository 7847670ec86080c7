import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { tarOf } from '../../test/archives.ts';
import { page } from '../../test/files.ts';
import { connectMcp } from '../../test/mcp-client.ts';
import { as, oneCalls } from '../../test/one-call.ts';
import { startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

let service: TestService;
before(async () => {
  service = await startService({ environment: { CHECKS_PER_HOUR: '1' } });
});
after(() => service.close());

test('an agent whose version gets no check is told to publish later, and not to wait', async () => {
  const ada = await service.creator('ada');
  await using agent = await connectMcp(service.baseUrl, { persona: ada });
  const publish = (text: string, given: object) =>
    agent.call('publish', { files: [{ path: 'index.html', text }], live: true, wait: 0, ...given });
  const { space } = await publish(page, { title: 'Moon Hopper' });
  await service.settle();

  const over = await publish(`${page}<p>2`, { space });
  const read = await agent.call('status', { version: over.versionId });
  for (const told of [over, read]) {
    assert.deepEqual([told.status, told.stopped], ['checking', true]);
    assert.match(told.reason, /hour/u);
    assert.match(told.next, /publish again later/u);
  }
  const { send } = oneCalls(() => service);
  const sent = await send(
    await tarOf({ 'index.html': `${page}<p>3` }),
    { space, live: 'true', wait: '0' },
    as(ada),
  );
  assert.deepEqual([sent.status, sent.json().status, sent.json().stopped], [201, 'checking', true]);
});
