import * as contract from '@spaceport/contract/content';
import type { Platform } from '../platform/context.ts';
import { givenId } from '../platform/db/ids.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { Binder } from '../platform/http/operations.ts';
import { SharedBuckets } from '../platform/limits/shared-buckets.ts';
import { requireTaken } from '../platform/limits/token-buckets.ts';
import { playedSpace } from '../player-calls/played-space.ts';
import { type PlayCaller, playCallerOf } from '../players/play-caller.ts';
import { requireActive, requireCreator } from '../spaces/rights.ts';
import { requireAccount } from './account-of.ts';
import { type Place, removeOwn } from './content.ts';
import { likeContent } from './like-content.ts';
import { deleteOwnItem, listOwnContent, readOwnItem } from './own-content.ts';
import { publishContent } from './publish-content.ts';
import { listContent, readItem } from './read-content.ts';

/** Binds the operations by which players publish content for each other, and creators moderate it. */
export function bindContent(binder: Binder, platform: Platform): void {
  const { database, config, together } = platform;
  const likes = new SharedBuckets(together, 'likes of content', config.CONTENT_LIKES_PER_MINUTE);

  async function admit(caller: Caller, label: string): Promise<{ who: PlayCaller; place: Place }> {
    const who = playCallerOf(caller);
    const { space, env } = await playedSpace(platform, label, who);
    return { who, place: { spaceId: space.id, env } };
  }

  binder.bind(contract.readContent, async ({ caller, query }) => {
    const { who, place } = await admit(caller, query.space);
    return { body: await listContent(database.db, place, who, { ...query, mine: query.mine === 'true' }) };
  });

  binder.bind(contract.readContentItem, async ({ caller, query, params }) => {
    const { who, place } = await admit(caller, query.space);
    return { body: await readItem(database.db, place, who, givenId('cnt', params.id)) };
  });

  binder.bind(contract.publishContent, async ({ caller, body }) => {
    const { who, place } = await admit(caller, body.space);
    return { body: await publishContent(platform, place, requireAccount(who), body) };
  });

  binder.bind(contract.removeContent, async ({ caller, query, params }) => {
    const { who, place } = await admit(caller, query.space);
    const { playerId } = requireAccount(who);
    await removeOwn(platform, { id: givenId('cnt', params.id), playerId, ...place });
    return { body: { deleted: true as const } };
  });

  for (const [operation, on] of [
    [contract.likeContent, true],
    [contract.unlikeContent, false],
  ] as const)
    binder.bind(operation, async ({ caller, query, params }) => {
      const { who, place } = await admit(caller, query.space);
      const { playerId } = requireAccount(who);
      await requireTaken([likes.take(playerId)], 'Too many likes; slow down.');
      return { body: await likeContent(platform, place, playerId, { id: givenId('cnt', params.id), on }) };
    });

  binder.bind(contract.readOwnContent, async ({ caller, params, query }) => {
    const asked = { ...query, reported: query.reported === 'true', sandbox: query.sandbox === 'true' };
    return { body: await listOwnContent(platform, requireCreator(caller), params.slug, asked) };
  });

  binder.bind(contract.readOwnContentItem, async ({ caller, params: { slug, id } }) => ({
    body: await readOwnItem(platform, requireCreator(caller), { slug, id: givenId('cnt', id) }),
  }));

  binder.bind(contract.deleteOwnContent, async ({ caller, params: { slug, id } }) => {
    await deleteOwnItem(platform, requireActive(caller), { slug, id: givenId('cnt', id) });
    return { body: { deleted: true as const } };
  });
}
