import type { Selectable } from 'kysely';
import { oneOf } from '../platform/db/dialect.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db, Schema, SpacesTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/** The space that a secret belongs to. */
export type SecretSpace = Pick<Selectable<SpacesTable>, 'id' | 'slug' | 'state'>;

export async function findSpaceOfSecret(db: Db, hash: string): Promise<SecretSpace | undefined> {
  return db
    .selectFrom('board_secrets as secret')
    .innerJoin('spaces as space', 'space.id', 'secret.space_id')
    .select(['space.id', 'space.slug', 'space.state'])
    .where('secret.hash', '=', hash)
    .executeTakeFirst();
}

export async function findSecret(
  db: Db,
  spaceId: SpaceId,
): Promise<Selectable<Schema['board_secrets']> | undefined> {
  return db.selectFrom('board_secrets').selectAll().where('space_id', '=', spaceId).executeTakeFirst();
}

/** Sets the space's secret. The previous one, if any, stops working. */
export async function putSecret(tx: Tx, spaceId: SpaceId, hash: string): Promise<void> {
  await tx.db
    .insertInto('board_secrets')
    .values({ space_id: spaceId, hash, created_at: tx.now, rotated_at: null })
    .onConflict((conflict) => conflict.column('space_id').doUpdateSet({ hash, rotated_at: tx.now }))
    .execute();
}

export async function findLiveSecretHashes(db: Db, hashes: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('board_secrets')
    .select('hash')
    .where('hash', 'in', oneOf(db, hashes))
    .execute();
  return rows.map(({ hash }) => hash);
}
