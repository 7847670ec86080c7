import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '@spaceport/client/client';
import { fail } from '../../../client/test/fake-answers.ts';
import { FakeService } from '../../../client/test/fake-service.ts';
import { untilChecked } from './use-checked.ts';

test('nobody waits for a version that was deleted, or that the session may not read any more', async (t) => {
  const service = await FakeService.start();
  t.after(() => service.close());
  const client = createClient({ baseUrl: service.baseUrl, retry: { baseMs: 1, maxMs: 1 } });
  const ending = new AbortController();
  for (const [status, code] of [
    [404, 'not_found'],
    [401, 'unauthorized'],
  ] as const) {
    service.log.length = 0;
    service.intercept = () => fail(status, code, 'No.');
    assert.equal(await untilChecked(client, 'v_1', ending.signal), null);
    assert.equal(service.log.length, 1);
  }
});
