import { claimUnlisted } from '@spaceport/contract/account-access';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Binder } from '../platform/http/operations.ts';
import { secretKind } from '../platform/secrets/secret.ts';
import { requireCreator } from '../spaces/rights.ts';
import { toOwnSpace, viewById } from '../spaces/space-view.ts';
import { claimPage } from './claim-page.ts';

/** Binds claiming on the web page: the signed-in account gets what was published without an account. */
export function bindClaim(binder: Binder, platform: Platform): void {
  binder.bind(claimUnlisted, async ({ caller, body }) => {
    const token = body.claim_token.trim();
    if (secretKind(token) !== 'claim')
      throw new ServiceError('claim_not_found', 'This is not a claim token.');
    const { id } = await claimPage(platform, requireCreator(caller), token);
    return { body: toOwnSpace(platform.urls, await viewById(platform.database.db, id)) };
  });
}
