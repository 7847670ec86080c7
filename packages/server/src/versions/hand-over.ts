import type { AccountId, ClaimId, SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import {
  deleteUploadsOf,
  deleteVersionsOf,
  dropJobsOfVersions,
  giveUploads,
  giveVersions,
} from './hand-over.queries.ts';
import { endLinks } from './retention.queries.ts';

/**
 * The versions of a claimed page, and the uploads that counted for its claim, become the account's. Versions come
 * first: an upload that is just being recorded locks them, and is then moved with the rest.
 */
export async function handVersionsOver(
  tx: Tx,
  spaceId: SpaceId,
  claimId: ClaimId,
  creatorId: AccountId,
): Promise<void> {
  await giveVersions(tx, spaceId, creatorId);
  await giveUploads(tx, claimId, creatorId);
}

/** Deletes every version of a space, with its links and jobs, and what was uploaded for it by a claim. */
export async function dropVersionsOf(tx: Tx, spaceId: SpaceId, claimId: ClaimId | null): Promise<void> {
  for (const id of await dropJobsOfVersions(tx, spaceId)) await endLinks(tx, id);
  await deleteVersionsOf(tx, spaceId);
  if (claimId !== null) await deleteUploadsOf(tx, claimId);
}
