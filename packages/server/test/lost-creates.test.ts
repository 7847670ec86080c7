import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createClient } from '@spaceport/client/client';
import { newCreateKey } from '@spaceport/client/create-key';
import { type PublishOptions, publish } from '@spaceport/client/publish';
import { listing, smallGame, sourceFiles } from './files.ts';
import { type LosingProxy, type Loss, openLosingProxy } from './lost-answers.ts';
import { startService, type TestService } from './service.ts';

const create = '/api/v1/hosting/versions';

describe('a publish whose create is done and not answered', () => {
  let service: TestService;
  let proxy: LosingProxy;
  before(async () => {
    service = await startService({
      environment: { ANONYMOUS_PUBLISHES_PER_HOUR: '1000', PUBLISHES_PER_HOUR: '1000' },
    });
  });
  after(() => service.close());
  beforeEach(async () => {
    proxy = await openLosingProxy(service.baseUrl);
  });
  afterEach(() => proxy.close());

  let count = 0;
  const newTitle = () => `Lost ${++count}`;
  const loseCreates = (loss: Loss, times: number) => {
    proxy.lose = (_method, path) => (path === create && times-- > 0 ? loss : null);
  };
  /** Publishes through the proxy. */
  const run = (token: string | undefined, title: string, more: Partial<PublishOptions> = {}) => {
    const retry = { attempts: 3, baseMs: 1, maxMs: 1 };
    const client = createClient({ baseUrl: proxy.url, token, retry, timeoutMs: 2_000 });
    return publish(client, {
      source: { files: sourceFiles(smallGame) },
      details: { fields: { ...listing, devices: [...listing.devices], title } },
      wait: false,
      ...more,
    });
  };
  const madeBy = async (title: string) => {
    const { db } = service.service.platform.database;
    const made = await db
      .selectFrom('spaces')
      .innerJoin('versions', 'versions.space_id', 'spaces.id')
      .select(['spaces.slug', 'versions.status'])
      .where('spaces.title', '=', title)
      .execute();
    return made;
  };

  for (const loss of ['cut', 502, 503, 504, 'silence'] as const)
    it(`makes one space where the answer is lost by ${loss}`, async () => {
      const { token } = await service.creator();
      for (const who of [token, undefined]) {
        const title = newTitle();
        const lost = proxy.lost;
        loseCreates(loss, 1);
        const { space, version } = await run(who, title);
        assert.equal(proxy.lost, lost + 1);
        if (who !== undefined) assert.equal(space.slug, title.toLowerCase().replace(' ', '-'));
        assert.equal(version.number, 1);
        assert.deepEqual(await madeBy(title), [{ slug: space.slug, status: 'preview' }]);
      }
    });

  it('goes on with it in a later publish that has the same key', async () => {
    const { token } = await service.creator();
    for (const who of [token, undefined]) {
      const [title, createKey] = [newTitle(), newCreateKey()];
      loseCreates('cut', 3);
      await assert.rejects(run(who, title, { createKey }), { name: 'ConnectionError' });
      const { space } = await run(who, title, { createKey });
      assert.deepEqual(await madeBy(title), [{ slug: space.slug, status: 'preview' }]);
      const other = newTitle();
      const next = await run(who, other, { createKey });
      assert.notEqual(next.space.slug, space.slug);
      assert.equal((await madeBy(other)).length, 1);
    }
  });

  it('makes one version of a space that is there', async () => {
    const { token } = await service.creator();
    const title = newTitle();
    const { space } = await run(token, title);
    loseCreates('cut', 2);
    const source = { files: sourceFiles({ 'index.html': '<title>Next</title>' }) };
    const { version } = await run(token, title, { source, details: { space: space.slug } });
    assert.equal(version.number, 2);
    assert.equal((await madeBy(title)).length, 2);
  });
});
