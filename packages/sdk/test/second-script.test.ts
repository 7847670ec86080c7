import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoadSecond } from '../src/second-script.ts';
import { start } from '../src/start.ts';
import { framedModule, loadSecond, Refusal, served } from './support/fake-page.ts';
import { fakeWindow } from './support/fake-window.ts';

const full = new Refusal({ code: 'full', message: 'the room is full' });

test('the second script is loaded once, at the first call that needs it', async () => {
  let loads = 0;
  const load: LoadSecond = () => {
    loads++;
    return loadSecond();
  };
  using page = framedModule(() => Promise.reject(full), { load });
  page.answer();
  await page.module.ready();
  assert.equal(page.module.rooms.invited(), null);
  assert.equal(loads, 0);
  const { rooms } = page.module;
  for (const calling of [rooms.create({ max: 4 }), rooms.join(' bcdfg'), rooms.quick()])
    await assert.rejects(calling, { code: 'full' });
  assert.equal(loads, 1);
  assert.deepEqual(
    page.heard.filter(({ m }) => m === 'rooms.enter').map(({ a }) => a),
    [
      ['create', { max: 4 }],
      ['join', { code: 'BCDFG' }],
      ['quick', {}],
    ],
  );
});

test('a second script that cannot be loaded fails the call, and the next call tries again', async () => {
  let loads = 0;
  const load: LoadSecond = () => (++loads === 1 ? Promise.reject(new TypeError('no network')) : loadSecond());
  using page = framedModule(() => Promise.reject(full), { load });
  page.answer();
  await assert.rejects(page.module.rooms.quick(), { code: 'offline' });
  await assert.rejects(page.module.rooms.quick(), { code: 'full' });
  assert.equal(loads, 2);
});

test('alone, the second script is loaded once the page was read, before the first call', async () => {
  let loads = 0;
  const load: LoadSecond = () => {
    loads++;
    return loadSecond();
  };
  const { frame } = fakeWindow();
  const alone = start(served, frame, load);
  // Browsers take no import map of the page after this.
  assert.equal(loads, 0);
  frame.document.dispatchEvent(new Event('readystatechange'));
  assert.equal(loads, 1);
  await alone.saves.set('a', 1);
  assert.equal((await alone.saves.get('a'))?.data, 1);
  await assert.rejects(alone.rooms.quick(), { code: 'unsupported' });
  assert.equal(loads, 1);
});

test('alone, a game starts without the second script, and the next call tries again', async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  let loads = 0;
  const load: LoadSecond = () => (++loads === 1 ? promise : loadSecond());
  const alone = start(served, fakeWindow().frame, load);
  await alone.ready();
  assert.deepEqual([alone.env, alone.version, alone.player.get().guest], ['live', 7, true]);
  const writing = alone.saves.set('a', 1);
  reject(new TypeError('no network'));
  await assert.rejects(writing, { code: 'offline' });
  await alone.saves.set('a', 2);
  assert.equal((await alone.saves.get('a'))?.data, 2);
  assert.equal(loads, 2);
});

test('alone, a second script of an older service, without a stand-in, fails the call', async () => {
  const older: LoadSecond = async () => {
    const { openStandIn: _, ...known } = await loadSecond();
    return known as Awaited<ReturnType<LoadSecond>>;
  };
  const alone = start(served, fakeWindow().frame, older);
  await assert.rejects(alone.scores.submit('high', 1), { code: 'offline' });
});
