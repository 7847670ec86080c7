import { playWindowSeconds } from '@spaceport/contract/plays';
import { dayOf } from '../activity/days.ts';
import type { Platform } from '../platform/context.ts';
import { GroupCommit } from '../platform/db/group-commit.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { addPlays } from './plays.queries.ts';
import { type Visitor, Visits } from './visits.ts';

export { deleteAccountPlays } from './account-plays.queries.ts';

const maxPerNetwork = 40;

export interface Plays {
  /** Counts a visitor's play of a space that anyone may open. Returns false if it does not count. */
  count(spaceId: SpaceId, visitor: Visitor): Promise<boolean>;
}

interface Play {
  readonly spaceId: SpaceId;
  readonly day: string;
}

/**
 * Creates the counter of plays. Plays that arrive together are written together: one row for a space and a
 * day, however many there are.
 */
export function createPlays(platform: Platform): Plays {
  const { database, clock, together } = platform;
  const visits = new Visits(together, {
    windowMs: playWindowSeconds * 1_000,
    maxPerNetwork,
    now: () => clock.now(),
  });
  const commits = new GroupCommit<Play, null>(database, writePlays);
  return {
    async count(id, visitor) {
      if (!(await visits.isNew(id, visitor))) return false;
      try {
        await commits.commit({ spaceId: id, day: dayOf(clock.now()) });
      } catch (error) {
        await visits.forget(id, visitor);
        throw error;
      }
      return true;
    },
  };
}

async function writePlays(tx: Tx, plays: readonly Play[]): Promise<null[]> {
  const sums = new Map<string, { spaceId: SpaceId; day: string; plays: number }>();
  for (const { spaceId, day } of plays) {
    const key = `${spaceId} ${day}`;
    const sum = sums.get(key) ?? { spaceId, day, plays: 0 };
    sum.plays++;
    sums.set(key, sum);
  }
  // Rows are written in the same order everywhere, so that two nodes never block each other.
  for (const key of [...sums.keys()].sort()) {
    const sum = sums.get(key);
    if (sum) await addPlays(tx, sum);
  }
  return plays.map(() => null);
}
