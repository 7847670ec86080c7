import type { UploadBatch, UploadEntry } from '@spaceport/contract/versions';
import type { Platform } from '../platform/context.ts';
import type { VersionId } from '../platform/db/ids.ts';
import { must } from '../platform/must.ts';
import { uploadBatchRoute } from '../platform/secrets/link-signer.ts';
import type { Manifest } from './manifest.ts';

/**
 * A file of this size or less arrives within one or two reads of its connection, and may be sent in a batch.
 */
export const smallBytes = 128 * 1024;

/** Returns one signed upload link for each lacking file. */
export function uploadEntries(
  { links, urls }: Platform,
  versionId: VersionId,
  manifest: Manifest,
  lacking: ReadonlySet<string>,
  expiresAt: number,
): UploadEntry[] {
  const sizes = new Map(manifest.map(([, hash, size]) => [hash, size]));
  const expiresAtSeconds = Math.floor(expiresAt / 1000);
  return [...lacking].map((hash) => {
    const size = must(sizes, hash);
    return { sha256: hash, url: urls.upload(links.uploadPath({ versionId, hash, size, expiresAtSeconds })) };
  });
}

/** Returns where small files may be sent in a batch. */
export function uploadBatch({ urls }: Pick<Platform, 'urls'>): UploadBatch {
  return { url: urls.upload(uploadBatchRoute), maxFileBytes: smallBytes };
}
