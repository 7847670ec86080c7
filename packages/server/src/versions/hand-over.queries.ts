import { sql } from 'kysely';
import { oneOf } from '../platform/db/dialect.ts';
import type { AccountId, ClaimId, SpaceId, VersionId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { addStoredBytes } from './stored-bytes.queries.ts';

/** Makes the account the creator of every version of a space. */
export async function giveVersions(tx: Tx, spaceId: SpaceId, creatorId: AccountId): Promise<void> {
  await tx.db
    .updateTable('versions')
    .set({ created_by: creatorId })
    .where('space_id', '=', spaceId)
    .execute();
}

/**
 * Makes the uploads of a claim count for the account. Returns the bytes of the files that the account did not have,
 * and those of all its files now.
 */
export async function giveUploads(
  tx: Tx,
  claimId: ClaimId,
  creatorId: AccountId,
): Promise<{ givenBytes: number; allBytes: number }> {
  const given = await tx.db
    .insertInto('blob_uploads')
    .columns(['principal', 'hash'])
    .expression((from) =>
      from
        .selectFrom('blob_uploads')
        .select([sql.val(creatorId).as('principal'), 'hash'])
        .where('principal', '=', claimId),
    )
    .onConflict((conflict) => conflict.columns(['principal', 'hash']).doNothing())
    .returning('hash')
    .execute();
  await deleteUploadsOf(tx, claimId);
  const hashes = given.map(({ hash }) => hash);
  const files = await tx.db
    .selectFrom('blobs')
    .select('size')
    .where('hash', 'in', oneOf(tx.db, hashes))
    .execute();
  const sums = await addStoredBytes(
    tx,
    files.map(({ size }) => [creatorId, size]),
  );
  return {
    givenBytes: files.reduce((sum, { size }) => sum + size, 0),
    allBytes: sums.get(creatorId) ?? 0,
  };
}

export async function deleteUploadsOf(tx: Tx, claimId: ClaimId): Promise<void> {
  await tx.db.deleteFrom('blob_uploads').where('principal', '=', claimId).execute();
  await tx.db.deleteFrom('stored_bytes').where('principal', '=', claimId).execute();
}

/** Deletes the jobs of all versions of a space. Returns the ids of the versions. */
export async function dropJobsOfVersions(tx: Tx, spaceId: SpaceId): Promise<VersionId[]> {
  const versions = tx.db.selectFrom('versions').select('id').where('space_id', '=', spaceId);
  await tx.db.deleteFrom('jobs').where('ref', 'in', versions).execute();
  return (await versions.execute()).map(({ id }) => id);
}

export async function deleteVersionsOf(tx: Tx, spaceId: SpaceId): Promise<void> {
  await tx.db.deleteFrom('versions').where('space_id', '=', spaceId).execute();
}
