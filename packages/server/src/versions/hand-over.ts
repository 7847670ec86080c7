import type { AccountId, ClaimId, SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import {
  deleteUploadsOf,
  deleteVersionsOf,
  dropJobsOfVersions,
  giveUploads,
  giveVersions,
} from './hand-over.queries.ts';
import { requireGiven } from './quota.ts';
import { endLinks } from './retention.queries.ts';

/**
 * Gives the versions of a claimed page, and the uploads of its claim, to the account. Versions come first: an
 * upload that is being recorded locks them, and moves with the rest.
 * @throws `too_large` if the account may not keep so many bytes
 */
export async function handVersionsOver(
  tx: Tx,
  spaceId: SpaceId,
  claimId: ClaimId,
  creatorId: AccountId,
): Promise<void> {
  await giveVersions(tx, spaceId, creatorId);
  const { givenBytes, allBytes } = await giveUploads(tx, claimId, creatorId);
  const quota = { creatorId, maxBytes: tx.config.ACCOUNT_MAX_BYTES };
  await requireGiven(tx, quota, givenBytes, allBytes);
}

/** Deletes every version of a space with its links and jobs, and the uploads of the claim if there is one. */
export async function dropVersionsOf(tx: Tx, spaceId: SpaceId, claimId: ClaimId | null): Promise<void> {
  for (const id of await dropJobsOfVersions(tx, spaceId)) await endLinks(tx, id);
  await deleteVersionsOf(tx, spaceId);
  if (claimId !== null) await deleteUploadsOf(tx, claimId);
}
