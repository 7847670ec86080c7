import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { startCachedApp } from '../../test/cached-app.ts';
import type { ShownTag } from '../platform/db/shown.ts';

const tags: readonly ShownTag[] = ['spaces', 'played:*'];
const long = 'All work and no play. '.repeat(200);

/** Routes that count their calls, and can be held back. */
function counted() {
  let made = 0;
  let gate: Promise<unknown> = Promise.resolve();
  let arrive = () => {};
  return {
    get made() {
      return made;
    },
    /** Makes the next responses wait for `open`; `arrived` resolves once one does. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      const arrived = new Promise<void>((found) => {
        arrive = found;
      });
      return { arrived, open: resolve };
    },
    routes: {
      '/list': {
        cacheable: { query: ['sort', 'q'], onRepeat: ['q'] },
        handle: async (asked: FastifyRequest) => {
          const number = ++made;
          arrive();
          await gate;
          asked.shown = { tags, compressible: true };
          return `${number} ${asked.url} ${long}`;
        },
      },
    },
  };
}

describe('a cached response', () => {
  it('is computed once, and each request has its own request id, log line and metric', async () => {
    const route = counted();
    await using app = await startCachedApp(route.routes);
    const first = await app.get('/list');
    const again = await app.get('/list');
    assert.equal(route.made, 1);
    assert.equal(again.text(), first.text());
    const { 'x-request-id': id, date: _, ...headers } = again.headers;
    const { 'x-request-id': firstId, date: __, ...firstHeaders } = first.headers;
    assert.deepEqual(headers, firstHeaders);
    assert.ok(id && firstId && id !== firstId);
    await app.get('/list', { 'if-none-match': String(headers.etag) });
    while (app.logged.length < 3) await new Promise(setImmediate);
    assert.deepEqual(
      app.logged.map(({ reqId, method, path, status }) => [reqId === undefined, method, path, status]),
      [200, 200, 304].map((status) => [false, 'GET', '/list', status]),
    );
    assert.match(await app.metrics(), /_count\{route="\/list",method="GET",status="304",operation=""\} 1/u);
    assert.equal(app.loggersMade, 0, 'who says nothing has no logger');
  });

  it('is computed once for all requests that arrive meanwhile', async () => {
    const route = counted();
    await using app = await startCachedApp(route.routes);
    const held = route.hold();
    const asked = Array.from({ length: 20 }, () => app.get('/list'));
    await Promise.all([held.arrived, app.came(20)]);
    held.open();
    const answers = await Promise.all(asked);
    assert.equal(route.made, 1);
    assert.equal(new Set(answers.map((answer) => answer.text())).size, 1);
    assert.equal(new Set(answers.map(({ headers }) => headers['x-request-id'])).size, 20);
  });

  it('is computed again for a waiting request when the first client disconnects', async () => {
    const route = counted();
    await using app = await startCachedApp(route.routes);
    const held = route.hold();
    const leaving = request({ port: app.port, path: '/list' }).end();
    leaving.on('error', () => {});
    await held.arrived;
    const staying = app.get('/list');
    await app.came(2);
    const second = route.hold();
    leaving.destroy();
    await second.arrived;
    second.open();
    held.open();
    assert.match((await staying).text(), /^2 /u);
  });

  it('is dropped when something in it changes, and when everything may have changed', async () => {
    const route = counted();
    await using app = await startCachedApp(route.routes);
    const drops: readonly (() => void)[] = [
      () => app.announcements.deliver(['shown:space:spc_1']),
      () => app.announcements.deliver(['shown:spaces']),
      () => app.announcements.deliver(['shown:played:*']),
      () => app.announcements.deliverEverything(),
    ];
    for (const [index, drop] of drops.entries()) {
      for (const _ of [0, 1])
        assert.match((await app.get('/list')).text(), new RegExp(`^${index + 1} `, 'u'));
      drop();
    }
    app.announcements.deliver(['shown:board:brd_1', 'shown:person:usr_1']);
    for (const _ of [0, 1]) assert.match((await app.get('/list')).text(), /^5 /u);
  });

  it('that was begun before a change is sent only to requests from before the change', async () => {
    const route = counted();
    await using app = await startCachedApp(route.routes);
    const held = route.hold();
    const before = [app.get('/list'), app.get('/list')];
    await Promise.all([held.arrived, app.came(2)]);
    app.announcements.deliver(['shown:spaces']);
    const after = app.get('/list');
    await app.came(3);
    held.open();
    for (const answer of await Promise.all(before)) assert.match(answer.text(), /^1 /u);
    assert.match((await after).text(), /^2 /u);
    assert.match((await app.get('/list')).text(), /^2 /u, 'the newer one is kept');
  });

  it('is not sent to requests that came between two changes', async () => {
    const route = counted();
    await using app = await startCachedApp(route.routes);
    const held = route.hold();
    const before = app.get('/list');
    await held.arrived;
    app.announcements.deliver(['shown:spaces']);
    const between = app.get('/list');
    await app.came(2);
    app.announcements.deliver(['shown:spaces']);
    held.open();
    assert.match((await before).text(), /^1 /u);
    assert.match((await between).text(), /^2 /u);
  });

  it('is valid for ten seconds, and not beyond the end of the day', async () => {
    const route = counted();
    await using app = await startCachedApp(route.routes);
    await app.get('/list');
    app.clock.advance({ seconds: 9 });
    const wait = 86_400_000 - (app.clock.now() % 86_400_000);
    if (wait > 5_000) assert.match((await app.get('/list')).text(), /^1 /u);
    app.clock.advance({ seconds: 2 });
    const later = (await app.get('/list')).text();
    assert.doesNotMatch(later, /^1 /u);
  });

  it('of endless many is kept from the second request within ten seconds on', async () => {
    const route = counted();
    await using app = await startCachedApp(route.routes);
    const made = async (path: string) => (await app.get(path)).text().split(' ', 1)[0];
    assert.equal(await made('/list?q=moon'), '1');
    assert.equal(app.cache.bytes, 0);
    app.clock.advance({ seconds: 11 });
    assert.equal(await made('/list?q=moon'), '2');
    for (const _ of [0, 1]) assert.equal(await made('/list?q=moon'), '3');
    for (const _ of [0, 1]) assert.equal(await made('/list?q='), '4', 'an empty search is the list');
  });

  it('of endless many is kept at once if several wait for it', async () => {
    const route = counted();
    await using app = await startCachedApp(route.routes);
    const held = route.hold();
    const asked = [app.get('/list?q=moon'), app.get('/list?q=moon')];
    await Promise.all([held.arrived, app.came(2)]);
    held.open();
    await Promise.all(asked);
    await app.get('/list?q=moon');
    assert.equal(route.made, 1);
  });

  it('is stored for each coding, with an ETag for each', async () => {
    const route = counted();
    await using app = await startCachedApp(route.routes);
    const plain = await app.get('/list');
    const seen = new Set([plain.headers.etag]);
    for (const [coding, decode] of [
      ['br', brotliDecompressSync],
      ['zstd', zstdDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      for (const _ of [0, 1]) {
        const { headers, body } = await app.get('/list', { 'accept-encoding': coding });
        assert.deepEqual([headers['content-encoding'], headers.vary], [coding, 'accept-encoding']);
        assert.equal(decode(body).toString(), plain.text());
        seen.add(headers.etag);
        const known = { 'accept-encoding': coding, 'if-none-match': `W/${headers.etag}` };
        const unchanged = await app.get('/list', known);
        assert.deepEqual([unchanged.status, unchanged.headers.etag], [304, headers.etag]);
      }
    }
    assert.equal(seen.size, 4);
    assert.equal(route.made, 1);
  });
});

describe('the response cache does not keep', () => {
  const neverKept: Readonly<Record<string, [string, Record<string, string>, string?]>> = {
    'a session’s': ['/list', { cookie: 'a=b; session=1' }],
    'a credential’s': ['/list', { authorization: 'Bearer sp_token_x' }],
    'a parameter that the route may refuse': ['/list?other=1', {}],
    'a path with another spelling': ['/%6cist', {}],
    'a HEAD': ['/list', {}, 'HEAD'],
  };
  for (const [what, [path, headers, method]] of Object.entries(neverKept))
    it(what, async () => {
      const route = counted();
      await using app = await startCachedApp(route.routes);
      await app.get('/list');
      for (const _ of [0, 1]) await app.get(path, headers, method);
      assert.equal(route.made, 3);
      assert.match((await app.get('/list')).text(), /^1 /u);
    });

  it('a response that is not public, and lets every request compute its own', async () => {
    let made = 0;
    const open = Promise.withResolvers<void>();
    const answers: Readonly<Record<string, (reply: FastifyReply) => unknown>> = {
      missing: (reply) => reply.code(404).send('none'),
      cookie: (reply) => reply.header('set-cookie', 'a=b').send('mine'),
      personal: (reply) => reply.send('mine'),
    };
    await using app = await startCachedApp({
      '/x/:what': {
        cacheable: { query: [] },
        handle: async (asked, reply) => {
          made++;
          await open.promise;
          const { what = '' } = asked.params as { what?: string };
          if (what !== 'personal') asked.shown = { tags: [], compressible: true };
          return answers[what]?.(reply);
        },
      },
    });
    open.resolve();
    for (const what of Object.keys(answers)) {
      made = 0;
      await Promise.all([app.get(`/x/${what}`), app.get(`/x/${what}`)]);
      await app.get(`/x/${what}`);
      assert.equal(made, 3, what);
    }
    assert.equal(app.cache.bytes, 0);
  });

  it('anything while the announcements of other nodes are not received', async () => {
    const route = counted();
    await using app = await startCachedApp(route.routes);
    app.announcements.isDeaf = true;
    for (const _ of [0, 1]) await app.get('/list');
    assert.equal(route.made, 2);
    app.announcements.isDeaf = false;
    for (const _ of [0, 1]) await app.get('/list');
    assert.equal(route.made, 3);
  });

  it('more than it has room for, and nothing when it has none', async () => {
    for (const maxBytes of [0, 100_000]) {
      const route = counted();
      await using app = await startCachedApp(route.routes, maxBytes);
      for (let count = 0; count < 60; count++)
        await app.get(`/list?sort=${count}`, count % 2 === 0 ? {} : { 'accept-encoding': 'gzip' });
      assert.ok(app.cache.bytes <= maxBytes);
      await app.get('/list?sort=59');
      assert.equal(route.made, maxBytes === 0 ? 61 : 60);
      await app.get('/list?sort=0');
      assert.equal(route.made, maxBytes === 0 ? 62 : 61);
    }
  });
});
