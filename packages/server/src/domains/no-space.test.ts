import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('a host name that no space has', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ environment: { CUSTOM_DOMAINS: 'on' } });
  });
  after(() => service.close());
  const at = (path: string, options = {}) =>
    service.get(`http://games.maker.example:${service.port}${path}`, options);

  it('shows a person a page, and tells a program the error', async () => {
    const shown = await at('/level?<b>', { headers: browser });
    assert.equal(shown.status, 421);
    assert.match(String(shown.headers['content-type']), /^text\/html/u);
    assert.match(shown.text(), /No space is here/u);
    assert.doesNotMatch(shown.text(), /maker|<b>/u);
    assert.match(String(shown.headers['content-security-policy']), /^default-src 'none'/u);
    assert.deepEqual(
      [shown.headers['cache-control'], shown.headers.connection],
      ['private, no-store', 'close'],
    );
    assert.equal((await at('/', { method: 'HEAD', headers: browser })).status, 421);
    for (const options of [{}, { method: 'POST', headers: browser }]) {
      const told = await at('/', options);
      assert.deepEqual([told.status, told.json().error], [421, 'wrong_host']);
    }
    assert.equal((await at('/healthz', { headers: browser })).status, 200);
  });
});
