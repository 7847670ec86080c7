import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createHostClassifier } from './hosts.ts';

const local = createHostClassifier({
  app: 'localhost:3000',
  play: 'play.localhost:3000',
  preview: 'temp.localhost:3000',
});
const production = createHostClassifier({
  app: 'play.example.org',
  play: 'example.org',
  preview: 'preview.example.org',
});

describe('the host classifier', () => {
  for (const [header, expected] of [
    ['localhost:3000', { is: 'app' }],
    ['LOCALHOST:3000', { is: 'app' }],
    ['localhost.:3000', { is: 'app' }],
    ['game.play.localhost:3000', { is: 'play', label: 'game' }],
    ['Game.PLAY.localhost:3000', { is: 'play', label: 'game' }],
    ['game.play.localhost.:3000', { is: 'play', label: 'game' }],
    ['p--a1b2.temp.localhost:3000', { is: 'preview', label: 'p--a1b2' }],
    ['game.play.localhost:03000', { is: 'play', label: 'game' }],
  ] as const) {
    test(`recognizes ${header}`, () => assert.deepEqual(local(header), expected));
  }

  for (const header of [
    undefined,
    '',
    '.',
    ':3000',
    'localhost',
    'localhost:3001',
    'play.localhost:3000',
    'temp.localhost:3000',
    '.play.localhost:3000',
    'a.b.play.localhost:3000',
    'game.play.localhost',
    'game.play.localhost:80',
    'game.play.localhost..:3000',
    'gameplay.localhost:3000',
    '-game.play.localhost:3000',
    'ga_me.play.localhost:3000',
    'g%61me.play.localhost:3000',
    'game.play.localhost:3000:3000',
    'game.play.localhost:3000@evil.example',
    'user@game.play.localhost:3000',
    'game.play.localhost:3000/x',
    'game.play.localhost:x',
    'game .play.localhost:3000',
    'gämé.play.localhost:3000',
    '127.0.0.1:3000',
    '[::1]:3000',
    'evil.example',
    `${'a'.repeat(64)}.play.localhost:3000`,
    `${'a'.repeat(5_000)}.play.localhost:3000`,
  ]) {
    test(`does not recognize ${String(header).slice(0, 60)}`, () =>
      assert.deepEqual(local(header), { is: 'unknown' }));
  }

  test('ignores default ports', () => {
    assert.deepEqual(production('game.example.org'), { is: 'play', label: 'game' });
    assert.deepEqual(production('game.example.org:443'), { is: 'play', label: 'game' });
    assert.deepEqual(production('game.example.org:80'), { is: 'play', label: 'game' });
    assert.deepEqual(production('game.example.org:8443'), { is: 'unknown' });
  });

  test('recognizes the exact names of the app and the parent hosts before any label', () => {
    assert.deepEqual(production('play.example.org'), { is: 'app' });
    assert.deepEqual(production('preview.example.org'), { is: 'unknown' });
    assert.deepEqual(production('x.preview.example.org'), { is: 'preview', label: 'x' });
    assert.deepEqual(production('example.org'), { is: 'unknown' });
  });

  test('throws at the start for an invalid host', () => {
    const hosts = { app: 'localhost:3000', play: 'http://play.localhost', preview: 'temp.localhost' };
    assert.throws(() => createHostClassifier(hosts), /is not a host name/u);
  });

  test('returns every label, whatever its case, and the same when asked again', () => {
    const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/u);
    fc.assert(
      fc.property(label, fc.constantFrom('play', 'temp'), fc.boolean(), (name, parent, upper) => {
        const header = `${upper ? name.toUpperCase() : name}.${parent}.localhost:3000`;
        const expected = { is: parent === 'play' ? 'play' : 'preview', label: name };
        assert.deepEqual(local(header), expected);
        assert.deepEqual(local(header), expected);
      }),
    );
  });

  test('never throws, and never invents a label', () => {
    const headers = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }).map((text) => `${text}.play.localhost:3000`),
    );
    fc.assert(
      fc.property(headers, (header) => {
        const target = local(header);
        if (target.is === 'play' || target.is === 'preview') assert.match(target.label, /^[a-z0-9-]{1,63}$/u);
      }),
    );
  });

  test('is right when there are more hosts than it remembers', () => {
    for (let count = 0; count < 5_000; count++) {
      assert.deepEqual(local(`g${count}.play.localhost:3000`), { is: 'play', label: `g${count}` });
    }
  });
});
