import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Persona, startService, type TestService } from '../../../test/service.ts';
import '../../../test/one-engine.ts';

describe('a response under /api', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService();
    creator = await service.creator();
  });
  after(() => service.close());

  it('has for HEAD the status and the headers of GET', async () => {
    for (const path of [
      '/api/spaces',
      '/api/spaces/none',
      '/api/agent/me',
      '/api/gallery',
      '/api/gallery?sort=nonsense',
      '/api/v1/hosting/versions/none?wait=1',
      '/.well-known/jwks.json',
      '/oembed',
    ]) {
      const [head, get] = [await creator.call('HEAD', path), await creator.call('GET', path)];
      const told = ({ status, headers }: typeof head) =>
        ['content-type', 'content-length', 'cache-control', 'etag'].map((name) => [status, headers[name]]);
      assert.deepEqual([head.body.length, told(head)], [0, told(get)], path);
    }
    const post = await creator.call('HEAD', '/api/agent/login');
    assert.deepEqual([post.status, post.headers.allow], [405, 'POST']);
  });
});
