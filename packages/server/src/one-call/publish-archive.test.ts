import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { hostingCodeOf } from '../../test/answers.ts';
import { formOf, formType, tarGzOf, tarOf, zipOf } from '../../test/archives.ts';
import { askUntil } from '../../test/ask-until.ts';
import { type Files, listing, page, publishLive, smallGame } from '../../test/files.ts';
import { as, type Headers, oneCallSettings, oneCalls } from '../../test/one-call.ts';
import type { RawAnswer } from '../../test/raw-http.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { createTokens } from '../accounts/tokens.ts';
import '../../test/one-engine.ts';

const inFolder = (files: Files, folder: string): Files =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]));

describe('publishing in one call', () => {
  let service: TestService;
  let ada: Persona;
  before(async () => {
    service = await startService({ environment: oneCallSettings });
    ada = await service.creator('ada');
  });
  after(() => service.close());

  const { send, temporaryFiles } = oneCalls(() => service);

  const bodies: [string, (files: Files) => Promise<Buffer>, string][] = [
    ['a zip', async (files) => zipOf(files), 'application/zip'],
    ['a tar', tarOf, 'application/x-tar'],
    ['a tar.gz', tarGzOf, 'application/gzip'],
    ['files of a form', async (files) => formOf(files), formType],
    ['an archive in a form', async (files) => formOf({ 'dist.zip': zipOf(files) }), formType],
    ['a tar of no said type', tarOf, 'application/x-www-form-urlencoded'],
  ];
  for (const [what, pack, type] of bodies) {
    it(`accepts ${what}, without an account and again by its claim`, async () => {
      const large = Buffer.alloc(300_000, what);
      const first = await send(
        await pack({ ...inFolder(smallGame, 'dist'), 'dist/é/large.bin': large }),
        {},
        {
          'content-type': type,
        },
      );
      assert.equal(first.status, 201, first.text());
      const { claimToken, ...made } = first.json();
      assert.equal(made.status, 'preview');
      assert.deepEqual(made.diff.added.sort(), ['game.js', 'index.html', 'é/large.bin']);
      assert.ok(made.claimUrl.endsWith(`#${claimToken}`));
      assert.ok(made.expiresAt);
      const shown = await service.get(made.previewUrl);
      assert.ok(shown.text().includes('<canvas>'));
      assert.deepEqual((await service.get(`${made.previewUrl}%C3%A9/large.bin`)).body, large);

      const again = await send(
        await pack({ ...smallGame, 'index.html': `${page}<p>` }),
        {},
        {
          'content-type': type,
          'x-service-claim': claimToken,
        },
      );
      assert.equal(again.status, 201, again.text());
      assert.deepEqual(again.json().space.slug, made.space.slug);
      assert.deepEqual(again.json().diff, {
        added: [],
        changed: ['index.html'],
        removed: ['é/large.bin'],
        unchanged: 1,
      });
      assert.equal(again.json().claimToken, undefined);
      assert.deepEqual(await temporaryFiles(), []);
    });
  }

  it('takes over the page of a claim, as creating a version does', async () => {
    const { claimToken, space } = (await send(zipOf(smallGame))).json();
    const broken = await send(Buffer.from('none'), {}, as(ada, { 'x-service-claim': claimToken }));
    assert.deepEqual(hostingCodeOf(broken), [422, 'invalid_files']);
    const kept = await send(zipOf(smallGame), {}, as(ada, { 'x-service-claim': claimToken }));
    assert.equal(kept.status, 201, kept.text());
    assert.notEqual(kept.json().space.slug, space.slug);
    assert.equal(kept.json().expiresAt, undefined);
    const own = (await ada.call('GET', `/api/spaces/${kept.json().space.slug}`)).json();
    assert.deepEqual([own.claimed, own.title], [true, 'Moon Hopper']);
  });

  it('guesses missing fields of a new space, and lets the query override service.json', async () => {
    const guessed = await send(
      zipOf({
        'index.html': '<meta name="viewport"><title>Owl &amp;\u00a0I\u200f</title>',
        'docs/service.json': '{}',
      }),
      {},
      as(ada),
    );
    assert.deepEqual(guessed.json().leftOut, ['docs/service.json']);
    const own = (await ada.call('GET', `/api/spaces/${guessed.json().space.slug}`)).json();
    assert.deepEqual([own.title, own.space_type, own.devices], ['Owl & I', 'game', ['desktop', 'mobile']]);

    const old = Buffer.from('<meta charset="shift_jis"><title>\x83\x65\x83\x58\x83\x67</title>', 'latin1');
    const { space: ofOld } = (await send(zipOf({ 'index.html': old }), {}, as(ada))).json();
    assert.equal((await ada.call('GET', `/api/spaces/${ofOld.slug}`)).json().title, 'テスト');

    const nameless = await send(zipOf({ 'index.html': '<h1>Moon</h1>' }), {}, as(ada));
    assert.equal(nameless.json().space.slug, 'untitled');

    const named = await send(
      zipOf({ 'export/Moon_Hopper.html': 'x' }),
      { entry: 'Moon_Hopper.html' },
      as(ada),
    );
    const other = (await ada.call('GET', `/api/spaces/${named.json().space.slug}`)).json();
    assert.deepEqual([other.title, other.devices], ['Moon Hopper', ['desktop']]);

    const settings = {
      title: 'Not this',
      space_type: 'toy',
      devices: ['vr'],
      engine: 'none',
      tags: ['from-file'],
      entry: 'a.html',
      boards: [{ key: 'points' }],
    };
    const files = { 'top/a.html': 'a', 'top/b.html': 'b', 'top/service.json': JSON.stringify(settings) };
    const said = await send(
      zipOf({
        ...files,
        '__MACOSX/top/._a.html': 'x',
        'top/.git/config': 'x',
        'top/node_modules/a/b.js': 'x',
      }),
      { title: 'This', tags: 'puzzle, two-players', live: 'true', wait: '0' },
      as(ada),
    );
    assert.equal(said.status, 201, said.text());
    assert.deepEqual(said.json().diff.added, ['a.html', 'b.html']);
    assert.deepEqual(said.json().leftOut, ['__MACOSX/', 'top/.git/', 'top/node_modules/']);
    assert.equal(said.json().status, 'checking');
    await service.settle();
    const { slug } = said.json().space;
    const made = (await ada.call('GET', `/api/spaces/${slug}`)).json();
    assert.deepEqual(
      [made.title, made.space_type, made.devices, made.engine, made.tags, made.live_version],
      ['This', 'toy', ['vr'], 'none', ['puzzle', 'two-players'], 1],
    );
    assert.equal((await ada.call('GET', `/api/spaces/${slug}/boards`)).json().boards[0].key, 'points');

    const next = await send(
      zipOf({ 'service.json': JSON.stringify({ space: slug }), 'b.html': 'b' }),
      { entry: 'b.html', spa: '1' },
      as(ada),
    );
    assert.equal(next.status, 201, next.text());
    assert.deepEqual([next.json().space.slug, next.json().version.number], [slug, 2]);
    const shown = await service.get(`${next.json().previewUrl}somewhere`);
    assert.deepEqual([shown.status, shown.text().includes('b')], [200, true]);
  });

  it('waits for the verdict, and returns it with the report', async () => {
    const answering = send(zipOf(smallGame), { live: '1', wait: '60' }, as(ada));
    const { status, report, pageUrl } = (await judged(answering)).json();
    assert.equal(status, 'live');
    assert.ok(Array.isArray(report.findings));
    assert.equal((await service.get(pageUrl)).status, 200);
  });
  /** Runs the queue until the answer is there. */
  async function judged(answering: Promise<RawAnswer>): Promise<RawAnswer> {
    let answered = false;
    const noted = answering.finally(() => {
      answered = true;
    });
    await askUntil(
      () => service.settle(),
      () => answered,
    );
    return noted;
  }

  it('is a method of the client, which accepts bytes, a blob or a stream', async () => {
    const zip = zipOf(smallGame);
    for (const body of [zip, new Blob([new Uint8Array(zip)]), new Blob([new Uint8Array(zip)]).stream()]) {
      const made = await ada.client.publishArchive({ body, query: { wait: 0, title: 'By the client' } });
      assert.equal(made.status, 'preview');
    }
  });

  it('refuses other spaces to a token for one space, whatever the archive says', async () => {
    const { space } = await publishLive(service, ada);
    const { space: other } = await publishLive(service, ada);
    const tokens = createTokens(service.service.platform);
    const { creator } = await tokens.resolve(ada.token);
    const { id } = await service.service.platform.database.db
      .selectFrom('spaces')
      .select('id')
      .where('slug', '=', space.slug)
      .executeTakeFirstOrThrow();
    const one = await tokens.issue(creator.id, { name: null, scopes: ['publish'], spaceId: id });
    const boards = await tokens.issue(creator.id, { name: null, scopes: ['boards'] });
    tokens.close();
    const plain = await send(zipOf(smallGame), {}, as(one));
    assert.deepEqual([plain.status, plain.json().space?.slug], [201, space.slug], plain.text());
    const settings = JSON.stringify({ space: other.slug });
    for (const answer of [
      await send(zipOf(smallGame), { space: other.slug }, as(one)),
      await send(zipOf({ ...smallGame, 'service.json': settings }), {}, as(one)),
      await send(zipOf(smallGame), {}, as(boards)),
    ])
      assert.deepEqual(hostingCodeOf(answer), [403, 'forbidden'], answer.text());
  });

  it('leaves no temporary file when the client disconnects', async () => {
    const { hostname, host } = new URL(service.baseUrl);
    for (const type of ['application/zip', formType]) {
      const socket = connect(service.port, hostname === 'localhost' ? '127.0.0.1' : hostname);
      await once(socket, 'connect');
      const half = type === formType ? formOf(smallGame).subarray(0, 200) : zipOf(smallGame).subarray(0, 100);
      socket.write(
        `POST /api/v1/hosting/publish HTTP/1.1\r\nHost: ${host}\r\nContent-Type: ${type}\r\nContent-Length: 100000\r\n\r\n`,
      );
      socket.write(half);
      await once(socket.resetAndDestroy(), 'close');
    }
    // A later request is answered, so the aborted ones are over.
    assert.equal((await send(zipOf(smallGame))).status, 201);
    assert.deepEqual(await temporaryFiles(), []);
  });
});

