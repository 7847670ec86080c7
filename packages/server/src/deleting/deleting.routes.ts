import * as deleting from '@spaceport/contract/deleting';
import * as ownAccount from '@spaceport/contract/own-account';
import * as ownVersions from '@spaceport/contract/own-versions';
import type { AccountServices } from '../accounts/account-services.ts';
import { requireSession } from '../accounts/signed-in.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { givenId } from '../platform/db/ids.ts';
import type { Binder } from '../platform/http/operations.ts';
import { requireActive } from '../spaces/rights.ts';
import { etagOf, type SpaceView, toOwnSpace } from '../spaces/space-view.ts';
import { deleteVersion } from '../versions/delete-version.ts';
import { deleteAccount } from './delete-account.ts';
import { deleteOwnSpace, restoreOwnSpace, setOffline } from './own-space-states.ts';

/** Binds the operations by which creators take spaces offline, and delete spaces and accounts. */
export function bindDeleting(
  binder: Binder,
  platform: Platform,
  { sessions, signIn }: Pick<AccountServices, 'sessions' | 'signIn'>,
): void {
  const answer = (view: SpaceView) => ({
    headers: { etag: etagOf(view) },
    body: toOwnSpace(platform.urls, view),
  });

  binder.bind(deleting.takeSpaceOffline, async ({ caller, params }) =>
    answer(await setOffline(platform, requireActive(caller), params.slug, true)),
  );

  binder.bind(deleting.putSpaceOnline, async ({ caller, params }) =>
    answer(await setOffline(platform, requireActive(caller), params.slug, false)),
  );

  binder.bind(deleting.deleteSpace, async ({ caller, params }) => {
    const { restorableUntil } = await deleteOwnSpace(platform, requireActive(caller), params.slug);
    return { body: { deleted: true as const, restorable_until: toTimestamp(restorableUntil) } };
  });

  binder.bind(deleting.restoreDeletedSpace, async ({ caller, params }) =>
    answer(await restoreOwnSpace(platform, requireActive(caller), params.slug)),
  );

  binder.bind(ownAccount.deleteAccount, async ({ headers, address, body, reply }) => {
    const session = await requireSession(sessions, headers);
    await signIn.proveOwner(session, body.password, { address, headers });
    await deleteAccount(platform, session);
    reply.header('set-cookie', sessions.expiredCookie);
    return { body: { deleted: true as const } };
  });

  binder.bind(ownVersions.deleteVersion, async ({ caller, params }) => {
    await deleteVersion(platform, requireActive(caller), givenId('ver', params.id));
    return { body: { deleted: true as const } };
  });
}
