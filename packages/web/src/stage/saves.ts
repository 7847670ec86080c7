import { ApiError } from '@spaceport/client/api-error';
import { deleteSave, putSave, readSaves, type Save as StoredSave } from '@spaceport/contract/saves';
import type { Json, Save, SaveConflict } from '@spaceport/contract/sdk-protocol';
import { storageSlot } from '@spaceport/contract/storage-mirror';
import { fromBase64, toBase64 } from './bytes.ts';
import { deviceName } from './device.ts';
import type { Outbox, OutboxItem } from './outbox.ts';
import { type Play, stageClient } from './play.ts';
import { whileNothingIsSent } from './send-outbox.ts';
import { serviceAheadMs } from './service-clock.ts';
import { isAway, StageError } from './stage-error.ts';

/** Limits the tries of a deletion while another device keeps writing the same slot. */
const mostDeleteTries = 5;

export interface SavesOptions {
  readonly space: string;
  readonly play: Play;
  readonly outbox: Outbox;
  /** Puts a write into the outbox of the lane's player. Returns its id. */
  readonly keep: (what: OutboxItem['what'], lane: string) => Promise<number>;
}

export type StageSaves = ReturnType<typeof createStageSaves>;

/**
 * Returns the calls for the player's slots. A waiting write has a negative version, which the next write may
 * name.
 */
export function createStageSaves({ space, play, outbox, keep }: SavesOptions) {
  const query = { space };
  /** The last deletion of each slot, which may go on. */
  const deletions = new Map<string, Promise<unknown>>();

  const waitingIn = async (slot: string, lane: string): Promise<OutboxItem[]> => {
    const items = await outbox.list(lane);
    return items.filter(({ what }) => what.is === 'save' && what.slot === slot);
  };

  const readThere = async (slot: string, lane: string): Promise<Save | null> => {
    const { saves } = await play.asPlayer(
      (headers) => stageClient.call(readSaves, { query: { ...query, slot } }, { headers }),
      lane,
    );
    return saves[0] ? toSave(saves[0]) : null;
  };

  const put = async (
    { slot, data, base }: { slot: string; data: Json | Uint8Array; base: number },
    lane: string,
  ): Promise<Save> => {
    const body = data instanceof Uint8Array ? { base64: toBase64(data) } : { data };
    try {
      const saved = await play.withSession(
        (_session, headers) =>
          stageClient.call(
            putSave,
            { params: { slot }, query, body: { ...body, device: deviceName() } },
            { headers: { ...headers, ...ifMatch(base) } },
          ),
        lane,
      );
      return { ...saved, data };
    } catch (error) {
      const conflict = conflictOf(error, { slot, data, base });
      if (conflict === null) throw error;
      throw new StageError('conflict', 'Another device has written this slot meanwhile.', {
        detail: conflict,
      });
    }
  };

  const deleteThere = async (slot: string, lane: string): Promise<void> => {
    for (let tries = 1; ; tries++) {
      const there = await readThere(slot, lane);
      if (there === null) return;
      try {
        await play.withSession(
          (_session, headers) =>
            stageClient.call(
              deleteSave,
              { params: { slot }, query },
              { headers: { ...headers, ...ifMatch(there.version) } },
            ),
          lane,
        );
        return;
      } catch (error) {
        const isMeanwhileWritten = error instanceof ApiError && error.code === 'conflict';
        if (!isMeanwhileWritten || tries === mostDeleteTries) throw error;
      }
    }
  };

  return {
    async get(slot: string): Promise<Save | null> {
      const lane = play.lane();
      const [waiting] = await waitingIn(slot, lane);
      return waiting ? savedLater(waiting) : readThere(slot, lane);
    },
    async set(slot: string, data: Json | Uint8Array, base: number): Promise<Save> {
      const lane = play.lane();
      // The game has made it after the deletion, and need not wait for that itself.
      await deletions.get(slot);
      const [waiting] = await waitingIn(slot, lane);
      let tried = false;
      if (!waiting) {
        try {
          return await put({ slot, data, base: await outbox.versionOf(base) }, lane);
        } catch (error) {
          if (!isAway(error)) throw error;
          tried = true;
        }
      }
      const id = await keep({ is: 'save', slot, data, base, ...(tried && { tried }) }, lane);
      return { slot, data, version: -id, at: new Date().toISOString(), device: deviceName() };
    },
    async list(): Promise<Omit<Save, 'data'>[]> {
      const { saves } = await play.asPlayer((headers) => stageClient.call(readSaves, { query }, { headers }));
      return saves
        .filter(({ slot }) => slot !== storageSlot)
        .map(({ slot, version, at, device }) => ({ slot, version, at, device }));
    },
    /** Deletes a slot, whatever its version, and the save that waits for it. */
    delete(slot: string): Promise<null> {
      const lane = play.lane();
      // A save that is being sent would come back after its slot was deleted.
      const deleted = whileNothingIsSent(lane, async () => {
        const waiting = await waitingIn(slot, lane);
        await deleteThere(slot, lane);
        // Not before: if the service cannot be reached, nothing is deleted.
        for (const { id } of waiting) await outbox.remove(id);
        return null;
      });
      deletions.set(
        slot,
        deleted.catch(() => {}),
      );
      return deleted;
    },
    /**
     * Sends a waiting write. If another device wrote meanwhile, the newer save is kept, and the service keeps
     * the other.
     */
    async send(item: OutboxItem): Promise<void> {
      const { what } = item;
      if (what.is !== 'save') return;
      const { earlier = [] } = what;
      let base = what.base;
      await outbox.trying(item);
      for (;;) {
        try {
          const { version } = await put({ ...what, base }, item.lane);
          return await outbox.saved(item, what.slot, version);
        } catch (error) {
          const detail = error instanceof StageError ? error.more.detail : undefined;
          if (!detail) throw error;
          const { theirs } = detail;
          // The player's own save before this one, whose answer was lost, is no other device's.
          const isOwn = theirs !== null && earlier.some((data) => isSame(data, theirs.data));
          // What follows does not know theirs, so the player is asked then.
          if (theirs && !isOwn && Date.parse(theirs.at) >= item.at + serviceAheadMs())
            return await outbox.saved(item, what.slot, 0);
          base = theirs?.version ?? 0;
        }
      }
    },
  };
}

