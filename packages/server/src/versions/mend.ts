import { setTimeout as pause } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { blobPath } from '../platform/backup/layout.ts';
import type { BackupPlace } from '../platform/backup/place.ts';
import { BlobGone, BlobMismatch, BlobTooLong, StoreUnavailable } from '../platform/blobs/blob-store.ts';
import { blobKeyColumns } from '../platform/blobs/key-columns.ts';
import { sizeIfThere } from '../platform/blobs/size-if-there.ts';
import type { FileState } from '../platform/blobs/verify-file.ts';
import type { Platform } from '../platform/context.ts';
import { reasonOf } from '../platform/reason-of.ts';
import { clearDamage, listKeys, renameKey } from './damage.queries.ts';
import { findForms } from './packing.queries.ts';
import { lookAt } from './scrub.ts';
import { findBlobs } from './versions.queries.ts';

const page = 200;
/** How often a file is read that the store does not give, and the pauses between. */
const attempts = 3;
const pauseMs = 500;
const mostUnreadInARow = 5;
const unpackers = { br: createBrotliDecompress, zstd: createZstdDecompress, gzip: createGunzip } as const;

export type Verified = {
  readonly files: number;
  readonly mended: readonly { key: string; from: string }[];
  /** The files that are still missing or damaged. */
  readonly lost: readonly { key: string; problem: 'missing' | 'damaged' }[];
  /** The files that the store has and could not give, so nothing is known about them. */
  readonly unread: readonly { key: string; reason: string }[];
};

/** A place that may have the bytes of a hash, and their size. */
interface Copy {
  readonly from: string;
  readonly size: number;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/**
 * Reads every stored file and compares it with its hash. With `repair`, missing or damaged files are written
 * again from any copy whose hash is right: a compressed form, another copy in the store, or a backup.
 * @throws `StoreUnavailable` if the store gives several files in a row not at all
 */
export async function verifyFiles(
  platform: Platform,
  { repair, backup }: { repair: boolean; backup: BackupPlace | null },
): Promise<Verified> {
  const found: { key: string; problem: 'missing' | 'damaged' }[] = [];
  const unread: { key: string; reason: string }[] = [];
  let files = 0;
  let unreadInARow = 0;
  for (let column = 0; column < blobKeyColumns.length; column++) {
    let after = '';
    for (;;) {
      const keys = await listKeys(platform.database.db, column, after, page);
      for (const key of keys) {
        const state = await patientlyLookAt(platform, key);
        files++;
        unreadInARow = state instanceof StoreUnavailable ? unreadInARow + 1 : 0;
        if (state instanceof StoreUnavailable) {
          // The store is away, and not this file.
          if (unreadInARow === mostUnreadInARow) throw state;
          unread.push({ key, reason: reasonOf(state) });
        } else if (state !== 'ok') found.push({ key, problem: state });
      }
      after = keys.at(-1) ?? after;
      if (keys.length < page) break;
    }
  }
  if (!repair || found.length === 0) return { files, mended: [], lost: found, unread };
  const stored = await copiesInStore(platform, new Set(found.map(({ key }) => hashOf(key))));
  const mended: { key: string; from: string }[] = [];
  const lost: typeof found = [];
  for (const one of found) {
    const from = await mend(platform, one.key, stored.get(hashOf(one.key)) ?? [], backup);
    if (from === null) lost.push(one);
    else mended.push({ key: one.key, from });
  }
  return { files, mended, lost, unread };
}

/** Returns the state of a file, or why it could not be read several times. */
async function patientlyLookAt(platform: Platform, key: string): Promise<FileState | StoreUnavailable> {
  for (let attempt = 1; ; attempt++)
    try {
      return await lookAt(platform, key);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (attempt === attempts) return error;
      await pause(attempt * pauseMs);
    }
}

function hashOf(key: string): string {
  return key.split('-', 1)[0] ?? key;
}

/**
 * Writes a file again under a new key and renames it in every row. Returns where the bytes were found, or
 * null if there is no good copy.
 */
async function mend(
  platform: Platform,
  key: string,
  others: readonly string[],
  backup: BackupPlace | null,
): Promise<string | null> {
  const { database, store } = platform;
  const hash = hashOf(key);
  for await (const copy of copiesOf(platform, key, others, backup)) {
    try {
      const written = await store.write(await copy.open(), { hash, size: copy.size });
      await database.transaction(async (tx) => {
        await renameKey(tx, key, written);
        await clearDamage(tx.db, [key]);
        // Cached sites still have the old key.
        tx.announce('space', '*');
      });
      await store.delete(key);
      return copy.from;
    } catch (error) {
      // This copy is damaged too; the next one may be good.
      if (!isBad(error)) throw error;
    }
  }
  return null;
}

function isBad(error: unknown): boolean {
  if (error instanceof BlobMismatch || error instanceof BlobTooLong || error instanceof BlobGone) return true;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(?:Z_|ERR_BROTLI|ERR__ERROR|ERR_|ZSTD_)/u.test(code);
}

async function* copiesOf(
  { database, store }: Platform,
  key: string,
  others: readonly string[],
  backup: BackupPlace | null,
): AsyncGenerator<Copy> {
  const hash = hashOf(key);
  for (const other of others) {
    if (other === key) continue;
    // The collector may have deleted it since it was listed.
    const size = await sizeIfThere(store, other);
    if (size !== null) yield { from: `the store (${other})`, size, open: () => store.open(other) };
  }
  const [blob] = (await findBlobs(database.db, [hash])).filter((row) => row.key === key);
  if (blob) {
    const forms = (await findForms(database.db, [hash])).get(hash) ?? {};
    for (const [coding, form] of Object.entries(forms)) {
      const unpack = unpackers[coding as keyof typeof unpackers];
      const open = async () => (await store.open(form.key)).compose(unpack()) as AsyncIterable<Uint8Array>;
      yield { from: `its compressed form (${coding})`, size: blob.size, open };
    }
  }
  if (backup === null) return;
  for await (const { path, size } of backup.list(blobPath(`${hash}-`))) {
    const open = async () => (await backup.open(path)) ?? Promise.reject(new BlobGone(path));
    yield { from: `the backup (${path.slice(path.lastIndexOf('/') + 1)})`, size, open };
  }
}

/** Finds all copies of these hashes in the store, including those that no row names. Returns hash → keys. */
async function copiesInStore(
  { store }: Platform,
  hashes: ReadonlySet<string>,
): Promise<Map<string, string[]>> {
  const copies = new Map<string, string[]>();
  for await (const { key } of store.list()) {
    const hash = hashOf(key);
    if (hashes.has(hash)) copies.set(hash, [...(copies.get(hash) ?? []), key]);
  }
  return copies;
}
