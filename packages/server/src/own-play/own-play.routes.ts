import * as contract from '@spaceport/contract/own-play';
import type { AccountServices } from '../accounts/account-services.ts';
import { requireSession } from '../accounts/signed-in.ts';
import { removeOwn } from '../content/content.ts';
import { forgetPlayer } from '../moderation/forget-player.ts';
import type { Platform } from '../platform/context.ts';
import { givenId } from '../platform/db/ids.ts';
import type { Binder } from '../platform/http/operations.ts';
import { deleteLost, readLost, restoreLost } from '../saves/losers.ts';
import { requireCreator } from '../spaces/rights.ts';
import { exportOwnPlay } from './export-own-play.ts';
import { readMade } from './read-made.ts';
import { readOwnPlay } from './read-own-play.ts';

/** Binds the operations on what a player has anywhere. Only the player may use them. */
export function bindOwnPlay(
  binder: Binder,
  platform: Platform,
  { accounts, sessions }: Pick<AccountServices, 'accounts' | 'sessions'>,
): void {
  const { database } = platform;

  binder.bindAhead(contract.readOwnPlay, async ({ caller }) => ({
    body: await readOwnPlay(platform, requireCreator(caller).creatorId),
  }));

  binder.bind(contract.changeOwnPlay, async ({ caller, body }) => {
    await accounts.showPlays(requireCreator(caller).creatorId, body.public);
    return { body };
  });

  binder.bind(contract.exportOwnPlay, async ({ headers }) => {
    const { creator } = await requireSession(sessions, headers);
    const disposition = 'attachment; filename="what-i-played.json"';
    return {
      headers: { 'content-disposition': disposition },
      body: {},
      json: exportOwnPlay(platform, creator),
    };
  });

  binder.bind(contract.forgetOwnPlay, async ({ caller }) => {
    await forgetPlayer(platform, requireCreator(caller).creatorId, platform.closing);
    return { body: { deleted: true as const } };
  });

  binder.bind(contract.readMade, async ({ caller, params }) => ({
    body: await readMade(database.db, requireCreator(caller).creatorId, givenId('cnt', params.id)),
  }));

  binder.bind(contract.removeMade, async ({ caller, params }) => {
    const { creatorId: playerId } = requireCreator(caller);
    await removeOwn(platform, { id: givenId('cnt', params.id), playerId });
    return { body: { deleted: true as const } };
  });

  binder.bind(contract.readLoser, async ({ caller, params }) => ({
    body: await readLost(database.db, requireCreator(caller).creatorId, givenId('lost', params.id)),
  }));

  binder.bind(contract.restoreLoser, async ({ caller, params }) => ({
    body: await database.transaction((tx) =>
      restoreLost(tx, requireCreator(caller).creatorId, givenId('lost', params.id)),
    ),
  }));

  binder.bind(contract.deleteLoser, async ({ caller, params }) => {
    await database.transaction((tx) =>
      deleteLost(tx, requireCreator(caller).creatorId, givenId('lost', params.id)),
    );
    return { body: { deleted: true as const } };
  });
}
