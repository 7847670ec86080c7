import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { start } from '../src/start.ts';
import { framedModule, loadSecond, served } from './support/fake-page.ts';
import { type FakeWindowOptions, fakeStorage, fakeWindow } from './support/fake-window.ts';

function local(options: FakeWindowOptions = {}) {
  return start(null, fakeWindow({ address: 'http://localhost:5173/', ...options }).frame, loadSecond);
}

test('on its creator’s machine, the module logs once that it is local', (t) => {
  const said = t.mock.method(console, 'info', () => {});
  const { frame } = fakeWindow({ address: 'http://localhost:5173/' });
  const module = start({ ...served, hosted: false }, frame, loadSecond);
  assert.equal(module.env, 'local');
  Reflect.set(frame, 'Spaceport', module);
  start({ ...served, hosted: false }, frame, loadSecond);
  assert.equal(said.mock.callCount(), 1);
});

test('alone on a content host, nothing is logged, and the player stays the same guest', (t) => {
  const said = t.mock.method(console, 'info', () => {});
  const storage = fakeStorage();
  const first = start(
    served,
    fakeWindow({ storage, address: 'http://moon.play.localhost:3000/' }).frame,
    loadSecond,
  );
  const again = start(served, fakeWindow({ storage }).frame, loadSecond);
  assert.deepEqual([first.env, first.version], ['live', 7]);
  assert.equal(first.player.get().guest, true);
  assert.equal(first.player.get().id, again.player.get().id);
  assert.equal(said.mock.callCount(), 0);
});

test('alone on a content host, nobody can sign in, and a guest has no token', async () => {
  const alone = start(served, fakeWindow().frame, loadSecond);
  await assert.rejects(alone.player.signIn(), { code: 'unsupported' });
  await assert.rejects(alone.player.token(), { code: 'sign_in_required' });
});

test('the locale is one that Intl takes, also where the browser tells another', () => {
  const { frame } = fakeWindow({ language: 'en-US@posix' });
  assert.equal(start(served, frame, loadSecond).locale, 'en-US');
  using framed = framedModule(() => null, { language: 'en-US@posix' });
  assert.equal(framed.module.locale, 'en-US');
});

test('on the creator’s machine, signing in works and sends an event', async (t) => {
  t.mock.method(console, 'info', () => {});
  const module = local();
  const heard = new Promise((resolve) => module.on('player', resolve));
  assert.equal((await module.player.signIn()).guest, false);
  assert.deepEqual(await heard, module.player.get());
  assert.equal(local({ address: 'http://localhost/?spaceport=signed-in' }).player.get().guest, false);
});

test('saves survive a reload, bytes too, and work where the browser refuses storage', async (t) => {
  t.mock.method(console, 'info', () => {});
  const storage = fakeStorage();
  await local({ storage }).saves.set('a', { level: 3 });
  await local({ storage }).saves.set('b', new Uint8Array([1, 2, 255]));
  const later = local({ storage });
  assert.deepEqual((await later.saves.get('a'))?.data, { level: 3 });
  assert.deepEqual((await later.saves.get('b'))?.data, new Uint8Array([1, 2, 255]));
  assert.deepEqual(
    (await later.saves.list()).map(({ slot }) => slot),
    ['a', 'b'],
  );
  await later.saves.delete('a');
  assert.equal(await later.saves.get('a'), null);
  const memory = local({ storage: null });
  await memory.saves.set('a', 1);
  assert.equal((await memory.saves.get('a'))?.data, 1);
});

test('a save that another page wrote meanwhile is a conflict', async (t) => {
  t.mock.method(console, 'info', () => {});
  const storage = fakeStorage();
  const [one, other] = [local({ storage }), local({ storage })];
  await one.saves.set('a', 1);
  other.saves.onConflict((mine, theirs) => [mine.data, theirs.data] as number[]);
  assert.deepEqual((await other.saves.set('a', 2)).data, [2, 1]);
});