/** Returns the If-Match header; none for an empty slot. */
export function ifMatch(version: number): Record<string, string> {
  return version === 0 ? {} : { 'if-match': `"${version}"` };
}

function isSame(one: Json | Uint8Array, other: Json | Uint8Array): boolean {
  const asText = (data: Json | Uint8Array) =>
    data instanceof Uint8Array ? `bytes ${toBase64(data)}` : JSON.stringify(data);
  return asText(one) === asText(other);
}

function savedLater({ id, at, what }: OutboxItem): Save | null {
  if (what.is !== 'save') return null;
  return {
    slot: what.slot,
    data: what.data,
    version: -id,
    at: new Date(at).toISOString(),
    device: deviceName(),
  };
}

function toSave({ slot, version, at, device, data, base64 }: StoredSave): Save {
  // A save written as JSON is returned as JSON.
  return { slot, version, at, device, data: base64 === undefined ? (data as Json) : fromBase64(base64) };
}

function conflictOf(
  error: unknown,
  mine: { slot: string; data: Json | Uint8Array; base: number },
): SaveConflict | null {
  if (!(error instanceof ApiError) || error.code !== 'conflict' || !('theirs' in error.details)) return null;
  // The answer comes from our own service.
  const theirs = error.details.theirs === null ? null : toSave(error.details.theirs as StoredSave);
  // What is written now is the newer one, whatever this browser's clock says.
  const at = Math.max(Date.now() + serviceAheadMs(), Date.parse(theirs?.at ?? '') || 0);
  return {
    mine: {
      slot: mine.slot,
      data: mine.data,
      version: mine.base,
      at: new Date(at).toISOString(),
      device: deviceName(),
    },
    theirs,
  };
}
