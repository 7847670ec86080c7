import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { givenId } from '../platform/db/ids.ts';
import { decodePath, findFile, folderLocation } from './find-file.ts';
import { startContentHost } from './testing/content-host.ts';

const files = {
  'index.html': 'home',
  'a b/ü.js': 'spaced',
  'docs/index.html': 'docs',
  'docs/page.html': 'page',
  'é.txt': 'composed',
  'a%2Fb.txt': 'percent',
  'empty.txt': '',
};

describe('the path of a request', () => {
  test('finds files by their manifest path', async () => {
    await using host = await startContentHost();
    host.addSite('game', files);
    for (const [path, text] of [
      ['/', 'home'],
      ['/?v=1', 'home'],
      ['/index.html', 'home'],
      ['/index.html?x=/../../etc/passwd', 'home'],
      ['/a%20b/%C3%BC.js', 'spaced'],
      ['/docs/', 'docs'],
      ['/docs/?q', 'docs'],
      ['/docs/index.html', 'docs'],
      ['/docs%2Fpage.html', 'page'],
      // The composed form, and the decomposed form that macOS uses.
      ['/%C3%A9.txt', 'composed'],
      ['/e%CC%81.txt', 'composed'],
      ['/a%252Fb.txt', 'percent'],
      ['/empty.txt', ''],
      // Engines join the folder and the name with one slash too many.
      ['/docs//page.html', 'page'],
      ['/a%20b///%C3%BC.js?v=1', 'spaced'],
    ] as const) {
      const answer = await host.ask(path);
      assert.equal(answer.status, 200, path);
      assert.equal(answer.text, text, path);
    }
  });

  test('finds a page without its ending, after files and folders of that name', async () => {
    await using host = await startContentHost();
    host.addSite('game', {
      ...files,
      'level.html': 'level',
      'docs.html': 'page beside a folder',
      'docs/v1.2.html': 'dotted',
      raw: 'file',
      'raw.html': 'page beside a file',
    });
    for (const [path, text] of [
      ['/level', 'level'],
      ['/level?from=home', 'level'],
      ['/docs/page', 'page'],
      ['/docs//page', 'page'],
      ['/docs/v1.2', 'dotted'],
      ['/raw', 'file'],
    ] as const) {
      const answer = await host.ask(path);
      assert.equal(answer.status, 200, path);
      assert.equal(answer.text, text, path);
      if (path !== '/raw') assert.match(String(answer.headers['content-type']), /^text\/html/u, path);
    }
    assert.equal((await host.ask('/docs')).headers.location, '/docs/');
    for (const path of ['/level/', '/level.htm', '/.html', '/docs/.html'])
      assert.equal((await host.ask(path)).status, 404, path);
  });

  test('finds a page without its ending beside the entry, and before the entry of a single-page app', async () => {
    await using host = await startContentHost();
    const site = { 'out/index.html': 'home', 'out/level.html': 'level' };
    host.addSite('game', site, { entry: 'out/index.html' });
    host.addSite('app', site, { entry: 'out/index.html', spa: true });
    for (const slug of ['game', 'app'])
      assert.equal((await host.ask('/level', { host: `${slug}.play.localhost:3000` })).text, 'level', slug);
  });

  test('finds the same file whatever was requested before', async () => {
    const twins = { 'index.html': 'home', 'aA.txt': 'letter', 'a%41.txt': 'escape', 'a%2541.txt': 'twice' };
    const asked = {
      '/aA.txt': 'letter',
      '/a%41.txt': 'letter',
      '/a%2541.txt': 'escape',
      '/a%252541.txt': 'twice',
    };
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(Object.entries(asked), { minLength: 2 }), async (requests) => {
        await using host = await startContentHost();
        host.addSite('game', twins);
        for (const [path, text] of [...requests, ...requests])
          assert.equal((await host.ask(path)).text, text, path);
      }),
      { numRuns: 30 },
    );
  });

  test('is refused with 400 when its encoding is invalid', async () => {
    await using host = await startContentHost();
    host.addSite('game', files);
    for (const path of ['/%', '/%zz', '/%E9.txt', '/%C0%AE%C0%AE/', '/a%2', '/%ED%A0%80']) {
      const answer = await host.ask(path);
      assert.equal(answer.status, 400, path);
      assert.doesNotMatch(answer.text, /%/u);
    }
    for (const target of ['http://evil.example/index.html', '/é.txt', '*']) {
      const head = 'Host: game.play.localhost:3000\r\nConnection: close\r\n\r\n';
      assert.match(await host.raw(`GET ${target} HTTP/1.1\r\n${head}`), /^HTTP\/1\.1 400 /u, target);
    }
  });

  test('finds nothing that is not in the manifest', async () => {
    await using host = await startContentHost();
    host.addSite('game', files);
    for (const path of [
      '/nothing.js',
      '/INDEX.html',
      '/.env',
      '/docs/.git/config',
      '/../index.html',
      '/..%2findex.html',
      '/docs/../index.html',
      '/docs/..%5cindex.html',
      '//index.html',
      '/index.html/',
      '/index.html%00',
      '/constructor',
      '/__proto__',
      '/docs//',
    ]) {
      const answer = await host.ask(path);
      assert.equal(answer.status, 404, path);
      assert.doesNotMatch(answer.text, /index|proto|constructor|\.env/u);
    }
  });

  test('of a folder is redirected to the path with a slash, with its query', async () => {
    await using host = await startContentHost();
    host.addSite('game', { ...files, 'a b/index.html': 'x', '%2F/evil/index.html': 'x' });
    const plain = await host.ask('/docs');
    assert.equal(plain.status, 308);
    assert.equal(plain.headers.location, '/docs/');
    assert.equal((await host.ask('/docs?a=1&b=%20//c')).headers.location, '/docs/?a=1&b=%20//c');
    assert.equal((await host.ask('/a%20b')).headers.location, '/a%20b/');
    assert.equal((await host.ask('/%252F/evil')).headers.location, '/%252F/evil/');
    assert.equal(plain.headers['cache-control'], 'private, no-store');
  });

  test('never redirects to another host', async () => {
    await using host = await startContentHost();
    host.addSite('game', { ...files, 'evil.example/index.html': 'x' });
    for (const path of [
      '//evil.example',
      '/%2Fevil.example',
      '/%5Cevil.example',
      '/\\evil.example',
      '///docs',
    ]) {
      const answer = await host.ask(path);
      assert.equal(answer.status, 404, path);
      assert.equal(answer.headers.location, undefined, path);
    }
    assert.equal((await host.ask('/evil.example')).headers.location, '/evil.example/');
    assert.equal(folderLocation('a', '?\xff\x7f\t'), '/a/?%FF%7F%09');
  });

  test('falls back to the entry in a single-page app', async () => {
    await using host = await startContentHost();
    host.addSite('game', { ...files, '404.html': 'lost' }, { spa: true });
    for (const path of ['/about', '/about/', '/user/1?x', '/docs.d/about']) {
      const answer = await host.ask(path);
      assert.equal(answer.status, 200, path);
      assert.equal(answer.text, 'home', path);
    }
    for (const path of ['/about.js', '/user/x.png', '/docs.d/']) {
      const answer = await host.ask(path);
      assert.equal(answer.status, 404, path);
      assert.equal(answer.text, 'lost', path);
    }
    assert.equal((await host.ask('/docs')).status, 308);
  });

  test('falls back to the version’s own 404.html, whatever the conditional headers', async () => {
    await using host = await startContentHost();
    const site = host.addSite('game', { ...files, '404.html': 'lost' });
    const answer = await host.ask('/nothing', { headers: { 'if-none-match': '*', range: 'bytes=0-1' } });
    assert.equal(answer.status, 404);
    assert.equal(answer.text, 'lost');
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(answer.headers.etag, `"${site.files.get('404.html')?.hash}"`);
    assert.equal((await host.ask('/404.html')).status, 200);
  });

  test('serves an entry from a folder at /, and the files beside it', async () => {
    await using host = await startContentHost();
    const inFolder = { 'dist/play.html': 'play', 'dist/main.js': 'main', 'dist/a/b.js': 'b' };
    host.addSite('game', inFolder, { entry: 'dist/play.html' });
    assert.equal((await host.ask('/')).text, 'play');
    assert.equal((await host.ask('/main.js')).text, 'main');
    assert.equal((await host.ask('/dist/main.js')).text, 'main');
    assert.equal((await host.ask('/a//b.js')).text, 'b');
    assert.equal((await host.ask('/index.html')).status, 404);
  });

  test('never throws and never finds anything but a file of the manifest', () => {
    const rows = new Map(
      Object.keys(files).map((path) => [path, { hash: path, size: 1, key: path, forms: {} }]),
    );
    const site = {
      versionId: givenId('ver', 'v'),
      files: rows,
      takenDown: [],
      entry: 'index.html',
      isolated: false,
      number: 1,
      sdk: false,
      shims: false,
      clientBoard: null,
      portalKeys: null,
      storage: true,
      ascendingBoards: [],
    };
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '/',
        '//',
        '..',
        '%2e',
        '%2f',
        '%',
        '%c3%a9',
        'docs',
        'index.html',
        '\\',
        '\xe9',
        '%00',
        '?',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.boolean(), (pieces, spa) => {
        const decoded = decodePath(`/${pieces.join('')}`);
        if (decoded === null) return;
        const found = findFile({ ...site, spa }, decoded);
        if (found.is === 'file') assert.ok(rows.has(found.path));
        if (found.is === 'folder') {
          assert.ok(rows.has(`${found.path}/index.html`));
          assert.match(folderLocation(found.path, ''), /^\/[^/\\]/u);
        }
      }),
    );
  });

  test('gets a response below 500 for every request, with any manifest', async () => {
    await using host = await startContentHost();
    host.addSite('game', files);
    const texts = new Set(Object.values(files));
    const piece = fc.oneof(
      fc.stringMatching(/^[!-~]{0,8}$/u),
      fc.constantFrom('/', '//', '..', '%2e', '%2F', '%', '%c3%a9', 'docs', 'index.html', '%00', '?', '#'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 5 }), async (pieces) => {
        const answer = await host.ask(`/${pieces.join('')}`);
        assert.ok([200, 308, 400, 404].includes(answer.status), String(answer.status));
        if (answer.status === 200) assert.ok(texts.has(answer.text));
      }),
    );
    assert.deepEqual(host.logged, []);
  });
});
