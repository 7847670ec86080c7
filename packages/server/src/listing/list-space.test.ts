import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { codeOf } from '../../test/answers.ts';
import { listing } from '../../test/files.ts';
import { type PageServer, proofTag, startPages } from '../../test/pages.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

describe('listing a space', () => {
  let pages: PageServer;
  let unlistedPages: PageServer;
  let service: TestService;
  let creator: Persona;
  before(async () => {
    pages = await startPages();
    unlistedPages = await startPages();
    const names = ['pages.test.example', 'other.test.example'].map((name) => `${name}:${portOf(pages)}`);
    service = await startService({ environment: { FETCH_ALLOW: [pages.address, ...names].join(',') } });
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
  const newPage = (head = '') => pages.put(newPath(), head);
  const countSpaces = async () =>
    (await service.service.platform.database.db.selectFrom('spaces').select('id').execute()).length;

  it('answers the space, unclaimed, with what would claim it', async () => {
    const url = newPage('<title>Pong</title>');
    const answer = await list(url, creator, {
      ...listing,
      title: 'Zoë’s Pong',
      ai_tools: ['a'],
      engine: 'Own',
    });
    assert.equal(answer.status, 201, answer.text());
    assert.equal(answer.headers.etag, '"1"');
    assert.equal(answer.headers['cache-control'], 'no-store');
    const { instruction, snippet, created_at, updated_at, ...space } = answer.json();
    assert.deepEqual(space, {
      slug: 'zoes-pong',
      url,
      service_url: `${service.baseUrl}/s/zoes-pong`,
      title: 'Zoë’s Pong',
      space_type: 'game',
      devices: ['desktop'],
      description: null,
      engine: 'Own',
      ai_tools: ['a'],
      models: [],
      how_made: null,
      source_url: null,
      owner: creator.handle,
      claimed: false,
      hosted: false,
      state: 'listed',
      clip: null,
      cover: null,
      live_version: null,
      page: { accent: null, links: [], show_boards: true, show_how_made: true, unlisted: false },
      page_warning: null,
    });
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u);
    assert.equal(updated_at, created_at);
    assert.equal(snippet, proofTag(creator.handle));
    assert.ok(instruction);
    const read = await creator.call('GET', `/api/spaces/${space.slug}`);
    assert.deepEqual(read.json(), { ...space, created_at, updated_at });
  });

  it('claims it at once where the head carries the proof tag', async () => {
    for (const tag of [
      proofTag(creator.handle),
      proofTag(`@${creator.handle.toUpperCase()}`),
      `${proofTag('someone')}${proofTag(creator.handle)}`,
    ]) {
      const space = (await list(newPage(tag))).json();
      assert.equal(space.claimed, true, tag);
      assert.equal('snippet' in space || 'instruction' in space, false);
    }
    const others = [
      proofTag('someone'),
      `<!-- ${proofTag(creator.handle)} -->`,
      `<script>"${proofTag(creator.handle)}"</script>`,
      `</head><body>${proofTag(creator.handle)}`,
      `<noscript>${proofTag(creator.handle)}</noscript>`,
    ];
    for (const head of others) assert.equal((await list(newPage(head))).json().claimed, false, head);
  });

  it('needs a token, an account that may publish and the required fields', async () => {
    const url = newPage();
    const anonymous = await list(url, service.anonymous);
    assert.equal(anonymous.status, 401);
    assert.equal(anonymous.json().error, 'unauthorized');
    assert.equal(anonymous.headers['www-authenticate'], 'Bearer');
    const bodies: [object | string, string[]][] = [
      ['{', ['']],
      [[], ['']],
      [{ url }, ['title', 'space_type', 'devices']],
      [{ ...listing }, ['url']],
      [{ url, ...listing, title: '' }, ['title']],
      [{ url, ...listing, space_type: 'film' }, ['space_type']],
      [{ url, ...listing, devices: [] }, ['devices']],
      [{ url, ...listing, slug: 'mine' }, ['slug']],
      [{ url, ...listing, source_url: 'javascript:alert(1)' }, ['source_url']],
    ];
    for (const [body, paths] of bodies) {
      const answer = await creator.call('POST', '/api/spaces', body);
      assert.equal(answer.status, 422, answer.text());
      const { error, issues } = answer.json();
      assert.equal(error, 'invalid');
      assert.deepEqual(
        issues.map(({ path }: { path: string }) => path),
        paths,
      );
    }
    const { db } = service.service.platform.database;
    const banned = await service.creator();
    await db.updateTable('creators').set({ banned_at: 1 }).where('handle', '=', banned.handle).execute();
    assert.deepEqual(codeOf(await list(url, banned)), [403, 'forbidden']);
    const nameless = await service.creator();
    await db.updateTable('creators').set({ handle: null }).where('handle', '=', nameless.handle).execute();
    assert.deepEqual(codeOf(await list(url, nameless)), [403, 'no_handle']);
    assert.equal(pages.asked(new URL(url).pathname), 0);
  });

  describe('refuses, and keeps nothing of', () => {
    it('what is no address of a page on the public web, without a connection', async () => {
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
  });

  it('lists an address once, however many ask at once', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => service.creator()));
    pages.put('/wanted', '');
    const addresses = ['/wanted', '/wanted#a'].map(pages.url);
    addresses.push(pages.put('/to-wanted', { status: 302, headers: { location: '/wanted' } }));
    const answers = await Promise.all(
      people.flatMap((who) => addresses.map((address) => list(address, who))),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    const won = answers.find(({ status }) => status === 201)?.json();
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      assert.deepEqual(codeOf(answer), [409, 'duplicate'], answer.text());
      assert.equal(answer.json().url, won.service_url);
    }
  });

  it('gives each space a slug of its own, never again to another', async () => {
    const slugs = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const answer = await list(newPage(), creator, { ...listing, title: 'One Title' });
        return answer.json().slug as string;
      }),
    );
    assert.equal(new Set(slugs).size, 8);
    assert.ok(slugs.includes('one-title'));
  });

  it('limits the pages that one account has us look at', async () => {
    const strict = await startService({
      environment: { FETCH_ALLOW: pages.address, LISTINGS_PER_HOUR: '3' },
    });
    try {
      const who = await strict.creator();
      const answers = await Promise.all(Array.from({ length: 8 }, () => list(pages.url('/nowhere'), who)));
      assert.equal(answers.filter(({ status }) => status === 422).length, 3);
      const limited = answers.filter(({ status }) => status === 429);
      assert.equal(limited.length, 5);
      assert.equal(limited[0]?.json().error, 'rate_limited');
      assert.ok(Number(limited[0]?.headers['retry-after']) > 3_500);
      assert.equal((await list(newPage(), await strict.creator())).status, 201);
    } finally {
      await strict.close();
    }
  });

  it('reads a page without a type as a browser does', async () => {
    const html = { headers: { 'content-type': '' }, body: `\n<html><head>${proofTag(creator.handle)}` };
    assert.equal((await list(pages.put(newPath(), html))).json().claimed, true);
    const text = { headers: { 'content-type': '' }, body: 'hello' };
    assert.deepEqual(codeOf(await list(pages.put(newPath(), text))), [422, 'unreachable']);
  });

  function circle(): string {
    const path = newPath();
    return pages.put(path, { status: 302, headers: { location: path } });
  }
});

function portOf(pages: PageServer): string {
  return pages.address.split(':')[1] ?? '';
}
