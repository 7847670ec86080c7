import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { givenId, type VersionId } from '../db/ids.ts';

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
  /** Returns the same for the text of a link, with or without its origin. */
  readUploadLink(link: string): UploadGrant | null;
}

const pathOf = (versionId: string, hash: string) => `/api/v1/hosting/versions/${versionId}/files/${hash}`;
export const uploadRoute = pathOf(':id', ':hash');
const uploadLink = new RegExp(`${pathOf('([^/?]+)', '([^/?]+)')}\\?(.+)$`, 'u');
/** The address that takes several uploads in one request. */
export const uploadBatchRoute = '/api/v1/hosting/uploads';

export function createLinkSigner(key: Buffer): LinkSigner {
  // A key of bytes is made an object for every signature, which takes as long as the signature.
  const secret = createSecretKey(key);
  const sign = (grant: UploadGrant) =>
    createHmac('sha256', secret)
      .update(`upload\n${grant.versionId}\n${grant.hash}\n${grant.size}\n${grant.expiresAtSeconds}`)
      .digest('base64url');
  const readUpload: LinkSigner['readUpload'] = (versionId, hash, { size, expires, signature }) => {
    if (typeof size !== 'string' || typeof expires !== 'string' || typeof signature !== 'string') return null;
    const grant = { versionId, hash, size: Number(size), expiresAtSeconds: Number(expires) };
    if (!Number.isSafeInteger(grant.size) || !Number.isSafeInteger(grant.expiresAtSeconds)) return null;
    const expected = Buffer.from(sign(grant));
    const given = Buffer.from(signature);
    return expected.length === given.length && timingSafeEqual(expected, given) ? grant : null;
  };
  return {
    uploadPath: (grant) =>
      `${pathOf(grant.versionId, grant.hash)}?size=${grant.size}&expires=${grant.expiresAtSeconds}&signature=${sign(grant)}`,
    readUpload,
    readUploadLink(link) {
      const [, id, hash, query] = uploadLink.exec(link) ?? [];
      if (id === undefined || hash === undefined) return null;
      return readUpload(givenId('ver', id), hash, Object.fromEntries(new URLSearchParams(query)));
    },
  };
}
