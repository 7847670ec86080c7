import { adopted, ensureGuest, holdGuests } from '../guests/guests.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountId, GuestId } from '../platform/db/ids.ts';
import type { Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { PlayCaller } from '../players/play-caller.ts';
import type { GroupedRequest } from '../server-calls/grouped-requests.ts';
import { findHandles, findStates } from './writers.queries.ts';

/** Who writes: an account, or a guest who is known by now. */
export type Writer =
  | { readonly kind: 'account'; readonly playerId: AccountId }
  | { readonly kind: 'guest'; readonly guestId: GuestId };

/** A write of a player, on its way into a transaction with others. */
export interface PlayedRequest extends GroupedRequest {
  readonly writer: Writer;
  readonly env: Env;
}

/**
 * Who writes. A guest's first write makes the guest.
 * @throws `rate_limited` for too many new guests, and `unauthorized` for one who was adopted
 */
export async function writerOf(platform: Platform, caller: KnownCaller, address: string): Promise<Writer> {
  if (caller.kind === 'account') return { kind: 'account', playerId: caller.playerId };
  return { kind: 'guest', guestId: await ensureGuest(platform, { keyHash: caller.keyHash, address }) };
}

/** Somebody with an account or a guest's key. */
export type KnownCaller = Exclude<PlayCaller, { readonly kind: 'nobody' }>;

/** @throws `sign_in_required` for nobody that is known */
export function requireKnown(caller: PlayCaller): KnownCaller {
  if (caller.kind !== 'nobody') return caller;
  throw new ServiceError('sign_in_required', 'Sign in, or play as a guest, so that it is kept.');
}

/** What a transaction knows of those who write in it, and of where. */
export interface KnownWriters {
  /** Why nothing of this request can be written now: its space is off the service, or its guest an account's. */
  refusal(request: PlayedRequest): ServiceError | null;
  /** The account's player; `no_handle` where it has picked none. */
  playerOf(playerId: AccountId): { readonly playerId: AccountId; readonly handle: string } | ServiceError;
}

/** Keeps guests from being adopted until the transaction ends: who adopts one has the guest before anything of a space. */
export function holdWriters(tx: Tx, requests: readonly PlayedRequest[]): Promise<Set<GuestId>> {
  return holdGuests(tx, [
    ...new Set(requests.flatMap(({ writer }) => (writer.kind === 'guest' ? writer.guestId : []))),
  ]);
}

/** Reads who writes, and keeps guests from being adopted until the transaction ends. */
export async function findWriters(tx: Tx, requests: readonly PlayedRequest[]): Promise<KnownWriters> {
  const states = await findStates(tx, [...new Set(requests.map(({ spaceId }) => spaceId))]);
  const accounts = requests.flatMap(({ writer }) => (writer.kind === 'account' ? writer.playerId : []));
  const handles = accounts.length === 0 ? new Map() : await findHandles(tx, [...new Set(accounts)]);
  const held = await holdWriters(tx, requests);
  return {
    refusal({ spaceId, env, writer }) {
      const state = states.get(spaceId);
      if (state === undefined || state === 'deleted')
        return new ServiceError('not_found', 'The space is there no more.');
      const isOpen =
        state === 'listed' || (env === 'sandbox' && (state === 'unlisted' || state === 'offline'));
      if (!isOpen)
        return new ServiceError('space_unavailable', `The space is ${state}: nothing of it is kept now.`);
      return writer.kind === 'guest' && !held.has(writer.guestId) ? adopted() : null;
    },
    playerOf(playerId) {
      const handle = handles.get(playerId) ?? null;
      if (handle !== null) return { playerId, handle };
      return new ServiceError('no_handle', 'Pick a handle before playing for scores.');
    },
  };
}
