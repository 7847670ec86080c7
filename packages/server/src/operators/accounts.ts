import type { OperatorAccount } from '@spaceport/contract/operator-accounts';
import { makeOperator, setBanned } from '../accounts/ban.ts';
import { isLastOperator } from '../accounts/last-operator.ts';
import { requestStanding } from '../moderation/account-standing.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { decodeCursor, pageOf } from '../platform/http/cursor.ts';
import { queueMail } from '../platform/mail/outbox.ts';
import { coverMany } from '../spaces/cover-many.ts';
import { lockSpacesOf } from '../spaces/spaces.ts';
import { stopWaitingChecksOf } from '../versions/left-behind.ts';
import { type AccountRow, findAccount, findAccounts } from './accounts.queries.ts';
import { type Actor, audit } from './audit.ts';
import { closeReports } from './close-reports.ts';
import type { ListQuery } from './list-query.ts';
import { findOpenReportsOfOwner } from './reports.queries.ts';
import { toldBy } from './tell-by-mail.ts';
import { banMail } from './told-mails.ts';

/** Returns a page of accounts, newest first. `q` is a part of a handle, a name or an e-mail address. */
export async function listAccounts(
  { database: { db } }: Platform,
  {
    cursor,
    limit,
    banned,
    q = '',
  }: ListQuery & { q?: string | undefined; banned?: 'true' | 'false' | undefined },
): Promise<{ accounts: OperatorAccount[]; next: string | null }> {
  const filter = { q: q.trim(), banned: banned === undefined ? null : banned === 'true' };
  const rows = await findAccounts(db, filter, { after: decodeCursor(cursor), limit: limit + 1 });
  const { page, next } = pageOf(rows, limit, ({ created_at, id }) => ({ value: created_at, id }));
  return { accounts: page.map(toAccount), next };
}

/** What an operator does with an account. */
export interface BanDeed {
  readonly banned: boolean;
  /** Only for operators. */
  readonly reason: string | null;
  /** For the person; null if they are told only what was done. */
  readonly message?: string | null;
  readonly by: Actor;
}

/**
 * Bans an account or lifts its ban, as `ban` does. A ban also resolves the open reports of the account's
 * spaces.
 * @throws `not_found`, and `invalid` for a ban of the operator's own account
 */
export async function changeBan(platform: Platform, handle: string, deed: BanDeed): Promise<OperatorAccount> {
  return platform.database.transaction(async (tx) => {
    const account = await namedAccount(tx, handle);
    if (!(await ban(platform, tx, account, deed))) return toAccount(account);
    const closing = { as: 'resolved', note: deed.reason, by: deed.by } as const;
    if (deed.banned) await closeReports(tx, await findOpenReportsOfOwner(tx, account.id), closing);
    return toAccount(await namedAccount(tx, handle));
  });
}

/**
 * Bans an account or lifts its ban in the caller's transaction, writes the audit log and tells the account by mail.
 * During the ban the account's spaces are hidden, and it is in no ranking. A ban also ends the waiting checks of its
 * versions. Returns false if nothing changes.
 * @throws `invalid` for a ban of the operator's own account
 */
export async function ban(
  platform: Pick<Platform, 'config' | 'urls'>,
  tx: Tx,
  account: AccountRow,
  { banned, reason, message = null, by }: BanDeed,
): Promise<boolean> {
  if (banned && account.id === by)
    throw new ServiceError('invalid', 'You cannot ban yourself.', {
      issues: [{ path: 'handle', message: 'must not be your own' }],
    });
  // Publishing locks a space before its account, so this does too. After the account is locked no space can
  // be added, and the second call finds those that were added meanwhile.
  await coverSpaces(tx, account.id, banned);
  if (!(await setBanned(tx, account.id, banned))) return false;
  await coverSpaces(tx, account.id, banned);
  if (banned) await stopWaitingChecksOf(tx, account.id, 'The account was banned before the check ended.');
  await requestStanding(tx, account.id);
  const action = banned ? 'ban' : 'unban';
  await audit(tx, { actor: by, action, subject: `account:${account.id}`, reason });
  await queueMail(tx, banMail(account.email, banned, toldBy(platform, message)));
  return true;
}

export interface OperatorDeed {
  readonly operator: boolean;
  readonly reason: string | null;
  readonly by: Actor;
  /** Removes the right of the last operator, too. */
  readonly evenLast?: boolean;
}

/**
 * Makes an account an operator, or removes that right, and writes the audit log.
 * Repeating it changes nothing.
 * @throws `not_found`; `conflict` if no operator would be left
 */
export async function changeOperator(
  platform: Platform,
  handle: string,
  { operator, reason, by, evenLast = false }: OperatorDeed,
): Promise<OperatorAccount> {
  return platform.database.transaction(async (tx) => {
    const account = await namedAccount(tx, handle);
    const isEnd = !operator && account.operator === 1 && (await isLastOperator(tx, account.id));
    if (isEnd && !evenLast)
      throw new ServiceError('conflict', `@${account.handle} is the only operator of this service.`);
    if (!(await makeOperator(tx, account.id, operator))) return toAccount(account);
    const action = operator ? 'grant-operator' : 'revoke-operator';
    await audit(tx, { actor: by, action, subject: `account:${account.id}`, reason });
    return toAccount({ ...account, operator: operator ? 1 : 0 });
  });
}

/** @throws `not_found` */
export async function namedAccount(tx: Tx, handle: string): Promise<AccountRow> {
  const plain = handle.replace(/^@/u, '').toLowerCase();
  const account = await findAccount(tx.db, plain);
  if (!account) throw new ServiceError('not_found', `There is no account @${plain}.`);
  return account;
}

/** Hides the account's spaces because of a ban, or shows them again. */
async function coverSpaces(tx: Tx, accountId: AccountId, banned: boolean): Promise<void> {
  const spaces = (await lockSpacesOf(tx, accountId)).filter((space) => (space.owner_banned === 1) !== banned);
  if (spaces.length === 0) return;
  await coverMany(tx, accountId, spaces, { owner_banned: banned ? 1 : 0 });
  for (const { slug } of spaces) tx.announce('space', slug);
  // Previews have labels of their own.
  tx.announce('preview', '*');
}

function toAccount({ id: _, banned_at, created_at, operator, ...account }: AccountRow): OperatorAccount {
  return {
    ...account,
    operator: operator === 1,
    banned_at: banned_at === null ? null : toTimestamp(banned_at),
    created_at: toTimestamp(created_at),
  };
}
