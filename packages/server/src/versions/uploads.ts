import type { UploadEntry } from '@spaceport/contract/versions';
import { BlobMismatch, BlobTooLong } from '../platform/blobs/blob-store.ts';
import { dropUnnamed } from '../platform/blobs/drop-unnamed.ts';
import { createInspector } from '../platform/blobs/inspect.ts';
import type { Platform } from '../platform/context.ts';
import { GroupCommit } from '../platform/db/group-commit.ts';
import type { AccountId, VersionId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { type BodyBudget, tooManyBytes } from '../platform/http/body-budget.ts';
import type { UploadGrant } from '../platform/secrets/link-signer.ts';
import type { LiveSecrets } from '../platform/secrets/live-secrets.ts';
import { hashSecret } from '../platform/secrets/secret.ts';
import { hashesOf } from './manifest.ts';
import { ownVersion } from './own-version.ts';
import type { Publisher } from './publisher.ts';
import { noRoom, requireRoom } from './quota.ts';
import { readStoredBytes } from './stored-bytes.queries.ts';
import { smallBytes, uploadEntries } from './upload-links.ts';
import { createUploadRoom } from './upload-room.ts';
import {
  extendLinks,
  findUploader,
  isNamed,
  OverQuota,
  type StoredBlob,
  storeBlobs,
} from './uploads.queries.ts';
import { findHad, findManifest, readManifest } from './versions.queries.ts';

export interface IncomingUpload {
  readonly grant: UploadGrant | null;
  readonly source: AsyncIterable<Uint8Array>;
  readonly declaredLength: number | null;
  /** The network that the upload comes from, for limits. */
  readonly network: string;
  readonly bodies: BodyBudget;
}

export interface Uploads {
  /**
   * Receives the bytes of one file as a stream and hashes them on the way. The file is kept only if size and
   * hash are as declared. A finished upload may be repeated.
   * @throws `link_expired`, `too_large` (cut off at the declared size), `invalid_files`, and `rate_limited`
   * if too much is under way
   */
  receive(upload: IncomingUpload): Promise<{ sha256: string; size: number }>;
  /** Returns fresh links for the files that are still missing. Clients use them to resume. */
  fresh(versionId: VersionId, publisher: Pick<Publisher, 'owns'>): Promise<UploadEntry[]>;
}

/** Less time than a commit takes on most disks. */
const gatherMs = 5;

export function createUploads(platform: Platform, liveSecrets: LiveSecrets): Uploads {
  const { database, store, clock, config } = platform;
  /**
   * The number of files that have arrived and are being stored. They end within milliseconds of each other.
   */
  let settling = 0;
  const rows = new GroupCommit(database, keepRows, {
    gathering: { expected: () => Math.ceil(settling / 2), maxMs: gatherMs },
  });
  const room = createUploadRoom(platform.together, 'uploads');

  /** Stores the rows. When a file replaces a lost one, all sites are announced: they have its old key. */
  function keepRows(tx: Tx, items: readonly StoredBlob[]) {
    return storeBlobs(tx, items, () => tx.announce('space', '*'));
  }

  /**
   * Refuses a file that contains a live secret of the service: it would give the account away to every
   * visitor.
   */
  async function refuseSecrets(candidates: readonly string[], grant: UploadGrant): Promise<void> {
    if (candidates.length === 0) return;
    const live = await liveSecrets(candidates.map(hashSecret));
    if (live.size === 0) return;
    throw await refusedContent(
      grant,
      'contains an API token or secret that still works; take it out and revoke it.',
    );
  }

  /**
   * Returns the refusal of a file for what is in it. It names the paths: by them a client tells it from bytes
   * that are not those declared, where the file has changed.
   */
  async function refusedContent({ versionId, hash }: UploadGrant, why: string): Promise<ServiceError> {
    const manifest = (await findManifest(database.db, versionId)) ?? [];
    const paths = manifest.filter((entry) => entry[1] === hash).map(([path]) => path);
    return new ServiceError('invalid_files', `«${paths[0] ?? hash}» ${why}`, { paths });
  }

  const quotaOf = (creatorId: AccountId) => ({ creatorId, maxBytes: config.ACCOUNT_MAX_BYTES });

  async function keep(grant: UploadGrant, source: AsyncIterable<Uint8Array>): Promise<void> {
    let hasArrived = false;
    const onArrival = () => {
      hasArrived = true;
      settling += 1;
    };
    try {
      await settle(grant, source, onArrival);
    } finally {
      if (hasArrived) settling -= 1;
    }
  }

  /** Writes the bytes first, then the row that names them. */
  async function settle(
    grant: UploadGrant,
    source: AsyncIterable<Uint8Array>,
    onArrival: () => void,
  ): Promise<void> {
    const { hash, size, versionId } = grant;
    const inspector = createInspector();
    const key = await store
      .write(inspected(source, inspector, onArrival), { hash, size })
      .catch((error: unknown) => {
        throw refusalOf(error, grant);
      });
    const { sharedMemory, secretCandidates, unreadSecrets } = inspector.result();
    try {
      if (unreadSecrets) throw await refusedContent(grant, tooManySecrets);
      await refuseSecrets(secretCandidates, grant);
    } catch (error) {
      await dropUnnamed(store, [key]);
      throw error;
    }
    // A commit that fails may have been made all the same. The bytes stay then; a sweep deletes them if no row names them.
    const kept = await rows
      .commit({ hash, size, key, sharedMemory, versionId, now: clock.now() })
      .catch(async (error: unknown) => {
        if (!(error instanceof OverQuota)) throw error;
        await dropUnnamed(store, [key]);
        const { db } = database;
        throw await noRoom(db, quotaOf(error.accountId), size, await readStoredBytes(db, error.accountId));
      });
    // The same bytes were stored in the meantime. The second try of such a commit finds its own row.
    if (kept !== 'stored' && !(await isNamed(database.db, { hash, key }))) await dropUnnamed(store, [key]);
    if (kept === 'version_gone')
      throw new ServiceError('link_expired', 'The version of this link is gone; publish again.', {
        next: (app) => `POST ${app}/api/v1/hosting/versions makes a new version, with new links.`,
      });
  }

  /**
   * Receives a small file. One that is sent again is received again and found to exist when its row is
   * written: looking it up first would slow down every upload.
   */
  async function takeSmall(
    grant: UploadGrant,
    source: AsyncIterable<Uint8Array>,
    bodies: BodyBudget,
    network: string,
  ): Promise<{ sha256: string; size: number }> {
    const giveBack = await bodies.take(grant.size, network);
    if (!giveBack) throw tooManyBytes();
    try {
      await keep(grant, source);
    } finally {
      giveBack();
    }
    return { sha256: grant.hash, size: grant.size };
  }

  /**
   * Receives a large file into a temporary file. A publisher may have only a limited number of bytes there at
   * once.
   */
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
    // Several versions may have been created at once, each while there was room for it.
    if (uploader?.accountId) {
      await requireRoom(database.db, quotaOf(uploader.accountId), size);
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

async function* inspected(
  source: AsyncIterable<Uint8Array>,
  inspector: ReturnType<typeof createInspector>,
  onEnd: () => void,
) {
  for await (const chunk of source) {
    inspector.update(chunk);
    yield chunk;
  }
  onEnd();
}

/** Reads to the end, so that the client gets its answer, but no more than the announced size. */
async function discard(source: AsyncIterable<Uint8Array>, size: number): Promise<void> {
  let received = 0;
  for await (const chunk of source) {
    received += chunk.length;
    if (received > size) throw tooLong(size);
  }
}

/** Returns what a sender is told of an error of the store. */
function refusalOf(error: unknown, { hash, size }: UploadGrant): unknown {
  if (error instanceof BlobTooLong) return tooLong(size);
  if (!(error instanceof BlobMismatch)) return error;
  return new ServiceError(
    'invalid_files',
    `The bytes are not those declared: ${size} bytes with the SHA-256 ${hash}.`,
  );
}

const tooManySecrets =
  'has more texts that look like tokens of this service than can be checked; take them out.';

function tooLong(size: number): ServiceError {
  return new ServiceError('too_large', `The file is longer than the ${size} bytes it was declared with.`);
}
