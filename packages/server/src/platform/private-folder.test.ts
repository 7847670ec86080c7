import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { publishFiles, smallGame } from '../../test/files.ts';
import { startService } from '../../test/service.ts';
import '../../test/one-engine.ts';

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
