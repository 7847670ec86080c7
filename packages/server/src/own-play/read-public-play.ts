import type { PublicPlay } from '@spaceport/contract/own-play';
import { arePlaysPublic } from '../accounts/accounts.ts';
import { readOwnScores } from '../boards/own-scores.ts';
import { namesOfListed } from '../gallery/gallery.ts';
import { findBannedFrom } from '../moderation/moderation.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountId } from '../platform/db/ids.ts';
import type { WithShown } from '../platform/http/shown-answer.ts';
import { findUnlocked } from './own-play.queries.ts';

/** The longest list of anything that others see. */
const most = 50;

/**
 * Returns what others see of an account's live play: in spaces that the gallery lists, and whose creators
 * have not banned it. Returns null if the player hides it. The tags are those of the boards; the caller adds the
 * tag for which boards and achievements are in the lists.
 */
export async function readPublicPlay(
  platform: Platform,
  accountId: AccountId,
): Promise<WithShown<PublicPlay> | null> {
  const { db } = platform.database;
  if (!(await arePlaysPublic(db, accountId))) return null;
  const [scores, unlocked, banned] = await Promise.all([
    readOwnScores(platform, accountId),
    findUnlocked(db, accountId),
    findBannedFrom(db, accountId),
  ]);
  const names = await namesOfListed(
    platform,
    [...scores.map(({ board }) => board.spaceId), ...unlocked.map(({ space_id }) => space_id)].filter(
      (id) => !banned.has(id),
    ),
  );
  const body = {
    scores: scores
      .flatMap(({ board: { spaceId, key, title, metric, unit, decimals }, score, rank, entries }) => {
        const space = names.get(spaceId);
        return space ? { space, board: { key, title, metric, unit, decimals }, score, rank, entries } : [];
      })
      .slice(0, most),
    achievements: unlocked
      .flatMap(({ space_id, key, title, points, hidden, unlocked_at }) => {
        const space = names.get(space_id);
        if (!space) return [];
        const shown = hidden === 1 ? null : title;
        return { space, key, title: shown, points, unlocked_at: toTimestamp(unlocked_at) };
      })
      .slice(0, most),
  };
  return { body, shows: scores.map(({ board }) => `board:${board.id}` as const) };
}
