import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
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
  const service = await startService({
    role: 'serve',
    environment: { DATA_DIR: folder, X_ACCEL_REDIRECT: '/internal' },
  });
  try {
    assert.equal(await modeOf(folder), 0o711);
    assert.equal(await modeOf(join(folder, 'blobs')), 0o755);
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
});
