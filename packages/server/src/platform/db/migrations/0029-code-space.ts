import type { Kysely } from 'kysely';

/** The one space that a program was authorized for. Meaning: ../schema.ts. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .alterTable('oauth_codes')
    .addColumn('space_id', 'text', (column) => column.references('spaces.id').onDelete('cascade'))
    .execute();
}
