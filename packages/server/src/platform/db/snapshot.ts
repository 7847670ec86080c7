import type { DatabaseSettings } from './database.ts';
import type { Snapshot } from './snapshot-tables.ts';

/** Opens a snapshot on a connection of its own, and closes it when `work` has ended. It writes nothing. */
export async function withSnapshot<T>(
  { url, file }: Pick<DatabaseSettings, 'url' | 'file'>,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  if (url === null) return (await import('./sqlite-snapshot.ts')).withSqliteSnapshot(file, work);
  return (await import('./postgres-snapshot.ts')).withPostgresSnapshot(url, work);
}
