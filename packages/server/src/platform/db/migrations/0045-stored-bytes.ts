import { type Kysely, sql } from 'kysely';

/** The tables that this migration reads and writes, as they are at this point of the schema's history. */
interface Tables {
  blobs: { hash: string; size: number };
  blob_uploads: { principal: string; hash: string };
  stored_bytes: { principal: string; bytes: number };
}

/** The size of all that an account or a claim has uploaded. Column meanings: ../schema.ts. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('stored_bytes')
    .addColumn('principal', 'text', (column) => column.primaryKey())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .execute();
  await db
    .insertInto('stored_bytes')
    .columns(['principal', 'bytes'])
    .expression((from) =>
      from
        .selectFrom('blob_uploads as upload')
        .innerJoin('blobs as blob', 'blob.hash', 'upload.hash')
        .select(['upload.principal', sql<number>`sum(blob.size)`.as('bytes')])
        .groupBy('upload.principal'),
    )
    .execute();
}
