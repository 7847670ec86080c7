import type { AccountId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { setOperator } from './accounts.queries.ts';
import { findBannedAt, setBannedAt } from './ban.queries.ts';
import { deleteAllSessions } from './sign-in/sessions.queries.ts';

/**
 * Bans an account, or lifts its ban, in the caller's transaction. A ban ends the account's sessions at once,
 * and its API tokens do not work until the ban is lifted. Every node drops what it has cached of the account.
 * Returns false if nothing changes.
 */
export async function setBanned(tx: Tx, creatorId: AccountId, banned: boolean): Promise<boolean> {
  if (!(await setBannedAt(tx, creatorId, banned ? tx.now : null))) return false;
  if (banned) await deleteAllSessions(tx, creatorId);
  tx.announce('creator', creatorId);
  return true;
}

/**
 * Makes an account an operator, or removes the right, in the caller's transaction. Returns
 * false if nothing changes.
 */
export async function makeOperator(tx: Tx, creatorId: AccountId, operator: boolean): Promise<boolean> {
  if (!(await setOperator(tx, creatorId, operator))) return false;
  tx.announce('creator', creatorId);
  return true;
}

/**
 * Returns whether the account is banned or gone. The answer cannot change until the transaction ends. It
 * stops requests that began before a ban.
 */
export async function isBanned(tx: Tx, creatorId: AccountId): Promise<boolean> {
  const row = await findBannedAt(tx, creatorId);
  return row === undefined || row.banned_at !== null;
}
