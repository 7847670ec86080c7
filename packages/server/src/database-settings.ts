import { count, flag, optional, postgresUrl } from './config-parsers.ts';
import { setting } from './setting.ts';

/** Where the database is, and how its connections are used. */
export const databaseSettings = {
  DATABASE_URL: setting(optional(postgresUrl), '', 'postgres:// address; empty for the embedded SQLite.', {
    secret: true,
  }),
  DATABASE_DIRECT_URL: setting(
    optional(postgresUrl),
    '',
    'postgres:// address of the same database past a pooler, for LISTEN and for migrations; empty where DATABASE_URL leads to PostgreSQL itself.',
    { secret: true },
  ),
  DATABASE_CONNECTIONS: setting(
    count(1),
    '20',
    'PostgreSQL connections the server may hold, in addition to one listening connection for each process. Several processes share them, with at least four each.',
  ),
  DATABASE_NAMED_STATEMENTS: setting(
    flag,
    'on',
    'on: PostgreSQL plans frequent statements once for each connection. off: for a pooler in transaction mode without prepared statements.',
  ),
};
