import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { claimStore } from './platform/blobs/claim-store.ts';
import { claimedStore } from './platform/blobs/claimed-store.ts';
import { openBlobStore } from './platform/blobs/store.ts';
import { type BrowserPool, openBrowserPool } from './platform/browser/pool.ts';
import type { Platform } from './platform/context.ts';
import { type DatabaseSettings, openDatabase } from './platform/db/database.ts';
import { deafAdvice, deafSaid, isUnavailable } from './platform/db/failures.ts';
import { withOwnPing } from './platform/db/lost-tables.ts';
import { migrate } from './platform/db/migrate.ts';
import { tellOlder } from './platform/db/oldest-program.ts';
import { answerNotReady } from './platform/http/health.ts';
import type { Listener } from './platform/http/listener.ts';
import type { BackingMetrics } from './platform/metrics/backing-metrics.ts';
import { keepPrivate } from './platform/private-folder.ts';
import { reasonOf } from './platform/reason-of.ts';
import { ownNames, safeFetchFor } from './platform/safe-fetch/own-hosts.ts';
import { installationKey, linkKey } from './platform/secrets/installation-keys.ts';
import { createLinkSigner } from './platform/secrets/link-signer.ts';
import { createUrls } from './platform/urls.ts';
import { beginFill } from './search/fill.ts';

/** A database that is not available at the start is tried after one second, after two more, and so on. */
const databaseRetryMs = 1_000;
const longestRetryMs = 5_000;
/** Requests wait for the start that long. A migration takes longer, and whoever watches the node must hear that it lives. */
const quietMs = 2_000;

export type Closer = () => unknown;

/**
 * Empties `closers` and runs them, the last one first. One that fails does not keep the others from closing.
 * @throws the first failure, once all have run
 */
export async function closeAll(closers: Closer[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers.splice(0).reverse()) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * The services that a platform is opened with besides its settings. `metrics` is absent if nobody can read
 * them.
 */
type Running = Pick<Platform, 'clock' | 'log' | 'closing' | 'together'> & {
  readonly metrics?: BackingMetrics;
};

/** Returns the settings of the database in the configuration. */
export function databaseSettings(config: Config): DatabaseSettings {
  return {
    url: config.DATABASE_URL,
    directUrl: config.DATABASE_DIRECT_URL,
    file: join(config.DATA_DIR, 'spaceport.db'),
    maxConnections: config.DATABASE_CONNECTIONS,
    namedStatements: config.DATABASE_NAMED_STATEMENTS,
  };
}

/** Returns the settings of the file store in the configuration. */
export function storeSettings({ BLOB_STORE, DATA_DIR, X_ACCEL_REDIRECT }: Config) {
  return { url: BLOB_STORE, folder: join(DATA_DIR, 'blobs'), isShared: X_ACCEL_REDIRECT !== null };
}

/** Closes DATA_DIR to other users. Whatever makes a database begins with this. */
export async function keepDataPrivate(config: Config): Promise<void> {
  await keepPrivate({
    folder: config.DATA_DIR,
    databaseFile: config.DATABASE_URL === null ? databaseSettings(config).file : null,
    shared: config.X_ACCEL_REDIRECT === null ? [] : ['blobs'],
  });
}

/**
 * Opens the database, the store and the keys, which commands other than the server need too. Adds
 * their closers to `closers`.
 * @throws `WrongStore` if the files in the store are another database's
 */
export async function openPlatform(
  config: Config,
  { clock, log, closing, together, metrics }: Running,
  closers: Closer[],
): Promise<Platform> {
  const settings = databaseSettings(config);
  await keepDataPrivate(config);
  const opened = await openDatabase({ ...settings, watch: metrics?.statement }, { clock, config });
  closers.push(() => opened.close());
  if (opened.announcements.isDeaf) log.warn(`${deafSaid} ${deafAdvice}`);
  const database = metrics?.database(opened) ?? opened;
  database.announcements.alsoTell((topics) => together.spread(topics));
  await database.patiently((db) => migrate(db));
  await beginFill(database);
  const files = await openBlobStore(storeSettings(config));
  closers.push(() => files.close());
  const timed = metrics?.store(files) ?? files;
  // Before the keys are made, by which a new installation is known.
  const store = await claimedStore(timed, () => claimStore(database, timed), log);
  await tellOlder(database.db);
  const key = await installationKey(database, linkKey);
  const links = createLinkSigner(key);
  const safeFetch = safeFetchFor(config);
  closers.push(() => safeFetch.close());
  const urls = createUrls(config);
  return {
    config,
    database: withOwnPing(database, linkKey, key.toString('base64url')),
    store,
    clock,
    log,
    safeFetch,
    links,
    urls,
    together,
    closing,
  };
}

/** Returns the configured browsers. None is started yet. */
export function openBrowsers(config: Config, log: Logger): BrowserPool {
  return openBrowserPool({
    browser: config.BROWSER,
    sandbox: config.BROWSER_SANDBOX,
    seats: config.CHECK_WORKERS,
    maxMemoryBytes: config.BROWSER_MAX_BYTES,
    allow: config.FETCH_ALLOW,
    ownNames: ownNames(config),
    https: new URL(config.BASE_URL).protocol === 'https:',
    log,
  });
}

/**
 * Opens the platform, and waits while the database is not available. Meanwhile the server logs this, and
 * answers that it is not ready.
 */
export async function patientlyOpen(
  config: Config,
  running: Running,
  listener: Listener | null,
  closers: Closer[],
): Promise<Platform> {
  let told = '';
  for (let attempt = 1; ; attempt++) {
    const answering = setTimeout(() => listener?.handle(answerNotReady), quietMs);
    try {
      return await openPlatform(config, running, closers);
    } catch (error) {
      // An SQLite file that cannot be opened means a wrong setting, which waiting does not fix.
      if (config.DATABASE_URL === null || !isUnavailable(error)) throw error;
      await closeAll(closers).catch(() => {});
      if (attempt === 1) listener?.handle(answerNotReady);
      const reason = reasonOf(error);
      // Ever less often, so that one who looks later finds it, and the log is not full of it.
      if (reason !== told || Number.isInteger(Math.log2(attempt)))
        running.log.warn({ reason, attempt }, 'the database is away: waiting for it');
      told = reason;
      await pause(Math.min(attempt * databaseRetryMs, longestRetryMs));
    } finally {
      clearTimeout(answering);
    }
  }
}
