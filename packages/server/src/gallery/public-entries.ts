import type { BoardEntries, EntriesQuery } from '@spaceport/contract/entries';
import { readEntries } from '../boards/read-entries.ts';
import type { Platform } from '../platform/context.ts';
import { fromJson } from '../platform/db/json.ts';
import { ServiceError } from '../platform/errors.ts';
import type { WithShown } from '../platform/http/shown-answer.ts';
import { noSpace } from '../spaces/own-space.ts';
import { findPublicSettings } from './gallery.queries.ts';

/**
 * Returns a page of a ranking as anyone may read it.
 * @throws `not_found`, also if the creator does not show the boards
 */
export async function readPublicEntries(
  platform: Platform,
  { slug, key }: { slug: string; key: string },
  query: EntriesQuery,
): Promise<WithShown<BoardEntries>> {
  const space = await findPublicSettings(platform.database.db, slug);
  if (!space) throw noSpace(slug, { next: (app) => `GET ${app}/api/gallery lists what is there.` });
  const { id, page } = space;
  // The schema has checked the value of the column.
  const { show_boards } = fromJson(page);
  if (!show_boards) throw new ServiceError('not_found', `There is no public board «${key}».`);
  const { body, shows } = await readEntries(platform, { spaceId: id, env: 'live', key }, query);
  return { body, shows: [`space:${id}`, ...shows] };
}
