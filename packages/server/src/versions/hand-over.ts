import { sql } from 'kysely';
import type { Tx } from '../platform/db/tx.ts';
import { endLinks } from './retention.queries.ts';

/**
 * The versions of a claimed page, and the uploads that counted for its claim, become the account's. Versions first:
 * an upload that is just being recorded holds them, and is moved with the rest.
 */
export async function handVersionsOver(
  tx: Tx,
  spaceId: string,
  claimId: string,
  creatorId: string,
): Promise<void> {
  await tx.db
    .updateTable('versions')
    .set({ created_by: creatorId })
    .where('space_id', '=', spaceId)
    .execute();
  await tx.db
    .insertInto('blob_uploads')
    .columns(['principal', 'hash'])
    .expression((from) =>
      from
        .selectFrom('blob_uploads')
        .select([sql.val(creatorId).as('principal'), 'hash'])
        .where('principal', '=', claimId),
    )
    .onConflict((conflict) => conflict.columns(['principal', 'hash']).doNothing())
    .execute();
  await tx.db.deleteFrom('blob_uploads').where('principal', '=', claimId).execute();
}

/** Every version of a space that goes, with its links and jobs, and what was uploaded for it by a claim. */
export async function dropVersionsOf(tx: Tx, spaceId: string, claimId: string | null): Promise<void> {
  const versions = tx.db.selectFrom('versions').select('id').where('space_id', '=', spaceId);
  await tx.db.deleteFrom('jobs').where('ref', 'in', versions).execute();
  for (const { id } of await versions.execute()) await endLinks(tx, id);
  await tx.db.deleteFrom('versions').where('space_id', '=', spaceId).execute();
  if (claimId !== null) await tx.db.deleteFrom('blob_uploads').where('principal', '=', claimId).execute();
}
