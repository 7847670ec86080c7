import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BoardId, PlayerId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import { findSubmissionsOf } from './entries.queries.ts';
import { type Place, type RankingRules, standingsOf } from './ranking.ts';

/** Some ten milliseconds. Programs have posted a million scores for one player. */
const submissionsAtOnce = 5_000;

/**
 * Returns a player's standing in each window of a board, from all of their submissions. They are read in pages, and
 * other requests are answered between two.
 */
export async function findStandings(
  db: Db,
  rules: RankingRules,
  of: { readonly boardId: BoardId; readonly playerId: PlayerId },
): Promise<Map<string, Place>> {
  const standings = new Map<string, Place>();
  for (let after = 0; ; ) {
    const page = await findSubmissionsOf(db, of, after, submissionsAtOnce);
    standingsOf(rules, page, standings);
    const last = page.at(-1);
    if (last === undefined || page.length < submissionsAtOnce) return standings;
    after = last.id;
    await nextTurn();
  }
}
