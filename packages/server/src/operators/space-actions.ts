import { blockAddress, readBlockable, unblockAddress } from '../listing/blocked.ts';
import type { Platform } from '../platform/context.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { requestClip } from '../spaces/clips.ts';
import type { SpaceRow } from '../spaces/spaces.ts';
import { changeState, type StateAction, standingOf } from '../spaces/states.ts';
import { stopWaitingChecks } from '../versions/left-behind.ts';
import { tellWebhooks } from '../webhooks/tell.ts';
import { type Actor, audit } from './audit.ts';
import { mailOwner, toldBy } from './tell-by-mail.ts';
import { spaceMail } from './told-mails.ts';

/** An action of an operator on a space. */
export interface SpaceDeed {
  readonly action: StateAction;
  /** Only for operators. */
  readonly reason: string | null;
  /** For the owner of the space; null if they are told only what was done. */
  readonly message?: string | null;
  readonly by: Actor;
}

/**
 * Holds, releases, hides, removes or restores a space, in the caller's transaction: changes the
 * state and the waiting checks, announces the change, writes the audit log and tells the owner. An action that
 * changes nothing is not logged.
 * @throws `not_found` and `conflict`
 */
export async function setState(
  platform: Pick<Platform, 'urls' | 'config'>,
  tx: Tx,
  spaceId: SpaceId,
  { action, reason, message = null, by }: SpaceDeed,
): Promise<SpaceRow> {
  const { space, changed } = await changeState(tx, spaceId, action, message);
  if (!changed) return space;
  if (action === 'hold' || action === 'hide' || action === 'remove') {
    const why = `The space was ${standingOf(space)} before the check ended; publish again when it is back.`;
    await stopWaitingChecks(tx, space.id, why);
  } else if (space.state === 'listed' || space.state === 'unlisted') {
    // No pictures were taken while the space was off the service.
    await requestClip(tx, space);
  }
  tx.announce('space', space.slug);
  // Previews have labels of their own. Actions on spaces are rare, so every site is looked up again.
  tx.announce('preview', '*');
  await audit(tx, { actor: by, action, subject: `space:${space.id}`, reason });
  // The reason is only for operators.
  if (action === 'hold') await tellWebhooks(tx, space, 'space.held');
  // Whoever has deleted a space does not wait for it.
  if (space.deleted_at === null) {
    const standing = standingOf(space);
    await mailOwner(tx, space, (to) => spaceMail(to, { ...space, standing }, toldBy(platform, message)));
  }
  return space;
}

/**
 * Blocks a host (with its subdomains), a host and port, or an address. Returns the spelling that is compared.
 */
export async function blockHost(
  platform: Platform,
  host: string,
  reason: string | null,
  by: Actor,
): Promise<string> {
  const address = readBlockable(host);
  await platform.database.transaction(async (tx) => {
    if (await blockAddress(tx, address))
      await audit(tx, { actor: by, action: 'block', subject: `host:${address}`, reason });
  });
  return address;
}

export async function unblockHost(
  platform: Platform,
  host: string,
  reason: string | null,
  by: Actor,
): Promise<string> {
  const address = readBlockable(host);
  await platform.database.transaction(async (tx) => {
    if (await unblockAddress(tx, address))
      await audit(tx, { actor: by, action: 'unblock', subject: `host:${address}`, reason });
  });
  return address;
}
