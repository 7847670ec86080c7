import type { Database } from './database.ts';
import { lacksTables } from './failures.ts';
import { findSetting } from './swapped-setting.queries.ts';

/** What the running service wrote is not in its database any more: it was emptied, or another one is in its place. */
export class DatabaseLost extends Error {}

/** What an operator can do about a file that was deleted or replaced. */
export const lostFileAdvice =
  'Put the file that was there back, with its -wal, before the service ends: what was written since is in it alone. Else stop the service, and restore a backup into an empty DATA_DIR (admin restore).';

/**
 * Returns the database with a ping that also looks for one setting of the installation, and rejects with `DatabaseLost`
 * if that is gone or another one. Who empties the database of a running service, or starts another installation in it,
 * leaves a server that answers.
 */
export function withOwnPing(database: Database, setting: string, value: string): Database {
  return {
    ...database,
    async ping() {
      await database.ping();
      const found = await findSetting(database.db, setting).catch((error: unknown) => {
        if (!lacksTables(error)) throw error;
        throw new DatabaseLost('the tables of the service are gone', { cause: error });
      });
      if (found === null) throw new DatabaseLost('the rows of the service are gone');
      if (found !== value) throw new DatabaseLost('the database is that of another installation');
    },
  };
}
