import type { ListedSave, Save, SaveBody, SaveHead } from '@spaceport/contract/saves';
import { ensureGuest, findGuest } from '../guests/guests.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { CommitLanes } from '../platform/db/group-commit.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import { SharedBuckets } from '../platform/limits/shared-buckets.ts';
import type { PlayCaller } from '../players/play-caller.ts';
import type { AccountPlays } from '../plays/account-plays.ts';
import { contentOf, toSave } from './saved-content.ts';
import { findSave, findSaves, type SaveOwner, type SaveRow } from './saves.queries.ts';
import { type SaveChange, type SaveChanged, writeSaves } from './write-saves.ts';

export { clearSandboxSaves, deleteSavesOf } from './saves.queries.ts';

/** The place of a play: a space, live or in the sandbox. */
export interface Place {
  readonly spaceId: SpaceId;
  readonly env: Env;
}

/** The caller who saves, and the network address of the call. */
export interface Saver {
  readonly who: PlayCaller;
  readonly address: string;
}

export interface Saves {
  list(who: PlayCaller, place: Place): Promise<ListedSave[]>;
  /** Returns the save in a slot, as a list of one or none. */
  find(who: PlayCaller, place: Place, slot: string): Promise<(ListedSave & Save)[]>;
  /** @throws `not_found` for an empty slot */
  read(who: PlayCaller, place: Place, slot: string): Promise<SaveRow>;
  /**
   * Writes a slot. Returns after the write is durable.
   * @param base the version that the write replaces, 0 for an empty slot
   * @throws `conflict` with `theirs`, `too_large`, `rate_limited`, `invalid`, and
   * `unauthorized` for an unknown caller
   */
  put(saver: Saver, place: Place, slot: string, base: number, body: SaveBody): Promise<SaveHead>;
  /**
   * Empties a slot.
   * @throws the same errors as `put`
   */
  remove(saver: Saver, place: Place, slot: string, base: number): Promise<void>;
}

export function createSaves(platform: Platform, plays: Pick<AccountPlays, 'note'>): Saves {
  const { database, config, together } = platform;
  const { db } = database;
  const perMinute = new SharedBuckets(together, 'saves', config.SAVES_PER_MINUTE);
  const lanes = new CommitLanes<SaveChange, SaveChanged | null | ServiceError>(database, writeSaves);

  async function change(
    { who, address }: Saver,
    place: Place,
    what: Pick<SaveChange, 'slot' | 'base' | 'content'>,
  ): Promise<SaveChanged | null> {
    if (who.kind === 'nobody')
      throw new ServiceError('unauthorized', 'Sign in, or send a guest’s key: «Authorization: Guest <key>».');
    const wait = await perMinute.take(who.kind === 'account' ? who.playerId : who.keyHash);
    if (wait !== null)
      throw new ServiceError('rate_limited', 'Too many saves; slow down.', { retryAfterSeconds: wait });
    const isGuest = who.kind === 'guest';
    const playerId = isGuest ? await ensureGuest(platform, { keyHash: who.keyHash, address }) : who.playerId;
    const answer = await lanes.commit(playerId, { owner: { playerId, ...place }, isGuest, ...what });
    if (answer instanceof ServiceError) throw answer;
    if (who.kind === 'account' && place.env === 'live') plays.note(who.playerId, place.spaceId);
    return answer;
  }

  /** Returns the owner whose saves the caller reads; null if the caller can have none. */
  async function ownerOf(who: PlayCaller, place: Place): Promise<SaveOwner | null> {
    if (who.kind === 'account') return { playerId: who.playerId, ...place };
    const guest = who.kind === 'guest' ? await findGuest(db, who.keyHash) : undefined;
    return guest && guest.adoptedBy === null ? { playerId: guest.id, ...place } : null;
  }

  async function rowOf(who: PlayCaller, place: Place, slot: string): Promise<SaveRow | undefined> {
    const owner = await ownerOf(who, place);
    return owner === null ? undefined : findSave(db, owner, slot);
  }

  return {
    async list(who, place) {
      const owner = await ownerOf(who, place);
      const rows = owner === null ? [] : await findSaves(db, owner);
      return rows.map(({ slot, version, at, device, bytes, type }) => ({
        slot,
        version,
        at: toTimestamp(at),
        device,
        bytes,
        type,
      }));
    },
    async find(who, place, slot) {
      const row = await rowOf(who, place, slot);
      return row ? [{ ...toSave(row), bytes: row.bytes, type: row.type }] : [];
    },
    async read(who, place, slot) {
      const row = await rowOf(who, place, slot);
      if (!row) throw new ServiceError('not_found', `Nothing is saved in the slot «${slot}».`);
      return row;
    },
    async put(saver, place, slot, base, body) {
      const changed = await change(saver, place, { slot, base, content: contentOf(body) });
      if (changed === null) throw new Error('a slot is empty after a write');
      return { slot, version: changed.version, at: toTimestamp(changed.at), device: changed.device };
    },
    async remove(saver, place, slot, base) {
      await change(saver, place, { slot, base, content: null });
    },
  };
}

/** Returns what an account or a guest has saved in a slot; null if it is empty. */
export async function readSaved(db: Db, owner: SaveOwner, slot: string): Promise<Save | null> {
  const row = await findSave(db, owner, slot);
  return row ? toSave(row) : null;
}
