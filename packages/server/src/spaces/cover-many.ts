import type { AccountId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { piecesOf } from '../platform/pieces.ts';
import { indexChanged } from '../search/index-many.ts';
import { type CoveredRow, changeSpaceRows } from './many-spaces.queries.ts';
import { type Covers, standingOf, stateOf } from './states.ts';

/** How many spaces a statement changes: on SQLite other requests wait for it. */
const atOnce = 200;

/**
 * Changes what covers many spaces of an account, which the caller has locked: as `cover` does for one, but in a few
 * statements. An account may have thousands of spaces, and on SQLite every other write waits for the end.
 */
export async function coverMany(
  tx: Tx,
  ownerId: AccountId,
  spaces: readonly CoveredRow[],
  change: Partial<Covers>,
): Promise<void> {
  const changes = spaces.map((space) => {
    const standing = standingOf(space);
    const state = stateOf(standing, { ...space, ...change });
    return {
      id: space.id,
      before: space.state,
      to: { state, standing: state === standing ? null : standing },
    };
  });
  const idsOf = (some: typeof changes) => some.map(({ id }) => id);
  for (const alike of Map.groupBy(changes, ({ to }) => `${to.state} ${to.standing}`).values())
    for (const some of piecesOf(alike, atOnce))
      await changeSpaceRows(tx, idsOf(some), { ...change, ...some[0]?.to });
  const isIn = (state: CoveredRow['state']) => state === 'listed';
  await indexChanged(tx, ownerId, {
    hidden: idsOf(changes.filter(({ before, to }) => isIn(before) && !isIn(to.state))),
    back: idsOf(changes.filter(({ before, to }) => !isIn(before) && isIn(to.state))),
  });
}
