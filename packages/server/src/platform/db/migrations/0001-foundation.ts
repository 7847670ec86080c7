import type { Kysely } from 'kysely';

/** Accounts' public side, spaces, versions, blobs, jobs. Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  const schema = db.schema;
  await schema
    .createTable('settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();

  await schema
    .createTable('creators')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('handle', 'text', (column) => column.unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('operator', 'integer', (column) => column.notNull())
    .addColumn('banned_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  await schema
    .createTable('api_tokens')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('creator_id', 'text', (column) => column.notNull().references('creators.id'))
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('client_name', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .execute();
  await schema.createIndex('api_tokens_creator').on('api_tokens').column('creator_id').execute();

  await schema
    .createTable('spaces')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('slug', 'text', (column) => column.notNull().unique())
    .addColumn('owner_id', 'text', (column) => column.references('creators.id'))
    .addColumn('hosted', 'integer', (column) => column.notNull())
    .addColumn('claimed', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('url', 'text')
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('space_type', 'text', (column) => column.notNull())
    .addColumn('devices', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('engine', 'text')
    .addColumn('ai_tools', 'text', (column) => column.notNull())
    .addColumn('models', 'text', (column) => column.notNull())
    .addColumn('how_made', 'text')
    .addColumn('source_url', 'text')
    .addColumn('page', 'text', (column) => column.notNull())
    .addColumn('live_version_id', 'text')
    .addColumn('next_version', 'integer', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('spaces_owner').on('spaces').columns(['owner_id', 'created_at']).execute();
  await schema
    .createTable('slugs')
    .addColumn('slug', 'text', (column) => column.primaryKey())
    .addColumn('space_id', 'text', (column) => column.notNull())
    .execute();

  await schema
    .createTable('versions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id'))
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('stopped', 'integer', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('fields', 'text', (column) => column.notNull())
    .addColumn('declarations', 'text', (column) => column.notNull())
    .addColumn('files', 'integer', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('links_expire_at', 'bigint', (column) => column.notNull())
    .addColumn('finished_at', 'bigint')
    .addColumn('finished_as_preview', 'integer')
    .addColumn('live_at', 'bigint')
    .addColumn('left_behind', 'integer', (column) => column.notNull())
    .addColumn('review_requested_at', 'bigint')
    .addColumn('review_decided_at', 'bigint')
    .addColumn('report', 'text')
    .addUniqueConstraint('versions_number', ['space_id', 'number'])
    .execute();
  await schema.createIndex('versions_status').on('versions').columns(['status', 'links_expire_at']).execute();
  await schema.createIndex('versions_by').on('versions').columns(['created_by', 'status']).execute();
  await schema
    .createTable('manifests')
    .addColumn('version_id', 'text', (column) =>
      column.primaryKey().references('versions.id').onDelete('cascade'),
    )
    .addColumn('files', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('preview_links')
    .addColumn('label', 'text', (column) => column.primaryKey())
    .addColumn('version_id', 'text', (column) =>
      column.notNull().references('versions.id').onDelete('cascade'),
    )
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('preview_links_version').on('preview_links').column('version_id').execute();

  await schema
    .createTable('blobs')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('public', 'integer', (column) => column.notNull())
    .addColumn('shared_memory', 'integer', (column) => column.notNull())
    .addColumn('packed', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('marked_at', 'bigint')
    .execute();
  await schema.createIndex('blobs_key').on('blobs').column('key').execute();
  await schema
    .createTable('blob_forms')
    .addColumn('hash', 'text', (column) => column.notNull().references('blobs.hash').onDelete('cascade'))
    .addColumn('coding', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull().unique())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('blob_forms_key', ['hash', 'coding'])
    .execute();
  await schema
    .createTable('blob_uploads')
    .addColumn('principal', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('blob_uploads_key', ['principal', 'hash'])
    .execute();
  await schema.createIndex('blob_uploads_hash').on('blob_uploads').column('hash').execute();

  await schema
    .createTable('jobs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('ref', 'text', (column) => column.notNull())
    .addColumn('run_at', 'bigint', (column) => column.notNull())
    .addColumn('lease', 'text')
    .addColumn('leased_until', 'bigint')
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('last_error', 'text')
    .addColumn('failed_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('jobs_subject', ['kind', 'ref'])
    .execute();
  await schema.createIndex('jobs_due').on('jobs').columns(['failed_at', 'run_at']).execute();
  await schema
    .createTable('rate_hits')
    .addColumn('bucket', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('rate_hits_bucket').on('rate_hits').columns(['bucket', 'at']).execute();
}
