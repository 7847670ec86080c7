import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { blobPath } from '../platform/backup/layout.ts';
import type { BackupPlace } from '../platform/backup/place.ts';
import { BlobGone, BlobMismatch, BlobTooLong } from '../platform/blobs/blob-store.ts';
import { blobKeyColumns } from '../platform/blobs/key-columns.ts';
import type { Platform } from '../platform/context.ts';
import { clearDamage, listKeys, renameKey } from './damage.queries.ts';
import { findForms } from './packing.queries.ts';
import { lookAt } from './scrub.ts';
import { findBlobs } from './versions.queries.ts';

const page = 200;
const unpackers = { br: createBrotliDecompress, zstd: createZstdDecompress, gzip: createGunzip } as const;

export type Verified = {
  readonly files: number;
  readonly mended: readonly { key: string; from: string }[];
  /** What is missing or damaged still. */
  readonly lost: readonly { key: string; problem: 'missing' | 'damaged' }[];
};

/** Where the bytes of a hash may be found, and how many they are. */
interface Copy {
  readonly from: string;
  readonly size: number;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/**
 * Reads every stored file and compares it with its hash. With `repair`, what is missing or damaged is written anew from
 * any copy that proves right: one of its compressed forms, another copy in the store, or what backups hold.
 */
export async function verifyFiles(
  platform: Platform,
  { repair, backup }: { repair: boolean; backup: BackupPlace | null },
): Promise<Verified> {
  const found: { key: string; problem: 'missing' | 'damaged' }[] = [];
  let files = 0;
  for (let column = 0; column < blobKeyColumns.length; column++) {
    let after = '';
    for (;;) {
      const keys = await listKeys(platform.database.db, column, after, page);
      for (const key of keys) {
        const state = await lookAt(platform, key);
        files++;
        if (state !== 'ok') found.push({ key, problem: state });
      }
      after = keys.at(-1) ?? after;
      if (keys.length < page) break;
    }
  }
  if (!repair || found.length === 0) return { files, mended: [], lost: found };
  const stored = await copiesInStore(platform, new Set(found.map(({ key }) => hashOf(key))));
  const mended: { key: string; from: string }[] = [];
  const lost: typeof found = [];
  for (const one of found) {
    const from = await mend(platform, one.key, stored.get(hashOf(one.key)) ?? [], backup);
    if (from === null) lost.push(one);
    else mended.push({ key: one.key, from });
  }
  return { files, mended, lost };
}

function hashOf(key: string): string {
  return key.split('-', 1)[0] ?? key;
}

/** Writes a file anew under another key, which every row then names. Returns where the bytes were found. */
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
        // Cached sites have the old key.
        tx.announce('space', '*');
      });
      await store.delete(key);
      return copy.from;
    } catch (error) {
      // This copy is damaged as well: the next one may not be.
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
    yield { from: `the store (${other})`, size: await store.size(other), open: () => store.open(other) };
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

/** Keys in the store by hash, of these hashes: also copies that no row names. */
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
