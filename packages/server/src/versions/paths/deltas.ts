import { writeDelta } from '../../platform/blobs/delta.ts';
import { dropUnnamed } from '../../platform/blobs/drop-unnamed.ts';
import type { Platform } from '../../platform/context.ts';
import type { VersionId } from '../../platform/db/ids.ts';
import type { Delta, Site } from '../../serving/site.ts';
import { findForms } from '../packing.queries.ts';
import { findBlobs, findManifest, findVersion } from '../versions.queries.ts';
import { wantedDeltas } from './delta-plan.ts';
import { findDeltas, recordDelta } from './deltas.queries.ts';
import { versionsBefore } from './go-live.ts';
import { findLiveBefore, hasVersionPaths } from './version-paths.queries.ts';

/** A delta is kept if it is smaller than this share of the smallest other form. */
const worthwhileShare = 0.5;

/**
 * Makes the deltas of a live version against the versions that were live before it, one at a time. Does
 * nothing if the version is not served by its number. Returns the number of deltas made.
 */
export async function makeDeltas(
  { database, store }: Pick<Platform, 'database' | 'store'>,
  versionId: VersionId,
  signal: AbortSignal,
): Promise<number> {
  const { db } = database;
  const version = await findVersion(db, versionId);
  if (version?.status !== 'live' || !(await hasVersionPaths(db, versionId))) return 0;
  const before = await findLiveBefore(db, version.space_id, version.number, versionsBefore);
  const own = (await findManifest(db, versionId)) ?? [];
  const wanted = wantedDeltas(
    own,
    before.map(({ manifest }) => manifest),
  );
  const hashes = [...new Set(wanted.flatMap(({ file, dictionary }) => [file, dictionary]))];
  const blobs = new Map((await findBlobs(db, hashes)).map((blob) => [blob.hash, blob]));
  const forms = await findForms(db, hashes);
  const known = await findDeltas(db, hashes);
  let made = 0;
  for (const { file, dictionary } of wanted) {
    signal.throwIfAborted();
    const [blob, other] = [blobs.get(file), blobs.get(dictionary)];
    if (!blob || !other || known.get(file)?.some((delta) => delta.dictionary === dictionary)) continue;
    const sizes = Object.values(forms.get(file) ?? {}).map(({ size }) => size);
    const maxBytes = Math.floor(Math.min(blob.size, ...sizes) * worthwhileShare);
    const delta = await writeDelta(store, blob, other, maxBytes);
    if (!delta) continue;
    if (await database.transaction((tx) => recordDelta(tx, file, { dictionary, ...delta }))) made++;
    // Another node was faster, or the file was collected.
    else await dropUnnamed(store, [delta.key]);
  }
  return made;
}

/** Returns the site with the deltas of its files, given by hash. */
export function addDeltas(site: Site, deltas: ReadonlyMap<string, readonly Delta[]>): Site {
  if (deltas.size === 0) return site;
  const files = [...site.files].map(([path, file]) => {
    const own = deltas.get(file.hash);
    return [path, own ? { ...file, deltas: own } : file] as const;
  });
  return { ...site, files: new Map(files) };
}
