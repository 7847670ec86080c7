import { createHash, randomBytes } from 'node:crypto';
import { readBackupHealth } from '../backups/backup-health.ts';
import { type BlobStore, storeAdvice } from '../platform/blobs/blob-store.ts';
import type { Database } from '../platform/db/database.ts';
import { readDatabaseClock } from '../platform/db/dialect.ts';
import { deafAdvice, deafSaid, isReadOnly, lostTablesAdvice } from '../platform/db/failures.ts';
import { DatabaseLost, lostFileAdvice } from '../platform/db/lost-tables.ts';
import { reasonOf } from '../platform/reason-of.ts';
import { howFilled } from '../search/fill.ts';
import { type Finding, fine, odd, wrong } from './finding.ts';

/** The limit is low, because every request waits for the database a few times. */
const slowDatabaseMs = 20;
const slowStoreMs = 500;
const looks = 5;

/** Checks whether the database answers, and how fast. */
export async function lookAtDatabase(database: Database): Promise<Finding> {
  const about = 'database';
  const name = database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  try {
    const took: number[] = [];
    for (let look = 0; look < looks; look++) took.push(await millisecondsOf(() => database.ping()));
    if (database.announcements.isDeaf) return wrong(about, deafSaid, deafAdvice);
    // A file of this machine: how long its ping takes says how busy the machine is.
    if (database.engine === 'sqlite') return fine(about, 'SQLite answers, and its disk takes writes.');
    const median = took.toSorted((one, other) => one - other)[looks >> 1] ?? 0;
    const said = `${name} answers in ${shown(median)}.`;
    return median > slowDatabaseMs
      ? odd(about, said, 'Move it nearer, or give it more resources: each request sends several statements.')
      : fine(about, said);
  } catch (error) {
    if (isReadOnly(error))
      return wrong(
        about,
        `${name} takes no writes.`,
        'Let DATABASE_URL lead to the primary: after a failover its name may still lead to a replica.',
      );
    if (error instanceof DatabaseLost)
      return wrong(
        about,
        `${name} answers, but ${reasonOf(error)}.`,
        database.engine === 'sqlite' ? lostFileAdvice : lostTablesAdvice,
      );
    if (database.engine === 'sqlite')
      return wrong(
        about,
        `SQLite takes no writes: ${reasonOf(error)}.`,
        'Check DATA_DIR, its owner and the free space on its disk.',
      );
    return wrong(
      about,
      `${name} does not answer: ${reasonOf(error)}.`,
      'Check DATABASE_URL, and whether the server runs and accepts connections from here.',
    );
  }
}

/** Checks whether a file can be written to the store, read again and deleted. */
export async function lookAtStore(store: BlobStore): Promise<Finding> {
  const about = 'store';
  const bytes = randomBytes(1_024);
  const expected = { hash: createHash('sha256').update(bytes).digest('hex'), size: bytes.length };
  const parts = async function* () {
    yield Uint8Array.from(bytes);
  };
  try {
    const took = await millisecondsOf(async () => {
      const key = await store.write(parts(), expected);
      const isSame = (await store.read(key)).equals(bytes);
      await store.delete(key);
      if (!isSame) throw new Error('what was read is not what was written');
    });
    const said = `A file was written, read and deleted in ${shown(took)}.`;
    return took > slowStoreMs
      ? odd(about, said, 'Move it nearer: the first player to load a file waits for it.')
      : fine(about, said);
  } catch (error) {
    return wrong(about, `No file can be written, read and deleted: ${reasonOf(error)}.`, storeAdvice);
  }
}

/**
 * Clocks further apart than this cause problems: links end early, and two nodes disagree about what is due.
 */
const apartMs = 2_000;

/** Compares this machine's clock with the database's. `now` returns epoch milliseconds. */
export async function lookAtClock(database: Database, now: () => number): Promise<Finding> {
  const about = 'clock';
  try {
    const before = now();
    const theirs = await readDatabaseClock(database.db);
    const after = now();
    // The database answered between the two readings: waiting in between is not a clock error.
    const apart = Math.max(0, before - theirs, theirs - after);
    if (database.engine === 'sqlite') return fine(about, 'SQLite uses the clock of this machine.');
    const said = `The clocks of this machine and of the database ${apart === 0 ? 'agree' : `differ by ${shown(apart)}`}.`;
    return apart > apartMs
      ? wrong(about, said, 'Set both clocks by NTP (timedatectl set-ntp true).')
      : fine(about, said);
  } catch (error) {
    return wrong(
      about,
      `The database does not tell the time: ${reasonOf(error)}.`,
      'Fix the database first.',
    );
  }
}

/** Checks whether searches find every space: the first start after a restore or an update may have to fill their index. */
export async function lookAtSearch({ db }: Database): Promise<Finding> {
  const about = 'search';
  const filled = await howFilled(db);
  if (filled === null) return fine(about, 'The search index has every space.');
  return odd(
    about,
    `The search index is being filled: searches find ${filled.indexed} of ${filled.spaces} spaces.`,
    'Wait: a worker fills it, and everything else works meanwhile. If the number does not grow, check that a worker runs (`work`), and the log.',
  );
}

/** Checks whether backups are taken, and how old the newest is. */
export async function lookAtBackup(platform: Parameters<typeof readBackupHealth>[0]): Promise<Finding> {
  const about = 'backup';
  const { state, error, newest } = await readBackupHealth(platform);
  const said =
    newest === null ? 'There is no backup yet.' : `The newest backup was taken at ${newest.made_at}.`;
  if (state === 'off')
    return odd(
      about,
      'The service takes no backups.',
      'Set BACKUP_TO to a folder on another disk or to s3://…, or take backups in another way (admin backup).',
    );
  if (state === 'failed')
    return wrong(
      about,
      `The last backup failed: ${error}. ${said}`,
      'Check that BACKUP_TO exists and can be written to.',
    );
  if (state === 'late')
    return wrong(
      about,
      said,
      'Check that a worker is running (`work`), because workers take the backups, and that the clock is right.',
    );
  if (state === 'none')
    return odd(about, said, 'The first is taken ten minutes after the start. To take one now: admin backup.');
  return fine(about, said);
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function shown(milliseconds: number): string {
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
}
