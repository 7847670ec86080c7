import assert from 'node:assert/strict';
import { test } from 'node:test';
import { framedModule } from './support/fake-page.ts';

test('engines can call every method with JSON and get JSON back', async () => {
  using page = framedModule((method, args) =>
    method === 'run' ? { run: 'r1', seed: 's' } : method === 'run.submit' ? { rank: 1, args } : args,
  );
  page.answer();
  const { module } = page;
  assert.equal(await module.call('stats.add', '["moths"]'), '["moths",1]');
  assert.deepEqual(JSON.parse(await module.call('player.get', '[]')), module.player.get());
  assert.equal(await module.call('playing', '[true]'), 'null');
  assert.equal(await module.call('run', '["high"]'), '{"run":"r1","seed":"s"}');
  assert.equal(await module.call('run.submit', '["r1",5]'), '{"rank":1,"args":["r1",5,{}]}');
});

test('bytes are passed as base64', async () => {
  using page = framedModule((method, [slot, data, base]) =>
    method === 'saves.get' ? { slot, data: new Uint8Array([9]), version: 1 } : { slot, data, version: base },
  );
  page.answer();
  await page.module.call('saves.set', '["a",{"base64":"AQL/"}]');
  assert.deepEqual(page.heard[0]?.a[1], new Uint8Array([1, 2, 255]));
  assert.equal(JSON.parse(await page.module.call('saves.get', '["a"]')).data.base64, 'CQ==');
});

test('an unknown method is unsupported, and arguments that are no JSON array are invalid', async () => {
  using page = framedModule();
  for (const method of [
    'rooms.create',
    'constructor',
    'player.get.call',
    '__proto__.x',
    'on',
    'saves.onConflict',
    '',
  ])
    await assert.rejects(page.module.call(method, '[]'), { code: 'unsupported' }, method);
  for (const args of ['', '{}', 'null', '[{"base64":"%"}]'])
    await assert.rejects(page.module.call('stats.add', args), { code: 'invalid' }, args);
});
