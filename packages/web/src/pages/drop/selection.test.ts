import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildFolder, foldersWith, select } from './selection.ts';

const files = (...paths: string[]) => paths.map((path) => ({ path, size: 2 }));
const pathsOf = (...paths: string[]) => select(files(...paths), 'dropped').files.map(({ path }) => path);

test('a single top folder is replaced by its contents', () => {
  const chosen = select(files('game/index.html', 'game/a/b.js'), 'game.zip');
  assert.deepEqual(
    chosen.files.map(({ path }) => path),
    ['a/b.js', 'index.html'],
  );
  assert.deepEqual([chosen.name, chosen.root, chosen.bytes], ['game', 'game/', 4]);
  assert.deepEqual(pathsOf('outer/inner/index.html', 'outer/inner/b/c.js'), ['b/c.js', 'index.html']);
  assert.deepEqual(pathsOf('index.html', 'a/b.js'), ['a/b.js', 'index.html']);
  assert.equal(select(files('index.html', 'a/b.js'), 'My Game.ZIP').name, 'My Game');
});

test('system files in a zip do not hide its single top folder', () => {
  assert.deepEqual(pathsOf('game/index.html', '__MACOSX/game/._index.html', '.DS_Store'), ['index.html']);
});

test('files that the command line leaves out are left out, and each folder of them is named once', () => {
  const { files: chosen, leftOut } = select(
    files(
      'g/index.html',
      'g/.git/',
      'g/.env',
      'g/node_modules/a/b.js',
      'g/node_modules/c.js',
      'g/Service.JSON',
    ),
    'g',
  );
  assert.deepEqual(
    chosen.map(({ path }) => path),
    ['index.html'],
  );
  assert.deepEqual(
    leftOut.map(({ path }) => path),
    ['g/.git/', 'g/.env', 'g/node_modules/', 'g/Service.JSON'],
  );
});

test('every path that cannot be published is named with its problem', () => {
  const { problems } = select(files('index.html', 'a:b.png', 'A.js', 'a.js', 'con.txt'), 'g');
  assert.deepEqual(
    problems.map(({ path }) => path),
    ['a:b.png', 'con.txt', 'a.js'],
  );
});

test('a selection of too many files names where most of them are', () => {
  const many = Array.from({ length: 1_990 }, (_, at) => `g/src/${at}.ts`);
  const { problems } = select(files('g/index.html', ...many, ...many.map((path) => `${path}.map`)), 'g');
  assert.match(
    problems[0]?.reason ?? '',
    /^has 3,981 files, and a version may have 2,000 \(3,980 in src\/, 1 in/u,
  );
});

test('names in another normal form are sent in form C', () => {
  assert.deepEqual(pathsOf('cafe\u0301.html'), ['caf\u00e9.html']);
});

test('service.json is taken from the published folder, or else from the folder above it', () => {
  const inside = select(files('p/service.json', 'p/dist/service.json', 'p/dist/index.html'), 'p');
  assert.equal(inside.settings?.path, 'p/dist/service.json');
  const above = select(files('p/service.json', 'p/dist/index.html', 'p/src/a.ts'), 'p', 'p/dist/');
  assert.equal(above.settings?.path, 'p/service.json');
  assert.equal(select(files('index.html', 'a/service.json'), 'p').settings, null);
});

test('when the top has no page, the shallowest folders that have one are offered', () => {
  const chosen = select(
    files('p/package.json', 'p/dist/index.html', 'p/web/index.html', 'p/a/b/index.html'),
    'p',
  );
  assert.deepEqual(foldersWith(chosen, 'index.html').sort(), ['p/dist/', 'p/web/']);
  assert.deepEqual(foldersWith(select(files('a.js'), 'p'), 'index.html'), []);
  assert.deepEqual(
    select(files('p/package.json', 'p/dist/index.html', 'p/dist/a.js'), 'p', 'p/dist/').files.map(
      ({ path }) => path,
    ),
    ['a.js', 'index.html'],
  );
});

test('a dropped project with its sources is noticed, and its build folder suggested', () => {
  const project = files('p/package.json', 'p/index.html', 'p/src/a.ts', 'p/dist/index.html');
  assert.equal(buildFolder(select(project, 'p'), 'index.html'), 'p/dist/');
  assert.equal(buildFolder(select(project.slice(1), 'p'), 'index.html'), null);
});
