import type { Platform } from '../platform/context.ts';
import type { VersionId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import { hashesOf } from './manifest.ts';
import { findLost } from './scrub.ts';
import { findBlobs, readManifest } from './versions.queries.ts';

/** A file of a version: its path, SHA-256, size in bytes, and key in the store. */
export interface StoredFile {
  readonly path: string;
  readonly hash: string;
  readonly size: number;
  readonly key: string;
}

/** Returns the files in the manifest of a version. */
export async function storedFilesOf(db: Db, versionId: VersionId): Promise<StoredFile[]> {
  const manifest = await readManifest(db, versionId);
  const keys = new Map((await findBlobs(db, hashesOf(manifest))).map(({ hash, key }) => [hash, key]));
  // A file without a row is in no store.
  return manifest.map(([path, hash, size]) => ({ path, hash, size, key: keys.get(hash) ?? hash }));
}

/**
 * Returns the paths of a version whose files the store has lost, or has with another size. Creates ask for
 * them again from now on.
 */
export async function lostFilesOf(platform: Platform, versionId: VersionId): Promise<string[]> {
  return findLost(platform, await storedFilesOf(platform.database.db, versionId));
}

/** @param lost at least one path */
export function lostFilesMessage(lost: readonly string[]): string {
  const more = lost.length > 1 ? ` and ${lost.length - 1} more` : '';
  return `The service has lost «${lost[0]}»${more} of this version since it was uploaded.`;
}
