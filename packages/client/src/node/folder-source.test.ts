import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { FolderError, folderSource } from './folder-source.ts';
import { hashFiles } from './hash.ts';
import { scanFolder } from './scan.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spaceport-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text = path, at?: Date): void {
  const absolute = join(folder, path);
  mkdirSync(dirname(absolute), { recursive: true });
  writeFileSync(absolute, text);
  if (at) utimesSync(absolute, at, at);
}
const paths = () => scanFolder(folder).files.map((file) => file.path);

test('lists files by path, and names those that it left out', () => {
  for (const path of ['index.html', 'a/b.js', 'service.json', 'a/SERVICE.json', '.env', '.git/config'])
    write(path);
  write('lib/Node_Modules/x.js');
  const scan = scanFolder(folder);
  assert.deepEqual(paths(), ['a/b.js', 'index.html']);
  assert.deepEqual(scan.skipped.map(({ path }) => path).sort(), [
    '.env',
    '.git/',
    'a/SERVICE.json',
    'lib/Node_Modules/',
    'service.json',
  ]);
  assert.deepEqual(scan.problems, []);
});

test('names in another normal form are sent in form C', () => {
  write('cafe\u0301.txt');
  assert.deepEqual(paths(), ['caf\u00e9.txt']);
});

test('links are followed inside the folder, and refused when they leave it', () => {
  write('real/a.txt');
  write('.env');
  symlinkSync('real', join(folder, 'linked'));
  symlinkSync('real/a.txt', join(folder, 'b.txt'));
  symlinkSync('/etc/hostname', join(folder, 'out.txt'));
  symlinkSync('..', join(folder, 'up'));
  symlinkSync('..', join(folder, 'real/loop'));
  symlinkSync('nowhere', join(folder, 'broken'));
  symlinkSync('.env', join(folder, 'key.txt'));
  const scan = scanFolder(folder);
  assert.deepEqual(paths(), ['b.txt', 'linked/a.txt', 'real/a.txt']);
  assert.deepEqual(
    new Map(scan.problems.map(({ path, reason }) => [path, reason])),
    new Map([
      ['broken', 'is a link to something that is not there'],
      ['linked/loop', 'is a link to a folder it is in'],
      ['out.txt', 'is a link that leaves the folder'],
      ['real/loop', 'is a link to a folder it is in'],
      ['up', 'is a link that leaves the folder'],
    ]),
  );
  assert.ok(scan.skipped.some(({ path }) => path === 'key.txt'));
});

test('all problems are reported at once, before anything is hashed', async () => {
  write('a:b.txt');
  write('con.txt');
  write('Readme.md');
  write('README.md');
  const progress: unknown[] = [];
  const attempt = folderSource(folder, { required: ['index.html'], onProgress: (p) => progress.push(p) });
  await assert.rejects(attempt, (error) => {
    assert.ok(error instanceof FolderError);
    assert.deepEqual(error.problems.map(({ path }) => path).sort(), [
      'Readme.md',
      'a:b.txt',
      'con.txt',
      'index.html',
    ]);
    return true;
  });
  assert.deepEqual(progress, []);
});

test('too many files are reported with the folder that has most, and nothing is called missing unseen', async () => {
  const isToldOf = (reasons: string[]) =>
    assert.rejects(folderSource(folder, { required: ['index.html'] }), (error) => {
      assert.ok(error instanceof FolderError);
      assert.equal(error.fault, 'too_many');
      assert.deepEqual(
        error.problems.map(({ reason }) => reason),
        reasons,
      );
      return true;
    });
  mkdirSync(join(folder, 'assets'));
  for (let at = 0; at < 2_000; at++) writeFileSync(join(folder, `assets/${at}.txt`), '');
  write('game.js');
  await isToldOf([
    'has 2001 files; a version may have 2000; assets/ has 2000 of them',
    'is the entry and is not in the folder',
  ]);
  for (let at = 2_000; at < 10_000; at++) writeFileSync(join(folder, `assets/${at}.txt`), '');
  write('index.html');
  await isToldOf(['has 10000 or more files; a version may have 2000']);
});

test('files and folders that may not be read are reported at once', async (context) => {
  write('index.html');
  write('a/b.js');
  write('locked/c.js');
  const refused = new Set([join(folder, 'a/b.js'), join(folder, 'locked')]);
  // Root, who may run the tests, may read everything.
  context.mock.method(fs, 'accessSync', (path: string) => {
    if (refused.has(path)) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
  });
  syncBuiltinESMExports();
  try {
    await assert.rejects(folderSource(folder), (error) => {
      assert.ok(error instanceof FolderError);
      assert.equal(error.fault, 'unreadable');
      assert.deepEqual(
        error.problems.map(({ path, reason }) => `${path} ${reason}`),
        ['a/b.js cannot be read: permission denied', 'locked/ cannot be read: permission denied'],
      );
      return true;
    });
  } finally {
    context.mock.restoreAll();
    syncBuiltinESMExports();
  }
});

