import * as players from '@spaceport/contract/players';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountId } from '../platform/db/ids.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { Binder } from '../platform/http/operations.ts';
import { publicCache } from '../platform/http/public-cache.ts';
import { requireCreator } from '../spaces/rights.ts';
import { keySetSeconds } from './key-schedule.ts';
import { playableSpace, previewedSpace } from './playable.ts';
import { noHandleYet, type Players } from './players.ts';

export function bindPlayers(binder: Binder, platform: Platform, { keys, tokens }: Players): void {
  binder.bind(players.readKeys, async () => {
    const body = { keys: await keys.published() };
    const headers = {
      ...publicCache(JSON.stringify(body)),
      'cache-control': `public, max-age=${keySetSeconds}`,
    };
    return { headers, body };
  });

  binder.bind(players.issuePlayerToken, async ({ caller, body }) => {
    const { creatorId: accountId, handle } = requirePlayer(caller);
    const { preview } = body;
    const space =
      preview === undefined
        ? await playableSpace(platform, body.space, accountId)
        : await previewedSpace(platform, body.space, preview);
    // A preview, and a page without an account, have sandbox data only.
    const isSandbox = body.sandbox || preview !== undefined || space.state === 'unlisted';
    const env = isSandbox ? 'sandbox' : 'live';
    const { token, expiresAt } = await tokens.sign({ accountId, handle, space, env });
    return { body: { token, expires_at: toTimestamp(expiresAt), handle } };
  });
}

/**
 * @throws `forbidden` for an account that is banned from the service, and `no_handle`
 * for one without a handle
 */
function requirePlayer(caller: Caller): { creatorId: AccountId; handle: string } {
  const { creatorId, handle, banned } = requireCreator(caller);
  if (banned) throw new ServiceError('forbidden', 'This account cannot play for scores.');
  if (handle === null) throw noHandleYet();
  return { creatorId, handle };
}
