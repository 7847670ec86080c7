import { dropUnnamed } from '../platform/blobs/drop-unnamed.ts';
import { type PackOptions, packBlob } from '../platform/blobs/pack.ts';
import type { Platform } from '../platform/context.ts';
import { givenId, type VersionId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { JobKind } from '../platform/jobs/queue.ts';
import { isOutage } from '../platform/outage.ts';
import { findSpaceById } from '../spaces/spaces.ts';
import { checkJob, packJob } from './job-kinds.ts';
import { hashesOf } from './manifest.ts';
import { recordForms } from './packing.queries.ts';
import { makeDeltas } from './paths/deltas.ts';
import { announceWhereShown } from './previews.ts';
import { type BlobRow, findBlobs, findManifest, findVersion } from './versions.queries.ts';

/**
 * Packing waits until nobody has published for a moment: it would take the processor from checks, and from the
 * nodes that read the version that has just gone live.
 */
const rest = { after: [checkJob, packJob], quietMs: 1_000, atMostMs: 60_000 };

/**
 * Makes the compressed forms of a version's files, once per file, even when other versions have it.
 * Makes deltas once the version is live.
 */
export function createPackJob(
  platform: Platform,
  options: Pick<PackOptions, 'packing' | 'temporaryFolder'>,
): JobKind {
  const { database, store } = platform;
  return {
    kind: packJob,
    timeoutSeconds: 1_800,
    maxAttempts: 3,
    concurrency: 1,
    rest,
    async run({ ref, signal }) {
      const versionId = givenId('ver', ref);
      const hashes = hashesOf((await findManifest(database.db, versionId)) ?? []);
      const blobs = (await findBlobs(database.db, hashes)).filter((blob) => blob.packed === 0);
      const failures: unknown[] = [];
      let made = 0;
      for (const blob of blobs) {
        signal.throwIfAborted();
        // If one file fails, the others are still packed. An outage of the store ends the work, because every
        // file would fail.
        try {
          if (await pack(blob, signal)) made++;
        } catch (error) {
          if (signal.aborted || isOutage(error)) throw error;
          failures.push(error);
        }
      }
      try {
        made += await makeDeltas(platform, versionId, signal);
      } catch (error) {
        if (signal.aborted || isOutage(error)) throw error;
        failures.push(error);
      }
      if (made > 0) {
        await database.transaction((tx) => announceVersion(tx, versionId));
      }
      if (failures.length > 0) {
        throw new Error(`${failures.length} files could not be packed`, { cause: failures[0] });
      }
    },
  };

  /** Returns whether the file has new forms. */
  async function pack(blob: BlobRow, signal: AbortSignal): Promise<boolean> {
    const forms = await packBlob(store, blob, { ...options, signal });
    // Another node was faster, or the file was collected: no row names these copies, so they are deleted.
    const made = Object.values(forms);
    if (await database.transaction((tx) => recordForms(tx, blob.hash, forms))) return made.length > 0;
    await dropUnnamed(
      store,
      made.map(({ key }) => key),
    );
    return false;
  }
}

/** Announces the version, so that hosts that show it serve the new forms. */
async function announceVersion(tx: Tx, versionId: VersionId): Promise<void> {
  const version = await findVersion(tx.db, versionId);
  if (!version) return;
  const space = await findSpaceById(tx.db, version.space_id);
  if (space) tx.announce('space', space.slug);
  await announceWhereShown(tx, version);
}
