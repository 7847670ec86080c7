import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mediaTypeOf } from './media-types.ts';

describe('media types', () => {
  for (const [path, type] of [
    ['index.html', 'text/html; charset=utf-8'],
    ['a/b.JS', 'text/javascript'],
    ['m.mjs', 'text/javascript'],
    ['style.css', 'text/css'],
    ['data.json', 'application/json; charset=utf-8'],
    ['x.symbols.json', 'application/json; charset=utf-8'],
    ['game.wasm', 'application/wasm'],
    ['game.data', 'application/octet-stream'],
    ['game.pck', 'application/octet-stream'],
    ['game.unityweb', 'application/octet-stream'],
    ['ship.glb', 'model/gltf-binary'],
    ['ship.gltf', 'model/gltf+json; charset=utf-8'],
    ['t.ktx2', 'image/ktx2'],
    ['t.basis', 'image/x-basis'],
    ['app.webmanifest', 'application/manifest+json; charset=utf-8'],
    ['f.woff2', 'font/woff2'],
    ['s.opus', 'audio/ogg'],
    ['s.mp3', 'audio/mpeg'],
    ['v.mp4', 'video/mp4'],
    ['p.avif', 'image/avif'],
    ['p.svg', 'image/svg+xml'],
    ['s.glsl', 'text/plain; charset=utf-8'],
    ['nothing', 'application/octet-stream'],
    ['odd.constructor', 'application/octet-stream'],
    ['folder.js/nothing', 'application/octet-stream'],
  ] as const) {
    test(`${path} is ${type}`, () => assert.equal(mediaTypeOf(path).contentType, type));
  }

  for (const [path, type, coding] of [
    ['Build/x.wasm.br', 'application/wasm', 'br'],
    ['Build/x.data.br', 'application/octet-stream', 'br'],
    ['Build/x.data.gz', 'application/octet-stream', 'gzip'],
    ['Build/x.framework.js.br', 'text/javascript', 'br'],
    ['Build/x.framework.js.gz', 'text/javascript', 'gzip'],
    ['Build/x.symbols.json.gz', 'application/json; charset=utf-8', 'gzip'],
    ['index.pck.gz', 'application/octet-stream', 'gzip'],
    ['icon.svgz', 'image/svg+xml', 'gzip'],
    // Archives that the game unpacks by itself.
    ['levels.json.gz', 'application/gzip', undefined],
    ['levels.tar.gz', 'application/gzip', undefined],
    ['levels.gz', 'application/gzip', undefined],
    ['levels.br', 'application/octet-stream', undefined],
  ] as const) {
    test(`${path} is ${type} in ${coding ?? 'no coding'}`, () => {
      const media = mediaTypeOf(path);
      assert.equal(media.contentType, type);
      assert.equal(media.coding, coding);
    });
  }

  test('say which files compression makes smaller', () => {
    for (const path of ['a.html', 'a.js', 'a.wasm', 'a.svg', 'a.ttf', 'a.data', 'a.glb', 'a.wav']) {
      assert.equal(mediaTypeOf(path).compressible, true, path);
    }
    for (const path of ['a.png', 'a.jpg', 'a.webp', 'a.mp3', 'a.mp4', 'a.woff2', 'a.zip', 'a.wasm.br']) {
      assert.equal(mediaTypeOf(path).compressible, false, path);
    }
  });
});
