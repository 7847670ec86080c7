import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoadSecond } from '../src/second-script.ts';
import { framedModule, loadSecond, Refusal } from './support/fake-page.ts';

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
