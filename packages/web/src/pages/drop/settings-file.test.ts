import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from './settings-file.ts';

test('splits service.json into the space, its fields and the declarations', () => {
  const text =
    '\ufeff{"$schema":"x","space":"moon","title":"Moon","devices":["desktop"],"spa":true,"stats":[]}';
  assert.deepEqual(readSettings(text), {
    space: 'moon',
    fields: { title: 'Moon', devices: ['desktop'] },
    declarations: { spa: true, stats: [] },
  });
});

test('names what to fix', () => {
  assert.throws(() => readSettings('{"titel":"Moon"}'), /has no field titel\. Known fields: space, title,/u);
  assert.throws(() => readSettings('{"title":'), /service\.json is not JSON: /u);
  assert.throws(() => readSettings('[]'), /must be an object/u);
  assert.throws(() => readSettings('{"space":3}'), /must be the slug/u);
});
