import { hash, randomBytes } from 'node:crypto';
import type { Database } from '../platform/db/database.ts';
import type { VersionId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { keptForMs, usedWithAnother } from '../platform/http/idempotency-key.ts';
import { findSpaceById, type SpaceRow } from '../spaces/spaces.ts';
import { deleteKeysUpTo, findKept, putKept } from './create-keys.queries.ts';
import type { Publisher } from './publisher.ts';
import { findVersion, type VersionRow } from './versions.queries.ts';

/**
 * `Idempotency-Key` of a create: a create that is sent again, because its answer was lost, is answered with the
 * version that the first one made. No answer is stored: it is made again, with links that last.
 */
export interface CreateKey {
  readonly key: string;
  /** Tells another request with the same key. */
  readonly requestHash: string;
}

/** What makes the claim token of a new page, the same for each repeat. */
export interface TokenSource {
  readonly key: string;
  readonly salt: string;
}

/** A create with a key, whose turn it is: no other with its key runs until the transaction ends. */
export interface KeyedCreate {
  readonly tokenSource: TokenSource;
  /** What the first create with the key has made; null if this is the first. */
  readonly made: { readonly version: VersionRow; readonly space: SpaceRow } | null;
  /** Remembers the version that this create has made. */
  keep(versionId: VersionId): Promise<void>;
}

/**
 * Waits until no other create with the key runs, on any node, and finds what the first one made. What was deleted
 * meanwhile is made anew.
 * @throws `conflict` if the key was used with another request
 */
export async function takeKey(
  tx: Tx,
  { principal }: Pick<Publisher, 'principal'>,
  { key, requestHash }: CreateKey,
): Promise<KeyedCreate> {
  const place = { publisher: principal ?? '', key_hash: hash('sha256', key) } as const;
  const [, kept] = await Promise.all([
    tx.lock(`create:${place.publisher}:${place.key_hash}`),
    findKept(tx, place, tx.now - keptForMs),
  ]);
  const version = kept && (await findVersion(tx.db, kept.version_id));
  const space = version && (await findSpaceById(tx.db, version.space_id));
  const made = version && space ? { version, space } : null;
  if (made && kept?.request_hash !== requestHash) throw usedWithAnother();
  const salt = made && kept ? kept.salt : randomBytes(32).toString('base64url');
  return {
    tokenSource: { key, salt },
    made,
    keep: (version_id) =>
      putKept(tx, { ...place, request_hash: requestHash, version_id, salt, created_at: tx.now }),
  };
}

/** Deletes keys that are over a day old. */
export async function sweepCreateKeys({ db }: Database, now: number): Promise<void> {
  await deleteKeysUpTo(db, now - keptForMs);
}
