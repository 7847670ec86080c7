import { guestKeyPattern } from '@spaceport/contract/player';
import type { Platform } from '../platform/context.ts';
import { lockAll } from '../platform/db/dialect.ts';
import type { AccountId, GuestId, SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import { requireWithin } from '../platform/limits/rate-limit.ts';
import { newId } from '../platform/secrets/id.ts';
import { hashSecret } from '../platform/secrets/secret.ts';
import {
  findGuestByKey,
  type Guest,
  holdGuest,
  insertGuest,
  markAdopted,
  noteOpened,
  takeWaiting,
} from './guests.queries.ts';

export { deleteGuestProgress, findGuestStats, findGuestUnlocks } from './guest-progress.queries.ts';
export { findAdoptedReplays, replayKey } from './guest-replays.queries.ts';
export {
  type AdoptedScore,
  countGuestScores,
  deleteAdoptedScores,
  deleteMeantScores,
  findAdoptedScores,
} from './guest-scores.queries.ts';
export { deleteAdopted, findAdoptedKeys, type Guest, holdGuests, markAdopted } from './guests.queries.ts';

/** A guest in a space, live or in its sandbox. */
export interface GuestPlace {
  readonly guestId: GuestId;
  readonly spaceId: SpaceId;
  readonly env: Env;
}

/** A caller without an account, identified by the key that the browser keeps. */
export interface GuestCaller {
  /** As `hashGuestKey` returns it. */
  readonly keyHash: string;
  /** The network address of the call, by which new guests are limited. */
  readonly address: string;
}

/** Returns the hash of a guest's key that is stored; null if it is not a guest's key. */
export function hashGuestKey(key: string): string | null {
  return guestKeyPattern.test(key) ? hashSecret(key) : null;
}

/** Returns the guest with a key, if anything was written for it. */
export async function findGuest(db: Db, keyHash: string): Promise<Guest | undefined> {
  return findGuestByKey(db, keyHash);
}

/**
 * Returns the id of the guest who writes. The first write creates the guest. The guest is locked so that it
 * is not adopted before the transaction ends.
 * @throws `rate_limited` over GUESTS_PER_HOUR new guests from one network, and `unauthorized` if an
 * account has adopted the guest
 */
export async function requireGuest(tx: Tx, caller: GuestCaller): Promise<GuestId> {
  return idOf((await holdGuest(tx, caller.keyHash)) ?? (await makeGuest(tx, caller)));
}

/**
 * Does the same as `requireGuest` for code that writes in a later transaction, which calls `holdGuests`
 * to check the guest again.
 */
export async function ensureGuest(
  { database }: Pick<Platform, 'database'>,
  caller: GuestCaller,
): Promise<GuestId> {
  const known = await findGuestByKey(database.db, caller.keyHash);
  return known ? idOf(known) : database.transaction((tx) => requireGuest(tx, caller));
}

async function makeGuest(tx: Tx, { keyHash, address }: GuestCaller): Promise<Guest> {
  await tx.lock(`guest:${keyHash}`);
  const meanwhile = await holdGuest(tx, keyHash);
  if (meanwhile) return meanwhile;
  await requireWithin(
    tx,
    `guests:${networkOf(address)}`,
    { count: tx.config.GUESTS_PER_HOUR, seconds: 3_600 },
    'Too many new players from your network; sign in, or try again later.',
  );
  const id = newId('gst');
  await insertGuest(tx, { id, keyHash });
  return { id, openedAt: tx.now, adoptedBy: null };
}

function idOf({ id, adoptedBy }: Guest): GuestId {
  if (adoptedBy === null) return id;
  throw adopted();
}

/**
 * Gives a guest to an account. It may be a key that nothing was written for yet: a run that began
 * with the key belongs to the account from now on. Returns the guest's id; null if the account has
 * adopted the guest before.
 * @throws `conflict` if another account did
 */
export async function adoptGuest(tx: Tx, keyHash: string, accountId: AccountId): Promise<GuestId | null> {
  await tx.lock(`guest:${keyHash}`);
  const known = await findGuestByKey(tx.db, keyHash);
  const id = known?.id ?? newId('gst');
  if (!known) await insertGuest(tx, { id, keyHash });
  if (await markAdopted(tx, id, accountId)) return id;
  const { adoptedBy } = (await findGuestByKey(tx.db, keyHash)) ?? {};
  if (adoptedBy === accountId) return null;
  throw new ServiceError('conflict', 'Another account has taken over the data of this guest.');
}

/**
 * Locks what accounts have adopted until the transaction ends. Whoever adopts takes the lock, and then reads whether
 * the account has a handle: the job that a new handle requests does not miss scores that are just being adopted, or
 * that the account posts without a handle.
 */
export async function lockAdoptions(tx: Tx, accountIds: readonly AccountId[]): Promise<void> {
  await lockAll(
    tx,
    accountIds.map((id) => `adopting:${id}`),
  );
}

/**
 * Returns the guest under which the scores of an account wait that has no handle yet, as if the account had adopted
 * it. The caller holds `lockAdoptions`.
 */
export async function waitingGuest(tx: Tx, accountId: AccountId): Promise<GuestId> {
  return takeWaiting(tx, { id: newId('gst'), accountId });
}

/** Returns the error for a write of a guest that an account has adopted. */
export function adopted(): ServiceError {
  return new ServiceError('unauthorized', 'An account has taken over the data of this guest: sign in to it.');
}

const noteEveryMs = 86_400_000;

/**
 * Records that a guest opened a space, because guests who open none for long are deleted. A guest who has
 * written nothing has no row.
 */
export async function noteGuestOpened(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  keyHash: string,
): Promise<void> {
  const guest = await findGuestByKey(database.db, keyHash);
  if (guest && guest.openedAt < clock.now() - noteEveryMs)
    await noteOpened(database.db, keyHash, clock.now(), noteEveryMs);
}
