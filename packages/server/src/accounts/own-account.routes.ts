import * as contract from '@spaceport/contract/own-account';
import type { Platform } from '../platform/context.ts';
import type { Binder } from '../platform/http/operations.ts';
import type { AccountServices } from './account-services.ts';
import { toOwnAccount } from './own-view.ts';
import { parseName } from './person-name.ts';
import { requireSession } from './signed-in.ts';

/** Binds the operations by which the settings page reads and changes an account. */
export function bindOwnAccount(
  binder: Binder,
  { urls }: Pick<Platform, 'urls'>,
  { accounts, sessions, signIn }: Pick<AccountServices, 'accounts' | 'sessions' | 'signIn'>,
): void {
  binder.bind(contract.readAccount, async ({ headers }) => {
    const session = await sessions.find(headers);
    return { body: { account: session && toOwnAccount(urls, session) } };
  });

  /** Returns the account after a change. */
  const again = async (headers: Parameters<typeof requireSession>[1]) => ({
    body: { account: toOwnAccount(urls, await requireSession(sessions, headers)) },
  });

  binder.bind(contract.renameAccount, async ({ headers, body }) => {
    const { creator } = await requireSession(sessions, headers);
    await accounts.rename(creator.id, parseName(body.name));
    return again(headers);
  });

  binder.bind(contract.checkHandle, async ({ headers, query }) => {
    await requireSession(sessions, headers);
    return { body: await accounts.checkHandle(query.handle) };
  });

  binder.bind(contract.chooseHandle, async ({ headers, body }) => {
    const { creator } = await requireSession(sessions, headers);
    await accounts.chooseHandle(creator.id, body.handle);
    return again(headers);
  });

  binder.bind(contract.changeEmail, async ({ headers, body, address }) => {
    const session = await requireSession(sessions, headers);
    const email = await signIn.changeEmail(session, body, { address, headers });
    return { body: { requested: true as const, email } };
  });

  binder.bind(contract.sendConfirmation, async ({ headers, address }) => {
    await signIn.sendVerification(await requireSession(sessions, headers), { address, headers });
    return { body: { requested: true as const } };
  });

  binder.bind(contract.changePassword, async ({ headers, body, address, reply }) => {
    const session = await requireSession(sessions, headers);
    const change = { current: body.current, next: body.password };
    const cookies = await signIn.changePassword(session, change, { address, headers });
    reply.header('set-cookie', [...cookies]);
    return { body: { changed: true as const } };
  });
}
