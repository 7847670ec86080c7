import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { browserSetting } from '../../../test/browser.ts';
import { publishLive } from '../../../test/files.ts';
import { startService } from '../../../test/service.ts';

describe('the files that a page requests first', () => {
  it('are sent to browsers as hints after a check has seen them', async () => {
    const environment = { BROWSER: browserSetting(), CHECK_SECONDS: '100' };
    const service = await startService({ environment });
    try {
      const creator = await service.creator();
      const { space, version } = await publishLive(service, creator, {
        'index.html': `<!doctype html><title>Moon</title><h1>Moon</h1><script type="module" src="main.js"></script>`,
        'main.js': 'import "./chunks/level.js";',
        'chunks/level.js':
          'fetch("moon.json").then((answer) => answer.json()); new Image().src = "moon.png";',
        'moon.json': '{"craters":3}',
        'moon.png': 'x',
      });
      const { url } = await creator.client.readSpace({ params: { slug: space.slug } });
      assert.equal(
        (await service.get(`${url}~${version.number}/`)).headers.link,
        '<./main.js>; rel=modulepreload, <./chunks/level.js>; rel=modulepreload, <./moon.json>; rel=preload; as=fetch; crossorigin',
      );
    } finally {
      await service.close();
    }
  });
});
