import assert from 'node:assert/strict';
import { test } from 'node:test';
import { versionOf } from './checked-files.fixture.ts';
import { entryProblems } from './entry-problems.ts';

async function problems(
  page: string | Uint8Array,
  files: readonly string[] = [],
  entry = 'index.html',
): Promise<string[]> {
  const others = Object.fromEntries(files.map((path) => [path, '']));
  const findings = await entryProblems.check(versionOf({ [entry]: page, ...others }, { entry }));
  assert.ok(findings.every(({ severity, path }) => severity === 'warn' && path === entry));
  return findings.map(({ message, fix }) => `${message} ${fix}`);
}

test('a missing file is named', async () => {
  const [problem, ...more] = await problems(
    '<script src="js/game.js?v=2"></script><link rel=stylesheet href="a.css">',
    ['a.css'],
  );
  assert.match(problem ?? '', /script src "js\/game\.js\?v=2" .*there is no js\/game\.js/u);
  assert.deepEqual(more, []);
});

test('a file that is never published is told with what to do instead', async () => {
  const [module, dotted] = await problems(
    '<script type="module" src="./node_modules/three/build/three.module.js"></script><img src=".art/a.png">',
  );
  assert.match(module ?? '', /node_modules is not published\. Run the build .* or copy the file into/u);
  assert.match(dotted ?? '', /dot-folders are not published\. Give it a name .* without a dot/u);
});

test('a file whose path is written with one slash too many is there', async () => {
  assert.deepEqual(await problems('<script src="js//game.js"></script>', ['js/game.js']), []);
});

test('a base that leads out of the folder is named, as builds for a project page of GitHub have it', async () => {
  const page = '<base href="/moth/"><script src="game.js"></script><img src="gone.png">';
  const [problem, other, ...more] = await problems(page, ['game.js']);
  assert.match(
    problem ?? '',
    /<base href="\/moth\/"> leads to moth\/game\.js, and the file is game\.js\. Write <base href="\.\/">/u,
  );
  assert.match(other ?? '', /there is no moth\/gone\.png/u);
  assert.deepEqual(more, []);
});

test('a name in the wrong case is reported with the right one', async () => {
  const [problem] = await problems('<img src="Sprites/A.png">', ['sprites/a.png']);
  assert.match(problem ?? '', /Sprites\/A\.png is there as sprites\/a\.png/u);
});

test('a path that assumes a folder in front is reported with the right one', async () => {
  const [problem] = await problems('<script type="module" src="/my-repo/assets/index.js"></script>', [
    'assets/index.js',
  ]);
  assert.match(problem ?? '', /Write it as assets\/index\.js, or build with a relative base/u);
});

test('paths on the creator’s own machine are reported', async () => {
  const found = await problems(
    '<img src="file:///C:/game/a.png"><img src="C:\\game\\b.png"><script src="http://localhost:5173/x.js"></script>',
  );
  assert.equal(found.length, 3);
  for (const problem of found) assert.match(problem, /your own machine/u);
});

test('the module for the creator’s own machine is not, where the service itself is on one', async () => {
  assert.deepEqual(await problems('<script src="http://localhost:3000/sdk.js"></script>'), []);
});

test('requests over http are reported', async () => {
  const [problem] = await problems('<script src="http://cdn.example/three.js"></script>');
  assert.match(problem ?? '', /over http/u);
});

test('missing imported modules are named', async () => {
  const version = versionOf({
    'index.html': '<script type="module" src="src/main.js"></script>',
    'src/main.js':
      'import { Player } from "./player.js";\nimport three from "three";\nimport"../lib/Util.js"',
    'lib/util.js': '',
  });
  const found = (await entryProblems.check(version)).map(({ path, message }) => `${path}: ${message}`);
  assert.deepEqual(found, [
    'src/main.js: import "./player.js" is not in the upload: there is no src/player.js.',
    'src/main.js: import "../lib/Util.js" is not in the upload: lib/Util.js is there as lib/util.js.',
  ]);
});

test('sources that the entry does not load are not checked', async () => {
  const version = versionOf({
    'index.html': '<script type="module" src="main.js"></script><iframe src="help.html"></iframe>',
    'main.js': 'import "./used.js";',
    'used.js': 'import "./gone.js";',
    'help.html': '<script type="module">import "./lost.js";</script>',
    'src/unused.js': 'import "./away.js"; window.open("x");',
    'test/old.html': '<script src="nowhere.js"></script><a target="_blank" href="x">x</a>',
  });
  const found = (await entryProblems.check(version)).map(({ path, message }) => `${path}: ${message}`);
  assert.deepEqual(found.sort(), [
    'help.html: import "./lost.js" is not in the upload: there is no lost.js.',
    'used.js: import "./gone.js" is not in the upload: there is no gone.js.',
  ]);
});

