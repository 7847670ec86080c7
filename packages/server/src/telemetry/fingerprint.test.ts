import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fingerprintOf, normalMessage, stableFile } from './fingerprint.ts';
import { firstFrame, frameIn } from './stack-frames.ts';

const origin = 'https://moon.play.example';

describe('frames of a stack', () => {
  it('are parsed in the format of each browser', () => {
    const read = (line: string) => {
      const frame = frameIn(line);
      return frame && [frame.url.pathname, frame.line, frame.column, frame.functionName];
    };
    for (const [line, expected] of [
      [`    at jump (${origin}/game.js:12:34)`, ['/game.js', 12, 34, 'jump']],
      [`    at async Level.load (${origin}/game.js?v=2:1:2)`, ['/game.js', 1, 2, 'Level.load']],
      [`    at new Ship (${origin}/~7/a.js:1:2)`, ['/~7/a.js', 1, 2, 'Ship']],
      [`    at Ship.x [as fly] (${origin}/a.js:1:2)`, ['/a.js', 1, 2, 'Ship.x']],
      [`    at ${origin}/game.js:3:4`, ['/game.js', 3, 4, null]],
      [`jump@${origin}/game.js:12:34`, ['/game.js', 12, 34, 'jump']],
      [`@${origin}/game.js:12:34`, ['/game.js', 12, 34, null]],
      [`${origin}/game.js:12:34`, ['/game.js', 12, 34, null]],
    ] as const)
      assert.deepEqual(read(line), expected, line);
  });

  it('are not parsed from other lines', () => {
    for (const line of [
      '',
      'TypeError: x is undefined',
      '    at <anonymous>',
      'at (native)',
      `${origin}/game.js`,
      `see ${origin}/game.js:1:2 for more`,
      `    at ${'http://'.repeat(400)}x:1:2`,
    ])
      assert.equal(frameIn(line), null, line);
    assert.equal(firstFrame('Error: no\n  at <anonymous>'), null);
  });
});

describe('the fingerprint of an error', () => {
  const of = (message: string, place: string, name = 'jump') =>
    fingerprintOf({ message, stack: `${message}\n    at ${name} (${origin}/${place})` }).fingerprint;

  it('is the same in the next version, at another line, in another build', () => {
    const first = of('x is not a function', 'assets/index-BxY12abc.js:1:200');
    assert.equal(of('x is not a function', '~8/assets/index-Qq98_xyz.js?v=8:3:1'), first);
    assert.equal(
      of('x is not a function', 'assets/index.js:1:1', 'a'),
      of('x is not a function', 'assets/index.js:1:1', 'b'),
    );
    assert.equal(of('No level 12 at 17.5', 'a.js:1:1'), of('No level 7 at 2', 'a.js:9:9'));
  });

  it('differs for another message, file or function', () => {
    const all = [
      of('x is not a function', 'a.js:1:1'),
      of('y is not a function', 'a.js:1:1'),
      of('x is not a function', 'b.js:1:1'),
      of('x is not a function', 'a.js:1:1', 'land'),
      fingerprintOf({ message: 'x is not a function' }).fingerprint,
    ];
    assert.equal(new Set(all).size, all.length);
  });

  it('comes with file and function, when they are known', () => {
    const placeOf = (stack: string) => fingerprintOf({ message: 'no', stack }).place;
    assert.equal(placeOf(`at jump (${origin}/src/game.js:1:2)`), 'src/game.js, jump');
    assert.equal(placeOf(`at ${origin}/src/game.js:1:2`), 'src/game.js');
    assert.equal(placeOf('native'), null);
    assert.equal(fingerprintOf({ message: 'no', source: `${origin}/a.js?x` }).place, 'a.js');
    assert.equal(fingerprintOf({ message: 'no', source: 'nowhere' }).place, null);
  });

  it('ignores numbers, ids and queries in the message', () => {
    assert.equal(
      normalMessage('Cannot load https://a.example/x.png?t=123456 (id 3f2a99c07b1e) after 31 ms\nand more'),
      'Cannot load https://a.example/x.png (id #) after # ms',
    );
    assert.equal(normalMessage('Unexpected token deadbeef'), 'Unexpected token deadbeef');
  });

  it('ignores hashes in file names, and keeps words', () => {
    for (const [path, expected] of [
      ['/assets/index-BxY12abc.js', 'assets/index.js'],
      ['/main.4f3a2b1c.js', 'main.js'],
      ['/~12/game.js', 'game.js'],
      ['/spaceship-controls.js', 'spaceship-controls.js'],
      ['/player.controller.js', 'player.controller.js'],
      ['/', ''],
    ] as const)
      assert.equal(stableFile(path), expected, path);
  });
});
