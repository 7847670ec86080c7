import { findCreator } from '../accounts/accounts.ts';
import { handleChosenJob } from '../accounts/handle-chosen.ts';
import { findPostedScores } from '../boards/boards.ts';
import { lockRankings } from '../boards/change-entries.ts';
import { postRanked } from '../boards/post-scores.ts';
import { rulesOf, sortKeyOf } from '../boards/ranking.ts';
import { keepReplays } from '../boards/replays.ts';
import {
  type AdoptedScore,
  deleteAdoptedScores,
  findAdoptedReplays,
  findAdoptedScores,
  lockAdoptions,
  replayKey,
} from '../guests/guests.ts';
import type { Platform } from '../platform/context.ts';
import { type AccountId, givenId, type SpaceId } from '../platform/db/ids.ts';
import { fromJson } from '../platform/db/json.ts';
import type { Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { JobKind } from '../platform/jobs/queue.ts';
import { findSpacesById } from '../spaces/spaces.ts';
import { isOffService } from '../versions/standing.ts';

/** A guest's score that was posted for the account that adopted the guest. */
export interface PostedAdopted {
  readonly spaceId: SpaceId;
  readonly env: Env;
  readonly board: string;
  readonly score: number;
  readonly rank: number;
}

/**
 * Posts the scores of an account's adopted guests that may change what counts for the account (`counts`), with their
 * version, session, run and instant, by the current rules. They count in the days, weeks and months that they were
 * played in. Scores that the rules refuse (a ban, a hold, a board
 * that only a server posts to, bounds) are dropped. An account without a handle is in no ranking: its
 * scores wait until it has one, with those that it has posted itself. The caller holds `lockAdoptions`.
 */
export async function postAdoptedScores(
  tx: Tx,
  { playerId, handle }: { playerId: AccountId; handle: string | null },
): Promise<PostedAdopted[]> {
  if (handle === null) return [];
  const before = await findAdoptedScores(tx, playerId);
  if (before.length === 0) return [];
  await lockRankings(
    tx,
    before.map(({ space_id }) => space_id),
  );
  // A creator may have deleted some of them until the lock was taken.
  const found = await findAdoptedScores(tx, playerId);
  const posted = await findPostedScores(
    tx,
    playerId,
    found.map(({ board_id }) => board_id),
  );
  const closed = await closedSpaces(tx, found);
  const scores = found.filter((score) => {
    const isOpen = score.trust === 'client' && !closed.has(score.space_id);
    return isOpen && counts(score, posted.get(score.board_id));
  });
  const calls = scores.map((score) => ({
    spaceId: score.space_id,
    scores: [toPost(score, { playerId, handle })],
  }));
  const answers = await postRanked(tx, calls);
  const replays = await findAdoptedReplays(tx, playerId);
  const ranked = scores.flatMap((score, index) => {
    const answer = answers[index];
    const [posted] = answer === undefined || answer instanceof ServiceError ? [] : answer;
    return posted ? [{ score, posted }] : [];
  });
  await keepReplays(
    tx,
    ranked.flatMap(({ score, posted }) => {
      const data = replays.get(replayKey(score));
      return data === undefined
        ? []
        : { submissionId: posted.result.submission.id, board: posted.board, data };
    }),
  );
  await deleteAdoptedScores(tx, playerId);
  return ranked.map(({ score: { space_id, env, key, score }, posted }) => ({
    spaceId: space_id,
    env,
    board: key,
    score,
    rank: posted.result.rank,
  }));
}

/**
 * Returns whether a guest's score may change what counts for the account, given what the account has posted. On a board
 * of days it does so if it was better on its day.
 */
function counts(
  guests: AdoptedScore,
  own: { readonly least: number; readonly most: number; readonly lastAt: number } | undefined,
): boolean {
  const rules = rulesOf(guests);
  if (rules.keep === 'sum') return true;
  // The board has added up when it was played: of a sum nobody knows the best score, or the last.
  if (guests.is_sum === 1) return false;
  if (own === undefined) return true;
  if (rules.keep === 'last') return guests.at >= own.lastAt;
  if (rules.periods.some((period) => period !== 'all')) return true;
  const best = rules.sort === 'asc' ? own.least : own.most;
  return sortKeyOf(rules, guests.score) < sortKeyOf(rules, best);
}

function toPost(score: AdoptedScore, player: { playerId: AccountId; handle: string }) {
  const { version, session, run } = score;
  return {
    boardKey: score.key,
    env: score.env,
    player,
    score: score.score,
    meta: score.meta === null ? undefined : fromJson(score.meta),
    origin: { version, session, run },
    isSum: score.is_sum === 1,
    at: score.at,
    path: '',
  };
}

/** Returns the spaces that are off the service: no scores are added to their rankings. */
async function closedSpaces(tx: Tx, scores: readonly AdoptedScore[]): Promise<Set<SpaceId>> {
  const ids = [...new Set(scores.map(({ space_id }) => space_id))];
  const spaces = await findSpacesById(tx.db, ids);
  return new Set(
    ids.filter((id) => {
      const space = spaces.get(id);
      return !space || isOffService(space);
    }),
  );
}

/** Creates the job that posts the scores which waited for a handle. */
export function createAdoptedScoresJob({ database }: Platform): JobKind {
  return {
    kind: handleChosenJob,
    timeoutSeconds: 60,
    maxAttempts: 10,
    concurrency: 1,
    async run(job) {
      const account = await findCreator(database.db, givenId('usr', job.ref));
      if (!account || account.bannedAt !== null) return;
      await database.transaction(async (tx) => {
        await lockAdoptions(tx, [account.id]);
        await postAdoptedScores(tx, { playerId: account.id, handle: account.handle });
        await job.confirmLease(tx);
      });
    },
  };
}
