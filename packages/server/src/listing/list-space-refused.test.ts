import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { codeOf } from '../../test/answers.ts';
import { listing } from '../../test/files.ts';
import { type PageServer, startPages } from '../../test/pages.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

describe('listing a space is refused, and stores nothing, for', () => {
  let pages: PageServer;
  let unlistedPages: PageServer;
  let service: TestService;
  let creator: Persona;
  before(async () => {
    pages = await startPages();
    unlistedPages = await startPages();
    service = await startService({ environment: { FETCH_ALLOW: pages.address } });
    creator = await service.creator();
  });
  after(async () => {
    await service.close();
    await pages[Symbol.asyncDispose]();
    await unlistedPages[Symbol.asyncDispose]();
  });

  const list = (url: unknown, who: Pick<Persona, 'call'> = creator, fields: object = listing) =>
    who.call('POST', '/api/spaces', { url, ...fields });
  let nextPath = 0;
  const newPath = () => `/page-${nextPath++}`;
  const countSpaces = async () =>
    (await service.service.platform.database.db.selectFrom('spaces').select('id').execute()).length;

  it('an address that is not of a page on the public web, without a connection', async () => {
    const before = await countSpaces();
    const knocked = unlistedPages.connections();
    const port = portOf(unlistedPages);
    const { port: ownPort, PLAY_HOST, PREVIEW_HOST } = { port: service.port, ...service.service.config };
    const addresses = [
      'not an address',
      'ftp://example.com/',
      'javascript:alert(1)',
      'http://ada:secret@example.com/',
      `http://127.0.0.1:${port}/`,
      `http://2130706433:${port}/`,
      `http://localhost:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      'http://127.0.0.1/',
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/meta-data',
      'http://[64:ff9b::a00:1]/',
      'http://[2002:7f00:1::]/',
      'http://intranet/',
      'http://printer.local/',
      'https://example.com:8443/',
      `http://localhost:${ownPort}/`,
      'http://localhost/',
      `http://${PLAY_HOST}/`,
      `http://moon-hopper.${PLAY_HOST}/`,
      `http://p--x.${PREVIEW_HOST}/`,
    ];
    for (const address of addresses) {
      const answer = await list(address);
      assert.deepEqual(codeOf(answer), [422, 'invalid'], address);
      const [issue, ...more] = answer.json().issues;
      assert.equal(issue.path, 'url');
      assert.equal(more.length, 0);
      assert.ok(answer.json().message);
    }
    assert.equal(unlistedPages.connections(), knocked);
    assert.equal(await countSpaces(), before);
  });

  it('redirects to such addresses, with the same answer', async () => {
    const knocked = unlistedPages.connections();
    const direct = await list(unlistedPages.url('/'));
    for (const location of [
      unlistedPages.url('/'),
      'http://169.254.169.254/',
      `http://x.${service.service.config.PLAY_HOST}/`,
    ]) {
      const url = pages.put(newPath(), { status: 302, headers: { location } });
      const answer = await list(url);
      assert.equal(answer.status, direct.status);
      assert.deepEqual(answer.json(), direct.json());
    }
    assert.equal(unlistedPages.connections(), knocked);
  });

  it('pages that do not answer with a page', async () => {
    const cases: [string, string][] = [
      ['no such page', pages.url('/nowhere')],
      ['a server error', pages.put(newPath(), { status: 500 })],
      ['JSON', pages.put(newPath(), { headers: { 'content-type': 'application/json' }, body: '{}' })],
      ['a picture', pages.put(newPath(), { headers: { 'content-type': 'image/png' }, body: 'PNG' })],
      ['too much', pages.put(newPath(), { body: ' '.repeat(1024 * 1024 + 1) })],
      [
        'a bomb',
        pages.put(newPath(), {
          headers: { 'content-encoding': 'gzip' },
          body: gzipSync(Buffer.alloc(8 * 1024 * 1024)),
        }),
      ],
      ['a circle', circle()],
    ];
    for (const [what, url] of cases) {
      const answer = await list(url);
      assert.deepEqual(codeOf(answer), [422, 'unreachable'], what);
      assert.deepEqual(Object.keys(answer.json()).sort(), ['error', 'message'], what);
    }
  });

  it('locked pages, saying what to do', async () => {
    for (const status of [401, 403]) {
      const answer = await list(pages.put(newPath(), { status }));
      assert.deepEqual(codeOf(answer), [422, 'unreachable']);
      assert.deepEqual(Object.keys(answer.json()).sort(), ['error', 'instruction', 'message']);
      assert.match(answer.json().message, /sign in/u);
    }
  });

  it('pages that refuse frames, saying what to send', async () => {
    for (const headers of [
      { 'x-frame-options': 'DENY' },
      { 'x-frame-options': 'SAMEORIGIN' },
      { 'content-security-policy': "frame-ancestors 'none'" },
    ]) {
      const answer = await list(pages.put(newPath(), { headers }));
      assert.deepEqual(codeOf(answer), [422, 'unframeable']);
      const { snippet } = answer.json();
      assert.deepEqual(Object.keys(answer.json()).sort(), ['error', 'instruction', 'message', 'snippet']);
      const [name = '', value = ''] = snippet.split(': ');
      assert.equal((await list(pages.put(newPath(), { headers: { [name]: value } }))).status, 201);
    }
  });

  it('addresses that another space has, in any spelling, before and after redirects', async () => {
    const path = '/caf%C3%A9';
    const taken = (await list(pages.put(path, ''))).json();
    const shortcut = pages.put('/short', { status: 301, headers: { location: path } });
    const spellings = [
      pages.url(path),
      pages.url('/café'),
      pages.url('/caf%c3%a9#start'),
      pages.url('/x/../café'),
      pages.url('/café?'),
      `HTTP://${pages.address}/café`,
      shortcut,
    ];
    for (const spelling of spellings) {
      for (const who of [creator, await service.creator()]) {
        const answer = await list(spelling, who);
        assert.deepEqual(codeOf(answer), [409, 'duplicate'], spelling);
        assert.equal(answer.json().url, taken.service_url);
        assert.ok(answer.json().message);
      }
    }
    pages.put('/final', '');
    const via = (await list(pages.put('/via', { status: 302, headers: { location: '/final' } }))).json();
    assert.equal(via.url, pages.url('/via'));
    for (const address of ['/via', '/final'])
      assert.equal((await list(pages.url(address))).json().url, via.service_url, address);
  });

  function circle(): string {
    const path = newPath();
    return pages.put(path, { status: 302, headers: { location: path } });
  }
});

function portOf(pages: PageServer): string {
  return pages.address.split(':')[1] ?? '';
}
