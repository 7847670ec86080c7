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
  /** Returns the instants of the backups to keep, given those of all. The newest backup is always kept. */
  readonly these: (madeAt: readonly number[]) => ReadonlySet<number>;
  /** Whether files that no backup names are deleted now. All lists are read for that. */
  readonly dropsFiles: boolean;
}

/** Keeps only the newest backup. */
export const onlyNewest: Keep = { these: () => new Set(), dropsFiles: true };

/** Deletes the backups that are not kept, and the remains of failed ones. */
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
    // Without its manifest it is not a backup any more, even if the rest stays.
    await place.delete(manifestPath({ folder }));
    for (const path of paths) await place.delete(path);
  }
  if (keep.dropsFiles) await dropOtherBlobs(place, await keysOf(place, kept));
}

/** @throws if a list cannot be read: then it is unknown which files may be deleted */
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
