import { sql } from 'kysely';
import type { Db } from '../src/platform/db/schema.ts';
import { askUntil } from './ask-until.ts';

/** Why a test that waits for a lock is skipped; false on PostgreSQL. */
export const withoutLockWaits: string | false =
  process.env.TEST_ENGINE !== 'postgres' && 'SQLite does not show which transactions wait';

/** Waits until a statement of this database waits for the lock of another one. */
export async function someoneWaits(db: Db): Promise<void> {
  const waiting = () =>
    sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  await askUntil(waiting, ({ rows }) => rows.length > 0);
}
