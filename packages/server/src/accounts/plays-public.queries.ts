import type { AccountId } from '../platform/db/ids.ts';
import { type Given, prepared } from '../platform/db/prepared.ts';
import type { Db } from '../platform/db/schema.ts';
import { announceShown } from '../platform/db/shown.ts';
import type { Tx } from '../platform/db/tx.ts';

/** Returns whether others can see what the account has unlocked. Rankings are always visible. */
export async function arePlaysPublic(db: Db, accountId: AccountId): Promise<boolean> {
  const [row] = await findShown(db, { accountId });
  return row?.plays_public === 1;
}

const findShown = prepared((db, { accountId }: Given<{ accountId: AccountId }>) =>
  db.selectFrom('creators').select('plays_public').where('id', '=', accountId),
);

export async function setPlaysPublic(tx: Tx, accountId: AccountId, shown: boolean): Promise<void> {
  await tx.db
    .updateTable('creators')
    .set({ plays_public: shown ? 1 : 0 })
    .where('id', '=', accountId)
    .execute();
  announceShown(tx, `person:${accountId}`);
}
