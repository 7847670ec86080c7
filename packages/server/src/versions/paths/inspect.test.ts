import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { it, mock } from 'node:test';
import { PathsInspection, textFits } from './inspect.ts';

const names = new Set(['index.html', 'assets', 'game.js', 'sw.js', 'a b.png', '画像.png']);

it('a text with relative paths works under a version’s address', () => {
  for (const text of [
    '<script src="game.js"></script><img src="./assets/a.png">',
    'import("./assets/a.js"); fetch(`assets/a.png`)',
    'const re = /assets\\/x/; x = a /assets; path("/other/thing")',
    '<a href="/">home</a><a href="https://example.org/assets/a">',
    'background:url(assets/a.png)',
    'document.cookie = "a=1; path=/"; if (document.cookie == "") {}',
    "if (config['serviceWorker'] && navigator.serviceWorker) navigator.serviceWorker.register(config.sw)",
    'the word createUnity',
    'history.pushState({ level: 2 }, "", "#2"); location.hash',
    'new URL(location.href).pathname.endsWith("/")',
    'localStorage[name] = best; go(location.href)',
    'localStorage.setItem("best", 7); if (location.pathname) {}',
    'the URL of the document: document.URL',
  ])
    assert.equal(textFits(text, names), true, text);
});

it('a text that depends on the root of its origin does not work under a version’s address', () => {
  for (const text of [
    '<script src="/game.js"></script>',
    '<script src=/game.js></script>',
    "fetch('/assets/a.json')",
    'background:url(/assets/a.png)',
    'load(`/assets/`+level)',
    'img = "/a%20b.png"',
    'img = "/%E7%94%BB像%2epng"',
    '<head><base target="_top" href="/"></head>',
    'navigator.serviceWorker.register("sw.js")',
    'navigator.serviceWorker?.register(new URL("sw.js", location))',
    'self.skipWaiting()',
    "self.addEventListener('fetch', answer)",
    'document.cookie = "best=" + score',
    'createUnityInstance(canvas, config)',
    'window.RufflePlayer = window.RufflePlayer || {}',
    '<script src="https://unpkg.com/@ruffle-rs/ruffle"></script>',
    'localStorage[document.URL] = level',
    'if (storage_has( document.URL)) {}',
    'localStorage["best" + location.href] = 7',
    'localStorage.getItem(location.pathname)',
    'storage.setItem("save of " + window.location.pathname, text)',
    'const { pathname } = location; history[isNew ? "pushState" : "replaceState"](state, "", to)',
  ])
    assert.equal(textFits(text, names), false, text);
});

it('escapes that are no text name no file, and throw no errors', () => {
  const decode = mock.method(globalThis, 'decodeURIComponent');
  try {
    for (const name of ['%', '%ff', '%zz', '%E7%94', 'game%.js', 'game.js%'])
      assert.equal(textFits(`"/${name}"`, names), true, name);
    assert.deepEqual(
      decode.mock.calls.filter(({ error }) => error !== undefined),
      [],
    );
  } finally {
    decode.mock.restore();
  }
});

it('every text of a version is inspected, however its bytes are split', async () => {
  const texts: Record<string, string> = {
    'index.html': '<script src="game.js"></script>',
    'game.js': `${'x'.repeat(70_000)};fetch("/level/one.json")`,
    'level/one.json': '{}',
    'a.png': '"/game.js"',
  };
  const files = new Map(
    Object.entries(texts).map(([path, text]) => [
      path,
      { hash: path, key: path, size: text.length, forms: {} },
    ]),
  );
  const open = async (key: string) =>
    Readable.from(
      Buffer.from(texts[key] ?? '')
        .toString()
        .match(/.{1,7}/gsu)
        ?.map((part) => Buffer.from(part)) ?? [],
    );
  const fits = (spa = false) =>
    new PathsInspection({ spa, files }).fits({ open }, AbortSignal.timeout(60_000));
  assert.equal(await fits(), false);
  texts['game.js'] = 'fetch("level/one.json")';
  assert.equal(await fits(), true);
  texts['cover.svg'] = '<svg><image href="/a.png"/></svg>';
  files.set('cover.svg', { hash: 'cover.svg', key: 'cover.svg', size: 33, forms: {} });
  assert.equal(await fits(), false);
  files.delete('cover.svg');
  assert.equal(await fits(true), false);
});

it('a text that the check reads to its end is not read again', async () => {
  const text = 'fetch("/game.js")';
  const files = new Map(
    ['index.html', 'game.js'].map((path) => [path, { hash: path, key: path, size: text.length, forms: {} }]),
  );
  const opened: string[] = [];
  const open = async (key: string) => {
    opened.push(key);
    return Readable.from([Buffer.from('fetch("game.js")')]);
  };
  const fitsAfter = async (bytes: string, isReadOn: boolean) => {
    opened.length = 0;
    const inspection = new PathsInspection({ spa: false, files });
    for await (const _ of inspection.watch('game.js', Readable.from([Buffer.from(bytes)])))
      if (!isReadOn) break;
    return { fits: await inspection.fits({ open }, AbortSignal.timeout(60_000)), opened: [...opened] };
  };
  assert.deepEqual(await fitsAfter(text, true), { fits: false, opened: ['index.html'] });
  assert.deepEqual(await fitsAfter('fetch("game.js")', true), { fits: true, opened: ['index.html'] });
  assert.deepEqual(await fitsAfter(text, false), { fits: true, opened: ['index.html', 'game.js'] });
});
