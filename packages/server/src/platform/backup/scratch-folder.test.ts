import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, utimes } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { BackupError } from './layout.ts';
import { ScratchFolder } from './scratch-folder.ts';

/** Larger than any process id. */
const nobody = 2 ** 22 + 1;

/** Makes what a backup leaves whose process ended without a word. */
async function leave(parent: string, name: string, minutesAgo: number): Promise<void> {
  await mkdir(join(parent, name, 'tables-abc'), { recursive: true });
  const at = new Date(Date.now() - minutesAgo * 60_000);
  await utimes(join(parent, name), at, at);
}

/** Makes a folder there, as a backup does when it begins. */
async function scratchIn(parent: string, place: string): Promise<ScratchFolder> {
  const scratch = new ScratchFolder(parent, place);
  await scratch.make();
  return scratch;
}

const parentFolder = () => mkdtemp(join(tmpdir(), 'spaceport-scratch-'));

test('one backup at a time has a folder, and of two that begin at once at most one', async () => {
  const parent = await parentFolder();
  const begun = await Promise.allSettled([1, 2].map(() => scratchIn(parent, 'here')));
  const got = begun.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
  assert.ok(got.length <= 1);
  for (const one of begun) if (one.status === 'rejected') assert.ok(one.reason instanceof BackupError);
  for (const one of got) await one.remove();
  const next = await scratchIn(parent, 'here');
  await assert.rejects(scratchIn(parent, 'here'), /Another backup is being taken into here now/u);
  await next.remove();
});

test('what crashed backups left is deleted, and a backup of another machine is left until it is silent', async () => {
  const parent = await parentFolder();
  await leave(parent, `${hostname()}.${nobody}.abc`, 0);
  await leave(parent, 'tables-abc', 0);
  await leave(parent, 'elsewhere.1.abc', 6);
  const own = await scratchIn(parent, 'here');
  assert.equal((await readdir(parent)).length, 1);
  await own.remove();
  await leave(parent, 'elsewhere.1.abc', 1);
  await assert.rejects(scratchIn(parent, 'here'), BackupError);
  assert.deepEqual(await readdir(parent), ['elsewhere.1.abc']);
});
