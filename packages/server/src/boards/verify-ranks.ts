import type { Platform } from '../platform/context.ts';
import { givenId, type PlayerId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import { rulesOf, standingsOf } from './ranking.ts';
import { findRangeEnd, findSubmissions } from './rebuild.queries.ts';
import { repairBoard } from './repair-board.ts';
import { groupLevel, lowest, segmentLevel } from './runs.ts';
import { countRuns, listBoards, listEntries, listRankings, type SpaceBoard } from './verify-ranks.queries.ts';

/** A difference between a ranking and the submissions. */
export interface Difference {
  readonly space: string;
  readonly board: string;
  readonly env: SpaceBoard['env'];
  readonly window: string;
  readonly problem: string;
}

export interface Verified {
  readonly boards: number;
  readonly submissions: number;
  readonly entries: number;
  readonly segments: number;
  readonly differences: readonly Difference[];
}

const rangeRows = 20_000;

/**
 * Compares every entry, and every count that ranks are computed from, with the submissions of a space, or of
 * all spaces. Reads a consistent snapshot and writes nothing. The service may keep running.
 */
export async function verifyRanks(
  { database }: Pick<Platform, 'database'>,
  slug?: string,
): Promise<Verified> {
  return database.snapshot(async (db) => {
    const seen = { submissions: 0, entries: 0, segments: 0 };
    const differences: Difference[] = [];
    const boards = await listBoards(db, slug);
    for (const board of boards) {
      const report = (window: string, problem: string) =>
        differences.push({ space: board.slug, board: board.key, env: board.env, window, problem });
      await verifyEntries(db, board, seen, report);
      for (const { id, window } of await listRankings(db, board.id))
        seen.segments += await verifyRuns(db, id, (problem) => report(window, problem));
    }
    return { boards: boards.length, ...seen, differences };
  });
}

/** Ranks the boards with differences again. Returns how many there were. */
export async function repairRanks(platform: Platform, differences: readonly Difference[]): Promise<number> {
  const wrong = new Set(differences.map(nameOf));
  let repaired = 0;
  for (const board of await listBoards(platform.database.db, undefined)) {
    const { slug: space, key, env } = board;
    if (!wrong.has(nameOf({ space, board: key, env }))) continue;
    await repairBoard(platform, board);
    repaired++;
  }
  return repaired;
}

function nameOf({ space, board, env }: Pick<Difference, 'space' | 'board' | 'env'>): string {
  return `${space} ${env} ${board}`;
}

async function verifyEntries(
  db: Db,
  board: SpaceBoard,
  seen: { submissions: number; entries: number },
  report: (window: string, problem: string) => void,
): Promise<void> {
  const rules = rulesOf(board);
  let after: PlayerId = givenId('usr', '');
  for (;;) {
    const upTo = await findRangeEnd(db, board.id, after, rangeRows);
    const submissions = await findSubmissions(db, board, { after, upTo });
    const found = await listEntries(db, board.id, { after, upTo });
    seen.submissions += submissions.length;
    seen.entries += found.length;
    const entries = new Map(found.map((entry) => [`${entry.player_id} ${entry.window}`, entry]));
    for (const [playerId, own] of Map.groupBy(submissions, (submission) => submission.playerId)) {
      for (const [window, { sortKey, submissionId }] of standingsOf(rules, own)) {
        const name = `${playerId} ${window}`;
        const entry = entries.get(name);
        entries.delete(name);
        if (!entry) report(window, `${playerId} has no entry`);
        else if (entry.sort_key !== sortKey || entry.submission_id !== submissionId)
          report(
            window,
            `${playerId} stands at ${entry.sort_key} by ${entry.submission_id}, not at ${sortKey} by ${submissionId}`,
          );
      }
    }
    for (const { window, player_id } of entries.values())
      report(window, `${player_id} has an entry, and no submission that counts`);
    if (upTo === null) return;
    after = upTo;
  }
}

/** Checks the runs of a ranking. Returns how many there are. */
async function verifyRuns(db: Db, rankingId: number, report: (problem: string) => void): Promise<number> {
  const segments = await countRuns(db, rankingId, segmentLevel);
  const groups = await countRuns(db, rankingId, groupLevel);
  const lows = new Set(segments.map(({ low_key, low_id }) => `${low_key} ${low_id}`));
  for (const runs of [segments, groups]) {
    const [first] = runs;
    if (first?.low_key !== lowest.sortKey || first.low_id !== lowest.submissionId)
      report('no run begins below all entries');
    for (const { level, low_key, low_id, n, found } of runs) {
      if (n !== found) report(`the run of level ${level} from ${low_key} on counts ${n}, and has ${found}`);
      if (!lows.has(`${low_key} ${low_id}`)) report(`the group from ${low_key} on begins inside a segment`);
    }
  }
  return segments.length + groups.length;
}
