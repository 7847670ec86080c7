import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from './settings-file.ts';

const read = (text: string, encoding?: BufferEncoding) => readSettings(Buffer.from(text, encoding));

test('splits service.json into the space, its fields and the declarations', () => {
  const text =
    '\ufeff{"$schema":"x","space":"moon","title":"Moon","devices":["desktop"],"spa":true,"stats":[]}';
  assert.deepEqual(read(text), {
    space: 'moon',
    fields: { title: 'Moon', devices: ['desktop'] },
    declarations: { spa: true, stats: [] },
  });
});

test('names what to fix', () => {
  assert.throws(() => read('{"titel":"Moon"}'), /has no field titel\. Known fields: space, title,/u);
  assert.throws(() => read('{"title":'), /service\.json is not JSON: /u);
  assert.throws(() => read('[]'), /must be an object/u);
  assert.throws(() => read('{"space":3}'), /must be the slug/u);
  for (const encoding of ['latin1', 'utf16le'] as const)
    assert.throws(
      () => read('{"title":"Caf\u00e9"}', encoding),
      /^Error: service\.json is not in UTF-8\. Save/u,
    );
});
