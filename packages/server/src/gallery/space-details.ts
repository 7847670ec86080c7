import type { PublicPlayer, PublicSpacePage } from '@spaceport/contract/gallery';
import { arePlaysPublic } from '../accounts/accounts.ts';
import { findUnlocksOf, readPublicAchievements } from '../achievements/achievements.ts';
import { readBoards } from '../boards/boards.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { Env } from '../platform/db/schema.ts';
import type { ShownTag } from '../platform/db/shown.ts';
import { ServiceError } from '../platform/errors.ts';
import type { WithShown } from '../platform/http/shown-answer.ts';
import { findPlayer } from '../players/players.ts';
import type { SpaceView } from '../spaces/space-view.ts';
import { readPublicSpace, showsOf, toPublicSpace } from './gallery.ts';

/**
 * Returns one space with its achievements, and its boards if its creator shows them.
 * @throws `not_found`
 */
export async function readPublicSpacePage(
  platform: Platform,
  slug: string,
): Promise<WithShown<PublicSpacePage>> {
  const view = await readPublicSpace(platform, slug);
  return { body: await withWinnings(platform, view), shows: showsOfPage(view) };
}

/** Returns the tags of what `withWinnings` returns. */
export function showsOfPage(view: Pick<SpaceView, 'id' | 'owner_id'>): ShownTag[] {
  return [...showsOf([view]), `won:${view.id}`];
}

/** Returns a public space with its achievements, and its boards if its creator shows them. */
export async function withWinnings(
  { database, urls, clock }: Platform,
  view: SpaceView,
  env: Env = 'live',
): Promise<PublicSpacePage> {
  const space = toPublicSpace(urls, view);
  return {
    ...space,
    boards: space.page.show_boards ? await readBoards(database.db, view.id, clock.now(), env) : [],
    achievements: await readPublicAchievements(database.db, view.id, env),
  };
}

/**
 * Returns what a player has unlocked in a space.
 * @throws `not_found`, and `no_such_player`, also for a player who is banned from the
 * space or hides their unlocks
 */
export async function readPublicPlayer(
  platform: Platform,
  slug: string,
  named: string,
): Promise<WithShown<PublicPlayer>> {
  const { db } = platform.database;
  const { id } = await readPublicSpace(platform, slug);
  const player = await findPlayer(db, named);
  const isShown = player !== undefined && (await arePlaysPublic(db, player.playerId));
  const unlocks = isShown && (await findUnlocksOf(db, id, player.playerId));
  if (!player || !unlocks) throw new ServiceError('no_such_player', `There is no player ${named} here.`);
  const body = {
    handle: player.handle,
    achievements: unlocks.map(({ key, unlocked_at }) => ({ key, unlocked_at: toTimestamp(unlocked_at) })),
  };
  return { body, shows: [`space:${id}`, `person:${player.playerId}`, `played:${player.playerId}`] };
}
