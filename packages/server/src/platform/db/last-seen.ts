import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toTimestamp } from '../clock/clock.ts';
import type { Platform } from '../context.ts';
import { findSetting, swapSetting } from './swapped-setting.queries.ts';

/** The setting with the instant at which a service last used the SQLite database. */
const settingName = 'last_seen';

type Noting = Pick<Platform, 'database' | 'clock' | 'config'>;

const fileOf = ({ config }: Noting) => join(config.DATA_DIR, 'spaceport.seen');

/**
 * Notes in the database and beside it that a service uses it now. The file gets the instant that was noted before, so
 * that it is never ahead of the database: after a power cut its last change may be missing. PostgreSQL keeps its files
 * itself.
 */
export async function noteUse(noting: Noting): Promise<void> {
  const { database, clock } = noting;
  if (database.engine !== 'sqlite') return;
  const before = await findSetting(database.db, settingName);
  const now = clock.now();
  await swapSetting(database.db, settingName, before, String(now));
  if (before === null) return;
  // By a clock that was ahead, the instant before may be later.
  await writeFile(fileOf(noting), String(Math.min(Number(before), now)), { mode: 0o600 });
}

/**
 * Returns what to say about a database file that is older than the one that was used in its folder: somebody has put
 * an older one back, perhaps without its `-wal`. Null if it is not.
 */
export async function olderThanUsed(noting: Noting): Promise<string | null> {
  const { database } = noting;
  if (database.engine !== 'sqlite') return null;
  const used = Number(await readFile(fileOf(noting), 'utf8').catch(() => '0'));
  const own = Number(await findSetting(database.db, settingName));
  if (!(used > own)) return null;
  const from = own === 0 ? 'before' : `from ${toTimestamp(own)} to`;
  return `spaceport.db is older than the database that was used in this folder. Changes ${from} ${toTimestamp(used)} and later are missing. If that is not meant, put back the database together with its spaceport.db-wal, or a backup.`;
}
