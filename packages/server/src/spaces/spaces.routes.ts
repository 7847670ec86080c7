import * as listing from '@spaceport/contract/listing';
import type { Platform } from '../platform/context.ts';
import type { Binder } from '../platform/http/operations.ts';
import { changeSpace } from './change-space.ts';
import { mySpaces, toMySpace } from './my-spaces.ts';
import { requireActive, requireCreator } from './rights.ts';
import { ownAnswer, ownView } from './space-view.ts';

export function bindSpaces(binder: Binder, platform: Platform): void {
  const { urls, database } = platform;

  binder.bind(listing.mySpaces, async ({ caller, query }) => {
    const { deleted, cursor, limit } = query;
    const { page, next } = await mySpaces(platform, requireCreator(caller), {
      cursor,
      limit,
      ...(deleted === undefined
        ? {}
        : { restorableSince: platform.clock.now() - platform.config.RESTORE_SECONDS * 1_000 }),
    });
    return {
      body: {
        spaces: page.map((view) => toMySpace(platform, view)),
        next,
      },
    };
  });

  binder.bind(listing.readSpace, async ({ caller, params }) =>
    ownAnswer(urls, await ownView(database.db, params.slug, requireCreator(caller))),
  );

  binder.bind(listing.changeSpace, async ({ caller, params, body, headers }) =>
    ownAnswer(
      urls,
      await changeSpace(platform, requireActive(caller), params.slug, body, headers['if-match']),
    ),
  );
}
