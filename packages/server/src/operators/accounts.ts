import type { OperatorAccount } from '@spaceport/contract/operators';
import { makeOperator, setBanned } from '../accounts/ban.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import { decodeCursor, pageOf } from '../platform/http/cursor.ts';
import { stopWaitingChecks } from '../versions/left-behind.ts';
import { type AccountRow, findAccount, findAccounts, findSpacesUnderCheck } from './accounts.queries.ts';
import { type Actor, audit } from './audit.ts';
import type { ListQuery } from './list-query.ts';

/** A page of accounts, newest first; `q` is part of a handle, a name or an e-mail address. */
export async function listAccounts(
  { database: { db } }: Platform,
  {
    cursor,
    limit,
    banned,
    q = '',
  }: ListQuery & { q?: string | undefined; banned?: 'true' | 'false' | undefined },
): Promise<{ accounts: OperatorAccount[]; next: string | null }> {
  const filter = { q: q.trim().toLowerCase(), banned: banned === undefined ? null : banned === 'true' };
  const rows = await findAccounts(db, filter, { after: decodeCursor(cursor), limit: limit + 1 });
  const { page, next } = pageOf(rows, limit, ({ created_at, id }) => ({ value: created_at, id }));
  return { accounts: page.map(toAccount), next };
}

/**
 * Bans an account or lifts its ban, with its line in the audit log; what is so already is not done again. A ban also
 * ends the checks that its versions wait for. What it has published stays: that is for the actions on spaces. Throws
 * `not_found`, and `invalid` for a ban of the operator's own account.
 */
export async function changeBan(
  platform: Platform,
  handle: string,
  { banned, reason, by }: { banned: boolean; reason: string | null; by: Actor },
): Promise<OperatorAccount> {
  const { database, clock } = platform;
  const plain = handle.replace(/^@/u, '').toLowerCase();
  return database.transaction(async (tx) => {
    const account = await findAccount(tx, plain);
    if (!account) throw new ServiceError('not_found', `There is no account @${plain}.`);
    if (banned && account.id === by)
      throw new ServiceError('invalid', 'You cannot ban yourself.', {
        issues: [{ path: 'handle', message: 'must not be your own' }],
      });
    if (!(await setBanned(platform, tx, account.id, banned))) return toAccount(account);
    if (banned) {
      const why = 'The account was banned before the check ended.';
      for (const spaceId of await findSpacesUnderCheck(tx, account.id))
        await stopWaitingChecks(platform, tx, spaceId, why);
    }
    const action = banned ? 'ban' : 'unban';
    await audit(tx, { actor: by, action, subject: `account:${account.id}`, reason }, clock.now());
    return toAccount((await findAccount(tx, plain)) ?? account);
  });
}

/**
 * Makes an account an operator, or takes that away, with its line in the audit log; what is so already is not done
 * again. Throws `not_found`.
 */
export async function changeOperator(
  platform: Platform,
  handle: string,
  { operator, reason, by }: { operator: boolean; reason: string | null; by: Actor },
): Promise<OperatorAccount> {
  const { database, clock } = platform;
  const plain = handle.replace(/^@/u, '').toLowerCase();
  return database.transaction(async (tx) => {
    const account = await findAccount(tx, plain);
    if (!account) throw new ServiceError('not_found', `There is no account @${plain}.`);
    if (!(await makeOperator(platform, tx, account.id, operator))) return toAccount(account);
    const action = operator ? 'grant-operator' : 'revoke-operator';
    await audit(tx, { actor: by, action, subject: `account:${account.id}`, reason }, clock.now());
    return toAccount({ ...account, operator: operator ? 1 : 0 });
  });
}

function toAccount({ id: _, banned_at, created_at, operator, ...account }: AccountRow): OperatorAccount {
  return {
    ...account,
    operator: operator === 1,
    banned_at: banned_at === null ? null : toTimestamp(banned_at),
    created_at: toTimestamp(created_at),
  };
}
