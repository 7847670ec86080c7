import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { after, before, describe, it } from 'node:test';
import { operations } from '@spaceport/contract/operations';
import { type Arena, makeArena } from '../../../test/arena.ts';
import { publishLive } from '../../../test/files.ts';
import type { RawAnswer } from '../../../test/raw-http.ts';
import { startService, type TestService } from '../../../test/service.ts';
import { signUp } from '../../../test/visitor.ts';
import '../../../test/one-engine.ts';

interface Asked {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly status: number;
}

/** Returns headers that make the framework answer a request, without a change of its meaning. */
const byFramework = (method: string): Record<string, string> =>
  method === 'GET' ? { 'if-none-match': '"other"' } : { 'transfer-encoding': 'chunked' };

/** Returns an answer without what differs each time: dates, ids, versions and entity tags. */
function shown({ status, headers, text }: RawAnswer) {
  const { date: _, 'x-request-id': id, 'content-length': length, ...others } = headers;
  assert.match(String(id), /^[0-9a-f-]{36}$/u);
  assert.ok(Number(length) > 0);
  const body = text().replaceAll(/(?<="(?:id|submission|created_at|at|version)":)("[^"]+"|\d+)/gu, '…');
  return { status, headers: { ...others, etag: others.etag && '…' }, body };
}

describe('calls that are handled ahead of the framework', () => {
  let service: TestService;
  let arena: Arena;
  const cases: Asked[] = [];
  const handled: string[] = [];
  const note = (message: unknown) => {
    const { request } = message as { request: { routeOptions: { config: { operation?: { id: string } } } } };
    const { operation } = request.routeOptions.config;
    if (operation) handled.push(operation.id);
  };

  before(async () => {
    service = await startService();
    arena = await makeArena(service, [{ key: 'points' }]);
    await arena.putAchievements({ stats: [{ key: 'wins' }], achievements: [{ key: 'founder' }] });
    const { creator, slug, secret } = arena;
    const { id: version } = (await publishLive(service, creator)).version;
    const ada = await signUp(service, { handle: 'ada' });
    const { session } = (await ada.call('POST', '/api/player/sessions', { space: slug, version: 1 })).json();
    await arena.score('points', 'ada', 3);

    const token = { authorization: `Bearer ${creator.token}` };
    const other = { authorization: `Bearer ${(await service.creator()).token}` };
    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const own = { cookie, 'sec-fetch-site': 'same-origin' };
    const board = { authorization: `Bearer ${secret}` };
    const add = (
      id: string,
      method: string,
      path: string,
      each: readonly [number, Record<string, string>, unknown?, string?][],
    ) => {
      for (const [status, headers, body, more = ''] of each)
        cases.push({ id, method, path: `${path}${more}`, headers, body, status });
    };

    add('readVersion', 'GET', `/api/v1/hosting/versions/${version}`, [
      [200, token],
      [200, token, undefined, '?wait=0'],
      [200, token, undefined, '?wait=1'],
      [404, other],
      [404, token, undefined, 'x'],
      [401, { authorization: `Bearer ${secret}` }],
      [401, { authorization: 'Basic abc' }],
      [401, {}],
      [422, token, undefined, '?wait=soon'],
      [401, {}, undefined, '?wait=99'],
    ]);
    add('readEntries', 'GET', `/api/gallery/${slug}/boards/points/entries?around=`, [
      [200, {}, undefined, 'ada'],
      [200, {}, undefined, '@ADA&limit=2'],
      [404, {}, undefined, 'nobody_here'],
      [422, {}, undefined, 'ada&limit=0'],
      [422, {}, undefined, 'ada&nothing=1'],
    ]);
    const score = { board: 'points', player: 'ada', score: 4 };
    await arena.post(score, { 'idempotency-key': 'once' });
    add('postScores', 'POST', '/api/v1/scores', [
      [201, board, score],
      [201, board, { scores: [score, { ...score, score: 5, meta: { level: 'Ünï 🚀' } }] }],
      [201, { ...board, 'idempotency-key': 'once' }, score],
      [409, { ...board, 'idempotency-key': 'once' }, { ...score, score: 9 }],
      [404, board, { ...score, board: 'nowhere' }],
      [404, board, { ...score, player: 'nobody_here' }],
      [422, board, { ...score, more: 1 }],
      [422, board, { ...score, score: 'high' }],
      [422, board, { ...score, meta: { text: 'a\u0000b' } }],
      [422, board, '{"board":'],
      [422, board, '{"__proto__":1}'],
      [422, board, '\ufeff{}'],
      [401, token, score],
      [401, {}, score],
      [422, board, ' '.repeat(200_000)],
    ]);
    add('postStats', 'POST', '/api/v1/stats', [
      [200, board, { stat: 'wins', player: 'ada', value: 1 }],
      [404, board, { stat: 'none', player: 'ada', value: 1 }],
    ]);
    add('unlockAchievement', 'POST', '/api/v1/achievements', [
      [404, board, { achievement: 'none', player: 'ada' }],
      [422, board, { achievement: 'founder' }],
    ]);
    add('readPlayedScores', 'GET', `/api/player/scores?space=${slug}&board=points`, [
      [200, own],
      [200, own, undefined, '&around=me&limit=5'],
      [200, {}],
      [404, own, undefined, 'x'],
      [401, { authorization: 'Guest short' }],
    ]);
    add('readPlayedAchievements', 'GET', `/api/player/achievements?space=${slug}`, [
      [200, own],
      [404, own, undefined, 'x'],
    ]);
    add('readOwnPlay', 'GET', '/api/player/me', [
      [200, own],
      [401, {}],
    ]);
    add('submitScore', 'POST', '/api/player/scores', [
      [200, own, { session, board: 'points', score: 2 }],
      [403, { ...own, 'sec-fetch-site': 'cross-site' }, { session, board: 'points', score: 2 }],
      [409, own, { session: 'none', board: 'points', score: 2 }],
      [422, own, {}],
    ]);
    add('submitStat', 'POST', '/api/player/stats', [
      [422, own, { session, stat: 'wins' }],
      [404, own, { session, stat: 'none', by: 1 }],
    ]);
    add('submitAchievement', 'POST', '/api/player/achievements', [[404, own, { session, key: 'none' }]]);
    add('putSave', 'PUT', `/api/player/saves/slot?space=${slug}`, [
      [409, { ...own, 'if-match': '"7"' }, { data: 1 }],
      [422, { ...own, 'if-match': '*' }, { data: 1 }],
      [422, own, { data: 1, base64: '' }],
    ]);
    await ada.call('PUT', `/api/player/saves/kept?space=${slug}`, { data: [1] });
    add('readSave', 'GET', `/api/player/saves/kept?space=${slug}`, [
      [200, own],
      [404, { authorization: `Guest ${'A'.repeat(43)}` }],
    ]);
    add('readSaves', 'GET', `/api/player/saves?space=${slug}`, [
      [200, own],
      [200, own, undefined, '&slot=kept'],
    ]);
    subscribe('tracing:fastify.request.handler:start', note);
  });
  after(async () => {
    unsubscribe('tracing:fastify.request.handler:start', note);
    await service.close();
  });

  async function ask({ method, path, headers = {}, body }: Asked, more: Record<string, string> = {}) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    handled.length = 0;
    const answer = await service.get(`${service.baseUrl}${path}`, {
      method,
      headers: { ...type, ...headers, ...more },
      ...(text !== undefined && { body: text }),
    });
    return { answer, handledBy: [...handled] };
  }

  /** Returns the number of requests so far, by `operation status`. */
  async function counted(): Promise<Map<string, number>> {
    const figures = (await service.get(`${service.baseUrl}/metrics`)).text();
    const counts = figures.matchAll(
      /request_duration_seconds_count\{.*status="(\d+)",operation="(\w+)"\} (\d+)/gu,
    );
    return new Map(Array.from(counts, ([, status, id, count]) => [`${id} ${status}`, Number(count)]));
  }

  it('are answered and counted as the framework does it, without running it', async () => {
    const before = await counted();
    for (const one of cases) {
      const name = `${one.method} ${one.path} ${JSON.stringify(one.body)?.slice(0, 80)}`;
      const { answer: ahead, handledBy } = await ask(one);
      assert.equal(ahead.status, one.status, `${name}: ${ahead.text()}`);
      if (ahead.status < 400) assert.deepEqual(handledBy, [], name);
      const { answer, handledBy: framework } = await ask(one, byFramework(one.method));
      if (answer.status < 400) assert.deepEqual(framework, [one.id], name);
      assert.deepEqual(shown(ahead), shown(answer), name);
    }
    const after = await counted();
    for (const [name, asked] of Map.groupBy(cases, ({ id, status }) => `${id} ${status}`))
      assert.equal((after.get(name) ?? 0) - (before.get(name) ?? 0), 2 * asked.length, name);
  });

  it('have paths that match no other operation of their method', () => {
    const ids = new Set(cases.map(({ id }) => id));
    const ahead = operations.filter(({ id }) => ids.has(id));
    assert.equal(ahead.length, ids.size);
    for (const { id, method, path } of ahead) {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/gu, '[^/]+')}$`, 'u');
      const same = operations.filter((one) => one.method === method && pattern.test(one.path));
      assert.deepEqual(
        same.map((one) => one.id),
        [id],
      );
    }
  });
});