test('the limits of saves are those of the service', async (t) => {
  t.mock.method(console, 'info', () => {});
  const module = local();
  await assert.rejects(module.saves.set('a', 'x'.repeat(262_143)), { code: 'too_large' });
  await assert.rejects(module.saves.set('a', '"'.repeat(131_072)), { code: 'too_large' });
  assert.equal((await module.saves.set('a', new Array(131_000).fill(0))).version, 1);
  await module.saves.set('b', runInNewContext('new Uint8Array([1, 2, 255])'));
  assert.deepEqual((await module.saves.get('b'))?.data, new Uint8Array([1, 2, 255]));
  for (const slot of ['a', 'b']) await module.saves.delete(slot);
  await assert.rejects(module.saves.set('A slot', 1), { code: 'invalid' });
  for (let slot = 0; slot < 16; slot++) await module.saves.set(`s${slot}`, slot);
  await assert.rejects(module.saves.set('one-more', 1), { code: 'too_large' });
});

test('declarations in service.json apply: boards, their order, stats and what they unlock', async (t) => {
  t.mock.method(console, 'info', () => {});
  const module = local({
    service: {
      boards: [{ key: 'laps', metric: 'time' }, { key: 'high' }],
      stats: [
        { key: 'moths', op: 'add' },
        { key: 'height', op: 'max' },
      ],
      achievements: [{ key: 'swarm', title: 'Swarm', hidden: true, trigger: { stat: 'moths', atLeast: 3 } }],
    },
  });
  await assert.rejects(module.run('low'), { code: 'not_found' });
  await assert.rejects(module.stats.add('bees'), { code: 'not_found' });
  await assert.rejects(module.achievements.unlock('hive'), { code: 'not_found' });
  await module.scores.submit('laps', 30);
  assert.deepEqual(await module.scores.submit('laps', 40), {
    rank: 1,
    best: 30,
    improved: false,
    entries: 1,
    next: null,
  });
  assert.equal((await module.scores.submit('laps', 20)).improved, true);
  assert.equal((await module.scores.submit('high', 5)).best, 5);
  assert.deepEqual(await module.scores.top('laps'), [{ rank: 1, handle: 'you', score: 20, you: true }]);
  assert.equal(await module.stats.set('height', 9), 9);
  assert.equal(await module.stats.set('height', 4), 9);
  assert.equal(await module.stats.add('moths'), 1);
  assert.deepEqual(await module.achievements.list(), [{ key: 'swarm', title: '', unlockedAt: null }]);
  assert.equal(await module.stats.add('moths', 2), 3);
  const [swarm] = await module.achievements.list();
  assert.ok(swarm?.unlockedAt);
  assert.equal(swarm.title, 'Swarm');
  assert.deepEqual(await module.achievements.unlock('swarm'), { first: false });
});

test('a score improves what its board keeps: the best, the sum or the last', async (t) => {
  t.mock.method(console, 'info', () => {});
  const boards = [
    { key: 'best' },
    { key: 'sum', keep: 'sum' },
    { key: 'owed', keep: 'sum', sort: 'asc' },
    { key: 'last', keep: 'last' },
  ];
  const { scores } = local({ service: { boards } });
  const answers = async (board: string, ...posted: number[]) => {
    const all: [number, boolean][] = [];
    for (const score of posted) {
      const { best, improved } = await scores.submit(board, score);
      all.push([best, improved]);
    }
    return all;
  };
  assert.deepEqual(await answers('best', 5, 5, 3, 6), [
    [5, true],
    [5, false],
    [5, false],
    [6, true],
  ]);
  assert.deepEqual(await answers('sum', 5, 3, 0, -1), [
    [5, true],
    [8, true],
    [8, false],
    [7, false],
  ]);
  assert.deepEqual(await answers('owed', 5, 3, -9), [
    [5, true],
    [8, false],
    [-1, true],
  ]);
  assert.deepEqual(await answers('last', 5, 3, 4), [
    [5, true],
    [3, false],
    [4, true],
  ]);
});

