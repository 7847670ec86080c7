import { setTimeout as pause } from 'node:timers/promises';
import { playWindowSeconds } from '@spaceport/contract/plays';
import { dayOf } from '../activity/days.ts';
import type { Platform } from '../platform/context.ts';
import { GroupCommit } from '../platform/db/group-commit.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { mustAt } from '../platform/must.ts';
import { addPlays, findBusy } from './plays.queries.ts';
import { type Visitor, Visits } from './visits.ts';

export { deleteAccountPlays } from './account-plays.queries.ts';

const maxPerNetwork = 40;

export interface Plays {
  /** Counts a visitor's play of a space that anyone may open. Returns false if it does not count. */
  count(spaceId: SpaceId, visitor: Visitor): Promise<boolean>;
}

/** Plays of one space on one day (UTC). */
interface SomePlays {
  readonly spaceId: SpaceId;
  readonly day: string;
  readonly plays: number;
}

/** How often a play of a space that is locked is tried while its caller waits, and the time between two tries. */
const triesAtOnce = 4;
const betweenMs = 50;
/** The time between two later tries, for which nobody waits. */
const laterMs = 1_000;

/**
 * Creates the counter of plays. Plays that arrive together are written together: one row for a space and a
 * day, however many there are. A space may be locked for long, for example while a large board is deleted. Its plays
 * are written later then: the plays of all other spaces would wait with them.
 */
export function createPlays(platform: Platform): Plays {
  const { database, clock, together } = platform;
  const visits = new Visits(together, {
    windowMs: playWindowSeconds * 1_000,
    maxPerNetwork,
    now: () => clock.now(),
  });
  const commits = new GroupCommit<SomePlays, boolean>(database, writePlays);
  /** A process that ends loses them. */
  let late: SomePlays[] = [];
  let willTryLate = false;

  function addLate(...plays: readonly SomePlays[]): void {
    late = sumOf([...late, ...plays]);
    if (late.length === 0 || willTryLate) return;
    willTryLate = true;
    setTimeout(() => void writeLate(), laterMs).unref();
  }

  async function writeLate(): Promise<void> {
    const taken = late;
    late = [];
    const written = await Promise.all(taken.map((plays) => commits.commit(plays).catch(() => false)));
    willTryLate = false;
    addLate(...taken.filter((_, index) => written[index] === false));
  }

  async function add(plays: SomePlays): Promise<void> {
    for (let tries = 1; !(await commits.commit(plays)); tries++) {
      if (tries === triesAtOnce) return addLate(plays);
      await pause(betweenMs);
    }
  }

  return {
    async count(id, visitor) {
      if (!(await visits.isNew(id, visitor))) return false;
      try {
        await add({ spaceId: id, day: dayOf(clock.now()), plays: 1 });
      } catch (error) {
        await visits.forget(id, visitor);
        throw error;
      }
      return true;
    },
  };
}

/** Returns for each whether it was written: not if its space is locked. */
async function writePlays(tx: Tx, plays: readonly SomePlays[]): Promise<boolean[]> {
  const busy = await findBusy(tx, [...new Set(plays.map(({ spaceId }) => spaceId))]);
  for (const sum of sumOf(plays)) if (!busy.has(sum.spaceId)) await addPlays(tx, sum);
  return plays.map(({ spaceId }) => !busy.has(spaceId));
}

/** Adds up plays by space and day. */
function sumOf(plays: readonly SomePlays[]): SomePlays[] {
  const sums = Map.groupBy(plays, ({ spaceId, day }) => `${spaceId} ${day}`);
  return [...sums.values()].map((same) => ({
    ...mustAt(same, 0),
    plays: same.reduce((sum, one) => sum + one.plays, 0),
  }));
}
