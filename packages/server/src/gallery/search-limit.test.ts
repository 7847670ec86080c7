import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startService } from '../../test/service.ts';

describe('searches of the gallery', () => {
  it('are counted by network; lists and kept answers are not', async () => {
    const service = await startService({ role: 'serve', environment: { SEARCHES_PER_MINUTE: '60' } });
    try {
      for (const path of ['/api/gallery', '/']) {
        const ask = (query: string) => service.get(`${service.baseUrl}${path}${query}`);
        const answers = await Promise.all(Array.from({ length: 120 }, (_, index) => ask(`?q=moon${index}`)));
        assert.ok(answers.filter(({ status }) => status === 200).length >= 60, path);
        const limited = answers.find(({ status }) => status === 429);
        assert.ok(Number(limited?.headers['retry-after']) > 0, path);
        if (path !== '/') assert.equal(limited?.json().error, 'rate_limited');
        assert.equal((await ask('')).status, 200);
      }
      service.clock.advance({ minutes: 1 });
      for (const path of ['/api/gallery', '/'])
        for (let count = 0; count < 120; count++)
          assert.equal((await service.get(`${service.baseUrl}${path}?q=kept`)).status, 200, path);
      assert.equal((await service.get(`${service.baseUrl}/api/gallery?q=moon`)).status, 200);
    } finally {
      await service.close();
    }
  });
});
