import { adopted, ensureGuest, holdGuests, lockAdoptions } from '../guests/guests.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountId, GuestId } from '../platform/db/ids.ts';
import type { Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { PlayCaller } from '../players/play-caller.ts';
import type { GroupedRequest } from '../server-calls/grouped-requests.ts';
import { isPlayed } from './played-states.ts';
import { findHandles, findStates } from './writers.queries.ts';

/** The writer of a request: an account, or a guest with a row. */
export type Writer =
  | {
      readonly kind: 'account';
      readonly playerId: AccountId;
      /** The handle as the request came. It may have been chosen since. */
      readonly handle: string | null;
    }
  | { readonly kind: 'guest'; readonly guestId: GuestId };

/** A write of a player that waits for a transaction with others. */
export interface PlayedRequest extends GroupedRequest {
  readonly writer: Writer;
  readonly env: Env;
}

/**
 * Returns the writer. A guest's first write creates the guest.
 * @throws `rate_limited` for too many new guests, and `unauthorized` for a guest that was adopted
 */
export async function writerOf(platform: Platform, caller: KnownCaller, address: string): Promise<Writer> {
  if (caller.kind === 'account') return caller;
  return { kind: 'guest', guestId: await ensureGuest(platform, { keyHash: caller.keyHash, address }) };
}

/** A caller with an account or a guest's key. */
export type KnownCaller = Exclude<PlayCaller, { readonly kind: 'nobody' }>;

/** @throws `sign_in_required` for an unknown caller */
export function requireKnown(caller: PlayCaller): KnownCaller {
  if (caller.kind !== 'nobody') return caller;
  throw new ServiceError('sign_in_required', 'Sign in, or play as a guest: then it can be stored.');
}

/** The writers and spaces of a transaction. */
export interface KnownWriters {
  /**
   * Returns why this request cannot be written now, or null: its space is off the service,
   * or its guest was adopted.
   */
  refusal(request: PlayedRequest): ServiceError | null;
  /** Returns the handle of an account; null if it has not chosen one. */
  handleOf(playerId: AccountId): string | null;
}

/**
 * Locks guests, so that they are not adopted before the transaction ends. An adoption locks its guest before
 * anything of a space, so this does too.
 */
export function holdWriters(tx: Tx, requests: readonly PlayedRequest[]): Promise<Set<GuestId>> {
  return holdGuests(tx, [
    ...new Set(requests.flatMap(({ writer }) => (writer.kind === 'guest' ? writer.guestId : []))),
  ]);
}

/**
 * Locks what `holdWriters` does, and before it the adoptions of accounts without a handle: their scores wait with
 * those of adopted guests.
 */
export async function holdScorers(tx: Tx, requests: readonly PlayedRequest[]): Promise<void> {
  const unnamed = requests.flatMap(({ writer }) =>
    writer.kind === 'account' && writer.handle === null ? writer.playerId : [],
  );
  if (unnamed.length > 0) await lockAdoptions(tx, unnamed);
  await holdWriters(tx, requests);
}

/** Reads the writers, and locks guests so that they are not adopted before the transaction ends. */
export async function findWriters(tx: Tx, requests: readonly PlayedRequest[]): Promise<KnownWriters> {
  const states = await findStates(tx, [...new Set(requests.map(({ spaceId }) => spaceId))]);
  const accounts = requests.flatMap(({ writer }) => (writer.kind === 'account' ? writer.playerId : []));
  const handles = accounts.length === 0 ? new Map() : await findHandles(tx, [...new Set(accounts)]);
  const held = await holdWriters(tx, requests);
  return {
    refusal({ spaceId, env, writer }) {
      const state = states.get(spaceId);
      if (state === undefined || state === 'deleted')
        return new ServiceError('not_found', 'The space does not exist any more.');
      if (!isPlayed(state, env))
        return new ServiceError(
          'space_unavailable',
          `The space is ${state}: nothing can be stored for it now.`,
        );
      return writer.kind === 'guest' && !held.has(writer.guestId) ? adopted() : null;
    },
    handleOf: (playerId) => handles.get(playerId) ?? null,
  };
}
