import { keptLoserDays, type Save, type SaveHead } from '@spaceport/contract/saves';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { lockAll } from '../platform/db/dialect.ts';
import type { LostSaveId, PlayerId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { keepReplaced } from './keep-losers.ts';
import { deleteLosers, deleteLostBefore, findLoser, type LoserRow } from './losers.queries.ts';
import { nextVersion } from './save-rules.ts';
import { contentOfRow, dataOf } from './saved-content.ts';
import { findCounters, findSave, findSaves, ownerKey, putCounters, putSaves } from './saves.queries.ts';
import { isSlotFree, noFreeSlot, savesLock } from './write-saves.ts';

const keptMs = keptLoserDays * 86_400_000;

/** Deletes losers that are older than the time for which they are kept. */
export async function sweepLosers({ database, clock }: Platform): Promise<void> {
  await deleteLostBefore(database.db, clock.now() - keptMs);
}

/** Returns when a loser is deleted, in epoch milliseconds. */
export function goneAt(lostAt: number): number {
  return lostAt + keptMs;
}

/**
 * Returns the content of a loser.
 * @throws `not_found` if it does not belong to the player
 */
export async function readLost(db: Db, playerId: PlayerId, id: LostSaveId): Promise<Omit<Save, 'version'>> {
  const row = await requireLoser(db, playerId, id);
  return { slot: row.slot, at: toTimestamp(row.at), device: row.device, ...dataOf(row) };
}

/**
 * Makes a loser the current save of its slot again. The save that it replaces is kept as a loser.
 * @throws `not_found`, and `too_large` if its slot is empty and no other slot is free
 */
export async function restoreLost(tx: Tx, playerId: PlayerId, id: LostSaveId): Promise<SaveHead> {
  const { space_id, env } = await requireLoser(tx.db, playerId, id);
  const owner = { playerId, spaceId: space_id, env };
  await lockAll(tx, [savesLock(owner)]);
  // It is read again under the lock: another request may have been faster.
  const row = await requireLoser(tx.db, playerId, id);
  const { slot } = row;
  const standing = await findSave(tx.db, owner, slot);
  if (!isSlotFree(slot, await findSaves(tx.db, owner))) throw noFreeSlot();
  await deleteLosers(tx, [id]);
  if (standing?.digest === row.digest) return toHead(standing);
  const version = nextVersion((await findCounters(tx, [owner])).get(ownerKey(owner)), tx.now);
  if (standing) await keepReplaced(tx, owner, standing, Number.POSITIVE_INFINITY);
  const saved = { owner, slot, version, content: contentOfRow(row) };
  await putSaves(tx, [saved]);
  await putCounters(tx, [saved]);
  return toHead({ slot, version, at: tx.now, device: row.device });
}

/** @throws `not_found` */
export async function deleteLost(tx: Tx, playerId: PlayerId, id: LostSaveId): Promise<void> {
  await requireLoser(tx.db, playerId, id);
  await deleteLosers(tx, [id]);
}

async function requireLoser(db: Db, playerId: PlayerId, id: LostSaveId): Promise<LoserRow> {
  const row = await findLoser(db, playerId, id);
  if (!row)
    throw new ServiceError(
      'not_found',
      'There is no such save: it may have been brought back, or forgotten by now.',
    );
  return row;
}

function toHead({ slot, version, at, device }: Omit<SaveHead, 'at'> & { at: number }): SaveHead {
  return { slot, version, at: toTimestamp(at), device };
}
