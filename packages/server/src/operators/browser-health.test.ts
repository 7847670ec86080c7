import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askUntil } from '../../test/ask-until.ts';
import { browserSetting } from '../../test/browser.ts';
import { startService } from '../../test/service.ts';

describe('the health that operators see', () => {
  it('names the browser, its age and its sandbox, or the reason why it has none', async () => {
    const health = async (environment: Record<string, string>) => {
      const service = await startService({ environment });
      try {
        const operator = await service.creator('ops', { operator: true });
        const read = async () => (await operator.call('GET', '/api/operator/health')).json().browser;
        return await askUntil(read, ({ state }) => state !== 'starting');
      } finally {
        await service.close();
      }
    };
    const none = await health({ BROWSER: 'none' });
    assert.deepEqual([none.state, none.reason, none.version], ['off', 'BROWSER is none.', null]);
    const on = await health({ BROWSER: browserSetting() });
    assert.deepEqual([on.state, on.sandbox], ['ready', true]);
    assert.match(on.version, /^\d{3,}\./u);
    assert.equal(typeof on.age_days, 'number');
    const off = await health({ BROWSER: browserSetting(), BROWSER_SANDBOX: 'off' });
    assert.deepEqual([off.state, off.sandbox], ['ready', false]);
    assert.match(off.reason, /without a sandbox, because BROWSER_SANDBOX is off/u);
  });
});
