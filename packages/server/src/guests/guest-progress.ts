import { isDeclared } from '../achievements/achievements.ts';
import { noProgress, progressKey, writeStat } from '../achievements/progress.ts';
import { beyondBounds, findStatRules, statKey } from '../achievements/stat-rules.ts';
import type { GuestId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import {
  findGuestValue,
  findUnlocksAt,
  insertGuestUnlocks,
  putGuestValue,
} from './guest-progress.queries.ts';
import type { GuestPlace } from './guests.ts';

/**
 * Writes a stat of a guest, by the same rule as for accounts, and unlocks the achievements that it triggers.
 * It does not count towards an achievement's count or any other figure.
 * @param post.value the value to set, add or compare, as the stat's `op` says
 * @throws `not_found` for a stat that is not declared, and `invalid` beyond ±2^53
 */
export async function postGuestStat(
  tx: Tx,
  place: GuestPlace,
  post: { readonly stat: string; readonly value: number },
): Promise<{ value: number; unlocked: string[] }> {
  const { guestId, spaceId, env } = place;
  const name = { spaceId, env, stat: post.stat };
  const rules = (await findStatRules(tx, [name])).get(statKey(name));
  if (!rules) throw new ServiceError('not_found', `There is no stat «${post.stat}».`);
  await lockGuestProgress(tx, guestId);
  const own = { spaceId, env, key: post.stat, playerId: guestId };
  const there = noProgress();
  const value = await findGuestValue(tx, place, post.stat);
  if (value !== undefined) there.values.set(progressKey(own), { ...own, value });
  for (const { key, unlocked_at } of await findUnlocksAt(tx.db, place))
    there.unlocks.set(progressKey({ ...own, key }), { ...own, key, unlockedAt: unlocked_at });
  const result = writeStat(rules, own, post.value, { there, written: noProgress(), now: tx.now });
  if (result === null) throw beyondBounds(post.stat, '');
  await putGuestValue(tx, place, post.stat, result.value);
  await insertGuestUnlocks(tx, place, result.unlocked);
  return result;
}

/**
 * Unlocks an achievement for a guest, once.
 * @throws `not_found` for one that is not declared
 */
export async function unlockForGuest(
  tx: Tx,
  place: GuestPlace,
  achievement: string,
): Promise<{ first: boolean; unlockedAt: number }> {
  if (!(await isDeclared(tx, 'achievements', { ...place, key: achievement })))
    throw new ServiceError('not_found', `There is no achievement «${achievement}».`);
  await lockGuestProgress(tx, place.guestId);
  const earlier = (await findUnlocksAt(tx.db, place)).find(({ key }) => key === achievement);
  if (earlier) return { first: false, unlockedAt: earlier.unlocked_at };
  await insertGuestUnlocks(tx, place, [achievement]);
  return { first: true, unlockedAt: tx.now };
}

/** Returns what a guest has unlocked in a space, the newest first. */
export async function readGuestUnlocks(
  db: Db,
  place: GuestPlace,
): Promise<{ key: string; unlocked_at: number }[]> {
  return findUnlocksAt(db, place);
}

async function lockGuestProgress(tx: Tx, guestId: GuestId): Promise<void> {
  await tx.lock(`guest-progress:${guestId}`);
}
