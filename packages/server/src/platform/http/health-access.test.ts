import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startService, type TestService } from '../../../test/service.ts';
import '../../../test/one-engine.ts';

describe('health', () => {
  it('shows the state of the database and the store, and the metrics to this machine', async () => {
    const service = await startService();
    try {
      assert.deepEqual((await service.get(`${service.baseUrl}/readyz`)).json(), {
        status: 'ok',
        database: 'ok',
        store: 'ok',
      });
      await service.get(`${service.baseUrl}/api/agent/me`);
      const metrics = (await service.get(`${service.baseUrl}/metrics`)).text();
      assert.match(
        metrics,
        /spaceport_http_request_duration_seconds_count\{route="\/api\/agent\/me",method="GET",status="401",operation="readMe"\} 1/u,
      );
    } finally {
      await service.close();
    }
  });

  it('hides the metrics from requests through a proxy', async () => {
    const asked = (service: TestService, headers: Record<string, string> = {}) =>
      service.get(`${service.baseUrl}/metrics`, { headers }).then(({ status }) => status);
    const direct = await startService({ role: 'serve' });
    try {
      for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
        assert.equal(await asked(direct, { [name]: '203.0.113.9' }), 401, name);
    } finally {
      await direct.close();
    }
    for (const TRUST_PROXY of ['true', '2', '127.0.0.0/8']) {
      const proxied = await startService({ role: 'serve', environment: { TRUST_PROXY } });
      try {
        assert.equal(await asked(proxied), 401);
        assert.equal(await asked(proxied, { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' }), 401);
        assert.equal(await asked(proxied, { 'x-forwarded-for': '127.0.0.1' }), 401);
      } finally {
        await proxied.close();
      }
    }
  });

  it('requires the token for the metrics when one is set', async () => {
    const service = await startService({ environment: { METRICS_TOKEN: 'let-me-in' } });
    try {
      assert.equal((await service.get(`${service.baseUrl}/metrics`)).status, 401);
      assert.equal(
        (await service.get(`${service.baseUrl}/metrics`, { headers: { authorization: 'Bearer let-me-in' } }))
          .status,
        200,
      );
    } finally {
      await service.close();
    }
  });
});