describe('publishing in one call, too often', () => {
  let service: TestService;
  before(async () => {
    service = await startService({
      role: 'serve',
      environment: { ANONYMOUS_PUBLISHES_PER_HOUR: '2', WAITING_CHECKS: '1' },
    });
  });
  after(() => service.close());
  const send = (body: Uint8Array, query: string, headers: Headers = {}) =>
    service.get(`${service.baseUrl}/api/v1/hosting/publish?wait=0${query}`, {
      method: 'POST',
      body,
      headers,
    });

  it('is rate_limited by published versions and by refused requests', async () => {
    for (let times = 0; times < 2; times++) assert.equal((await send(zipOf(smallGame), '')).status, 201);
    assert.deepEqual(hostingCodeOf(await send(zipOf(smallGame), '')), [429, 'rate_limited']);
    for (let times = 0; times < 3; times++)
      assert.deepEqual(hostingCodeOf(await send(Buffer.from('no archive'), '')), [422, 'invalid_files']);
    const refused = await send(Buffer.from('no archive'), '');
    assert.deepEqual(hostingCodeOf(refused), [429, 'rate_limited']);
    assert.ok(Number(refused.headers['retry-after']) > 0);
  });

  it('is checks_busy while an earlier version waits', async () => {
    const ada = await service.creator();
    const headers = { authorization: `Bearer ${ada.token}` };
    assert.equal((await send(zipOf(smallGame), '&live=1', headers)).status, 201);
    const busy = await send(zipOf(smallGame), `&live=1&title=${listing.title}`, headers);
    assert.deepEqual(hostingCodeOf(busy), [429, 'checks_busy']);
    assert.equal((await ada.call('GET', '/api/spaces')).json().spaces.length, 1, 'nothing was made');
  });
});
