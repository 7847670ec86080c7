import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { toTimestamp } from '../clock/clock.ts';

/** What holds the data folder of a service on SQLite, for as long as that runs. */
export interface FolderHold {
  /** Who holds the folder already, in words; null if nobody does. */
  readonly other: string | null;
  release(): void;
}

const nobody: FolderHold = { other: null, release() {} };

/** What is wrong with two services on one folder. */
export function twoServicesSaid(folder: string, other: string): string {
  return `Another service uses DATA_DIR (${folder}) already: ${other}. End one of them: each counts limits by itself, and players in one do not meet those in the other. For several processes use PostgreSQL.`;
}

/**
 * Notes that a service answers requests from this folder. The lock is SQLite's, on a file of its own: the system ends
 * it with the process, however that ends, and it holds between containers, where a number of a process says little.
 * Where the file cannot be written, nothing is known.
 */
export function holdFolder(folder: string, { address, now }: { address: string; now: number }): FolderHold {
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(join(folder, 'spaceport.lock'), { timeout: 0 });
    file.exec('pragma synchronous = off; create table if not exists holder (said text not null)');
    return take(file, `process ${process.pid} of ${hostname()}, at ${address} since ${toTimestamp(now)}`);
  } catch {
    file?.close();
    return nobody;
  }
}

function take(file: DatabaseSync, words: string): FolderHold {
  if (!begins(file)) {
    const said = file.prepare('select said from holder').get()?.said;
    file.close();
    return { ...nobody, other: typeof said === 'string' ? said : 'a process that is about to start' };
  }
  file.exec('delete from holder');
  file.prepare('insert into holder (said) values (?)').run(words);
  file.exec('commit');
  // A transaction that writes nothing lets others read, and none begin. Who begins between the two has written its own words.
  return begins(file) ? { other: null, release: () => file.close() } : take(file, words);
}

/** Returns whether the writing transaction begins: false if another process is in one. */
function begins(file: DatabaseSync): boolean {
  try {
    file.exec('begin immediate');
    return true;
  } catch (error) {
    if (error instanceof Error && /database is locked/u.test(error.message)) return false;
    throw error;
  }
}
