import type { AccountId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { setOperator } from './accounts.queries.ts';
import { deleteSessionsOf, findBannedAt, setBannedAt } from './ban.queries.ts';

/**
 * Bans an account, or lifts its ban, in the caller's transaction; returns false if it is so already. A ban ends the
 * account's sessions at once. Its API tokens open nothing until the ban is lifted. Every node forgets what it knew of the account.
 */
export async function setBanned(tx: Tx, creatorId: AccountId, banned: boolean): Promise<boolean> {
  if (!(await setBannedAt(tx, creatorId, banned ? tx.now : null))) return false;
  if (banned) await deleteSessionsOf(tx, creatorId);
  tx.announce('creator', creatorId);
  return true;
}

/** Makes an account an operator, or no longer one, in the caller's transaction; returns false if it is so already. */
export async function makeOperator(tx: Tx, creatorId: AccountId, operator: boolean): Promise<boolean> {
  if (!(await setOperator(tx, creatorId, operator, tx.now))) return false;
  tx.announce('creator', creatorId);
  return true;
}

/**
 * Is the account banned? Until the transaction ends nobody changes the answer: for what a request that began before a
 * ban must not do after it.
 */
export async function isBanned(tx: Tx, creatorId: AccountId): Promise<boolean> {
  const row = await findBannedAt(tx, creatorId);
  return row === undefined || row.banned_at !== null;
}
