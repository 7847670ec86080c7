import * as bans from '@spaceport/contract/bans';
import * as moderation from '@spaceport/contract/moderation';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { Binder } from '../platform/http/operations.ts';
import type { Players } from '../players/players.ts';
import { requireActive, requireCreator } from '../spaces/rights.ts';
import { deleteSubmissions } from './delete-submissions.ts';
import { changeBan, deleteSubmission, readBans } from './moderation.ts';
import { readBoardReplays, readOneReplay } from './replays.ts';

export function bindModeration(binder: Binder, platform: Platform, players: Players): void {
  binder.bind(moderation.deleteSubmission, async ({ params, caller }) => {
    await deleteSubmission(platform, requireActive(caller), params.slug, params.id);
    return { body: { deleted: true as const } };
  });

  binder.bind(moderation.deleteSubmissions, async ({ params, caller, body }) => ({
    body: await deleteSubmissions(platform, requireActive(caller), params.slug, body),
  }));

  binder.bind(moderation.readReplays, async ({ params, caller, query }) => {
    const board = { ...params, sandbox: query.sandbox === 'true' };
    return { body: await readBoardReplays(platform, requireCreator(caller), board) };
  });

  binder.bind(moderation.readReplay, async ({ params, caller }) => ({
    body: await readOneReplay(platform, requireCreator(caller), params, players),
  }));

  binder.bind(bans.readBans, async ({ params, caller }) => {
    const bans = await readBans(platform, requireCreator(caller), params.slug);
    return {
      body: { bans: bans.map(({ handle, bannedAt }) => ({ handle, banned_at: toTimestamp(bannedAt) })) },
    };
  });

  binder.bind(bans.banPlayer, async ({ params, caller, body }) => {
    const ban = { handle: body.handle, banned: true };
    const handle = await changeBan(platform, requireActive(caller), params.slug, ban);
    return { body: { banned: true as const, handle } };
  });

  binder.bind(bans.liftBan, async ({ params, caller, body }) => {
    const ban = { handle: body.handle, banned: false };
    const handle = await changeBan(platform, requireActive(caller), params.slug, ban);
    return { body: { banned: false as const, handle } };
  });
}
