import type { ScoreResult } from '@spaceport/contract/server-calls';
import { takeIds } from '../platform/db/dialect.ts';
import type { PlayerId, PlaySessionId, RunId, SpaceId } from '../platform/db/ids.ts';
import type { Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { mustAt } from '../platform/must.ts';
import type { BoardRow } from './board-settings.ts';
import { type Played, scoreProblem } from './played-rules.ts';
import { findBansOf, findBoardsOf, insertPlayers, insertSubmissions } from './post-scores.queries.ts';
import { type RankedScore, rankScores } from './rank-scores.ts';
import { type RankingRules, rulesOf } from './ranking.ts';
import { noteChanges } from './rerank-board.queries.ts';
import { tellRecords } from './tell-records.ts';

/** A score as it arrives, not yet checked against the board. */
export interface NewScore {
  readonly boardKey: string;
  readonly env: Env;
  /** The player of the score, or the error that says why there is none. */
  readonly player: { readonly playerId: PlayerId; readonly handle: string } | ServiceError;
  readonly score: number;
  readonly meta: unknown;
  /** Where the score was played; only for posts by players. */
  readonly origin?: ScoreOrigin;
  /**
   * The play that the board's rules for players are checked against; absent for posts by a space's own
   * server, which these rules do not bind.
   */
  readonly played?: Played;
  /** When it was played, if that is not now: it counts in the windows of that instant. */
  readonly at?: number;
  /** Whether it is the sum of scores that the board accepted before, so that its bounds do not apply. */
  readonly isSum?: boolean;
  /** The path of the score in the body: `scores.3`; empty for the body itself. */
  readonly path: string;
}

/** Where a score was played: the number of the version, and the ids of the session and the run. */
export interface ScoreOrigin {
  readonly version: number | null;
  readonly session: PlaySessionId | null;
  readonly run: RunId | null;
}

/** The scores of one call. Either all of them are posted, or none. */
export interface ScoreCall {
  readonly spaceId: SpaceId;
  readonly scores: readonly NewScore[];
}

interface Accepted {
  readonly score: NewScore;
  readonly player: Exclude<NewScore['player'], ServiceError>;
  readonly board: BoardRow;
  readonly rules: RankingRules;
}

/**
 * Posts the scores of many calls together, in a few statements however many they are. The caller
 * holds the rankings' lock of their spaces. Returns for each call its results, or the error that it
 * was refused with: `not_found`, `no_such_player`, `banned`, `invalid`. Rank and entries are those
 * at the end of the transaction.
 */
export async function postScores(
  tx: Tx,
  calls: readonly ScoreCall[],
): Promise<(ScoreResult[] | ServiceError)[]> {
  const answers = await postRanked(tx, calls);
  return answers.map((answer) =>
    answer instanceof ServiceError ? answer : answer.map(({ result }) => result),
  );
}

/**
 * Posts scores as `postScores` does. The results also say where each score ranks, and errors include those of
 * the rules for players (`playedProblem`).
 */
export async function postRanked(
  tx: Tx,
  calls: readonly ScoreCall[],
): Promise<(RankedScore[] | ServiceError)[]> {
  const admitted = await admit(tx, calls);
  const accepted = admitted.flatMap((call) => (call instanceof ServiceError ? [] : call));
  if (accepted.length === 0) return admitted.map((call) => (call instanceof ServiceError ? call : []));

  const ids = await takeIds(tx, 'submissions', accepted.length);
  const posted = accepted.map(({ score, player, board, rules }, index) => ({
    submissionId: mustAt(ids, index),
    score: score.score,
    at: score.at ?? tx.now,
    player,
    board,
    rules,
  }));
  const [results] = await Promise.all([
    rankScores(tx, posted),
    insertSubmissions(
      tx,
      accepted.map(({ score, player, board }, index) => ({
        id: mustAt(ids, index),
        boardId: board.id,
        playerId: player.playerId,
        score: score.score + 0,
        meta: score.meta === undefined ? null : JSON.stringify(score.meta),
        ...(score.origin ?? nowhere),
        createdAt: score.at ?? tx.now,
      })),
    ),
    noteChanges(
      tx,
      accepted.map(({ board, player }) => ({ board, playerId: player.playerId })),
    ),
  ]);
  // Players with an entry were recorded with their first one.
  await insertPlayers(
    tx,
    accepted.flatMap(({ player: { playerId }, board }, index) =>
      mustAt(results, index).hadEntry ? [] : { playerId, boardId: board.id },
    ),
  );
  await tellRecords(tx, results);
  let next = 0;
  return admitted.map((call) => {
    if (call instanceof ServiceError) return call;
    const own = results.slice(next, next + call.length);
    next += call.length;
    return own;
  });
}

/** Returns for each call its scores with their boards, or the error that it is refused with. */
async function admit(tx: Tx, calls: readonly ScoreCall[]): Promise<(Accepted[] | ServiceError)[]> {
  const scores = calls.flatMap((call) => call.scores);
  const spaceIds = [...new Set(calls.map(({ spaceId }) => spaceId))];
  const playerIds = scores.flatMap(({ player }) => (player instanceof ServiceError ? [] : player.playerId));
  const [boards, isBanned] = await Promise.all([
    findBoardsOf(tx, spaceIds, [...new Set(scores.map(({ boardKey }) => boardKey))]),
    findBansOf(tx, spaceIds, playerIds),
  ]);
  const known = Map.groupBy(
    boards.map((board) => ({ board, rules: rulesOf(board) })),
    ({ board }) => board.space_id,
  );

  const admitOne = (spaceId: SpaceId, score: NewScore): Accepted | ServiceError => {
    const found = known
      .get(spaceId)
      ?.find(({ board: { env, key } }) => key === score.boardKey && env === score.env);
    if (!found) return new ServiceError('not_found', `There is no board «${score.boardKey}».`);
    const { player } = score;
    if (player instanceof ServiceError) return player;
    if (isBanned(spaceId, player.playerId))
      return new ServiceError(
        'banned',
        `The player @${player.handle} is banned from the boards of this space.`,
      );
    return scoreProblem(found.board, score) ?? { score, player, ...found };
  };
  return calls.map(({ spaceId, scores: own }) => {
    const admitted: Accepted[] = [];
    for (const score of own) {
      const one = admitOne(spaceId, score);
      if (one instanceof ServiceError) return one;
      admitted.push(one);
    }
    return admitted;
  });
}

const nowhere: ScoreOrigin = { version: null, session: null, run: null };
