import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { publishLive, smallGame } from '../../test/files.ts';
import { browser } from '../../test/owning-player.ts';
import { nobodyPlayer } from '../../test/played.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

const chrome =
  'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

describe('errors that a running space reports', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService({
      environment: { PUBLISHES_PER_HOUR: '1000', TELEMETRY_PER_MINUTE: '10000', CHECKS_PER_HOUR: '1000' },
    });
    creator = await service.creator();
  });
  after(() => service.close());

  const live = async () => (await publishLive(service, creator)).space.slug;
  const next = (space: string) => publishLive(service, creator, smallGame, { space });
  const list = async (slug: string, query = '') =>
    (await creator.call('GET', `/api/spaces/${slug}/errors${query}`)).json();
  async function fail(space: string, errors: object[], { version = 1, headers = browser } = {}) {
    const who = nobodyPlayer(service);
    const opened = await who.call('POST', '/api/player/sessions', { space, version }, headers);
    return who.post('errors', { session: opened.json().session, errors }, headers);
  }
  const jumped = (at = '1:2') => ({
    message: 'x is not a function',
    stack: `TypeError: x is not a function\n    at jump (http://moon.play.localhost/game.js:${at})`,
  });

  it('are grouped, with count, versions, browsers and times', async () => {
    const slug = await live();
    const told = await fail(slug, [
      { ...jumped(), count: 3 },
      { message: 'gone', kind: 'reported' },
    ]);
    assert.deepEqual([told.status, told.json()], [202, { kept: 2 }]);
    service.clock.advance({ minutes: 5 });
    await next(slug);
    await fail(slug, [jumped('9:9')], { version: 2, headers: { 'user-agent': chrome } });
    const { errors } = await list(slug);
    assert.deepEqual(
      errors.map(({ message, place, kind, count, sessions }: Record<string, unknown>) => [
        ...[message, place, kind, count, sessions],
      ]),
      [
        ['x is not a function', 'game.js, jump', 'uncaught', 4, 2],
        ['gone', null, 'reported', 1, 1],
      ],
    );
    const [{ versions, browsers, first_seen, last_seen, id, resolved }] = errors;
    assert.deepEqual(
      versions.map((one: { version: number; count: number }) => [one.version, one.count]),
      [
        [2, 1],
        [1, 3],
      ],
    );
    assert.deepEqual(browsers, [
      { browser: 'Firefox 140', count: 3 },
      { browser: 'Chrome 141', count: 1 },
    ]);
    assert.ok(Date.parse(last_seen) - Date.parse(first_seen) >= 5 * 60_000);
    assert.equal(resolved, false);
    const one = (await creator.call('GET', `/api/spaces/${slug}/errors/${id}`)).json();
    assert.deepEqual([one.stack, one.stack_version, one.mapped], [jumped('9:9').stack, 2, false]);
    const plays = (await creator.call('GET', `/api/spaces/${slug}/telemetry`)).json().versions;
    assert.deepEqual(
      plays.map((played: { version: number; errors: number }) => [played.version, played.errors]),
      [
        [2, 1],
        [1, 4],
      ],
    );
  });

  it('are not counted where browsers raise them by their own rules, unless the page reports them itself', async () => {
    const slug = await live();
    const usual = [
      "NotAllowedError: play() failed because the user didn't interact with the document first.",
      'AbortError: The play() request was interrupted by a call to pause().',
      'NotAllowedError: The play method is not allowed by the user agent or the platform in the current context',
      "NotSupportedError: Failed to register a ServiceWorker for scope ('http://moon.play.localhost/') with script ('http://moon.play.localhost/sw.js'): The user denied permission to use Service Worker.",
      'ResizeObserver loop completed with undelivered notifications.',
    ];
    const told = await fail(slug, [
      ...usual.map((message) => ({ message, kind: 'rejection' })),
      { message: usual[0], kind: 'reported' },
      { message: 'TypeError: sprite.play is not a function', kind: 'rejection' },
    ]);
    assert.deepEqual([told.status, told.json()], [202, { kept: 2 }]);
    assert.deepEqual(await fail(slug, [{ message: usual[4] }]).then((one) => one.json()), { kept: 0 });
    const { errors } = await list(slug);
    assert.deepEqual(errors.map(({ message }: { message: string }) => message).sort(), [
      usual[0],
      'TypeError: sprite.play is not a function',
    ]);
  });

  it('are listed in pages, and can be filtered by version', async () => {
    const slug = await live();
    await next(slug);
    const names = ['alpha', 'beta', 'gamma'];
    for (const message of names) {
      service.clock.advance({ seconds: 1 });
      await fail(slug, [{ message }], { version: message === 'beta' ? 2 : 1 });
    }
    const first = await list(slug, '?limit=2');
    const rest = await list(slug, `?limit=2&cursor=${first.next}`);
    const messages = ({ errors }: { errors: { message: string }[] }) => errors.map(({ message }) => message);
    assert.deepEqual([messages(first), messages(rest), rest.next], [['gamma', 'beta'], ['alpha'], null]);
    assert.deepEqual(messages(await list(slug, '?version=2')), ['beta']);
    assert.deepEqual(messages(await list(slug, '?env=sandbox')), []);
    for (const query of ['cursor=x', `version=${2 ** 31}`]) {
      const refused = await creator.call('GET', `/api/spaces/${slug}/errors?${query}`);
      assert.deepEqual(codeOf(refused), [422, 'invalid'], query);
    }
  });

  it('stay resolved until a newer version reports them', async () => {
    const slug = await live();
    await fail(slug, [jumped()]);
    const [{ id }] = (await list(slug)).errors;
    const set = (resolved: boolean) =>
      creator.call('PATCH', `/api/spaces/${slug}/errors/${id}`, { resolved });
    assert.equal((await set(true)).json().resolved, true);
    const open = async () => (await list(slug)).errors.length;
    const done = async () => (await list(slug, '?resolved=true')).errors.length;
    assert.deepEqual([await open(), await done()], [0, 1]);
    await fail(slug, [jumped()]);
    assert.deepEqual([await open(), await done()], [0, 1], 'players of the version that had it still do');
    await set(false);
    assert.deepEqual([await open(), await done()], [1, 0]);
    await set(true);
    await next(slug);
    await fail(slug, [jumped()], { version: 2 });
    assert.deepEqual([await open(), await done()], [1, 0]);
  });

  it('are counted together beyond a number of different ones', async () => {
    const slug = await live();
    const letters = 'abcdefghijklmnop';
    for (const first of letters)
      await fail(
        slug,
        [...letters].map((second) => ({ message: `no ${first}${second}` })),
      );
    const all = [];
    for (let cursor = ''; ; ) {
      const { errors, next: more } = await list(slug, `?limit=100${cursor}`);
      all.push(...errors);
      if (more === null) break;
      cursor = `&cursor=${more}`;
    }
    assert.equal(all.length, 201);
    const others = all.find(({ message }) => message === 'Other errors');
    assert.equal(others.count, 256 - 200);
  });

  it('count few loads for one player, however many reports that player sends', async () => {
    const slug = await live();
    for (let load = 0; load < 6; load++) await fail(slug, [jumped(), jumped()]);
    const [{ count, sessions }] = (await list(slug)).errors;
    assert.deepEqual([count, sessions], [12, 2]);
  });

  it('need text of limited length and a session', async () => {
    const slug = await live();
    for (const wrong of [
      [],
      Array.from({ length: 21 }, () => ({ message: 'x' })),
      [{ message: '' }],
      [{ message: 'x'.repeat(501) }],
      [{ message: 'x\u0000y' }],
      [{ message: 'x\u202ey' }],
      [{ message: 'x', stack: 'y'.repeat(4_001) }],
      [{ message: 'x', count: 0 }],
      [{ message: 'x', version: 3 }],
      [{ message: 'x', source: 'a\nb' }],
    ])
      assert.deepEqual(codeOf(await fail(slug, wrong)), [422, 'invalid'], JSON.stringify(wrong).slice(0, 80));
    const nobody = nobodyPlayer(service);
    const lost = await nobody.post('errors', { session: 'x', errors: [{ message: 'x' }] }, browser);
    assert.deepEqual(codeOf(lost), [409, 'session_over']);
    const markup = '<img src=x onerror=alert(1)>';
    await fail(slug, [{ message: markup }]);
    assert.equal((await list(slug)).errors[0].message, markup);
    const robot = await fail(slug, [{ message: 'x' }], { headers: { 'user-agent': 'somebot' } });
    assert.deepEqual(robot.json(), { kept: 0 });
  });

  it('are refused above the rate limit', async () => {
    const small = await startService({ environment: { TELEMETRY_PER_MINUTE: '2' } });
    try {
      const own = await small.creator();
      const { slug } = (await publishLive(small, own)).space;
      const who = nobodyPlayer(small);
      const session = await who.session(slug);
      const send = () => who.post('errors', { session, errors: [{ message: 'x' }] }, browser);
      assert.deepEqual([(await send()).status, (await send()).status], [202, 202]);
      const refused = await send();
      assert.deepEqual(codeOf(refused), [429, 'rate_limited']);
      assert.ok(Number(refused.headers['retry-after']) >= 1);
    } finally {
      await small.close();
    }
  });

  it('are deleted with their version, and shown to the owner only', async () => {
    const slug = await live();
    const { version } = await next(slug);
    await next(slug);
    await fail(slug, [{ message: 'only two' }], { version: 2 });
    const [{ id }] = (await list(slug)).errors;
    const path = `/api/spaces/${slug}/errors/${id}`;
    const stranger = await service.creator();
    for (const [method, body] of [['GET'], ['PATCH', { resolved: true }]] as const)
      assert.deepEqual(codeOf(await stranger.call(method, path, body)), [404, 'not_found']);
    assert.deepEqual(codeOf(await stranger.call('GET', `/api/spaces/${slug}/errors`)), [404, 'not_found']);
    await creator.call('DELETE', `/api/v1/hosting/versions/${version.id}`);
    assert.deepEqual((await list(slug)).errors, []);
    assert.deepEqual(codeOf(await creator.call('GET', path)), [404, 'not_found']);
    await service.service.sweep();
    const { db } = service.service.platform.database;
    assert.equal(
      await db.selectFrom('error_groups').select('id').where('id', '=', id).executeTakeFirst(),
      undefined,
    );
  });
});
