import type { Platform } from '../platform/context.ts';
import { isUniqueViolation } from '../platform/db/failures.ts';
import type { AccountId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { newId } from '../platform/secrets/id.ts';
import { anyOperator, emailIsTaken, insertCreator, keepPassword, noteSignUp } from './accounts.queries.ts';
import { isSpentHandle } from './close-account.queries.ts';
import { invalidField } from './credentials.ts';
import { invalidHandle } from './handle.ts';

export interface NewAccount {
  /** As `parseHandle` returns it; null until one is chosen. */
  readonly handle: string | null;
  readonly name: string;
  /** As `parseEmail` returns it. */
  readonly email: string;
  readonly passwordHash: string;
  /**
   * `if_first` is for sign-ups on the page: the account becomes an operator if nobody signed up before and
   * there is no operator. Accounts that the machine made, such as those of a demo, do not count.
   */
  readonly operator: boolean | 'if_first';
}

/**
 * Makes an account in one transaction: creator, password, and what `also` writes. Returns its id.
 * @throws `invalid`, naming the field, if the handle or the e-mail address is taken
 */
export async function makeAccount(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  account: NewAccount,
  also: (tx: Tx, id: AccountId) => Promise<void> = async () => {},
): Promise<AccountId> {
  const id = newId('usr');
  const now = clock.now();
  try {
    await database.transaction(async (tx) => {
      // If two people sign up first at the same time, only one is first.
      await tx.lock('accounts:first');
      const operator =
        account.operator === 'if_first'
          ? (await noteSignUp(tx)) && !(await anyOperator(tx))
          : account.operator;
      await insertCreator(tx, {
        id,
        handle: account.handle,
        name: account.name,
        email: account.email,
        operator: operator ? 1 : 0,
        banned_at: null,
        created_at: now,
        updated_at: now,
      });
      if (account.handle !== null) await requireUnspent(tx, account.handle);
      await keepPassword(tx, { creatorId: id, passwordHash: account.passwordHash });
      await also(tx, id);
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    if (await emailIsTaken(database.db, account.email)) throw invalidField('email', 'has an account already');
    throw invalidField('handle', 'is taken');
  }
  return id;
}

/**
 * Checks that the handle did not belong to a deleted account. Call it after the handle is written: that write
 * waits for a transaction that is giving up the handle.
 * @throws `invalid`
 */
export async function requireUnspent(tx: Tx, handle: string): Promise<void> {
  if (await isSpentHandle(tx.db, handle)) throw invalidHandle('is taken');
}
