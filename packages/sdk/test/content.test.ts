import assert from 'node:assert/strict';
import { test } from 'node:test';
import { start } from '../src/start.ts';
import { framedModule, loadSecond, served } from './support/fake-page.ts';
import { fakeWindow } from './support/fake-window.ts';

const made = { id: 'cnt_1', kind: 'level', title: '', handle: 'ada', data: 1 };

test('calls for players’ content are sent to the page', async () => {
  using page = framedModule((method) => (method === 'content.list' ? { items: [made], next: 'x' } : made));
  page.answer();
  const { content } = page.module;
  assert.deepEqual(await content.publish('level', { a: [1] }), made);
  await content.publish('level', 2, 'Two');
  assert.deepEqual(await content.list('level', { by: 'liked' }), { items: [made], next: 'x' });
  await content.list('level', 'x');
  await content.list('level');
  await content.get('cnt_1');
  await content.like('cnt_1');
  await content.like('cnt_1', false);
  assert.equal(await content.remove('cnt_1'), undefined);
  assert.equal(await content.report('cnt_1'), undefined);
  assert.deepEqual(
    page.heard.map(({ m, a }) => [m, ...a]),
    [
      ['content.publish', 'level', { a: [1] }, ''],
      ['content.publish', 'level', 2, 'Two'],
      ['content.list', 'level', { by: 'liked' }],
      ['content.list', 'level', { cursor: 'x' }],
      ['content.list', 'level', {}],
      ['content.get', 'cnt_1'],
      ['content.like', 'cnt_1', true],
      ['content.like', 'cnt_1', false],
      ['content.remove', 'cnt_1'],
      ['content.report', 'cnt_1'],
    ],
  );
  assert.deepEqual(JSON.parse(await page.module.call('content.get', '["cnt_1"]')), made);
});

test('without a service, players’ content is kept locally and behaves the same', async (t) => {
  t.mock.method(console, 'info', () => {});
  const { content, player } = start(
    null,
    fakeWindow({ address: 'http://localhost:5173/' }).frame,
    loadSecond,
  );
  await assert.rejects(content.publish('level', 1), { code: 'sign_in_required' });
  await player.signIn();
  const first = await content.publish('level', { rocks: 2 }, 'Two craters');
  assert.deepEqual([first.title, first.handle, first.yours, first.likes], ['Two craters', 'you', true, 0]);
  assert.deepEqual(await content.publish('level', { rocks: 2 }, 'Two craters'), first);
  const second = await content.publish('level', 2);
  await content.publish('ghost', 3);
  assert.deepEqual(await content.like(first.id), { liked: true, likes: 1 });
  const titles = async (...query: Parameters<typeof content.list>) =>
    (await content.list(...query)).items.map(({ id }) => id);
  assert.deepEqual(await titles('level'), [second.id, first.id]);
  assert.deepEqual(await titles('level', { by: 'liked' }), [first.id, second.id]);
  const page = await content.list('level', { limit: 1 });
  assert.deepEqual(await titles('level', { limit: 1, cursor: page.next ?? '' }), [first.id]);
  assert.deepEqual((await content.get(second.id)).data, 2);
  await content.remove(second.id);
  await assert.rejects(content.get(second.id), { code: 'not_found' });
  await assert.rejects(content.remove(second.id), { code: 'not_found' });
  await assert.rejects(content.publish('Level', 1), { code: 'invalid' });
  await assert.rejects(content.publish('level', 'x'.repeat(70_000)), { code: 'too_large' });
  await assert.rejects(content.report(first.id), { code: 'unsupported' });
});

test('without a service, a hundred things are the most', async (t) => {
  t.mock.method(console, 'info', () => {});
  const { content, player } = start(
    null,
    fakeWindow({ address: 'http://localhost:5173/' }).frame,
    loadSecond,
  );
  await player.signIn();
  for (let count = 0; count < 100; count++) await content.publish('level', count);
  await assert.rejects(content.publish('level', 100), { code: 'full' });
});

test('alone on a content host, a guest’s content is kept', async () => {
  const { content } = start(served, fakeWindow().frame, loadSecond);
  const mine = await content.publish('level', 1);
  assert.deepEqual((await content.list('level')).items[0], mine);
});
