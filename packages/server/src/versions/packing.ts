import { packBlob } from '../platform/blobs/pack.ts';
import type { Platform } from '../platform/context.ts';
import type { Tx } from '../platform/db/schema.ts';
import type { JobKind } from '../platform/jobs/queue.ts';
import { findSpaceById } from '../spaces/spaces.ts';
import { packJob } from './job-kinds.ts';
import { hashesOf } from './manifest.ts';
import { recordForms } from './packing.queries.ts';
import { findLabelsOfVersion } from './sites.queries.ts';
import { findBlobs, findVersion, readManifest } from './versions.queries.ts';

/** Makes the compressed forms of a version's files, once per file, whoever publishes it again (contract §8). */
export function createPackJob(platform: Platform, temporaryFolder: string): JobKind {
  const { database, store } = platform;
  return {
    kind: packJob,
    timeoutSeconds: 1_800,
    maxAttempts: 3,
    concurrency: 1,
    async run({ ref, signal }) {
      const hashes = hashesOf(await readManifest(database.db, ref));
      const blobs = (await findBlobs(database.db, hashes)).filter((blob) => blob.packed === 0);
      let packed = 0;
      for (const blob of blobs) {
        signal.throwIfAborted();
        const forms = await packBlob(store, blob, { temporaryFolder, signal });
        // Another node was faster, or the file was collected: no row names these copies.
        if (!(await database.transaction((tx) => recordForms(tx, blob.hash, forms)))) {
          for (const form of Object.values(forms)) await store.delete(form.key);
        }
        packed++;
      }
      if (packed > 0) await database.transaction((tx) => announceVersion(platform, tx, ref));
    },
  };
}

/** Hosts that show the version serve the new forms from now on. */
async function announceVersion({ database }: Platform, tx: Tx, versionId: string): Promise<void> {
  const version = await findVersion(tx, versionId);
  const space = version && (await findSpaceById(tx, version.space_id));
  if (space) database.announcements.announce(tx, 'space', space.slug);
  for (const label of await findLabelsOfVersion(tx, versionId))
    database.announcements.announce(tx, 'preview', label);
}
