import type { ScoreResult } from '@spaceport/contract/server-calls';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { PlayerId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { must, mustAt } from '../platform/must.ts';
import { announceComing, announceEntries } from './announce-entries.ts';
import type { BoardRow } from './board-settings.ts';
import { changeEntries } from './change-entries.ts';
import { firstPeriod, type RankingRules, scoreOf, standingAfter, windowAt } from './ranking.ts';
import { nameKey, type RankingName, takeRankings } from './rankings.queries.ts';
import type { RankedPlace } from './runs.ts';
import { totalsOf } from './segments.queries.ts';
import { type Standing, Standings } from './standings.ts';

/** A score whose submission is written. */
export interface PostedScore {
  readonly submissionId: number;
  readonly score: number;
  /** When it was played. */
  readonly at: number;
  readonly player: { readonly playerId: PlayerId; readonly handle: string };
  readonly board: BoardRow;
  readonly rules: RankingRules;
}

/** The outcome of a score, and its place in its board's first ranking. */
export interface RankedScore {
  readonly result: ScoreResult;
  /** Whether the player's standing score in that ranking improved. */
  readonly improved: boolean;
  /** Whether the player had an entry in any of the rankings that the score counts in. */
  readonly hadEntry: boolean;
  readonly place: RankedPlace;
  readonly board: BoardRow;
}

/** The rankings that a score counts in. */
interface BoardRankings {
  readonly ids: readonly number[];
  /** The id of the board's first ranking, which answers describe. */
  readonly firstId: number;
}

/** A score with the standings of its player in the rankings that it counts in. */
interface Entered {
  readonly posted: PostedScore;
  readonly standings: readonly Standing[];
  /** The standing in the board's first ranking. */
  readonly first: Standing;
}

/**
 * Enters new submissions into the rankings of their time. Returns for each the standing of its player afterwards.
 * The caller holds the rankings' lock.
 */
export async function rankScores(tx: Tx, posted: readonly PostedScore[]): Promise<RankedScore[]> {
  const { RANK_SEGMENT_SIZE: segmentSize } = tx.config;
  const rankings = await rankingsOf(tx, posted);
  const standings = new Standings();
  const entered = posted.map((one) => withStandings(one, must(rankings, namesKey(one)), standings));
  await standings.read(tx);
  for (const one of entered) enter(one);
  const places = entered.map(({ first }) => placeOf(first));
  const ranks = await changeEntries(tx, standings.changed(), { segmentSize, places });
  for (const one of entered) announce(tx, one);
  const totals = await totalsOf(tx.db, [...new Set(places.map(({ rankingId }) => rankingId))]);
  return entered.map((one, index) => {
    const place = mustAt(places, index);
    const { board, rules, submissionId, player, score, at } = one.posted;
    const result: ScoreResult = {
      submission: {
        id: submissionId,
        board: board.key,
        player: player.handle,
        score: score + 0,
        created_at: toTimestamp(at),
      },
      rank: mustAt(ranks, index),
      best: scoreOf(rules, place.sortKey),
      entries: must(totals, place.rankingId),
    };
    const { before } = one.first;
    const improved = before === null || place.sortKey < before.sortKey;
    return { result, improved, hadEntry: one.standings.some(hadEntry), place, board };
  });
}

function withStandings(posted: PostedScore, { ids, firstId }: BoardRankings, standings: Standings): Entered {
  const { playerId } = posted.player;
  return {
    posted,
    standings: ids.map((rankingId) => standings.of(rankingId, playerId)),
    first: standings.of(firstId, playerId),
  };
}

/** Enters a score into the standings of its player. */
function enter({ posted: { submissionId: id, score, rules }, standings }: Entered): void {
  for (const standing of standings)
    standing.after = standingAfter(rules, standing.after ?? undefined, { id, score });
}

function hadEntry({ before }: Standing): boolean {
  return before !== null;
}

/** Announces changed entries on live boards. Nobody is shown the sandbox. */
function announce(tx: Tx, { posted: { board, player }, standings }: Entered): void {
  if (board.env !== 'live') return;
  if (standings.every(hadEntry)) announceEntries(tx, board);
  else announceComing(tx, board, player.playerId);
}

/** Returns a key that scores have in common which count in the same rankings. */
function namesKey({ board, at }: Pick<PostedScore, 'board' | 'at'>): string {
  return `${board.id} ${at}`;
}

/** Returns the rankings that these scores count in, by `namesKey`. Missing rankings are made. */
async function rankingsOf(
  tx: Tx,
  posted: readonly PostedScore[],
): Promise<ReadonlyMap<string, BoardRankings>> {
  const byKey = new Map(posted.map((one) => [namesKey(one), namesOf(one)]));
  const rankings = await takeRankings(tx, [...byKey.values()].flat());
  const ids = new Map(rankings.map((ranking) => [nameKey(ranking), ranking.id]));
  return new Map(
    Array.from(byKey, ([key, names]) => {
      const own = names.map((name) => must(ids, nameKey(name)));
      return [key, { ids: own, firstId: mustAt(own, 0) }];
    }),
  );
}

/** Names the rankings that a score counts in, the first one of its board first. */
function namesOf({ board, rules, at }: PostedScore): RankingName[] {
  const first = firstPeriod(rules);
  const periods = [first, ...rules.periods.filter((period) => period !== first)];
  return periods.map((period) => ({ boardId: board.id, window: windowAt(period, at) }));
}

/** Returns the place of a player whose score was entered. */
function placeOf({ rankingId, after }: Standing): RankedPlace {
  if (after === null) throw new Error('a standing without a score');
  return { rankingId, sortKey: after.sortKey, submissionId: after.submissionId };
}
