import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { publishLive } from '../../../test/files.ts';
import { testFolder } from '../../../test/prepared.ts';
import { startService } from '../../../test/service.ts';
import { databaseSettings } from '../../open-platform.ts';
import { takeBackup } from './backup.ts';
import { onlyNewest } from './drop-others.ts';
import { FolderPlace } from './folder-place.ts';
import type { BackupPlace } from './place.ts';

/**
 * Returns a place that never ends to take files whose path begins with `prefix`. `begun` resolves when one
 * comes.
 */
function stalledPlace(folder: string, prefix: string): { place: BackupPlace; begun: Promise<void> } {
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const folderPlace = new FolderPlace(folder);
  const takeFile = folderPlace.put.bind(folderPlace);
  const put: BackupPlace['put'] = async (path, file, { signal }) => {
    if (!path.startsWith(prefix)) return takeFile(path, file);
    resolve();
    await new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  };
  return { place: Object.assign<BackupPlace, Pick<BackupPlace, 'put'>>(folderPlace, { put }), begun };
}

describe('a backup to a place that stalls', () => {
  for (const [what, prefix] of [
    ['rows', 'tables-'],
    ['files', 'blobs/'],
  ] as const)
    it(`ends while it sends ${what}, and leaves no part of it`, async () => {
      const service = await startService();
      const folder = await mkdtemp(join(testFolder, 'stalled-'));
      const { place, begun } = stalledPlace(folder, prefix);
      try {
        await publishLive(service, await service.creator(), {
          'index.html': '<!doctype html><title>A</title>',
        });
        const { store, clock, config } = service.service.platform;
        const source = { database: databaseSettings(config), store, clock };
        const end = new AbortController();
        const taken = takeBackup(source, place, onlyNewest, end.signal);
        taken.catch(() => {});
        await begun;
        const reason = new Error('the service ends');
        end.abort(reason);
        await assert.rejects(taken, reason);
        assert.deepEqual(await Array.fromAsync(place.list('tables-')), []);
      } finally {
        await place.close();
        await rm(folder, { recursive: true, force: true });
        await service.close();
      }
    });
});
