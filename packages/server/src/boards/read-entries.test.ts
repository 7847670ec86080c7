import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import { startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

interface Entry {
  rank: number;
  handle: string;
  score: number;
  submitted_at: string;
  submission: number;
}

describe('the entries of a board', () => {
  let service: TestService;
  let arena: Arena;
  let players: string[];
  before(async () => {
    service = await startService({ environment: { RANK_SEGMENT_SIZE: '4' } });
    arena = await makeArena(service, [
      { key: 'points' },
      { key: 'empty' },
      { key: 'daily', periods: ['day', 'week', 'month'] },
    ]);
    players = await makePlayers(service, 60);
    const scores = players.map((player, index) => ({ board: 'points', player, score: index }));
    assert.equal((await arena.post({ scores })).status, 201);
  });
  after(() => service.close());

  const read = async (board: string, query = '') => {
    const answer = await arena.entries(board, query);
    assert.equal(answer.status, 200, answer.text());
    return answer.json() as { entries: Entry[]; total: number; next: string | null };
  };
  const ranks = ({ entries }: { entries: Entry[] }) => entries.map(({ rank }) => rank);

  it('come in pages, in order, with the total', async () => {
    const seen: Entry[] = [];
    let next: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof read>> = await read(
        'points',
        `?limit=7${next === null ? '' : `&cursor=${next}`}`,
      );
      assert.equal(page.total, 60);
      seen.push(...page.entries);
      next = page.next;
    } while (next !== null);
    assert.deepEqual(
      seen.map(({ rank, handle, score }) => [rank, handle, score]),
      players.toReversed().map((player, index) => [index + 1, player, 59 - index]),
    );
    assert.ok(seen.every(({ submitted_at }) => !Number.isNaN(Date.parse(submitted_at))));
    assert.equal((await read('points')).entries.length, 25);
    assert.deepEqual(await read('empty'), { entries: [], total: 0, next: null });
  });

  it('are shown around a player, half of them above', async () => {
    const around = (player: number, limit: number) =>
      read('points', `?limit=${limit}&around=@${players[player]?.toUpperCase()}`);
    assert.deepEqual(ranks(await around(29, 5)), [29, 30, 31, 32, 33]);
    assert.deepEqual(ranks(await around(59, 4)), [1, 2, 3, 4]);
    assert.deepEqual(ranks(await around(0, 4)), [58, 59, 60]);
    const { next } = await around(29, 5);
    assert.deepEqual(ranks(await read('points', `?limit=2&cursor=${next}`)), [34, 35]);
    const stranger = await service.creator();
    for (const handle of [stranger.handle, 'nobody_at_all'])
      assert.deepEqual(codeOf(await arena.entries('points', `?around=${handle}`)), [404, 'no_such_player']);
    assert.deepEqual(codeOf(await arena.entries('empty', `?around=${players[0]}`)), [404, 'no_such_player']);
  });

  it('are of the current or of a past day, week or month', async () => {
    const [ann = '', bob = ''] = players;
    const day = (await arena.score('daily', ann, 5)).submission.created_at.slice(0, 10);
    service.clock.advance({ days: 40 });
    const today = (await arena.score('daily', bob, 3)).submission.created_at.slice(0, 10);
    const handles = async (query: string) => (await read('daily', query)).entries.map(({ handle }) => handle);
    assert.deepEqual(await handles(''), [bob], 'the first ranking');
    for (const period of ['day', 'week', 'month', today, today.slice(0, 7)])
      assert.deepEqual(await handles(`?period=${period}`), [bob], period);
    for (const period of [day, day.slice(0, 7)])
      assert.deepEqual(await handles(`?period=${period}`), [ann], period);
    assert.deepEqual(await read('daily', '?period=2001-01-01'), { entries: [], total: 0, next: null });
    for (const period of ['all', 'year', '2026-02-30', '2026-W60', '2026-13', '']) {
      const refused = await arena.entries('daily', `?period=${period}`);
      assert.deepEqual(codeOf(refused), [422, 'invalid'], period);
      assert.equal(refused.json().issues[0].path, 'period');
    }
  });

  it('stay in the window of their cursor after the day changes', async () => {
    const [ann = '', bob = '', cid = ''] = players;
    for (const player of [ann, bob, cid]) await arena.score('daily', player, 1);
    const first = await read('daily', '?limit=2');
    service.clock.advance({ days: 1 });
    const rest = await read('daily', `?limit=2&cursor=${first.next}`);
    assert.equal(rest.entries.length, 1);
    const other = await arena.entries('daily', `?period=month&cursor=${first.next}`);
    assert.deepEqual(codeOf(other), [422, 'invalid']);
  });

  it('refuse a wrong query parameter by name', async () => {
    const wrong = ['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'cursor=', 'around=a b', 'more=1'];
    const { next } = await read('points', '?limit=1');
    const [window = '', key, id] = Buffer.from(next ?? '', 'base64url')
      .toString()
      .split(' ');
    const places = ['x 5', '5 x', ` ${id}`, `${key} `, key, `${key} 1.5`, `${key} 1e20`, `Infinity ${id}`];
    const cursors = [...places, `${key} ${id} 7`].map(
      (place) => `cursor=${Buffer.from(`${window} ${place}`).toString('base64url')}`,
    );
    for (const query of [...wrong, ...cursors]) {
      const refused = await arena.entries('points', `?${query}`);
      assert.deepEqual(codeOf(refused), [422, 'invalid'], query);
      assert.equal(refused.json().issues[0].path, query.split('=')[0]);
    }
  });

  it('may be cached for ten seconds, and are revalidated by ETag', async () => {
    const first = await arena.entries('points');
    assert.equal(first.headers['cache-control'], 'public, max-age=10');
    const { etag = '' } = first.headers;
    const again = await service.anonymous.call(
      'GET',
      `/api/gallery/${arena.slug}/boards/points/entries`,
      undefined,
      { 'if-none-match': etag },
    );
    assert.deepEqual([again.status, again.text()], [304, '']);
    await arena.score('points', players[3] ?? '', 1_000);
    assert.notEqual((await arena.entries('points')).headers.etag, etag);
  });

  it('are not found for others when the space hides its boards, and stay readable for its owner', async () => {
    assert.deepEqual(codeOf(await arena.entries('nowhere')), [404, 'not_found']);
    const hidden = await makeArena(service, [{ key: 'points' }]);
    await hidden.score('points', players[0] ?? '', 1);
    assert.equal((await hidden.entries('points')).status, 200);
    const settings = { page: { show_boards: false } };
    assert.equal((await hidden.creator.call('PATCH', `/api/spaces/${hidden.slug}`, settings)).status, 200);
    assert.deepEqual(codeOf(await hidden.entries('points')), [404, 'not_found']);
    const path = `/api/spaces/${hidden.slug}/boards/points/entries`;
    const own = await hidden.creator.call('GET', path);
    assert.equal(own.json().total, 1);
    assert.equal(own.headers['cache-control'], 'no-store');
    assert.deepEqual(codeOf(await arena.creator.call('GET', path)), [404, 'not_found']);
    assert.deepEqual(codeOf(await service.anonymous.call('GET', path)), [401, 'unauthorized']);
    const operator = await service.creator(undefined, { operator: true });
    await operator.call('POST', `/api/operator/spaces/${arena.slug}/hold`, { reason: 'test' });
    assert.deepEqual(codeOf(await arena.entries('points')), [404, 'not_found']);
    await operator.call('POST', `/api/operator/spaces/${arena.slug}/release`, { reason: 'test' });
    assert.equal((await arena.entries('points')).status, 200);
  });

  it('are readable by the creator only in the sandbox', async () => {
    await arena.score('points', players[0] ?? '', 77, { sandbox: true });
    const path = `/api/spaces/${arena.slug}/boards/points/entries`;
    const sandbox = (await arena.creator.call('GET', `${path}?sandbox=true`)).json();
    assert.deepEqual([sandbox.total, sandbox.entries[0].score], [1, 77]);
    assert.equal((await arena.creator.call('GET', `${path}?sandbox=false`)).json().total, 60);
    assert.deepEqual(codeOf(await arena.creator.call('GET', `${path}?sandbox=1`)), [422, 'invalid']);
    const nobody = await arena.creator.call('GET', `${path}?around=nobody_at_all`);
    assert.deepEqual(codeOf(nobody), [404, 'no_such_player']);
  });
});
