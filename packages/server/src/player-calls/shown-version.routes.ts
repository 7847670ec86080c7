import { readShownVersion } from '@spaceport/contract/shown-version';
import type { Platform } from '../platform/context.ts';
import type { Binder } from '../platform/http/operations.ts';
import { playCallerOf } from '../players/play-caller.ts';
import { findShownNumber } from './played-space.queries.ts';
import { playedSpace } from './played-space.ts';

/** Binds the operation by which pages that frame a space ask which version is shown now. */
export function bindShownVersion(binder: Binder, platform: Platform): void {
  binder.bind(readShownVersion, async ({ caller, query }) => {
    const { space, onlyVersion } = await playedSpace(platform, query.space, playCallerOf(caller));
    return { body: { version: onlyVersion ?? (await findShownNumber(platform.database.db, space)) } };
  });
}
