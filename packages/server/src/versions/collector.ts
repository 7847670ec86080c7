import { claimStore } from '../platform/blobs/claim-store.ts';
import type { Platform } from '../platform/context.ts';
import { givenId } from '../platform/db/ids.ts';
import { fromJson } from '../platform/db/json.ts';
import {
  countKeys,
  deleteMarkedBlob,
  findKnownKeys,
  formKeys,
  type HashRange,
  listBlobs,
  listManifests,
  markBlobs,
  unmarkReferenced,
} from './collector.queries.ts';

const graceMs = 24 * 3_600_000;
const page = 1_000;
const manifestPage = 20;
/** Most hashes that are held in memory at once. They take about 30 MB. */
const maxHashesInMemory = 200_000;

export interface Collected {
  marked: number;
  deleted: number;
  orphans: number;
}

/**
 * Deletes files that no version names: marks them, waits a day, looks again, deletes. It keeps no state but the
 * mark: every run looks at what is there. A create that counts on a marked file takes the mark off in its own
 * transaction, and the deletion asks for the mark it saw, so neither can miss the other (docs/decisions/0004).
 */
export async function collectBlobs(platform: Platform): Promise<Collected> {
  const collected: Collected = { marked: 0, deleted: 0, orphans: 0 };
  const ranges = hashRanges(await countKeys(platform.database.db, 'blobs', 'hash'));
  for (const range of ranges) await collectRange(platform, range, collected);
  collected.orphans = await deleteOrphans(platform);
  return collected;
}

/** Splits the hashes into equal ranges, so that one range fits in memory. */
function hashRanges(blobs: number): HashRange[] {
  const parts = Math.min(256, 2 ** Math.ceil(Math.log2(Math.max(1, blobs / maxHashesInMemory))));
  const width = 256 / parts;
  return Array.from({ length: parts }, (_, part) => {
    const bound = (byte: number) => byte.toString(16).padStart(2, '0');
    return { from: bound(part * width), to: part === parts - 1 ? 'g' : bound((part + 1) * width) };
  });
}

async function collectRange(
  { database, clock, store }: Platform,
  range: HashRange,
  collected: Collected,
): Promise<void> {
  const now = clock.now();
  const referenced = await referencedHashes(database.db, range);
  let after = '';
  for (;;) {
    const blobs = await listBlobs(database.db, range, after, page);
    const unreferenced = blobs.filter(({ hash }) => !referenced.has(hash));
    // A version names a marked file again: the mark is taken off, and the wait starts over.
    await unmarkReferenced(
      database.db,
      blobs.filter((blob) => blob.marked_at !== null && referenced.has(blob.hash)).map(({ hash }) => hash),
    );
    const fresh = unreferenced.filter((blob) => blob.marked_at === null && blob.created_at <= now - graceMs);
    collected.marked += await markBlobs(
      database.db,
      fresh.map(({ hash }) => hash),
      now,
    );
    for (const blob of unreferenced) {
      if (blob.marked_at === null || blob.marked_at > now - graceMs) continue;
      const { marked_at } = blob;
      const forms = await formKeys(database.db, blob.hash);
      if (!(await database.transaction((tx) => deleteMarkedBlob(tx, blob.hash, marked_at)))) continue;
      // The row is gone, so no new request can learn these keys any more.
      await store.delete(blob.key);
      for (const key of forms) await store.delete(key);
      collected.deleted++;
    }
    const last = blobs.at(-1);
    if (!last || blobs.length < page) return;
    after = last.hash;
  }
}

async function referencedHashes(
  db: Platform['database']['db'],
  { from, to }: HashRange,
): Promise<Set<string>> {
  const referenced = new Set<string>();
  let after = givenId('ver', '');
  for (;;) {
    const manifests = await listManifests(db, after, manifestPage);
    for (const { files } of manifests) {
      for (const [, hash] of fromJson(files)) if (hash >= from && hash < to) referenced.add(hash);
    }
    const last = manifests.at(-1);
    if (!last || manifests.length < manifestPage) return referenced;
    after = last.version_id;
    // Lets other work run between two pages.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * Deletes stored copies that no row names, a day after they were written. They are left when a process dies
 * between writing the file and its row.
 * @throws `WrongStore` if another database names the files
 */
async function deleteOrphans({ database, clock, store }: Platform): Promise<number> {
  await claimStore(database, store);
  let orphans = 0;
  let old: string[] = [];
  const deleteUnknown = async () => {
    const known = await findKnownKeys(database.db, old);
    for (const key of old.filter((key) => !known.has(key))) {
      await store.delete(key);
      orphans++;
    }
    old = [];
  };
  for await (const { key, writtenAt } of store.list()) {
    if (writtenAt > clock.now() - graceMs) continue;
    old.push(key);
    if (old.length >= page) await deleteUnknown();
  }
  if (old.length > 0) await deleteUnknown();
  return orphans;
}