test('a page that loads source files is told to run the build', async () => {
  const [problem, ...more] = await problems('<script type="module" src="/src/main.tsx"></script>', [
    'src/main.tsx',
  ]);
  assert.match(problem ?? '', /main\.tsx" is source, which browsers cannot run\. Run the build/u);
  assert.deepEqual(more, []);
});

test('links and calls that lead out of the frame are reported', async () => {
  const [link] = await problems('<a href="https://itch.io/me" target="_blank">More</a>');
  assert.match(link ?? '', /opens a new window \(target="_blank"\)\. Games are shown in a frame/u);
  const away = [
    'https://itch.io/me',
    'mailto:mira@example.org',
    'https://www.google.com/search',
    'https://get.webgl.org.example',
    'https://play.google.com/store/apps/details?id=mira.moons',
  ];
  for (const href of away)
    assert.match(
      (await problems(`<a class="x" href="${href}">More</a>`))[0] ?? '',
      /^A link leads to another site/u,
    );
  const [call] = await problems('<script>button.onclick = () => window.open("/help")</script>');
  assert.match(call ?? '', /calls window\.open/u);
  const within =
    '<a href="two.html">two</a> <link rel="canonical" href="https://x.example"> window.opened(1)';
  assert.deepEqual(await problems(within, ['two.html']), []);
});

test('links to a newer browser are no problem, which engines show to people whose browser cannot play', async () => {
  const shown = [
    'https://get.webgl.org/troubleshooting/',
    'https://www.google.com/chrome',
    'https://www.mozilla.org/firefox',
    'https://play.google.com/store/apps/details?id=com.google.android.webview',
  ].map((href) => `say("Try <a href='${href}'>an update</a>.");`);
  const files = { 'index.html': '<script src="start.js"></script>', 'start.js': shown.join('\n') };
  assert.deepEqual(await entryProblems.check(versionOf(files)), []);
});

test('what a script wants of the window around the frame is reported, unless it catches the error', async () => {
  const stops: Readonly<Record<string, string>> = {
    'top.AudioContext': 'const sound = new (top.AudioContext || webkitAudioContext)()',
    'top.document': 'function rename() { window.top.document.title = "Moon" }',
    'top.location': 'if (top !== self) top.location = self.location',
    'top.location.href': 'if (self.top.location.href !== location.href) stop()',
    'top.innerWidth': 'try { width = top.innerWidth } finally { begin() }',
  };
  for (const [name, script] of Object.entries(stops)) {
    const [found = '', ...more] = await problems(`<script>${script}</script>`);
    assert.ok(found.startsWith(`It uses ${name}: in a frame`), script);
    assert.match(found, /Write window in the place of top, or catch the error/u);
    assert.deepEqual(more, []);
  }
  for (const script of [
    'try { top.location.href } catch { isFramed = true }',
    'if (top !== window && top.location !== location) top.postMessage("begin", "*")',
    'const { left, top } = place(); move(left, top.value)',
    'function fall(top) { top.speed++ }',
    'deck.top.turn(); stack["top"].x = 1; box.window.top.x = 2',
    '"use strict"; // top.AudioContext',
  ])
    assert.deepEqual(await problems(`<script>${script}</script>`), [], script);
});

test('cookies that a page sets are reported, and those that it reads are not', async () => {
  const [kept, ...more] = await problems('<script>document.cookie = "best=" + best + "; path=/"</script>');
  assert.match(
    kept ?? '',
    /^It keeps something in cookies \(document\.cookie\)\. In a frame most browsers refuse/u,
  );
  assert.deepEqual(more, []);
  const readers = 'if (document.cookie == "" || document.cookie.includes("best")) say(document.cookie);';
  assert.deepEqual(await problems(`<script>${readers}</script>`), []);
});

test('existing files, the service’s own files and other sites are no problem', async () => {
  const page = `<base href="."><link rel="icon" href="/favicon.ico"><link rel="canonical" href="nowhere.html">
    <script src="/service/sdk.js"></script><script src="https://cdn.example/x.js"></script>
    <img src="data:image/png;base64,AAAA"><img srcset="img/a.png 1x, img/%C3%BC%20b.png 2x"><iframe src="levels/"></iframe>
    <a href="missing.html">a link</a><img src="#">`;
  assert.deepEqual(
    await problems(page, ['favicon.ico', 'img/a.png', 'img/ü b.png', 'levels/index.html']),
    [],
  );
});

test('relative paths are resolved from the entry, wherever it is', async () => {
  assert.deepEqual(await problems('<script src="../lib/a.js">', ['lib/a.js'], 'play/start.html'), []);
});

test('a page in an encoding that browsers are not told is named, and no other page or script', async () => {
  const page = '<title>Caf\u00e9</title>';
  for (const said of ['', '<meta charset="utf-8">']) {
    const [problem, ...more] = await problems(Buffer.from(said + page, 'latin1'));
    assert.match(problem ?? '', /is not in UTF-8.*Save it in UTF-8/u);
    assert.deepEqual(more, []);
  }
  const told = Buffer.from(`<meta charset="iso-8859-1">${page}`, 'latin1');
  const inUtf16 = Buffer.from(`\ufeff${page}`, 'utf16le');
  for (const fine of [page, `${page}\ufffd`, inUtf16, told]) assert.deepEqual(await problems(fine), []);
  // Without the module nobody reads a page when it is sent.
  const [unread] = await entryProblems.check(versionOf({ 'index.html': told }, { hasModule: false }));
  assert.match(unread?.message ?? '', /is not in UTF-8/u);
  const script = Buffer.from('/* \u00a9 */', 'latin1');
  const version = versionOf({ 'index.html': '<script src="old.js"></script>', 'old.js': script });
  assert.deepEqual(await entryProblems.check(version), []);
});
