import type { ScoreResult } from '@spaceport/contract/server-calls';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { PlayerId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { must, mustAt } from '../platform/must.ts';
import { announceComing, announceEntries } from './announce-entries.ts';
import { changeEntries, type EntryChange } from './change-entries.ts';
import { type EntryName, entryKey, findEntries } from './entries.queries.ts';
import type { BoardRow } from './post-scores.queries.ts';
import { firstPeriod, type Place, type RankingRules, scoreOf, standingAfter, windowAt } from './ranking.ts';
import { nameKey, takeRankings } from './rankings.queries.ts';
import type { RankedPlace } from './runs.ts';
import { totalsOf } from './segments.queries.ts';

/** A score whose submission is written. */
export interface PostedScore {
  readonly submissionId: number;
  readonly score: number;
  readonly player: { readonly playerId: PlayerId; readonly handle: string };
  readonly board: BoardRow;
  readonly rules: RankingRules;
}

/** The outcome of a score, and its place in its board's first ranking. */
export interface RankedScore {
  readonly result: ScoreResult;
  /** Whether the player's standing score in that ranking improved. */
  readonly improved: boolean;
  /** Whether the player had an entry in any current ranking of the board before. */
  readonly hadEntry: boolean;
  readonly place: RankedPlace;
  readonly board: BoardRow;
}

/** The current rankings that one board's scores count in. */
interface BoardRankings {
  readonly ids: readonly number[];
  /** The id of the board's first ranking, which answers describe. */
  readonly firstId: number;
}

/** Rankings by the board's id. */
type Rankings = ReadonlyMap<string, BoardRankings>;

/** The standing places of the players of a call in its rankings, by `entryKey`. */
interface Standings {
  readonly names: readonly EntryName[];
  readonly before: ReadonlyMap<string, Place>;
  readonly after: ReadonlyMap<string, Place>;
}

/**
 * Enters new submissions into the current rankings. Returns for each the standing of its player afterwards.
 * The caller holds the rankings' lock.
 */
export async function rankScores(
  tx: Tx,
  posted: readonly PostedScore[],
  { now, segmentSize }: { now: number; segmentSize: number },
): Promise<RankedScore[]> {
  const rankings = await rankingsOf(tx, posted, now);
  const stood = await standings(tx, posted, rankings);
  const places = posted.map((score) => firstPlace(score, rankings, stood));
  const ranks = await changeEntries(tx, changes(stood), { segmentSize, places });
  announce(tx, posted, rankings, stood);
  const totals = await totalsOf(tx.db, [...new Set(places.map(({ rankingId }) => rankingId))]);
  const createdAt = toTimestamp(now);
  return posted.map(({ submissionId, board, rules, player, score }, index) => {
    const place = mustAt(places, index);
    const result: ScoreResult = {
      submission: {
        id: submissionId,
        board: board.key,
        player: player.handle,
        score: score + 0,
        created_at: createdAt,
      },
      rank: mustAt(ranks, index),
      best: scoreOf(rules, place.sortKey),
      entries: must(totals, place.rankingId),
    };
    const before = stood.before.get(entryKey({ rankingId: place.rankingId, playerId: player.playerId }));
    const improved = before === undefined || place.sortKey < before.sortKey;
    const hadEntry = must(rankings, board.id).ids.some((rankingId) =>
      stood.before.has(entryKey({ rankingId, playerId: player.playerId })),
    );
    return { result, improved, hadEntry, place, board };
  });
}

/** Announces changed entries on live boards. Nobody is shown the sandbox. */
function announce(tx: Tx, posted: readonly PostedScore[], rankings: Rankings, { before }: Standings): void {
  for (const { board, player } of posted) {
    if (board.env !== 'live') continue;
    const wasThere = ({ ids }: BoardRankings) =>
      ids.every((rankingId) => before.has(entryKey({ rankingId, playerId: player.playerId })));
    if (wasThere(must(rankings, board.id))) announceEntries(tx, board);
    else announceComing(tx, board, player.playerId);
  }
}

/** Returns the current rankings of every board that was posted to. Missing rankings are made. */
async function rankingsOf(tx: Tx, posted: readonly PostedScore[], now: number): Promise<Rankings> {
  const boards = new Map(posted.map(({ board, rules }) => [board.id, rules]));
  const names = [...boards].flatMap(([boardId, { periods }]) =>
    periods.map((period) => ({ boardId, window: windowAt(period, now) })),
  );
  const ids = new Map((await takeRankings(tx, names)).map((ranking) => [nameKey(ranking), ranking.id]));
  const byBoard = Map.groupBy(names, ({ boardId }) => boardId);
  return new Map(
    Array.from(boards, ([boardId, rules]) => [
      boardId,
      {
        ids: must(byBoard, boardId).map((name) => must(ids, nameKey(name))),
        firstId: must(ids, nameKey({ boardId, window: windowAt(firstPeriod(rules), now) })),
      },
    ]),
  );
}

/** Returns each player's standing before these scores and after them. */
async function standings(tx: Tx, posted: readonly PostedScore[], rankings: Rankings): Promise<Standings> {
  const all = posted.flatMap(({ board, player: { playerId } }) =>
    must(rankings, board.id).ids.map((rankingId) => ({ rankingId, playerId })),
  );
  const names = [...new Map(all.map((name) => [entryKey(name), name])).values()];
  const before = new Map((await findEntries(tx, names)).map((entry) => [entryKey(entry), entry.place]));
  const after = new Map(before);
  for (const { submissionId, score, board, rules, player } of posted) {
    for (const rankingId of must(rankings, board.id).ids) {
      const key = entryKey({ rankingId, playerId: player.playerId });
      after.set(key, standingAfter(rules, after.get(key), { id: submissionId, score }));
    }
  }
  return { names, before, after };
}

/** Returns the entries that changed. */
function changes({ names, before, after }: Standings): EntryChange[] {
  return names.flatMap((name) => {
    const key = entryKey(name);
    const [left, right] = [before.get(key), must(after, key)];
    return left === right ? [] : [{ ...name, before: left ?? null, after: right }];
  });
}

/** Returns the place of a score's player in the first ranking of its board. */
function firstPlace(
  { board, player: { playerId } }: PostedScore,
  rankings: Rankings,
  { after }: Standings,
): RankedPlace {
  const rankingId = must(rankings, board.id).firstId;
  return { rankingId, ...must(after, entryKey({ rankingId, playerId })) };
}