test('a file that is deleted while it is published has changed, small or streamed', async () => {
  for (const size of [5, 5 * 1024 * 1024]) {
    write('gone.bin', 'x'.repeat(size));
    const { files } = scanFolder(folder);
    const source = await folderSource(folder);
    const changed = { name: 'FileChangedError', message: /gone\.bin/u };
    for (const change of [(path: string) => rmSync(path), (path: string) => void mkdirSync(path)]) {
      change(join(folder, 'gone.bin'));
      await assert.rejects(hashFiles(files), changed);
      await assert.rejects(async () => {
        const body = await source.files[0]?.open();
        if (body !== undefined && Symbol.asyncIterator in body) for await (const _ of body);
      }, changed);
    }
    rmSync(join(folder, 'gone.bin'), { recursive: true });
  }
});

test('a file that is deleted while the folder is listed has changed', (context) => {
  write('a.js');
  const look = fs.lstatSync;
  context.mock.method(fs, 'lstatSync', (path: string, options: { bigint: true }) => {
    // A build that runs meanwhile.
    if (path === join(folder, 'a.js')) fs.unlinkSync(path);
    return look(path, options);
  });
  syncBuiltinESMExports();
  try {
    assert.throws(() => scanFolder(folder), { name: 'FileChangedError', message: /^a\.js changed/u });
  } finally {
    context.mock.restoreAll();
    syncBuiltinESMExports();
  }
});

test('after a file that fails nothing more is told of the others', async () => {
  write('a.bin', 'x');
  write('b.bin', 'x'.repeat(20 * 1024 * 1024));
  const { files } = scanFolder(folder);
  write('a.bin', 'xx');
  let told = 0;
  await assert.rejects(hashFiles(files, { onProgress: () => (told += 1) }), { name: 'FileChangedError' });
  const before = told;
  // A whole read of the other file takes many turns of the event loop; each would tell.
  await hashFiles(files.slice(1));
  assert.equal(told, before);
});

test('a folder without files is refused', async () => {
  await assert.rejects(folderSource(folder), { message: `${folder} has no files.` });
});

test('small files and streamed files get the same hash', async () => {
  write('small.txt', 'small');
  const large = 'x'.repeat(5 * 1024 * 1024);
  write('large.bin', large);
  const source = await folderSource(folder);
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  assert.deepEqual(
    source.files.map((file) => [file.path, file.size, file.sha256]),
    [
      ['large.bin', large.length, sha256(large)],
      ['small.txt', 5, sha256('small')],
    ],
  );
  assert.equal(source.bytes, large.length + 5);
});

test('a file that grew while it was read is refused, small or streamed', async () => {
  for (const size of [5, 5 * 1024 * 1024]) {
    write('growing.bin', 'x'.repeat(size));
    const { files } = scanFolder(folder);
    write('growing.bin', 'x'.repeat(size + 1));
    await assert.rejects(hashFiles(files), { name: 'FileChangedError', message: /growing\.bin/u });
  }
});

/** Moves the clock `seconds` ahead during the action, so that files just written count as unchanged. */
async function later<T>(seconds: number, action: () => Promise<T>): Promise<T> {
  const real = Date.now;
  Date.now = () => real() + seconds * 1_000;
  try {
    return await action();
  } finally {
    Date.now = real;
  }
}

const old = new Date('2020-01-01T00:00:00Z');
const cached = (seconds: number) => later(seconds, () => folderSource(folder, { projectFolder: folder }));

test('unchanged files are not read again', async () => {
  write('a.txt', 'aaa', old);
  write('b.txt', 'bbb', old);
  assert.equal((await cached(10)).hashed, 2);
  const second = await cached(20);
  assert.equal(second.hashed, 0);
  assert.equal(second.files[0]?.sha256, createHash('sha256').update('aaa').digest('hex'));
  // Size and modification time are the same; the change time differs.
  write('a.txt', 'AAA', old);
  const third = await cached(30);
  assert.equal(third.hashed, 1);
  assert.equal(third.files[0]?.sha256, createHash('sha256').update('AAA').digest('hex'));
});

test('a file that changed just before it was hashed is hashed again', async () => {
  write('a.txt');
  assert.equal((await cached(0)).hashed, 1);
  assert.equal((await cached(0)).hashed, 1);
});

test('a broken cache counts as empty, and the cache folder has its own .gitignore', async () => {
  write('a.txt', 'a', old);
  await cached(10);
  assert.equal(readFileSync(join(folder, '.spaceport/.gitignore'), 'utf8'), '*\n');
  for (const text of [
    '',
    '{}',
    '{"format":1,"entries":null}',
    '{"format":1,"entries":{"a.txt":[1]}}',
    '[[',
  ]) {
    write('.spaceport/hashes.json', text);
    assert.equal((await cached(10)).hashed, 1);
  }
  assert.ok(existsSync(join(folder, '.spaceport/hashes.json')));
});
