import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CacheKeys } from './cache-keys.ts';

describe('the cache key of a response', () => {
  const keys = new CacheKeys();
  keys.add('/', { query: ['sort', 'cursor'], never: ['q'], ignoresOthers: true });
  keys.add('/api/list', { query: ['sort', 'limit'] });
  keys.add('/api/list/:slug/boards/:key', { query: [] });
  keys.add('/@:handle', { query: [] });
  keys.add('/docs/*', { query: [] });
  const urlOf = (url: string) => keys.find(url)?.url ?? null;

  it('contains the parameters that count, in one order, with the first value of each', () => {
    for (const [url, expected] of [
      ['/', '/'],
      ['/?', '/'],
      ['/?utm_source=x', '/'],
      ['/?cursor=2&utm=x&sort=a&sort=b', '/?sort=a&cursor=2'],
      ['/?q=', '/'],
      ['/api/list?limit=3&sort=new', '/api/list?sort=new&limit=3'],
      ['/api/list?sort=a%20b', '/api/list?sort=a+b'],
      ['/api/list/one/boards/points', '/api/list/one/boards/points'],
      ['/@ada', '/@ada'],
      ['/docs/a/b.md', '/docs/a/b.md'],
    ])
      for (const _ of ['looked up', 'remembered']) assert.equal(urlOf(String(url)), expected, url ?? '');
  });

  it('does not exist for a response that is not cached', () => {
    for (const url of [
      '/?q=moon',
      '/api/list?other=1',
      '/api/list/one/two/boards/points',
      '/api/list/one/boards/points/more',
      '/api/other',
      '/API/list',
      '/docs/',
      '/@a%64a',
      `/@${'a'.repeat(700)}`,
      '*',
    ])
      for (const _ of ['looked up', 'remembered']) assert.equal(urlOf(url), null, url);
  });

  it('contains the route as the router spells it', () => {
    assert.equal(keys.find('/@ada')?.route, '/@:handle');
    assert.equal(keys.find('/api/list?sort=x')?.path, '/api/list');
  });
});
