import { maxKeptLosers } from '@spaceport/contract/saves';
import type { LostSaveId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { newId } from '../platform/secrets/id.ts';
import { deleteLosers, findLosers, insertLoser, type LoserRow, loseAgain } from './losers.queries.ts';
import { contentOfRow, type SaveContent } from './saved-content.ts';
import type { SaveOwner, SaveRow } from './saves.queries.ts';

/** A refused write, or a save that another one replaced. */
export interface NewLoser {
  readonly owner: SaveOwner;
  readonly slot: string;
  readonly content: SaveContent;
  /** When it was written, in epoch milliseconds. */
  readonly at: number;
  /** The version that a refused write lost to: if a write replaces that, it is kept too. */
  readonly lostTo: number;
}

/**
 * Keeps a loser. The same content is kept only once. Of a player in a space only the newest losers are kept:
 * a limited number, and at most `maxBytes` bytes. The caller holds the owner's lock.
 */
export async function keepLoser(tx: Tx, loser: NewLoser, maxBytes: number): Promise<void> {
  const { owner, slot, content, at, lostTo } = loser;
  const kept = await findLosers(tx, [owner]);
  const same = kept.filter((one) => one.slot === slot && one.digest === content.digest);
  if (same.length > 0)
    return loseAgain(
      tx,
      same.map(({ id }) => id),
      lostTo,
    );
  const row: LoserRow = {
    id: newId('lost'),
    space_id: owner.spaceId,
    env: owner.env,
    player_id: owner.playerId,
    slot,
    lost_to: lostTo,
    lost_at: tx.now,
    at,
    ...content,
  };
  const over = beyond([{ id: row.id, bytes: row.bytes }, ...kept], maxBytes);
  if (!over.includes(row.id)) await insertLoser(tx, row);
  await deleteLosers(tx, over);
}

/**
 * Keeps a save that is being replaced. It is recorded as lost to its own version, which is never in the slot
 * again: the saves that follow are ordinary ones, and are not kept when they are replaced.
 */
export async function keepReplaced(tx: Tx, owner: SaveOwner, row: SaveRow, maxBytes: number): Promise<void> {
  const { slot, at, version } = row;
  await keepLoser(tx, { owner, slot, content: contentOfRow(row), at, lostTo: version }, maxBytes);
}

/** Deletes a player's oldest losers while there are too many, or too many bytes. */
export async function trimLosers(tx: Tx, owner: SaveOwner, maxBytes: number): Promise<void> {
  await deleteLosers(tx, beyond(await findLosers(tx, [owner]), maxBytes));
}

/**
 * Returns the ids of the losers over the limits.
 * @param losers the newest first
 */
function beyond(
  losers: readonly { readonly id: LostSaveId; readonly bytes: number }[],
  maxBytes: number,
): LostSaveId[] {
  let bytes = 0;
  return losers
    .filter((loser, index) => {
      bytes += loser.bytes;
      return index >= maxKeptLosers || bytes > maxBytes;
    })
    .map(({ id }) => id);
}