test('what the service would refuse is refused', async (t) => {
  t.mock.method(console, 'info', () => {});
  const module = local({
    address: 'http://localhost/?spaceport=signed-in',
    service: {
      boards: [
        { key: 'high', min: 0, max: 100, periods: ['all', 'week'] },
        { key: 'slow', min_seconds: 60 },
        { key: 'steep', max_per_second: 0.001 },
        { key: 'theirs', trust: 'server' },
      ],
      stats: [{ key: 'level' }, { key: 'moths', op: 'add' }],
      achievements: [],
    },
  });
  const { scores, stats, saves, achievements, content } = module;
  const run = await module.run('slow');
  const steep = await module.run('steep');
  const odd = undefined as never;
  const attempts: Record<string, () => Promise<unknown>> = {
    'an odd board': () => scores.submit('__proto__', 1),
    'no board': () => module.run(odd),
    'a score over the bound': () => scores.submit('high', 101),
    'a score that is too large': () => scores.submit('high', 1e300),
    'a large meta': () => scores.submit('high', 1, 'x'.repeat(2_000)),
    'a score without a run': () => scores.submit('slow', 1),
    'a score of a short run': () => run.submit(1),
    'a score of a fast run': () => steep.submit(100),
    'a large replay': () => run.submit(1, { replay: new Uint8Array(65_537) }),
    'a score that only the server may post': () => scores.submit('theirs', 1),
    'a long page': () => scores.top('high', { limit: 101 }),
    'a period that the board does not rank': () => scores.top('high', { period: 'day' }),
    'an addition to a stat that is set': () => stats.add('level'),
    'a value for a stat that is added to': () => stats.set('moths', 1),
    'a text for a stat': () => stats.add('moths', '1' as never),
    'an odd achievement': () => achievements.unlock('No'),
    'an odd slot': () => saves.get('No'),
    'half a character': () => saves.set('a', 'half \ud800'),
    'bytes as content': () => content.publish('level', new Uint8Array(1) as never),
    'a long title': () => content.publish('level', 1, 'x'.repeat(81)),
    'an odd order': () => content.list('level', { by: 'hated' as never }),
    'a long list': () => content.list('level', { limit: 51 }),
  };
  for (const [name, attempt] of Object.entries(attempts))
    await assert.rejects(attempt, { code: 'invalid', name: 'SpaceportError' }, name);
  assert.equal((await scores.submit('high', 100)).best, 100);
  assert.equal((await scores.top('high', { period: 'week', limit: 1 })).length, 1);
});

test('alone, lower scores are better on the boards that the service names', async () => {
  const module = start({ ...served, ascending: ['laps'] }, fakeWindow().frame, loadSecond);
  await module.scores.submit('laps', 30);
  assert.equal((await module.scores.submit('laps', 20)).best, 20);
});

test('alone, boards that the service names add scores up, or keep the last one', async () => {
  const keeps = { sum: ['gold', 'owed'], last: ['form'] };
  const module = start({ ...served, ascending: ['owed'], keeps }, fakeWindow().frame, loadSecond);
  const bests = [];
  for (const board of ['gold', 'owed', 'form', 'high']) {
    await module.scores.submit(board, 9);
    const { best, improved } = await module.scores.submit(board, 4);
    bests.push([board, best, improved]);
  }
  assert.deepEqual(bests.flat(), ['gold', 13, true, 'owed', 13, false, 'form', 4, false, 'high', 9, false]);
});

test('a run accepts one score', async (t) => {
  t.mock.method(console, 'info', () => {});
  const run = await local().run('high');
  assert.equal((await run.submit(5)).best, 5);
  await assert.rejects(run.submit(6), { code: 'closed' });
  await assert.rejects((await local().run('high')).submit(Number.NaN), { code: 'invalid' });
  const again = await local().run('high');
  const both = await Promise.allSettled([again.submit(7), again.submit(8)]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
});

test('offline, calls that can wait succeed, and all others fail with offline', async (t) => {
  t.mock.method(console, 'info', () => {});
  const module = local({ address: 'http://localhost/?spaceport=offline' });
  await module.saves.set('a', 1);
  assert.equal(await module.stats.add('moths'), 1);
  await assert.rejects(module.scores.top('high'), { code: 'offline' });
  await assert.rejects(module.scores.submit('high', 1), { code: 'offline' });
  await assert.rejects(module.player.signIn(), { code: 'offline' });
});

test('a save takes the texts that the service takes, and no others', async (t) => {
  t.mock.method(console, 'info', () => {});
  const module = local();
  const path = 'C:\\u0000\\ud800';
  await module.saves.set('a', { path });
  assert.deepEqual((await module.saves.get('a'))?.data, { path });
  for (const odd of ['\0', 'half \ud800'])
    await assert.rejects(module.saves.set('a', { odd }), { code: 'invalid' });
});

test('a save into a full storage fails with too_large, and the module still starts', async () => {
  const storage = fakeStorage();
  storage.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  const module = start(served, fakeWindow({ storage }).frame, loadSecond);
  await module.ready();
  await assert.rejects(module.saves.set('a', 1), { code: 'too_large' });
});
