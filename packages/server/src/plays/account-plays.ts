import type { Platform } from '../platform/context.ts';
import { GroupCommit } from '../platform/db/group-commit.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { newestOf } from '../platform/limits/newest-of.ts';
import { addMoment } from './account-plays.queries.ts';

/**
 * The longest time between two moments that counts as played: a page that is left open
 * neither saves nor posts.
 */
const pauseMs = 5 * 60_000;
/** At most one moment in this time is written: a game may save every second. */
const everyMs = 20_000;

export interface AccountPlays {
  /**
   * Records that an account opened a space, or posted or saved something in it, in live play. The time
   * between two such moments counts as played. Callers do not wait for the write.
   */
  note(accountId: AccountId, spaceId: SpaceId): void;
}

interface Moment {
  readonly accountId: AccountId;
  readonly spaceId: SpaceId;
  /** The instant of the moment, whenever it is written. */
  readonly at: number;
}

export function createAccountPlays({
  database,
  clock,
  log,
}: Pick<Platform, 'database' | 'clock' | 'log'>): AccountPlays {
  const noted = newestOf<number>(50_000);
  const commits = new GroupCommit<Moment, null>(database, writeMoments);
  return {
    note(accountId, spaceId) {
      const key = `${accountId} ${spaceId}`;
      const last = noted.get(key);
      const now = clock.now();
      if (last !== undefined && now >= last && now - last < everyMs) return;
      noted.set(key, now);
      void commits.commit({ accountId, spaceId, at: now }).catch((error) => {
        noted.delete(key);
        log.warn({ err: error }, 'a play could not be noted');
      });
    },
  };
}

async function writeMoments(tx: Tx, moments: readonly Moment[]): Promise<null[]> {
  // Rows are written in the same order everywhere, so that two nodes never block each other. Moments of one
  // account keep their order.
  const inOrder = Map.groupBy(moments, ({ accountId, spaceId }) => `${accountId} ${spaceId}`);
  for (const key of [...inOrder.keys()].sort())
    for (const moment of inOrder.get(key) ?? []) await addMoment(tx, { ...moment, pauseMs });
  return moments.map(() => null);
}
