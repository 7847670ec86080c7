import type { OwnPlay } from '@spaceport/contract/own-play';
import { readOwnScores } from '../boards/own-scores.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountId } from '../platform/db/ids.ts';
import { goneAt } from '../saves/losers.ts';
import { findLoserHeads, findPlayed, findSaveHeads, findUnlocked } from './own-play.queries.ts';
import { findParts } from './parts.queries.ts';
import { findMade } from './published.queries.ts';
import { toMade } from './read-made.ts';

/** Returns what an account has played live, for the account itself. */
export async function readOwnPlay(platform: Platform, accountId: AccountId): Promise<OwnPlay> {
  const { db } = platform.database;
  const has = await findParts(db, accountId);
  const [played, unlocked, made, saves, losers, scores] = await Promise.all([
    has?.played ? findPlayed(db, accountId) : [],
    has?.unlocked ? findUnlocked(db, accountId) : [],
    has?.made ? findMade(db, accountId) : [],
    has?.saves ? findSaveHeads(db, accountId) : [],
    has?.losers ? findLoserHeads(db, accountId) : [],
    has?.scores ? readOwnScores(platform, accountId) : [],
  ]);
  return {
    public: has?.isPublic ?? false,
    played: played.map(({ slug, title, first_at, last_at, played_ms }) => ({
      space: { slug, title },
      first_at: toTimestamp(first_at),
      last_at: toTimestamp(last_at),
      seconds: Math.round(played_ms / 1_000),
    })),
    scores: scores.map(({ board, score, rank, entries }) => {
      const { slug, spaceTitle, key, title, metric, unit, decimals } = board;
      const space = { slug, title: spaceTitle };
      return { space, board: { key, title, metric, unit, decimals }, score, rank, entries };
    }),
    achievements: unlocked.map(({ slug, space_title, key, title, points, unlocked_at }) => ({
      space: { slug, title: space_title },
      key,
      title,
      points,
      unlocked_at: toTimestamp(unlocked_at),
    })),
    made: made.map(toMade),
    saves: saves.map(({ slug, title, slot, version, at, device, bytes, type }) => ({
      space: { slug, title },
      slot,
      version,
      at: toTimestamp(at),
      device,
      bytes,
      type,
    })),
    losers: losers.map(({ id, slug, title, slot, at, lost_at, device, bytes, type }) => ({
      id,
      space: { slug, title },
      slot,
      at: toTimestamp(at),
      lost_at: toTimestamp(lost_at),
      gone_at: toTimestamp(goneAt(lost_at)),
      device,
      bytes,
      type,
    })),
  };
}
