import { coversPerHour } from '@spaceport/contract/covers';
import { pictureSize } from '../platform/browser/visit.ts';
import type { Platform } from '../platform/context.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { requireWithin } from '../platform/limits/rate-limit.ts';
import { randomLabel } from '../platform/secrets/id.ts';
import { recordCover } from '../spaces/clips.ts';
import { lockOwnSpace } from '../spaces/lock-own-space.ts';
import { ownView, type SpaceView, viewById } from '../spaces/space-view.ts';
import { requireOnService } from '../spaces/spaces.ts';
import { replaceCover } from './clips.queries.ts';
import { encodeCover } from './encode-cover.ts';
import { coverPath, storePicture } from './pictures.ts';

const nameLength = 26;

/**
 * Shows a picture of the owner's own in place of the clip.
 * @throws `not_found`, `removed`, `held`, `rate_limited` and `invalid`
 */
export async function putCover(
  platform: Platform,
  caller: CreatorCaller,
  slug: string,
  bytes: Uint8Array,
): Promise<SpaceView> {
  const { database, store } = platform;
  const own = await ownView(database.db, slug, caller);
  requireOnService(own);
  await database.transaction((tx) =>
    requireWithin(
      tx,
      `cover:${own.id}`,
      { count: coversPerHour, seconds: 3_600 },
      `The space used its ${coversPerHour} new covers of the hour.`,
    ),
  );
  const { large, small } = await encodeCover(bytes);
  const keys = { key: await storePicture(store, large), key_small: await storePicture(store, small) };
  const name = randomLabel(nameLength);
  return change(platform, caller, slug, { ...keys, name });
}

/**
 * Shows the clip again.
 * @throws `not_found`, `removed` and `held`
 */
export async function deleteCover(
  platform: Platform,
  caller: CreatorCaller,
  slug: string,
): Promise<SpaceView> {
  return change(platform, caller, slug, null);
}

async function change(
  { database, store, clock }: Platform,
  caller: CreatorCaller,
  slug: string,
  made: { key: string; key_small: string; name: string } | null,
): Promise<SpaceView> {
  const { id, unused } = await database.transaction(async (tx) => {
    const space = await lockOwnSpace(tx, slug, caller);
    requireOnService(space);
    const before = await replaceCover(tx, space.id, made && { space_id: space.id, ...made });
    const shown = made && { path: coverPath(space.id, made.name), ...pictureSize, setAt: clock.now() };
    await recordCover(tx, space.id, shown);
    return { id: space.id, unused: before };
  });
  for (const key of unused) await store.delete(key);
  return viewById(database.db, id);
}
