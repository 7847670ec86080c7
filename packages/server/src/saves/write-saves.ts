import { maxSaveSlots } from '@spaceport/contract/saves';
import { storageSlot } from '@spaceport/contract/storage-mirror';
import { adopted, holdGuests } from '../guests/guests.ts';
import { lockAll } from '../platform/db/dialect.ts';
import { givenId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { keepLoser, keepReplaced, trimLosers } from './keep-losers.ts';
import { deleteLosers, findLosers, type OwnedLoser } from './losers.queries.ts';
import { judge, nextVersion, settles, wonAfterAll } from './save-rules.ts';
import { type SaveContent, toSave } from './saved-content.ts';
import {
  deleteSave,
  findCounters,
  findSave,
  findStandings,
  type NewSave,
  ownerKey,
  putCounters,
  putSaves,
  type SaveOwner,
  type StandingRow,
} from './saves.queries.ts';

/** A write of a slot. If `content` is null, the slot is emptied. */
export interface SaveChange {
  readonly owner: SaveOwner;
  /** Whether the player has no account. The total size of a guest's saves in a space is limited. */
  readonly isGuest: boolean;
  readonly slot: string;
  /** The version that the write replaces; 0 for an empty slot. */
  readonly base: number;
  readonly content: SaveContent | null;
}

/** The save in the slot after the change; null if the slot is empty. */
export interface SaveChanged {
  readonly version: number;
  readonly at: number;
  readonly device: string;
}

type Answer = SaveChanged | null | ServiceError;

/** Returns the name of the lock under which writes of one player in one space take turns. */
export function savesLock(owner: SaveOwner): string {
  return `saves:${ownerKey(owner)}`;
}

/**
 * Writes the saves of many players together, in a few statements however many they are. Returns for each the
 * save in its slot afterwards, or the error that it was refused with: `conflict` with `theirs`, `too_large`,
 * `unauthorized` for a guest that was adopted.
 */
export async function writeSaves(tx: Tx, changes: readonly SaveChange[]): Promise<Answer[]> {
  // Guests are locked first, in the same order as in the adoption of a guest.
  const guests = await holdGuests(
    tx,
    changes.flatMap(({ isGuest, owner }) => (isGuest ? givenId('gst', owner.playerId) : [])),
  );
  await lockAll(
    tx,
    changes.map(({ owner }) => savesLock(owner)),
  );
  const answers = new Map<SaveChange, Answer>();
  let rest: readonly SaveChange[] = changes.filter((change) => {
    const mayWrite = !change.isGuest || guests.has(givenId('gst', change.owner.playerId));
    if (!mayWrite) answers.set(change, adopted());
    return mayWrite;
  });
  // Each round handles one change of each owner, so that a second change finds what the first has written.
  while (rest.length > 0) {
    await writeRound(tx, firstOfEach(rest), answers);
    rest = rest.filter((change) => !answers.has(change));
  }
  return changes.map((change) => answers.get(change) ?? null);
}

function firstOfEach(changes: readonly SaveChange[]): SaveChange[] {
  const seen = new Set<string>();
  return changes.filter(({ owner }) => {
    const key = ownerKey(owner);
    return !seen.has(key) && seen.add(key);
  });
}

/** Handles changes of different owners: no two of them have the same one. */
async function writeRound(
  tx: Tx,
  changes: readonly SaveChange[],
  answers: Map<SaveChange, Answer>,
): Promise<void> {
  const owners = changes.map(({ owner }) => owner);
  const standings = Map.groupBy(await findStandings(tx, owners), ownerKey);
  const losers = Map.groupBy(await findLosers(tx, owners), ownerKey);
  const counters = await findCounters(tx, owners);
  const saves: NewSave[] = [];
  for (const change of changes) {
    const key = ownerKey(change.owner);
    const there = { saves: standings.get(key) ?? [], losers: losers.get(key) ?? [] };
    const version = nextVersion(counters.get(key), tx.now);
    const answer = await decide(tx, change, there, version);
    if (isWrite(answer)) {
      saves.push(answer);
      answers.set(change, { version, at: tx.now, device: answer.content.device });
    } else answers.set(change, answer);
  }
  await putSaves(tx, saves);
  await putCounters(tx, saves);
}

interface There {
  readonly saves: readonly StandingRow[];
  readonly losers: readonly OwnedLoser[];
}

function isWrite(answer: NewSave | Answer): answer is NewSave {
  return answer !== null && 'content' in answer;
}

/** Returns the answer to a change, or the save that is to be written. */
async function decide(tx: Tx, change: SaveChange, there: There, version: number): Promise<NewSave | Answer> {
  const { owner, slot, base, content } = change;
  const standing = there.saves.find((one) => one.slot === slot);
  const verdict = judge(standing, { base, digest: content?.digest ?? null });
  if (verdict === 'same') return asItStands(tx, change);
  if (verdict === 'conflict') return conflict(tx, change, there);
  if (content === null) {
    await deleteSave(tx, owner, slot);
    return null;
  }
  const problem = roomFor(tx, change, content, there.saves);
  if (problem !== null) return problem;
  if (standing && settles(standing, slot, there.losers)) await keepStanding(tx, change, there);
  await deleteLosers(tx, wonAfterAll(slot, content.digest, there.losers));
  if (change.isGuest && there.losers.length > 0)
    await trimLosers(tx, owner, loserRoom(tx, change, there.saves, content.bytes));
  return { owner, slot, version, content };
}

async function asItStands(tx: Tx, { owner, slot }: SaveChange): Promise<SaveChanged | null> {
  return (await findSave(tx.db, owner, slot)) ?? null;
}

/** Keeps the refused content as a loser. Returns the conflict with the current save. */
async function conflict(tx: Tx, change: SaveChange, there: There): Promise<ServiceError> {
  const { owner, slot, content } = change;
  const theirs = await findSave(tx.db, owner, slot);
  if (content !== null)
    await keepLoser(
      tx,
      { owner, slot, content, at: tx.now, lostTo: theirs?.version ?? 0 },
      loserRoom(tx, change, there.saves, 0),
    );
  const message = theirs
    ? `The slot «${slot}» has another version than the one that this write replaces.`
    : `The slot «${slot}» was emptied.`;
  return new ServiceError('conflict', message, { theirs: theirs ? toSave(theirs) : null });
}

async function keepStanding(tx: Tx, change: SaveChange, there: There): Promise<void> {
  const { owner, slot } = change;
  const row = await findSave(tx.db, owner, slot);
  if (row) await keepReplaced(tx, owner, row, loserRoom(tx, change, there.saves, change.content?.bytes ?? 0));
}

function roomFor(
  tx: Tx,
  { slot, isGuest }: SaveChange,
  content: SaveContent,
  saves: readonly StandingRow[],
): ServiceError | null {
  const others = saves.filter((one) => one.slot !== slot);
  if (!isSlotFree(slot, saves)) return noFreeSlot();
  const max = tx.config.GUEST_MAX_BYTES;
  if (isGuest && bytesOf(others) + content.bytes > max)
    return new ServiceError(
      'too_large',
      `Without an account a player can save at most ${max} bytes in a space.`,
      {
        maxBytes: max,
      },
    );
  return null;
}

/**
 * Returns whether the slot may be written: it is in use already, or another slot is allowed. The slot of the
 * page's own storage is not counted.
 */
export function isSlotFree(slot: string, saves: readonly { readonly slot: string }[]): boolean {
  if (slot === storageSlot || saves.some((one) => one.slot === slot)) return true;
  return saves.filter((one) => one.slot !== storageSlot).length < maxSaveSlots;
}

export function noFreeSlot(): ServiceError {
  return new ServiceError('too_large', `All ${maxSaveSlots} slots are in use: delete one first.`, {
    maxSlots: maxSaveSlots,
  });
}

/** Returns how many bytes of losers are kept. A guest's losers may use what the guest's saves leave. */
function loserRoom(
  tx: Tx,
  { slot, isGuest }: SaveChange,
  saves: readonly StandingRow[],
  newBytes: number,
): number {
  if (!isGuest) return Number.POSITIVE_INFINITY;
  const others = newBytes === 0 ? saves : saves.filter((one) => one.slot !== slot);
  return tx.config.GUEST_MAX_BYTES - bytesOf(others) - newBytes;
}

function bytesOf(saves: readonly StandingRow[]): number {
  return saves.reduce((sum, { bytes }) => sum + bytes, 0);
}
