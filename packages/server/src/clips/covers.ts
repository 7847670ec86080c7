import { coversPerHour } from '@spaceport/contract/covers';
import { dropUnnamed } from '../platform/blobs/drop-unnamed.ts';
import { type Picture, pictureSize } from '../platform/browser/visit.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { requireWithin } from '../platform/limits/rate-limit.ts';
import { randomLabel } from '../platform/secrets/id.ts';
import { recordCover } from '../spaces/clips.ts';
import { lockOwnSpace } from '../spaces/lock-own-space.ts';
import { ownView, type SpaceView, viewById } from '../spaces/space-view.ts';
import { requireUnfrozen } from '../spaces/spaces.ts';
import { listTakes, replaceCover } from './clips.queries.ts';
import { encodeCover } from './encode-cover.ts';
import { coverPath, storePicture } from './pictures.ts';

const nameLength = 26;

/**
 * Shows a picture uploaded by the owner in place of the clip.
 * @throws `not_found`, `removed`, `held`, `rate_limited` and `invalid`
 */
export async function putCover(
  platform: Platform,
  caller: CreatorCaller,
  slug: string,
  bytes: Uint8Array,
): Promise<SpaceView> {
  const own = await ownView(platform.database.db, slug, caller);
  requireUnfrozen(own);
  await countNewCover(platform, own);
  return change(platform, caller, slug, await stored(platform, await encodeCover(bytes)));
}

/**
 * Shows an earlier take in place of the newest. The picture is copied, because the take itself is deleted
 * when there are newer ones.
 * @throws `not_found`, `removed`, `held` and `rate_limited`
 */
export async function chooseCover(
  platform: Platform,
  caller: CreatorCaller,
  slug: string,
  take: number,
): Promise<SpaceView> {
  const { database, store } = platform;
  const own = await ownView(database.db, slug, caller);
  requireUnfrozen(own);
  await countNewCover(platform, own);
  const chosen = (await listTakes(database.db, own.id)).find((one) => one.take === take);
  if (!chosen) throw new ServiceError('not_found', `There is no picture ${take} of «${slug}».`);
  const [large, small] = await Promise.all([store.read(chosen.key), store.read(chosen.key_small)]);
  const made = await stored(platform, { large: new Uint8Array(large), small: new Uint8Array(small) });
  return change(platform, caller, slug, made);
}

async function countNewCover({ database }: Platform, { id }: Pick<SpaceView, 'id'>): Promise<void> {
  await database.transaction((tx) =>
    requireWithin(
      tx,
      `cover:${id}`,
      { count: coversPerHour, seconds: 3_600 },
      `The space used its ${coversPerHour} new covers of the hour.`,
    ),
  );
}

async function stored(
  { store }: Platform,
  { large, small }: Omit<Picture, 'isPlain'>,
): Promise<StoredPicture> {
  const keys = { key: await storePicture(store, large), key_small: await storePicture(store, small) };
  return { ...keys, name: randomLabel(nameLength) };
}

interface StoredPicture {
  readonly key: string;
  readonly key_small: string;
  readonly name: string;
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
  { database, store }: Platform,
  caller: CreatorCaller,
  slug: string,
  made: StoredPicture | null,
): Promise<SpaceView> {
  const { id, unused } = await database.transaction(async (tx) => {
    const space = await lockOwnSpace(tx, slug, caller);
    requireUnfrozen(space);
    const before = await replaceCover(tx, space.id, made && { space_id: space.id, ...made });
    const shown = made && { path: coverPath(space.id, made.name), ...pictureSize, setAt: tx.now };
    await recordCover(tx, space.id, shown);
    return { id: space.id, unused: before };
  });
  await dropUnnamed(store, unused);
  return viewById(database.db, id);
}
