import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { startContentHost } from './testing/content-host.ts';

/** What nginx keeps of the answer that names a file, what it makes itself, and what ends with a connection. */
const ofNginx = [
  'x-accel-redirect',
  'cache-control',
  'content-type',
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
];

test('the lines for nginx in the guide pass on every header of the files that nginx sends', async () => {
  const guide = await readFile(new URL('../../../../docs/self-hosting.md', import.meta.url), 'utf8');
  const passedOn = [...guide.matchAll(/^ +add_header (\S+) \$upstream_http_(\w+);$/gmu)].map(
    ([, name = '', variable]) => {
      assert.equal(name.toLowerCase().replaceAll('-', '_'), variable);
      return name.toLowerCase();
    },
  );
  await using host = await startContentHost({ useAccelRedirect: '/_blobs/' });
  const bytes = 'large '.repeat(1_000_000);
  const files = { 'index.html': bytes, 'game.wasm': bytes, 'big.js.br': bytes };
  const numbers = { 7: Number.POSITIVE_INFINITY };
  host.addSite('game', files, { isolated: true, numbers });
  host.addSite('p--1', files, { temporary: true });
  const sent = new Set<string>();
  for (const [label, path] of [
    ['game.play', '/~7/'],
    ['game.play', '/~7/game.wasm'],
    ['game.play', '/big.js.br'],
    ['p--1.temp', '/game.wasm'],
  ] as const) {
    const { headers } = await host.ask(path, {
      host: `${label}.localhost:3000`,
      headers: { 'accept-encoding': 'br' },
    });
    assert.ok(headers['x-accel-redirect'], path);
    for (const header of Object.keys(headers)) if (!ofNginx.includes(header)) sent.add(header);
  }
  assert.deepEqual([...sent].sort(), passedOn.sort());
});
