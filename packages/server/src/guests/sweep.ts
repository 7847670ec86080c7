import type { Platform } from '../platform/context.ts';
import type { GuestId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { deleteEach } from '../platform/delete-each.ts';
import { deleteUnopened, findUnopened } from './guests.queries.ts';

const batch = 100;

/**
 * Deletes guests who opened no space for GUEST_DAYS, with all their data. Returns how many there were.
 * @param forget deletes the data that other features keep for a guest
 * @throws AggregateError if some could not be deleted; the others of their batch were
 */
export async function sweepGuests(
  { database, clock, config }: Platform,
  forget: (tx: Tx, guestId: GuestId) => Promise<unknown>,
): Promise<number> {
  const before = clock.now() - config.GUEST_DAYS * 86_400_000;
  let swept = 0;
  for (;;) {
    const ids = await findUnopened(database.db, before, batch);
    swept += await deleteEach(ids, 'guests', (id) =>
      database.transaction(async (tx) => {
        if (!(await deleteUnopened(tx, id, before))) return false;
        await forget(tx, id);
        return true;
      }),
    );
    if (ids.length < batch) return swept;
  }
}
