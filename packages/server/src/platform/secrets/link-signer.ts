import { createHmac, timingSafeEqual } from 'node:crypto';
import type { VersionId } from '../db/ids.ts';

/** What an upload link allows: to upload these bytes for this version, until it expires. */
export interface UploadGrant {
  readonly versionId: VersionId;
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  /** Seconds since the epoch. */
  readonly expiresAtSeconds: number;
}

export interface LinkSigner {
  /** Returns the path and query of an upload link. */
  uploadPath(grant: UploadGrant): string;
  /** Returns the grant of a link with a valid signature, even if it has expired; null for any other link. */
  readUpload(versionId: VersionId, hash: string, query: Record<string, unknown>): UploadGrant | null;
}

export const uploadRoute = '/api/v1/hosting/versions/:id/files/:hash';

export function createLinkSigner(key: Buffer): LinkSigner {
  const sign = (grant: UploadGrant) =>
    createHmac('sha256', key)
      .update(`upload\n${grant.versionId}\n${grant.hash}\n${grant.size}\n${grant.expiresAtSeconds}`)
      .digest('base64url');
  return {
    uploadPath: (grant) =>
      `/api/v1/hosting/versions/${grant.versionId}/files/${grant.hash}?size=${grant.size}&expires=${grant.expiresAtSeconds}&signature=${sign(grant)}`,
    readUpload: (versionId, hash, { size, expires, signature }) => {
      if (typeof size !== 'string' || typeof expires !== 'string' || typeof signature !== 'string')
        return null;
      const grant = { versionId, hash, size: Number(size), expiresAtSeconds: Number(expires) };
      if (!Number.isSafeInteger(grant.size) || !Number.isSafeInteger(grant.expiresAtSeconds)) return null;
      const expected = Buffer.from(sign(grant));
      const given = Buffer.from(signature);
      return expected.length === given.length && timingSafeEqual(expected, given) ? grant : null;
    },
  };
}
