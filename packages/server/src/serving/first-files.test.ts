import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { givenId } from '../platform/db/ids.ts';
import { type FirstFile, FirstFiles, linkTo } from './first-files.ts';
import type { Site } from './site.ts';
import { startContentHost } from './testing/content-host.ts';

function siteWith(...paths: string[]): Site {
  const file = { hash: '', size: 1, key: '', forms: {} };
  return {
    versionId: givenId('ver', 'ver_1'),
    number: 1,
    files: new Map(['index.html', ...paths].map((path) => [path, file])),
    takenDown: [],
    entry: 'index.html',
    spa: false,
    sdk: true,
    shims: true,
    clientBoard: null,
    portalKeys: null,
    storage: true,
    ascendingBoards: [],
    isolated: false,
  };
}

/** A request as Chromium sends it. */
function asked(url: string, dest: string, mode: string, more: Record<string, string> = {}, method = 'GET') {
  return { url, method, headers: { 'sec-fetch-dest': dest, 'sec-fetch-mode': mode, ...more } };
}

describe('the files that a page requests first', () => {
  it('are recorded in the order of the requests, each once', () => {
    const first = new FirstFiles(siteWith('a.js', 'b.js', 'c.css', 'd.woff2', 'é.json'));
    first.note(asked('/', 'iframe', 'navigate'));
    first.note(asked('/b.js?v=2', 'script', 'cors'));
    first.note(asked('/a.js', 'script', 'no-cors'));
    first.note(asked('/c.css', 'style', 'no-cors'));
    first.note(asked('/d.woff2', 'font', 'cors'));
    first.note(asked('/%C3%A9.json', 'empty', 'cors'));
    first.note(asked('/a.js', 'script', 'no-cors'));
    assert.equal(
      linkTo(first.list()),
      '<./b.js?v=2>; rel=modulepreload, <./a.js>; rel=preload; as=script, <./c.css>; rel=preload; as=style, ' +
        '<./d.woff2>; rel=preload; as=font; crossorigin, <./%C3%A9.json>; rel=preload; as=fetch; crossorigin',
    );
  });

  it('do not include files outside the version, or requests that cannot be preloaded', () => {
    const first = new FirstFiles(siteWith('a.js', 'a.png', 'w.js', 'x>.js'));
    first.note(asked('/gone.js', 'script', 'no-cors'));
    first.note(asked('/service/sdk-1.js', 'script', 'no-cors'));
    first.note(asked('/a.png', 'image', 'no-cors'));
    first.note(asked('/w.js', 'worker', 'same-origin'));
    first.note(asked('/x>.js', 'script', 'no-cors'));
    first.note(asked('/a.js', 'empty', 'cors', {}, 'POST'));
    first.note(asked('/a.js', 'empty', 'cors', { range: 'bytes=0-1' }));
    first.note(asked('/a.js', 'empty', 'cors', { 'cache-control': 'no-cache' }));
    first.note({ url: '/a.js', method: 'GET', headers: {} });
    assert.deepEqual(first.list(), []);
  });

  it('are limited in number and length', () => {
    const paths = Array.from({ length: 40 }, (_, index) => `${index}.js`);
    const first = new FirstFiles(siteWith(...paths, `${'l'.repeat(200)}.js`));
    first.note(asked(`/${'l'.repeat(200)}.js`, 'script', 'cors'));
    for (const path of paths) first.note(asked(`/${path}`, 'script', 'cors'));
    assert.deepEqual(
      first.list().map(({ target }) => target),
      paths.slice(0, 12),
    );
  });

  it('are in the Link header of the entry at its version’s address, and of nothing else', async () => {
    await using content = await startContentHost();
    const linkAt = addGame(content, '<!doctype html><title>x</title>', [{ target: 'a.js', as: 'module' }]);
    assert.equal(await linkAt('/~7/'), '<./a.js>; rel=modulepreload');
    assert.equal(await linkAt('/~7/index.html'), '<./a.js>; rel=modulepreload');
    for (const path of ['/', '/~7/a.html', '/~7/a.js']) assert.equal(await linkAt(path), undefined, path);
  });

  it('name no module for a page with an import map, which browsers take only before the first module', async () => {
    const map = '<!doctype html><script type="importmap">{"imports":{"three":"./three.js"}}</script>';
    const style = { target: 'a.css', as: 'style' } as const;
    for (const page of [map, map + ' '.repeat(9 * 1024 * 1024)]) {
      await using content = await startContentHost();
      const linkAt = addGame(content, page, [{ target: 'a.js', as: 'module' }, style]);
      assert.equal(await linkAt('/~7/'), '<./a.css>; rel=preload; as=style');
    }
    await using content = await startContentHost();
    const linkAt = addGame(content, map, [{ target: 'a.js', as: 'module' }]);
    assert.equal(await linkAt('/~7/'), undefined);
  });

  it('are not told for a page without the module, which nobody reads when it is sent', async () => {
    await using content = await startContentHost();
    const linkAt = addGame(content, 'x', [{ target: 'a.js', as: 'module' }], { sdk: false });
    assert.equal(await linkAt('/~7/'), undefined);
  });

  function addGame(
    content: Awaited<ReturnType<typeof startContentHost>>,
    page: string,
    firstFiles: readonly FirstFile[],
    { sdk = true } = {},
  ) {
    const files = { 'index.html': page, 'a.html': 'a', 'a.js': '1', 'a.css': '' };
    content.addSite('game', files, { sdk, numbers: { 7: Number.POSITIVE_INFINITY }, firstFiles });
    return async (path: string) => (await content.ask(path)).headers.link;
  }
});
