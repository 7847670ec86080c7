import * as contract from '@spaceport/contract/account-access';
import * as tokenCalls from '@spaceport/contract/own-tokens';
import { givenId } from '../platform/db/ids.ts';
import type { Binder } from '../platform/http/operations.ts';
import type { AccountServices } from './account-services.ts';
import { toDeviceRequest, toFoundDevice, toOwnPasskey, toOwnSession, toOwnToken } from './own-view.ts';
import { requireSession } from './signed-in.ts';

/**
 * Binds the operations on credentials of an account: its owner lists and removes them, and approves devices.
 */
export function bindAccountAccess(
  binder: Binder,
  { tokens, ownTokens, passkeys, sessions, approvals }: AccountServices,
): void {
  type Headers = Parameters<typeof requireSession>[1];
  const owner = async (headers: Headers) => (await requireSession(sessions, headers)).creator.id;
  const removed = { body: { removed: true as const } };

  binder.bind(tokenCalls.readTokens, async ({ headers, query: { cursor, limit } }) => {
    const { page, next } = await tokens.listPage(await owner(headers), { cursor, limit });
    return { body: { tokens: page.map(toOwnToken), next } };
  });

  binder.bind(
    tokenCalls.createToken,
    async ({ headers, body: { name, scopes, space = null, days = null } }) => {
      const session = await requireSession(sessions, headers);
      const { token, about } = await ownTokens.make(session, { name, scopes, space, days });
      return { body: { token, about: toOwnToken(about) } };
    },
  );

  binder.bind(tokenCalls.changeToken, async ({ headers, params, body }) => {
    const changed = await ownTokens.narrow(await owner(headers), givenId('tok', params.id), body);
    return { body: { token: toOwnToken(changed) } };
  });

  binder.bind(tokenCalls.revokeToken, async ({ headers, params }) => {
    await tokens.revoke(await owner(headers), givenId('tok', params.id));
    return removed;
  });

  binder.bind(contract.readPasskeys, async ({ headers }) => {
    const listed = await passkeys.list(await owner(headers));
    return { body: { passkeys: listed.map(toOwnPasskey) } };
  });

  binder.bind(contract.renamePasskey, async ({ headers, params, body }) => {
    const renamed = await passkeys.rename(await owner(headers), givenId('psk', params.id), body.name.trim());
    return { body: { passkey: toOwnPasskey(renamed) } };
  });

  binder.bind(contract.removePasskey, async ({ headers, params }) => {
    await passkeys.remove(await owner(headers), givenId('psk', params.id));
    return removed;
  });

  binder.bind(contract.readSessions, async ({ headers, query }) => {
    const own = await requireSession(sessions, headers);
    const { page, next } = await sessions.list(own, query);
    return { body: { sessions: page.map((session) => toOwnSession(session, own.id)), next } };
  });

  binder.bind(contract.endSession, async ({ headers, params }) => {
    await sessions.endOwn(await owner(headers), givenId('ses', params.id));
    return removed;
  });

  binder.bind(contract.endOtherSessions, async ({ headers }) => ({
    body: { ended: await sessions.endOthers(await requireSession(sessions, headers)) },
  }));

  binder.bind(contract.findDevice, async ({ headers, body, address }) => {
    const asked = await approvals.find(await requireSession(sessions, headers), body.user_code);
    return { body: toFoundDevice(asked, address) };
  });

  binder.bind(contract.decideDevice, async ({ headers, body: { user_code: code, decision, scopes } }) => {
    const session = await requireSession(sessions, headers);
    const decided = await approvals.decide(session, code, { approve: decision === 'approve', scopes });
    return { body: { ...toDeviceRequest(decided), decision } };
  });
}
