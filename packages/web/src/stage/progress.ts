import {
  type EarnedAchievement,
  readPlayedAchievements,
  submitAchievement,
  submitStat,
} from '@spaceport/contract/player-progress';
import type { Achievement } from '@spaceport/contract/sdk-protocol';
import { idempotencyHeader } from '@spaceport/contract/server-calls';
import { newKey, type OutboxItem, type Unsent } from './outbox.ts';
import { type Play, stageClient } from './play.ts';
import { isAway } from './stage-error.ts';

export interface ProgressOptions {
  readonly space: string;
  readonly play: Play;
  /** Puts a write into the outbox of the lane's player, with the key that it was sent with. */
  readonly keep: (what: Unsent, lane: string, key: string) => Promise<number>;
  readonly isWaiting: () => Promise<boolean>;
  readonly onUnlocked: (unlocked: readonly EarnedAchievement[]) => void;
}

/**
 * Returns the calls for the player's stats and achievements. Writes that cannot be sent wait behind earlier
 * ones.
 */
export function createProgress({ space, play, keep, isWaiting, onUnlocked }: ProgressOptions) {
  /** The last values from the service, which are the answers while it cannot be reached. */
  const stats = new Map<string, number>();
  const unlockedKeys = new Set<string>();

  const writeStat = async (
    { stat, by, value }: { stat: string; by?: number | undefined; value?: number | undefined },
    lane: string,
    key: string,
  ): Promise<number> => {
    const change = by === undefined ? { value } : { by };
    const answer = await play.withSession(
      (session, headers) =>
        stageClient.call(
          submitStat,
          { body: { session, stat, ...change } },
          { headers: { ...headers, [idempotencyHeader]: key } },
        ),
      lane,
    );
    stats.set(stat, answer.value);
    tell(answer.unlocked);
    return answer.value;
  };

  const unlock = async (achievement: string, lane: string, key: string): Promise<{ first: boolean }> => {
    const answer = await play.withSession(
      (session, headers) =>
        stageClient.call(
          submitAchievement,
          { body: { session, key: achievement } },
          { headers: { ...headers, [idempotencyHeader]: key } },
        ),
      lane,
    );
    if (answer.first) tell([answer.achievement]);
    unlockedKeys.add(achievement);
    return { first: answer.first };
  };

  const tell = (unlocked: readonly EarnedAchievement[]) => {
    for (const { key } of unlocked) unlockedKeys.add(key);
    if (unlocked.length > 0) onUnlocked(unlocked);
  };

  /**
   * Sends a write at once if nothing waits before it and the service can be reached; else the write waits.
   */
  const sendOrKeep = async <Value>(
    send: (lane: string, key: string) => Promise<Value>,
    what: Unsent,
    meanwhile: () => Value,
  ): Promise<Value> => {
    const lane = play.lane();
    // The key makes a repeated write count once, if only its first answer was lost.
    const key = newKey();
    if (!(await isWaiting())) {
      try {
        return await send(lane, key);
      } catch (error) {
        if (!isAway(error)) throw error;
      }
    }
    await keep(what, lane, key);
    return meanwhile();
  };

  return {
    add: (stat: string, by: number) =>
      sendOrKeep(
        (lane, key) => writeStat({ stat, by }, lane, key),
        { is: 'stat', stat, by },
        () => {
          const value = (stats.get(stat) ?? 0) + by;
          stats.set(stat, value);
          return value;
        },
      ),
    set: (stat: string, value: number) =>
      sendOrKeep(
        (lane, key) => writeStat({ stat, value }, lane, key),
        { is: 'stat', stat, value },
        () => {
          stats.set(stat, value);
          return value;
        },
      ),
    unlock: (achievement: string) =>
      sendOrKeep(
        (lane, key) => unlock(achievement, lane, key),
        { is: 'unlock', achievement },
        () => {
          const first = !unlockedKeys.has(achievement);
          unlockedKeys.add(achievement);
          return { first };
        },
      ),
    async list(): Promise<Achievement[]> {
      const { achievements } = await play.asPlayer((headers) =>
        stageClient.call(readPlayedAchievements, { query: { space } }, { headers }),
      );
      return achievements.map(({ key, title, unlocked_at }) => {
        if (unlocked_at !== null) unlockedKeys.add(key);
        return { key, title: title ?? '', unlockedAt: unlocked_at };
      });
    },
    /** Sends a waiting write, with its key. */
    async send({ what, lane, key }: OutboxItem): Promise<void> {
      if (what.is === 'stat') await writeStat(what, lane, key);
      if (what.is === 'unlock') await unlock(what.achievement, lane, key);
    },
    forget() {
      stats.clear();
      unlockedKeys.clear();
    },
  };
}
