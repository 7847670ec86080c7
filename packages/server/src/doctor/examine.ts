import type { Config } from '../config.ts';
import { type BlobStore, StoreUnavailable, storeAdvice } from '../platform/blobs/blob-store.ts';
import { WrongStore, wrongStoreAdvice } from '../platform/blobs/claim-store.ts';
import type { BrowserState } from '../platform/browser/pool.ts';
import type { Clock } from '../platform/clock/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { databaseAdvice } from '../platform/db/failures.ts';
import { UnfitDatabase, unfitAdvice } from '../platform/db/fit-server.ts';
import { reasonOf } from '../platform/reason-of.ts';
import { type Finding, type Subject, unseen, wrong } from './finding.ts';
import { lookAtBackup, lookAtClock, lookAtDatabase, lookAtSearch, lookAtStore } from './look-at-backing.ts';
import { lookAtHosts } from './look-at-hosts.ts';
import { lookAtBrowser, lookAtDisk, lookAtMail } from './look-at-machine.ts';

/** The service that is examined. */
export interface Patient {
  readonly config: Config;
  readonly clock: Clock;
  /** The opened database and store, or the error if they could not be opened; null before the first start. */
  readonly backing: { readonly database: Database; readonly store: BlobStore } | Error | null;
  readonly browser: () => Promise<BrowserState | { readonly is: 'elsewhere' }>;
}

/**
 * Examines everything that the service depends on, at the same time. It takes some five seconds if something
 * does not answer.
 */
export async function examine({ config, clock, backing, browser }: Patient): Promise<Finding[]> {
  const looks = [
    // Certificates and the clocks of other machines use real time.
    lookAtHosts(config, Date.now()),
    lookAtMail(config),
    browser().then((state) => lookAtBrowser(state, clock.now())),
    lookAtDisk(config),
    ...lookAtBacking(config, backing, clock),
  ];
  return (await Promise.all(looks)).flat();
}

/** What cannot be checked without database and store. */
const subjects = ['clock', 'database', 'store', 'search', 'backup'] as const;

function lookAtBacking(
  config: Config,
  backing: Patient['backing'],
  clock: Clock,
): (Promise<Finding> | Finding)[] {
  if (backing === null) {
    const said = 'Nothing was ever started with these settings.';
    return subjects.map((about) => unseen(about, said));
  }
  const needsDatabase = (about: Subject) => unseen(about, 'This needs the database, which does not answer.');
  if (!(backing instanceof Error))
    return [
      lookAtClock(backing.database, () => clock.now()),
      lookAtDatabase(backing.database),
      lookAtStore(backing.store),
      lookAtSearch(backing.database).catch(() => needsDatabase('search')),
      lookAtBackup({ config, clock, database: backing.database }).catch(() => needsDatabase('backup')),
    ];
  const [failed, advice] = failureOf(backing);
  return subjects.map((about) =>
    about === failed
      ? wrong(about, `It cannot be opened: ${reasonOf(backing)}.`, advice)
      : unseen(about, `This needs the ${failed}, which cannot be opened.`),
  );
}

/** Returns what could not be opened, and what to do about it. */
function failureOf(error: Error): readonly ['store' | 'database', string] {
  if (error instanceof WrongStore) return ['store', wrongStoreAdvice];
  if (error instanceof UnfitDatabase) return ['database', unfitAdvice];
  return error instanceof StoreUnavailable ? ['store', storeAdvice] : ['database', databaseAdvice];
}

/** Returns a function that runs one examination at a time. A call during an examination gets its result. */
export function createExaminations(patient: Patient): () => Promise<Finding[]> {
  let running: Promise<Finding[]> | null = null;
  return () =>
    (running ??= examine(patient).finally(() => {
      running = null;
    }));
}
