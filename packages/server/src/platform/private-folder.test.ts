import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { publishFiles, smallGame } from '../../test/files.ts';
import { testFolder } from '../../test/prepared.ts';
import { runAdmin } from '../../test/run-admin.ts';
import { startService } from '../../test/service.ts';
import '../../test/one-engine.ts';
import { keepPrivate } from './private-folder.ts';

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

it('the data folder and its contents become private to their user at every start', async () => {
  const service = await startService({ role: 'serve' });
  const folder = service.environment.DATA_DIR ?? '';
  try {
    await chmod(folder, 0o755);
    await writeFile(join(folder, 'left.txt'), 'x', { mode: 0o644 });
    await mkdir(join(folder, 'mail'), { recursive: true, mode: 0o755 });
    for (const entry of await readdir(folder, { withFileTypes: true }))
      await chmod(join(folder, entry.name), entry.isDirectory() ? 0o755 : 0o644);
    await service.restart();
    assert.equal(await modeOf(folder), 0o700);
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const expected = entry.isDirectory() ? 0o700 : 0o600;
      assert.equal(await modeOf(join(folder, entry.name)), expected, entry.name);
    }
  } finally {
    await service.close();
  }
});

it('a folder of others is not taken, and stays as it was', async (context) => {
  const folder = await mkdtemp(join(testFolder, 'of-others-'));
  context.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, '.profile'), '', { mode: 0o644 });
  await mkdir(join(folder, 'lost+found'));
  await mkdir(join(folder, 'somebody'));
  for (const path of [folder, join(folder, 'somebody')]) await chmod(path, 0o755);
  const environment = { DATA_DIR: folder, DATABASE_URL: '' };
  const refused = await runAdmin(environment, [
    'create-account',
    '--handle',
    'mira',
    '--email',
    'mira@example.com',
    '--password',
    'x',
  ]);
  assert.equal(refused.code, 1);
  assert.equal(
    refused.errors.trim(),
    `${folder} has other things in it, such as «somebody». The service makes its folder readable for its own user only, with all that is in it. Choose one that is new or empty: DATA_DIR=….`,
  );
  assert.deepEqual((await readdir(folder)).sort(), ['.profile', 'lost+found', 'somebody']);
  for (const path of [folder, join(folder, 'somebody')]) assert.equal(await modeOf(path), 0o755);
  await rm(join(folder, 'somebody'), { recursive: true });
  await keepPrivate({ folder, databaseFile: join(folder, 'spaceport.db'), shared: [] });
  assert.equal(await modeOf(folder), 0o700);
});

it('nginx, where it sends files, can reach the files and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'spaceport-shared-'));
  await mkdir(join(folder, 'blobs'));
  // That of the systemd unit.
  const umask = process.umask(0o077);
  const service = await startService({
    role: 'serve',
    environment: { DATA_DIR: folder, BLOB_STORE: '', X_ACCEL_REDIRECT: '/internal' },
  });
  try {
    await publishFiles(await service.creator(), { ...smallGame, 'large.bin': randomBytes(300_000) });
    assert.equal(await modeOf(folder), 0o711);
    const blobs = join(folder, 'blobs');
    assert.equal(await modeOf(blobs), 0o755);
    const stored = (await readdir(blobs, { withFileTypes: true })).filter(({ name }) => name.length === 2);
    assert.ok(stored.length >= 3);
    const [shard = ''] = stored.map(({ name }) => name);
    await chmod(join(blobs, shard), 0o700);
    await service.restart();
    for (const { name } of stored) {
      assert.equal(await modeOf(join(blobs, name)), 0o755);
      for (const file of await readdir(join(blobs, name)))
        assert.equal(await modeOf(join(blobs, name, file)), 0o644);
    }
    const others = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => name !== 'blobs');
    for (const entry of others)
      assert.equal(await modeOf(join(folder, entry.name)), entry.isDirectory() ? 0o700 : 0o600, entry.name);
  } finally {
    process.umask(umask);
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
});
