import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { makeFolder, writeStateFile, writeWhole } from './state-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spaceport-state-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (path: string) => join(folder, path);

test('the claim token stays out of git after a full disk has cut the .gitignore off', () => {
  mkdirSync(at('.spaceport'));
  writeFileSync(at('.spaceport/.gitignore'), '');
  writeStateFile(folder, 'claim.json', '{}', 0o600);
  assert.equal(readFileSync(at('.spaceport/.gitignore'), 'utf8'), '*\n');
  assert.equal(statSync(at('.spaceport/claim.json')).mode & 0o777, 0o600);
});

test('a .gitignore that lets the schema through stays', () => {
  const own = '*\n!service.schema.json\n';
  writeStateFile(folder, '.gitignore', own);
  writeStateFile(folder, 'hashes.json', '{}');
  assert.equal(readFileSync(at('.spaceport/.gitignore'), 'utf8'), own);
});

test('of a link the file that it leads to is written, and the link stays', () => {
  mkdirSync(at('shared'));
  writeFileSync(at('shared/CLAUDE.md'), 'old');
  symlinkSync('shared/CLAUDE.md', at('AGENTS.md'));
  writeWhole(at('AGENTS.md'), 'new');
  assert.ok(lstatSync(at('AGENTS.md')).isSymbolicLink());
  assert.equal(readFileSync(at('shared/CLAUDE.md'), 'utf8'), 'new');
  assert.deepEqual(readdirSync(at('shared')), ['CLAUDE.md']);
});

test('a link in the folder of a working copy is replaced: a claim token does not go where it leads', () => {
  mkdirSync(at('.spaceport'));
  mkdirSync(at('dist'));
  writeFileSync(at('dist/claim.json'), 'published');
  symlinkSync('../dist/claim.json', at('.spaceport/claim.json'));
  writeStateFile(folder, 'claim.json', 'secret', 0o600);
  assert.equal(readFileSync(at('dist/claim.json'), 'utf8'), 'published');
  assert.ok(!lstatSync(at('.spaceport/claim.json')).isSymbolicLink());
});

test('a file keeps its permissions, also those that the umask takes from new files', () => {
  writeFileSync(at('service.json'), 'old');
  chmodSync(at('service.json'), 0o664);
  writeWhole(at('service.json'), 'new');
  assert.equal(statSync(at('service.json')).mode & 0o777, 0o664);
});

test('an error names the file, and nothing is left beside it', () => {
  mkdirSync(at('service.json'));
  assert.throws(() => writeWhole(at('service.json'), '{}'), { message: /service\.json'$/u });
  assert.throws(
    () => writeWhole(at('service.json'), '{}'),
    (error: Error) => !error.message.includes('.tmp'),
  );
  assert.deepEqual(readdirSync(folder), ['service.json']);
});

test('a folder is made with those above it, and may be there', () => {
  makeFolder(at('a/b/c'), 0o700);
  makeFolder(at('a/b/c'));
  assert.equal(statSync(at('a/b')).mode & 0o777, 0o700);
  writeFileSync(at('file'), '');
  assert.throws(() => makeFolder(at('file/a/b')), { code: 'ENOTDIR' });
});

test('a folder that cannot be made in one that is gone is an error, and does not go on for ever', {
  skip: process.platform === 'win32' && 'Windows deletes no folder in which a process is',
}, () => {
  const code = `
    const { makeFolder } = await import('${new URL('./state-folder.ts', import.meta.url)}');
    process.chdir('${folder}');
    (await import('node:fs')).rmdirSync('${folder}');
    try { makeFolder('a/b'); } catch (error) { console.log(error.code); }`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  assert.equal(said, 'ENOENT\n');
});
