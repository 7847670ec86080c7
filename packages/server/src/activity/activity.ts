import type { Activity, ActivityDay } from '@spaceport/contract/activity';
import type { Platform } from '../platform/context.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { ownView } from '../spaces/space-view.ts';
import { countScores, findDays, keepCounts, type StoredDay } from './activity.queries.ts';
import { dayOf, daysUntil, startOf } from './days.ts';

/** A day is complete this long after its end: scores that arrive together are written a moment later. */
const settledAfterMs = 10 * 60_000;

/**
 * Returns what happened in one of the caller's spaces in the last `count` days, and in as many days before.
 * The scores of a day that is over are counted once and stored; those of today are counted every time.
 * @throws `not_found`
 */
export async function readActivity(
  platform: Platform,
  caller: CreatorCaller,
  slug: string,
  count: number,
): Promise<Activity> {
  const { database, clock } = platform;
  const space = await ownView(database.db, slug, caller);
  const now = clock.now();
  const names = daysUntil(dayOf(now), count * 2);
  const kept = await readKept(platform, space.id, names);
  const counted: ActivityDay[] = [];
  const news: ActivityDay[] = [];
  for (const day of names) {
    const { plays = 0, scores = null, players = null } = kept.get(day) ?? {};
    if (scores !== null && players !== null) {
      counted.push({ day, plays, scores, players });
      continue;
    }
    const from = startOf(day);
    const until = from + 86_400_000;
    // There are no scores from before the space existed.
    const found =
      until <= space.created_at
        ? { scores: 0, players: 0 }
        : await countScores(database.db, space.id, { from, until });
    const entry = { day, plays, ...found };
    counted.push(entry);
    if (until > space.created_at && until + settledAfterMs <= now) news.push(entry);
  }
  if (news.length > 0) await database.transaction((tx) => keepCounts(tx, space.id, news));
  return { days: counted.slice(count), before: sumOf(counted.slice(0, count)) };
}

async function readKept(
  { database: { db } }: Platform,
  spaceId: SpaceId,
  names: readonly string[],
): Promise<Map<string, StoredDay>> {
  const [first = '', last = ''] = [names[0], names.at(-1)];
  const rows = await findDays(db, spaceId, { first, last });
  return new Map(rows.map((row) => [row.day, row]));
}

function sumOf(days: readonly ActivityDay[]): Activity['before'] {
  const sum = (field: 'plays' | 'players' | 'scores') => days.reduce((total, day) => total + day[field], 0);
  return { plays: sum('plays'), players: sum('players'), scores: sum('scores') };
}
