import type { EarnedAchievement } from '@spaceport/contract/player-progress';
import { findEarned, progressLock } from '../achievements/achievements.ts';
import { postStats } from '../achievements/post-stats.ts';
import { findStatRules, statKey } from '../achievements/stat-rules.ts';
import { unlockAchievements } from '../achievements/unlock-achievements.ts';
import { youAreBanned } from '../boards/banned.ts';
import { postGuestStat, unlockForGuest } from '../guests/guest-progress.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { PlayerId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { type GroupedRequests, groupRequests, type RequestKind } from '../server-calls/grouped-requests.ts';
import { findWriters, holdWriters, type PlayedRequest } from './writers.ts';

/** A write of a stat by a player. Exactly one of `by` and `value` is given. */
export interface StatRequest extends PlayedRequest {
  readonly stat: string;
  readonly by: number | undefined;
  readonly value: number | undefined;
}

export interface StatAnswer {
  readonly value: number;
  readonly unlocked: EarnedAchievement[];
}

/** Writes stats of players. Requests that arrive together share one transaction. */
export function createStatRequests(platform: Platform): GroupedRequests<StatRequest, StatAnswer> {
  return groupRequests(platform, progressKind(writeStat));
}

export interface UnlockRequest extends PlayedRequest {
  readonly achievement: string;
}

export interface UnlockAnswer {
  readonly first: boolean;
  readonly unlocked_at: string;
  readonly achievement: EarnedAchievement;
}

/** Unlocks achievements of players. Requests that arrive together share one transaction. */
export function createUnlockRequests(platform: Platform): GroupedRequests<UnlockRequest, UnlockAnswer> {
  return groupRequests(platform, progressKind(unlock));
}

/** Requests are written one after the other, because players write few at once. */
function progressKind<One extends PlayedRequest, Body>(
  writeOne: (tx: Tx, request: One, now: number) => Promise<Body | ServiceError>,
): RequestKind<One, Body> {
  return {
    status: 200,
    lockOf: progressLock,
    holdFirst: holdWriters,
    async begin(tx, all) {
      const { refusal } = await findWriters(tx, all);
      return {
        refusal,
        async write(requests, now) {
          const bodies: (Body | ServiceError)[] = [];
          for (const request of requests) bodies.push(await writeOne(tx, request, now).catch(refused));
          return bodies;
        },
      };
    },
  };
}

/**
 * Returns a refusal as the request's answer. A refused request has written nothing, and
 * does not affect the others.
 */
function refused(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}

async function writeStat(tx: Tx, request: StatRequest, now: number): Promise<StatAnswer | ServiceError> {
  const { spaceId, env, stat, by, value = by ?? 0, writer } = request;
  const name = { spaceId, env, stat };
  const rules = (await findStatRules(tx, [name])).get(statKey(name));
  if (!rules) return new ServiceError('not_found', `There is no stat «${stat}».`);
  const [field, expected] = rules.op === 'add' ? ['value', 'by'] : ['by', 'value'];
  if ((rules.op === 'add') !== (by !== undefined)) {
    const call = rules.op === 'add' ? 'stats.add' : 'stats.set';
    const message = `is not for a stat that is declared «${rules.op}»: send \`${expected}\`, in a page by ${call}`;
    return new ServiceError('invalid', `${field} ${message}.`, { issues: [{ path: field, message }] });
  }
  if (writer.kind === 'guest') {
    const result = await postGuestStat(tx, { guestId: writer.guestId, spaceId, env }, { stat, value });
    return toStatAnswer(tx, request, result);
  }
  const post = { stat, env, value, player: nameless(writer.playerId), path: '' };
  const [results] = await postStats(tx, [{ spaceId, posts: [post] }], now);
  if (results instanceof ServiceError) return toPlayer(results);
  const [result] = results ?? [];
  if (!result) throw new Error('a stat without a result');
  return toStatAnswer(tx, request, result);
}

async function toStatAnswer(
  tx: Tx,
  { spaceId, env }: StatRequest,
  { value, unlocked }: { value: number; unlocked: string[] },
): Promise<StatAnswer> {
  const earned = await findEarned(tx, spaceId, env, unlocked);
  return { value, unlocked: unlocked.flatMap((key) => earned.get(key) ?? []) };
}

async function unlock(tx: Tx, request: UnlockRequest, now: number): Promise<UnlockAnswer | ServiceError> {
  const { spaceId, env, achievement: key, writer } = request;
  const achievement = (await findEarned(tx, spaceId, env, [key])).get(key);
  if (!achievement) return new ServiceError('not_found', `There is no achievement «${key}».`);
  if (writer.kind === 'guest') {
    const { first, unlockedAt } = await unlockForGuest(tx, { guestId: writer.guestId, spaceId, env }, key);
    return { first, unlocked_at: toTimestamp(unlockedAt), achievement };
  }
  const post = { env, achievement: key, player: nameless(writer.playerId) };
  const [results] = await unlockAchievements(tx, [{ spaceId, posts: [post] }], now);
  if (results instanceof ServiceError) return toPlayer(results);
  const [result] = results ?? [];
  if (!result) throw new Error('an unlock without a result');
  return { first: result.first, unlocked_at: result.unlocked_at, achievement };
}

/** Returns a refusal in the words for the player, who has no name here (`nameless`). */
function toPlayer(refusal: ServiceError): ServiceError {
  return refusal.code === 'banned' ? youAreBanned() : refusal;
}

/** Progress needs no handle: only the player sees it. */
function nameless(playerId: PlayerId): { playerId: PlayerId; handle: string } {
  return { playerId, handle: 'you' };
}
