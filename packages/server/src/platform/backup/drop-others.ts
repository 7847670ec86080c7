import { dropOtherBlobs } from './keep-blobs.ts';
import {
  BackupError,
  blobListPath,
  listBackups,
  type Manifest,
  manifestPath,
  parseBlobLine,
  verifiedLines,
} from './layout.ts';
import type { BackupPlace } from './place.ts';

export interface Keep {
  /** Which of the instants that the backups of a place were made at stay; that of the newest always does. */
  readonly these: (madeAt: readonly number[]) => ReadonlySet<number>;
  /** Whether files that no backup names any more go now: all their lists are read for it. */
  readonly dropsFiles: boolean;
}

/** The newest alone. */
export const onlyNewest: Keep = { these: () => new Set(), dropsFiles: true };

/** Takes out of a place what is not kept, and what backups that came to nothing have left there. */
export async function dropOthers(place: BackupPlace, newest: Manifest, keep: Keep): Promise<void> {
  const all = await listBackups(place);
  const stay = keep.these(all.map(({ made_at }) => Date.parse(made_at)));
  const kept = all.filter(({ made_at, folder }) => folder === newest.folder || stay.has(Date.parse(made_at)));
  const folders = new Set(kept.map(({ folder }) => folder));
  const dropped = new Map<string, string[]>();
  for await (const { path } of place.list('tables-')) {
    const [folder = ''] = path.split('/', 1);
    if (!folders.has(folder)) dropped.set(folder, [...(dropped.get(folder) ?? []), path]);
  }
  for (const [folder, paths] of dropped) {
    // Without its manifest it is no backup any more, however far this comes.
    await place.delete(manifestPath({ folder }));
    for (const path of paths) await place.delete(path);
  }
  if (keep.dropsFiles) await dropOtherBlobs(place, await keysOf(place, kept));
}

/** Throws where a list cannot be read: then nobody knows what may go. */
async function keysOf(place: BackupPlace, backups: readonly Manifest[]): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const backup of backups) {
    try {
      for await (const line of verifiedLines(place, blobListPath(backup), backup.blobs.sha256))
        keys.add(parseBlobLine(line).key);
    } catch (error) {
      if (error instanceof BackupError) throw new BackupError(`${error.message} No file was deleted.`);
      throw error;
    }
  }
  return keys;
}
