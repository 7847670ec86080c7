import type { Kysely } from 'kysely';

/**
 * Sign-in, device sign-in, mail. Names of tables come from better-auth, which signed people in at first; its
 * users are `creators`. Column meanings: ../schema.ts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const schema = db.schema;
  await schema
    .alterTable('creators')
    .addColumn('email_verified', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await schema
    .alterTable('creators')
    .addColumn('updated_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();

  await schema
    .createTable('auth_sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('token', 'text', (column) => column.notNull().unique())
    .addColumn('creator_id', 'text', (column) =>
      column.notNull().references('creators.id').onDelete('cascade'),
    )
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('ip_address', 'text')
    .addColumn('user_agent', 'text')
    .addColumn('wrong_codes', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('codes_locked_until', 'bigint')
    .execute();
  await schema.createIndex('auth_sessions_creator').on('auth_sessions').column('creator_id').execute();
  await schema.createIndex('auth_sessions_expiry').on('auth_sessions').column('expires_at').execute();

  await schema
    .createTable('auth_accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('provider_id', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('creator_id', 'text', (column) =>
      column.notNull().references('creators.id').onDelete('cascade'),
    )
    .addColumn('password', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('auth_accounts_key', ['provider_id', 'account_id'])
    .execute();
  await schema.createIndex('auth_accounts_creator').on('auth_accounts').column('creator_id').execute();

  await schema
    .createTable('auth_verifications')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('identifier', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('auth_verifications_identifier')
    .on('auth_verifications')
    .column('identifier')
    .execute();

  await schema
    .createTable('auth_passkeys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text')
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('creator_id', 'text', (column) =>
      column.notNull().references('creators.id').onDelete('cascade'),
    )
    .addColumn('credential_id', 'text', (column) => column.notNull().unique())
    .addColumn('counter', 'bigint', (column) => column.notNull())
    .addColumn('device_type', 'text', (column) => column.notNull())
    .addColumn('backed_up', 'integer', (column) => column.notNull())
    .addColumn('transports', 'text')
    .addColumn('created_at', 'bigint')
    .addColumn('aaguid', 'text')
    .execute();
  await schema.createIndex('auth_passkeys_creator').on('auth_passkeys').column('creator_id').execute();

  await schema
    .createTable('device_logins')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('device_hash', 'text', (column) => column.notNull().unique())
    .addColumn('user_code', 'text', (column) => column.notNull().unique())
    .addColumn('client_name', 'text')
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('creator_id', 'text', (column) => column.references('creators.id').onDelete('cascade'))
    .addColumn('interval_seconds', 'integer', (column) => column.notNull())
    .addColumn('polled_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('device_logins_expiry').on('device_logins').column('expires_at').execute();

  await schema
    .createTable('outgoing_mails')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('recipient', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
}
