import { dropSpace } from '../deleting/drop-space.ts';
import type { Platform } from '../platform/context.ts';
import type { VersionId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { freeSlugs, type SpaceRow } from '../spaces/spaces.ts';
import { dropVersion } from '../versions/delete-version.ts';
import { lockVersionById } from '../versions/own-version.ts';
import { deletePageOf, findPageOfSpace } from './unlisted.queries.ts';

/** A version of a publish that failed, and whether its space was made for it. */
export interface Withdrawn {
  readonly id: VersionId;
  readonly isNewSpace: boolean;
}

/**
 * Takes back a create whose caller was not told of it: the version, and a new space with its slug. A version that
 * was finished all the same stays, and so does a space that has got another version.
 */
export async function withdrawCreate({ database }: Platform, { id, isNewSpace }: Withdrawn): Promise<void> {
  await database.transaction(async (tx) => {
    const locked = await lockVersionById(tx, id);
    if (locked?.version.status !== 'uploading') return;
    const { space } = locked;
    await dropVersion(tx, space, id);
    if (isNewSpace && space.next_version === 2) await dropNewSpace(tx, space);
  });
}

async function dropNewSpace(tx: Tx, { id }: SpaceRow): Promise<void> {
  const page = await findPageOfSpace(tx.db, id);
  await dropSpace(tx, id, page?.claim_id ?? null);
  await deletePageOf(tx, id);
  await freeSlugs(tx, id);
}
