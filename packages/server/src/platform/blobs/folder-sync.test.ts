import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { FolderSync } from './folder-sync.ts';

let parent: string;
before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'spaceport-sync-'));
});
after(() => rm(parent, { recursive: true }));

test('a sync fails for every waiting caller while the folder is missing, and works once it exists', async () => {
  const folder = join(parent, 'late');
  const syncs = new FolderSync();
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => syncs.sync(folder)));
  for (const result of results) assert.equal(result.status === 'rejected' && result.reason.code, 'ENOENT');
  await mkdir(folder);
  await Promise.all(Array.from({ length: 5 }, () => syncs.sync(folder)));
  await syncs.close();
});

test('a sync opens a folder again after it was closed', async () => {
  const folder = join(parent, 'closed');
  await mkdir(folder);
  const syncs = new FolderSync();
  await syncs.sync(folder);
  await syncs.close();
  await rename(folder, `${folder}-away`);
  await assert.rejects(syncs.sync(folder), { code: 'ENOENT' });
});
