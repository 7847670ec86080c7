import type { UploadEntry } from '@spaceport/contract/versions';
import { BlobMismatch, BlobTooLong } from '../platform/blobs/blob-store.ts';
import { createInspector } from '../platform/blobs/inspect.ts';
import type { Platform } from '../platform/context.ts';
import { GroupCommit } from '../platform/db/group-commit.ts';
import type { VersionId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { BodyBudget } from '../platform/http/body-budget.ts';
import type { UploadGrant } from '../platform/secrets/link-signer.ts';
import type { LiveSecrets } from '../platform/secrets/live-secrets.ts';
import { hashSecret } from '../platform/secrets/secret.ts';
import { uploadEntries } from './create-version.ts';
import { hashesOf } from './manifest.ts';
import { ownVersion } from './own-version.ts';
import type { Publisher } from './publisher.ts';
import { requireRoom } from './quota.ts';
import { createUploadRoom } from './upload-room.ts';
import { extendLinks, findUploader, type StoredBlob, storeBlobs } from './uploads.queries.ts';
import { findHad, findManifest, readManifest } from './versions.queries.ts';

export interface IncomingUpload {
  readonly grant: UploadGrant | null;
  readonly source: AsyncIterable<Uint8Array>;
  readonly declaredLength: number | null;
  /** Where it comes from. */
  readonly network: string;
  readonly bodies: BodyBudget;
}

export interface Uploads {
  /**
   * Takes the bytes of one file: streamed, hashed on the way, kept only if size and hash are as declared. Throws
   * `link_expired`, `too_large` (cut off at the declared size), `invalid_files`, and `rate_limited` where too much is on its
   * way already. Repeating a finished upload is fine.
   */
  receive(upload: IncomingUpload): Promise<{ sha256: string; size: number }>;
  /** Fresh links for what is still missing: how a client resumes. */
  fresh(versionId: VersionId, publisher: Pick<Publisher, 'owns'>): Promise<UploadEntry[]>;
}

/** A file of at most so many bytes is there within one or two reads of its connection. */
const smallBytes = 128 * 1024;
/** Less than a commit takes on most disks. */
const gatherMs = 5;

export function createUploads(platform: Platform, liveSecrets: LiveSecrets): Uploads {
  const { database, store, clock, config } = platform;
  /** Small files whose bytes are on their way to the disk: they end within milliseconds of each other. */
  let settling = 0;
  const rows = new GroupCommit(database, keepRows, {
    gathering: { expected: () => Math.ceil(settling / 2), maxMs: gatherMs },
  });
  const room = createUploadRoom(platform.together, 'uploads');

  /** Hosts that show the lost file have its old key. */
  function keepRows(tx: Tx, items: readonly StoredBlob[]) {
    return storeBlobs(tx, items, () => tx.announce('space', '*'));
  }

  /** A file with one of our own live secrets in it would give the account away to every visitor. */
  async function refuseSecrets(candidates: readonly string[], grant: UploadGrant): Promise<void> {
    if (candidates.length === 0) return;
    const live = await liveSecrets(candidates.map(hashSecret));
    if (live.size === 0) return;
    const manifest = (await findManifest(database.db, grant.versionId)) ?? [];
    const paths = manifest.filter(([, hash]) => hash === grant.hash).map(([path]) => path);
    throw new ServiceError(
      'invalid_files',
      `«${paths[0] ?? grant.hash}» contains an API token or secret that still works; take it out and revoke it.`,
      { paths },
    );
  }

  /** Bytes, then the row that names them. */
  async function keep(grant: UploadGrant, source: AsyncIterable<Uint8Array>): Promise<void> {
    const { hash, size, versionId } = grant;
    const inspector = createInspector();
    const key = await store.write(inspected(source, inspector), { hash, size }).catch((error: unknown) => {
      if (error instanceof BlobTooLong) throw tooLong(size);
      if (error instanceof BlobMismatch) {
        throw new ServiceError(
          'invalid_files',
          `The bytes are not those declared: ${size} bytes with the SHA-256 ${hash}.`,
        );
      }
      throw error;
    });
    const { sharedMemory, secretCandidates, unreadSecrets } = inspector.result();
    let kept: StoredBlob['outcome'] = 'duplicate';
    try {
      if (unreadSecrets) throw tooManySecrets(hash);
      await refuseSecrets(secretCandidates, grant);
      kept = await rows.commit({ hash, size, key, sharedMemory, versionId, now: clock.now() });
    } finally {
      // Somebody stored the same bytes meanwhile, or nobody may have them: no row names this copy.
      if (kept !== 'stored') await store.delete(key);
    }
    if (kept === 'version_gone')
      throw new ServiceError('link_expired', 'The version of this link is gone; publish again.', {
        next: (app) => `POST ${app}/api/v1/hosting/versions makes a new version, with new links.`,
      });
  }

  /**
   * A small file that is sent again is received again; it is found to exist when its row is written. Looking first
   * would cost every upload more than this costs a few.
   */
  async function takeSmall(
    grant: UploadGrant,
    source: AsyncIterable<Uint8Array>,
    bodies: BodyBudget,
    network: string,
  ): Promise<{ sha256: string; size: number }> {
    const giveBack = await bodies.take(grant.size, network);
    if (!giveBack) throw new ServiceError('failed', 'Too much is being sent at once; try again.');
    settling += 1;
    try {
      await keep(grant, source);
    } finally {
      settling -= 1;
      giveBack();
    }
    return { sha256: grant.hash, size: grant.size };
  }

  /** A large file lies in a temporary file until it is whole. A publisher may have only so much there at once. */
  async function takeLarge(
    grant: UploadGrant,
    source: AsyncIterable<Uint8Array>,
    network: string,
  ): Promise<{ sha256: string; size: number }> {
    const { versionId, hash, size } = grant;
    const uploader = await findUploader(database.db, versionId, hash);
    if (uploader?.hasUploaded) {
      await discard(source, size);
      return { sha256: hash, size };
    }
    // Versions may have been created side by side, each with room for itself.
    if (uploader?.accountId) {
      const quota = { creatorId: uploader.accountId, maxBytes: config.ACCOUNT_MAX_BYTES };
      await requireRoom(database.db, quota, size);
    }
    const leave = uploader?.accountId
      ? await room.enterBytes(uploader.principal, size, config.MAX_VERSION_BYTES)
      : await room.enterBytes(network, size, config.ANONYMOUS_MAX_VERSION_BYTES);
    try {
      await keep(grant, source);
    } finally {
      leave();
    }
    return { sha256: hash, size };
  }

  return {
    async receive({ grant, source, declaredLength, network, bodies }) {
      if (!grant || grant.expiresAtSeconds * 1000 <= clock.now()) {
        throw new ServiceError('link_expired', 'The upload link is wrong or expired; ask for a fresh one.');
      }
      const { hash, size, versionId } = grant;
      if (declaredLength !== null && declaredLength > size) throw tooLong(size);
      const leaveLink = await room.enterLink(`${versionId}/${hash}`);
      try {
        return await (size <= smallBytes
          ? takeSmall(grant, source, bodies, network)
          : takeLarge(grant, source, network));
      } finally {
        leaveLink();
      }
    },

    async fresh(versionId, publisher) {
      const { version } = await ownVersion(platform, versionId, publisher);
      if (version.status !== 'uploading') return [];
      const manifest = await readManifest(database.db, version.id);
      const lacking = new Set(hashesOf(manifest));
      for (const { hash } of await findHad(database.db, version.created_by, [...lacking]))
        lacking.delete(hash);
      const expiresAt = clock.now() + config.UPLOAD_LINK_SECONDS * 1000;
      await extendLinks(database.db, version.id, expiresAt);
      return uploadEntries(platform, version.id, manifest, lacking, expiresAt);
    },
  };
}

async function* inspected(source: AsyncIterable<Uint8Array>, inspector: ReturnType<typeof createInspector>) {
  for await (const chunk of source) {
    inspector.update(chunk);
    yield chunk;
  }
}

/** Reads to the end, so that the client gets its answer, but no more than it announced. */
async function discard(source: AsyncIterable<Uint8Array>, size: number): Promise<void> {
  let received = 0;
  for await (const chunk of source) {
    received += chunk.length;
    if (received > size) throw tooLong(size);
  }
}

function tooManySecrets(hash: string): ServiceError {
  const message = 'is full of texts in the form of our own tokens, more than are looked up';
  return new ServiceError('invalid_files', `The file with the SHA-256 ${hash} ${message}; take them out.`);
}

function tooLong(size: number): ServiceError {
  return new ServiceError('too_large', `The file is longer than the ${size} bytes it was declared with.`);
}
