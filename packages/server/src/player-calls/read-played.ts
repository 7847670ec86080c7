import type { AnswerOf, QueryOf } from '@spaceport/contract/operation';
import { aroundMe, type readPlayedScores } from '@spaceport/contract/player';
import { findAchievements, findUnlocksIn, toPublicAchievement } from '../achievements/achievements.ts';
import { readEntries } from '../boards/read-entries.ts';
import { readGuestUnlocks } from '../guests/guest-progress.ts';
import { findGuest } from '../guests/guests.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { PlayCaller } from '../players/play-caller.ts';
import { type PlayedSpace, playedSpace } from './played-space.ts';

/** Returns a page of a ranking as the player sees it, with the player's own entry marked. */
export async function readScores(
  platform: Platform,
  caller: PlayCaller,
  { space: label, board, around, ...query }: QueryOf<typeof readPlayedScores>,
): Promise<AnswerOf<typeof readPlayedScores>> {
  const { space, env } = await playedSpace(platform, label, caller);
  // Only accounts with a handle have entries.
  const own = caller.kind === 'account' && caller.handle !== null ? caller : undefined;
  const asked = { ...query, around: around === aroundMe ? own : around };
  const { body } = await readEntries(platform, { spaceId: space.id, env, key: board }, asked);
  return {
    ...body,
    entries: body.entries.map(({ rank, handle, score, submitted_at }) => ({
      rank,
      handle,
      score,
      submitted_at,
      you: handle === own?.handle,
    })),
  };
}

export interface OwnAchievement {
  readonly key: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly icon: string | null;
  readonly hidden: boolean;
  readonly points: number;
  readonly unlocked_at: string | null;
}

/**
 * Returns a space's achievements in the order of their declarations. The title, description and icon of a hidden
 * one are shown only to players who have it.
 */
export async function readAchievements(
  platform: Platform,
  caller: PlayCaller,
  label: string,
): Promise<OwnAchievement[]> {
  const played = await playedSpace(platform, label, caller);
  const rows = await findAchievements(platform.database.db, played.space.id, played.env);
  const unlocks = new Map(
    (await unlocksOf(platform, caller, played)).map(({ key, unlocked_at }) => [key, unlocked_at]),
  );
  return rows.map((row) => {
    const at = unlocks.get(row.key);
    const { unlocks: _, ...shown } = toPublicAchievement(at === undefined ? row : { ...row, hidden: 0 });
    return { ...shown, hidden: row.hidden === 1, unlocked_at: at === undefined ? null : toTimestamp(at) };
  });
}

async function unlocksOf(
  { database: { db } }: Platform,
  caller: PlayCaller,
  { space, env }: PlayedSpace,
): Promise<{ key: string; unlocked_at: number }[]> {
  if (caller.kind === 'account')
    return findUnlocksIn(db, { spaceId: space.id, env, playerId: caller.playerId });
  const guest = caller.kind === 'guest' ? await findGuest(db, caller.keyHash) : undefined;
  return guest ? readGuestUnlocks(db, { guestId: guest.id, spaceId: space.id, env }) : [];
}
