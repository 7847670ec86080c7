import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mediaTypeOf } from './media-types.ts';
import { dictionaryMatch, mayBeLed, versionOfReferer, versionPathOf } from './version-path.ts';

describe('an address with a version in it', () => {
  it('is parsed into number and rest', () => {
    for (const [url, number, rest] of [
      ['/~7/', 7, '/'],
      ['/~7', 7, ''],
      ['/~12?x=1', 12, '?x=1'],
      ['/~7/a/b.js?v=/~8/', 7, '/a/b.js?v=/~8/'],
      ['/%7E7/a.js', 7, '/a.js'],
      ['/%7e999999999/', 999_999_999, '/'],
    ] as const)
      assert.deepEqual(versionPathOf(url), { number, rest }, url);
  });

  it('is not parsed from other paths', () => {
    for (const url of [
      '/',
      '/~',
      '/~/',
      '/~0/',
      '/~07/',
      '/~7a/',
      '/~7.png',
      '/a/~7/',
      '/~-1/',
      '~7/',
      '/~1e3/',
    ])
      assert.equal(versionPathOf(url), null, url);
    assert.equal(versionPathOf('/~1234567890/'), null);
  });

  it('keeps everything behind the number', () => {
    const number = fc.integer({ min: 1, max: 999_999_999 });
    fc.assert(
      fc.property(number, fc.string({ unit: 'binary-ascii' }), (count, rest) =>
        assert.deepEqual(versionPathOf(`/~${count}/${rest}`), { number: count, rest: `/${rest}` }),
      ),
    );
    // Texts of these characters are now and then such a path, and often nearly one.
    const nearly = fc.string({ unit: fc.constantFrom('/', '~', '0', '1', '9', '-', '.', '%', 'a') });
    fc.assert(
      fc.property(fc.constantFrom('', '/', '/~', '/~1'), nearly, (start, end) => {
        const found = versionPathOf(start + end);
        assert.ok(found === null || `/~${found.number}${found.rest}` === start + end, start + end);
      }),
    );
  });
});

describe('the version that sends a request', () => {
  const host = 'moon.play.example:8080';
  it('is read from a Referer of the same host', () => {
    assert.equal(versionOfReferer(`http://${host}/~7/a.js`, host), 7);
    assert.equal(versionOfReferer('https://moon.play.example/~7/', 'Moon.play.example'), 7);
    assert.equal(versionOfReferer('https://moon.play.example/~7/', 'moon.play.example:443'), 7);
  });

  it('is unknown when the Referer is missing or of another host', () => {
    for (const referer of [
      undefined,
      '',
      `http://${host}/`,
      `http://${host}/a/~7/`,
      'http://evil.example/~7/',
      'http://moon.play.example/~7/',
      `http://${host}@evil.example/~7/`,
      `about:/~7/`,
      'no address /~7/',
    ])
      assert.equal(versionOfReferer(referer, host), null, String(referer));
    assert.equal(versionOfReferer(`http://${host}/~7/`, undefined), null);
    const others = fc.oneof(
      fc.webAuthority({ withPort: true, withIPv4: true, withUserInfo: true }),
      fc.constantFrom(`evil.${host}`, `${host}0`, 'moon.play.example', 'moon.play.example.evil:8080'),
    );
    fc.assert(
      fc.property(others, (other) => assert.equal(versionOfReferer(`http://${other}/~7/`, host), null)),
    );
  });
});

it('only large binary files are redirected to other versions', () => {
  for (const path of ['a.png', 'a.wasm', 'a.wasm.br', 'game.data', 'game.pck', 'a.ogg', 'a.woff2', 'a.glb'])
    assert.equal(mayBeLed(mediaTypeOf(path), 5_000), true, path);
  for (const path of [
    'a.html',
    'a.js',
    'a.mjs',
    'a.css',
    'a.json',
    'a.svg',
    'a.xml',
    'a.gltf',
    'a.txt',
    'a.js.br',
  ])
    assert.equal(mayBeLed(mediaTypeOf(path), 5_000), false, path);
  assert.equal(mayBeLed(mediaTypeOf('a.png'), 200), false);
});

it('a file can be the dictionary for its path in other versions', () => {
  const size = 50_000;
  assert.equal(dictionaryMatch('game.js', size), 'match="/~*/game.js"');
  assert.equal(dictionaryMatch('a b/ü.data', size), 'match="/~*/a%20b/%C3%BC.data"');
  for (const path of ['a(1).js', 'a*.js', "it's.js", 'a+b.js', 'a{b}.js', 'a:b'])
    assert.equal(dictionaryMatch(path, size), null, path);
  assert.equal(dictionaryMatch('game.js', 32_767), null);
});
