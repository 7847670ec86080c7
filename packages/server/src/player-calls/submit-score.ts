import type { PlayResult } from '@spaceport/contract/player';
import { isBannedFrom, youAreBanned } from '../boards/banned.ts';
import { rankingsLock } from '../boards/change-entries.ts';
import { boardFor, rankAsIf, toPlayResults } from '../boards/played-scores.ts';
import { postRanked, type ScoreOrigin } from '../boards/post-scores.ts';
import { keepReplays } from '../boards/replays.ts';
import { keepGuestScore } from '../guests/guest-scores.ts';
import { waitingGuest } from '../guests/guests.ts';
import type { Platform } from '../platform/context.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { mustAt } from '../platform/must.ts';
import type { Player } from '../players/players.ts';
import { type GroupedRequests, groupRequests } from '../server-calls/grouped-requests.ts';
import { findUsedRuns, insertUsedRuns } from './used-runs.queries.ts';
import { findWriters, holdScorers, type KnownWriters, type PlayedRequest } from './writers.ts';

/** A score as a player posts it. */
export interface ScoreRequest extends PlayedRequest {
  readonly board: string;
  readonly score: number;
  readonly meta: unknown;
  /** In Base64. */
  readonly replay: string | undefined;
  readonly origin: ScoreOrigin;
  /** When its run began, or its session if it has no run, in epoch milliseconds. */
  readonly startedAt: number;
}

type Outcome = PlayResult | ServiceError;

/** Posts scores of players. Requests that arrive together share one transaction. */
export function createScoreRequests(platform: Platform): GroupedRequests<ScoreRequest, PlayResult> {
  return groupRequests<ScoreRequest, PlayResult>(platform, {
    status: 200,
    lockOf: rankingsLock,
    holdFirst: holdScorers,
    async begin(tx, requests) {
      const writers = await findWriters(tx, requests);
      return {
        refusal: writers.refusal,
        write: (own) => writeScores(tx, own, writers),
      };
    },
  });
}

async function writeScores(
  tx: Tx,
  requests: readonly ScoreRequest[],
  writers: KnownWriters,
): Promise<Outcome[]> {
  const used = await findUsedRuns(
    tx,
    requests.flatMap(({ origin: { run } }) => run ?? []),
  );
  const outcomes = new Map<ScoreRequest, Outcome>();
  const isFresh = ({ origin: { run } }: ScoreRequest) => run === null || !used.has(run);
  const fresh = requests.filter(isFresh);
  const named = fresh.flatMap((request) => withHandle(request, writers) ?? []);
  const posted = await postNamed(tx, named);
  named.forEach(({ request }, index) => void outcomes.set(request, mustAt(posted, index)));
  for (const request of fresh)
    if (!outcomes.has(request)) outcomes.set(request, await postUnranked(tx, request));
  await insertUsedRuns(
    tx,
    requests.flatMap((request) => {
      const { run } = request.origin;
      const outcome = outcomes.get(request);
      if (run === null || outcome === undefined || outcome instanceof ServiceError) return [];
      return { run, spaceId: request.spaceId };
    }),
  );
  return requests.map((request) => outcomes.get(request) ?? runUsed());
}

function runUsed(): ServiceError {
  return new ServiceError('run_used', 'The score of this run was posted already.');
}

/** Returns the play that the board's rules for players are checked against. */
function playedOf({ startedAt, origin }: ScoreRequest, now: number) {
  return { seconds: (now - startedAt) / 1_000, isRun: origin.run !== null };
}

/** A score of an account that has a handle. */
interface NamedRequest {
  readonly request: ScoreRequest;
  readonly player: Player;
}

/** Returns a request with its player; null for one of a guest, or of an account without a handle. */
function withHandle(request: ScoreRequest, writers: KnownWriters): NamedRequest | null {
  const { writer } = request;
  if (writer.kind === 'guest') return null;
  const handle = writers.handleOf(writer.playerId);
  return handle === null ? null : { request, player: { playerId: writer.playerId, handle } };
}

async function postNamed(tx: Tx, requests: readonly NamedRequest[]): Promise<Outcome[]> {
  if (requests.length === 0) return [];
  const posted = await postRanked(
    tx,
    requests.map(({ request, player }) => {
      const { spaceId, env, board: boardKey, score, meta, origin } = request;
      const played = playedOf(request, tx.now);
      return { spaceId, scores: [{ boardKey, env, player, score, meta, path: '', origin, played }] };
    }),
  );
  const ranked = posted.flatMap((one) => (one instanceof ServiceError ? [] : one));
  await keepReplays(
    tx,
    requests.flatMap(({ request: { replay } }, index) => {
      const one = posted[index];
      const own = one instanceof ServiceError ? undefined : one?.[0];
      if (replay === undefined || own === undefined) return [];
      return { submissionId: own.result.submission.id, board: own.board, data: replay };
    }),
  );
  const results = await toPlayResults(tx, ranked);
  let next = 0;
  return posted.map((one) => (one instanceof ServiceError ? one : mustAt(results, next++)));
}

/**
 * Keeps a score of a guest, or of an account that has no handle yet, if it changes what counts. It is not ranked before
 * an account with a handle has it.
 */
async function postUnranked(tx: Tx, request: ScoreRequest): Promise<Outcome> {
  const { spaceId, env, board: key, score, meta, replay, origin, writer } = request;
  if (writer.kind === 'account' && (await isBannedFrom(tx, spaceId, writer.playerId))) return youAreBanned();
  const board = await boardFor(tx, { spaceId, env, key }, { score, played: playedOf(request, tx.now) });
  if (board instanceof ServiceError) return board;
  const guestId = writer.kind === 'guest' ? writer.guestId : await waitingGuest(tx, writer.playerId);
  const { best, improved } = await keepGuestScore(tx, { guestId, board, score, meta, replay, ...origin });
  return { ...(await rankAsIf(tx, board, best)), best, improved };
}
