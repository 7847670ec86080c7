import { exchangeLogin, readMe, startLogin } from '@spaceport/contract/account';
import { scopes, usualScopes } from '@spaceport/contract/scopes';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Binder } from '../platform/http/operations.ts';
import type { AccountServices } from './account-services.ts';
import { toTokenReach } from './own-view.ts';
import { findTokenById } from './tokens.queries.ts';

export function bindAccount(
  binder: Binder,
  platform: Platform,
  { sessions, deviceLogins }: Pick<AccountServices, 'sessions' | 'deviceLogins'>,
): void {
  const { database, urls, clock } = platform;

  binder.bind(startLogin, async ({ body, address }) => {
    const started = await deviceLogins.start(
      { clientName: body.client_name || null, scopes: body.scopes, space: body.space ?? null },
      address,
    );
    const verification = `${urls.app}/device`;
    return {
      body: {
        device_code: started.deviceCode,
        user_code: started.userCode,
        verification_uri: verification,
        verification_uri_complete: `${verification}?user_code=${started.userCode}`,
        expires_in: started.expiresInSeconds,
        interval: started.intervalSeconds,
      },
    };
  });

  binder.bind(exchangeLogin, async ({ body }) => {
    const { token, expiresAt, creator, ...reach } = await deviceLogins.exchange(body.device_code);
    return {
      body: {
        access_token: token,
        token_type: 'Bearer' as const,
        expires_in: Math.floor((expiresAt - clock.now()) / 1000),
        expires_at: toTimestamp(expiresAt),
        ...toTokenReach(reach),
        creator: { handle: creator.handle, name: creator.name },
      },
    };
  });

  binder.bind(readMe, async ({ caller, headers }) => {
    const tokenId = caller.kind === 'creator' ? caller.tokenId : null;
    const found = tokenId === null ? await sessions.find(headers) : await findTokenById(database.db, tokenId);
    if (!found) throw new ServiceError('unauthorized', 'An API token is needed.');
    // A session may do everything that its account may.
    const all = found.creator.operator ? scopes : usualScopes;
    return {
      body: {
        creator: {
          handle: found.creator.handle,
          name: found.creator.name,
          url: found.creator.handle === null ? null : urls.creator(found.creator.handle),
          created_at: toTimestamp(found.creator.createdAt),
        },
        token: {
          created_at: toTimestamp(found.createdAt),
          expires_at: toTimestamp(found.expiresAt),
          client_name: 'clientName' in found ? found.clientName : null,
          ...toTokenReach('scopes' in found ? found : { scopes: all, space: null }),
        },
      },
    };
  });
}
