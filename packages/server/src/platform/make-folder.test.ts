import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, describe, it } from 'node:test';
import { testFolder } from '../../test/prepared.ts';
import { makeFolder } from './make-folder.ts';

describe('making a folder', () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(testFolder, 'spaceport-made-'));
  });
  after(() => rm(root, { recursive: true }));

  it('makes its parents too, and returns the first one that it made', async () => {
    assert.equal(await makeFolder(join(root, 'a', 'b', 'c'), 0o700), join(root, 'a'));
    assert.equal((await stat(join(root, 'a', 'b', 'c'))).mode & 0o777, 0o700);
    assert.equal(await makeFolder(join(root, 'a', 'b', 'd'), 0o700), join(root, 'a', 'b', 'd'));
    assert.equal(await makeFolder(join(root, 'a'), 0o700), undefined);
    await symlink(join(root, 'a'), join(root, 'to a'));
    assert.equal(await makeFolder(join(root, 'to a'), 0o700), undefined);
  });

  it('is done when several make it at once', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => makeFolder(join(root, 'x', 'y'), 0o700)));
    assert.ok(made.includes(join(root, 'x')));
  });

  it('says what is in its way', async () => {
    await writeFile(join(root, 'file'), '');
    await assert.rejects(makeFolder(join(root, 'file'), 0o700), { code: 'EEXIST' });
    await assert.rejects(makeFolder(join(root, 'file', 'in'), 0o700), { code: 'ENOTDIR' });
    await symlink(join(root, 'nowhere'), join(root, 'link'));
    await assert.rejects(makeFolder(join(root, 'link', 'in'), 0o700), /link is a link to .*nowhere/u);
  });

  it('ends where the system lets nobody make one', { skip: process.platform !== 'linux' }, async () => {
    await assert.rejects(makeFolder('/proc/spaceport/data', 0o700), { code: 'ENOENT' });
  });
});
