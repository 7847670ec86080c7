import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { listing } from '../../test/files.ts';
import { type PageServer, proofTag, startPages } from '../../test/pages.ts';
import { type RawAnswer, rawRequest } from '../../test/raw-http.ts';
import { type ServerProcess, startServerProcess } from '../../test/server-process.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

describe('listing a space', () => {
  let pages: PageServer;
  let service: TestService;
  let creator: Persona;
  before(async () => {
    pages = await startPages();
    service = await startService({ environment: { FETCH_ALLOW: pages.address } });
    creator = await service.creator();
  });
  after(async () => {
    await service.close();
    await pages[Symbol.asyncDispose]();
  });

  const list = (url: unknown, who: Pick<Persona, 'call'> = creator, fields: object = listing) =>
    who.call('POST', '/api/spaces', { url, ...fields });
  let nextPath = 0;
  const newPath = () => `/page-${nextPath++}`;
  const newPage = (head = '') => pages.put(newPath(), head);

  it('returns the space, unclaimed, with the tag that would claim it', async () => {
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
      tags: [],
      how_made: null,
      source_url: null,
      owner: creator.handle,
      claimed: false,
      hosted: false,
      state: 'listed',
      clip: null,
      cover: null,
      live_version: null,
      operators_message: null,
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

  it('claims it at once when the page’s head contains the proof tag', async () => {
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

  it('gives each space a slug of its own, which is never reused', async () => {
    const slugs = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const answer = await list(newPage(), creator, { ...listing, title: 'One Title' });
        return answer.json().slug as string;
      }),
    );
    assert.equal(new Set(slugs).size, 8);
    assert.ok(slugs.includes('one-title'));
  });

  it('limits the pages that the service fetches for one account', async () => {
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

  it('detects the type of a page without a content type, as a browser does', async () => {
    const html = { headers: { 'content-type': '' }, body: `\n<html><head>${proofTag(creator.handle)}` };
    assert.equal((await list(pages.put(newPath(), html))).json().claimed, true);
    const text = { headers: { 'content-type': '' }, body: 'hello' };
    assert.deepEqual(codeOf(await list(pages.put(newPath(), text))), [422, 'unreachable']);
  });
});

describe('two server processes on one database', () => {
  let pages: PageServer;
  let service: TestService;
  let second: ServerProcess;
  let creator: Persona;
  before(async () => {
    pages = await startPages();
    service = await startService({ environment: { FETCH_ALLOW: pages.address } });
    creator = await service.creator();
    // Both processes are one service to the outside: they have the same addresses,
    // whichever port they listen on.
    const { BASE_URL, PLAY_HOST, PREVIEW_HOST } = service.service.config;
    const shared = { ...service.environment, BASE_URL, PLAY_HOST, PREVIEW_HOST, PORT: '0' };
    second = await startServerProcess(shared, { role: 'serve' });
  });
  after(async () => {
    await second.end();
    await service.close();
    await pages[Symbol.asyncDispose]();
  });

  let turn = 0;
  /** Sends a request to the two processes in turn. */
  const post = (path: string, body: object): Promise<RawAnswer> =>
    rawRequest(turn++ % 2 === 0 ? service.port : second.listeningPort, new URL(path, service.baseUrl).href, {
      method: 'POST',
      headers: { authorization: `Bearer ${creator.token}` },
      body: JSON.stringify(body),
    });

  it('count the attempts of a move together', async () => {
    const url = pages.put('/counted', proofTag(creator.handle));
    const { slug } = (await post('/api/spaces', { ...listing, url })).json();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(`/api/spaces/${slug}/move`, { url: pages.url('/nowhere') })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array(6).fill(422), ...Array(14).fill(429)]);
  });

  it('list an address once', async () => {
    for (let round = 0; round < 5; round++) {
      const url = pages.put(`/wanted-${round}`, '');
      const short = pages.put(`/short-${round}`, { status: 302, headers: { location: url } });
      const answers = await Promise.all(
        [url, short, short, url].map((address) => post('/api/spaces', { ...listing, url: address })),
      );
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [201, 409, 409, 409], answers.map((answer) => answer.text()).join('\n'));
    }
  });
});
