import { join } from 'node:path';
import { operations } from '@spaceport/contract/operations';
import type { Logger } from 'pino';
import { bindAccount } from './accounts/account.routes.ts';
import { bindAccountAccess } from './accounts/account-access.routes.ts';
import { createAccountServices } from './accounts/account-services.ts';
import { createAuthenticate } from './accounts/authenticate.ts';
import { liveDeviceCodes } from './accounts/device/live-device-codes.ts';
import { bindOwnAccount } from './accounts/own-account.routes.ts';
import { mountPasskeys, passkeyRoutes } from './accounts/passkeys.routes.ts';
import { bindSignIn } from './accounts/sign-in.routes.ts';
import { sweepAccounts } from './accounts/sweep.ts';
import { bindAchievements } from './achievements/achievements.routes.ts';
import { bindActivity } from './activity/activity.routes.ts';
import { bindBoards } from './boards/boards.routes.ts';
import { bindEntries } from './boards/entries.routes.ts';
import { bindSecrets } from './boards/secrets.routes.ts';
import { createBoardSecrets } from './boards/secrets.ts';
import { createCheckJob } from './checks/check-job.ts';
import { createPageCheck } from './checks/page/page-check.ts';
import { allRules } from './checks/rules/all.ts';
import { clamdRule } from './checks/scanner/clamd.ts';
import { createClipJob } from './clips/clip-job.ts';
import { mountClips } from './clips/clips.routes.ts';
import { type Config, readConfig } from './config.ts';
import { listingPlatform } from './declarations/page-declarations.ts';
import { bindGallery } from './gallery/gallery.routes.ts';
import { bindHosting } from './hosting/hosting.routes.ts';
import { bindModeration } from './moderation/moderation.routes.ts';
import { bindOperators } from './operators/operators.routes.ts';
import { bindReports } from './operators/report.routes.ts';
import { accountPages } from './pages/account-pages.ts';
import { mountAgentGuide } from './pages/agent-guide.ts';
import { mountAssets } from './pages/assets.ts';
import { openBuiltPages } from './pages/built/built-pages.ts';
import { mountBuilt } from './pages/built/mount-built.ts';
import { mountDashboard } from './pages/dashboard.page.ts';
import { mountOperator } from './pages/operator.page.ts';
import { mountPages } from './pages/page-scope.ts';
import { publicPages } from './pages/public-pages.ts';
import { openBlobStore } from './platform/blobs/store.ts';
import { openBrowserPool } from './platform/browser/pool.ts';
import { type Clock, systemClock } from './platform/clock/clock.ts';
import type { Platform } from './platform/context.ts';
import { type DatabaseSettings, openDatabase } from './platform/db/dialect.ts';
import { migrate } from './platform/db/migrate.ts';
import type { AnswerWatch } from './platform/http/answer-watch.ts';
import { mountDescription } from './platform/http/description.ts';
import { mountHealth } from './platform/http/health.ts';
import { type Listener, openListener } from './platform/http/listener.ts';
import { createBinder } from './platform/http/operations.ts';
import { answerNotModified } from './platform/http/public-cache.ts';
import { createHttpApp, mountNotFound } from './platform/http/server.ts';
import { answerWrongHost } from './platform/http/wrong-host.ts';
import { type JobKind, Worker } from './platform/jobs/queue.ts';
import { sweepRateHits } from './platform/limits/rate-limit.ts';
import { createLog } from './platform/log.ts';
import { openMailer } from './platform/mail/mailer.ts';
import { createMailJob } from './platform/mail/outbox.ts';
import { ownNames, safeFetchFor } from './platform/safe-fetch/own-hosts.ts';
import { installationKey } from './platform/secrets/installation-keys.ts';
import { createLinkSigner, uploadRoute } from './platform/secrets/link-signer.ts';
import { anyOf } from './platform/secrets/live-secrets.ts';
import { createUrls } from './platform/urls.ts';
import { bindPlayers } from './players/players.routes.ts';
import { createPlayers } from './players/players.ts';
import { bindPlays } from './plays/plays.routes.ts';
import { bindSandbox } from './sandbox/sandbox.routes.ts';
import { sweepIdempotentAnswers } from './server-calls/idempotency.ts';
import { bindServerCalls } from './server-calls/server-calls.routes.ts';
import { createContentHandler } from './serving/content-handler.ts';
import { createHostClassifier } from './serving/hosts.ts';
import { createSiteVisitor } from './serving/visit-site.ts';
import { createPageSyncJob } from './spaces/page-sync.ts';
import { bindSpaces } from './spaces/spaces.routes.ts';
import { bindClaim } from './unlisted/claim.routes.ts';
import { sweepUnlistedPages } from './unlisted/expiry.ts';
import { liveClaims } from './unlisted/live-claims.ts';
import { type Collected, collectBlobs } from './versions/collector.ts';
import { findCurrentPage } from './versions/current-page.ts';
import { leaveVersionsBehind } from './versions/left-behind.ts';
import { createPackJob } from './versions/packing.ts';
import { createStatusReads } from './versions/read-version.ts';
import { sweepVersions } from './versions/retention.ts';
import { createSiteFinder } from './versions/sites.ts';
import { mountUploads } from './versions/uploads.routes.ts';
import { createUploads } from './versions/uploads.ts';

/** Requests under way have this long once the service is told to end. */
const drainMs = 25_000;
const sweepEveryMs = 10 * 60_000;
const collectEveryMs = 6 * 3_600_000;

export interface ServiceOptions {
  /** The settings, as environment variables. */
  readonly environment: Record<string, string | undefined>;
  /** `serve` answers requests, `work` runs jobs, `all` does both. */
  readonly role: 'all' | 'serve' | 'work';
  readonly clock?: Clock;
  readonly log?: Logger;
  /** Looks at every answer of an operation: for tests. */
  readonly watch?: AnswerWatch;
  /** The folder of built pages to serve as it is; where absent, that of the sources, built when it is lacking. */
  readonly pagesFolder?: string | undefined;
}

type Closer = () => unknown;

/** A running service. Several may run in one process. */
export interface Service {
  readonly config: Config;
  readonly platform: Platform;
  readonly worker: Worker;
  /** Mends and drops what is left over: what the timers do, at once. */
  sweep(): Promise<{ versions: number } & Collected>;
  close(): Promise<void>;
}

/** The composition root: settings in, running service out. Everything is built here and closed in reverse. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const wanted = readConfig(options.environment);
  const log = options.log ?? createLog(wanted);
  const listener = options.role === 'work' ? null : await openListener(wanted.HOST, wanted.PORT);
  // With PORT=0 the addresses follow from the port we got.
  const config =
    listener && wanted.PORT === 0
      ? readConfig({ ...options.environment, PORT: String(listener.port) })
      : wanted;
  const closers: Closer[] = [];
  try {
    return await build(options, config, log, listener, closers);
  } catch (error) {
    for (const close of closers.reverse()) await Promise.resolve(close()).catch(() => {});
    await listener?.drain(0);
    throw error;
  }
}

/** Where the configuration has the database. */
export function databaseSettings({ DATABASE_URL, DATA_DIR, DATABASE_CONNECTIONS }: Config): DatabaseSettings {
  return { url: DATABASE_URL, file: join(DATA_DIR, 'spaceport.db'), maxConnections: DATABASE_CONNECTIONS };
}

/** The database, the store and the keys: what a command that is no server needs too. Adds how to close them. */
export async function openPlatform(
  config: Config,
  { clock, log, closing }: Pick<Platform, 'clock' | 'log' | 'closing'>,
  closers: Closer[],
): Promise<Platform> {
  const database = await openDatabase(databaseSettings(config));
  closers.push(() => database.close());
  await database.patiently((db) => migrate(db));
  const store = await openBlobStore({ url: config.BLOB_STORE, folder: join(config.DATA_DIR, 'blobs') });
  closers.push(() => store.close());
  const links = createLinkSigner(await installationKey(database, 'link_key'));
  return { config, database, store, clock, log, links, urls: createUrls(config), closing };
}

async function build(
  { clock = systemClock, role, watch, pagesFolder }: ServiceOptions,
  config: Config,
  log: Logger,
  listener: Listener | null,
  closers: Closer[],
): Promise<Service> {
  const closing = new AbortController();
  const platform = await openPlatform(config, { clock, log, closing: closing.signal }, closers);
  const { database, store, links, urls } = platform;

  const account = createAccountServices(platform);
  const { accounts, tokens } = account;
  closers.push(() => tokens.close());
  const secrets = createBoardSecrets(platform);
  closers.push(() => secrets.close());
  const liveSecrets = anyOf(
    accounts.liveSecrets,
    secrets.liveSecrets,
    liveClaims(platform),
    liveDeviceCodes(platform),
  );
  const players = createPlayers(platform);
  const mailer = openMailer(
    { smtpUrl: config.SMTP_URL, from: config.MAIL_FROM, folder: join(config.DATA_DIR, 'mail') },
    log,
  );
  const safeFetch = safeFetchFor(config);
  closers.push(() => safeFetch.close());
  const listing = listingPlatform(platform, safeFetch);

  const rules = config.CLAMD === null ? allRules : [...allRules, clamdRule({ address: config.CLAMD })];
  const browsers = openBrowserPool({
    browser: config.BROWSER,
    seats: config.CHECK_WORKERS,
    maxMemoryBytes: config.BROWSER_MAX_BYTES,
    allow: config.FETCH_ALLOW,
    ownNames: ownNames(config),
    https: new URL(config.BASE_URL).protocol === 'https:',
    log,
  });
  closers.push(() => browsers.close());
  const visitSite = createSiteVisitor(platform, browsers);
  const checkPage = createPageCheck(browsers, visitSite, { checkSeconds: config.CHECK_SECONDS });
  const findPage = (spaceId: string) => findCurrentPage(platform, spaceId);
  const kinds: JobKind[] = [
    createCheckJob(platform, { rules, liveSecrets, checkPage }),
    createClipJob(platform, { browsers, visitSite, findPage }),
    createPackJob(platform, join(config.DATA_DIR, 'tmp')),
    createMailJob(platform, mailer),
    createPageSyncJob(listing),
  ];
  const worker = new Worker(database, clock, log, role === 'serve' ? [] : kinds, config.JOB_LEASE_SECONDS);
  closers.push(() => worker.stop());

  if (listener) {
    const hosts = {
      app: new URL(config.BASE_URL).host,
      play: config.PLAY_HOST,
      preview: config.PREVIEW_HOST,
    };
    const findSite = createSiteFinder(platform);
    const content = createContentHandler(
      { store, now: () => clock.now(), findSite, hosts, appOrigin: urls.app },
      {
        cacheBytes: config.SERVING_CACHE_BYTES,
        useAccelRedirect: config.X_ACCEL_REDIRECT ?? undefined,
        log: (error, requestId) => log.warn({ err: error, reqId: requestId }, 'content not served'),
      },
    );
    closers.push(() => content.close());
    const forget = (kind: 'play' | 'preview') => (label: string) =>
      label === '*' ? content.forgetAll() : content.forget(kind, label);
    closers.push(database.announcements.listen('space', forget('play')));
    closers.push(database.announcements.listen('preview', forget('preview')));

    const { app, handle } = createHttpApp({
      server: listener.server,
      log,
      trustProxy: config.TRUST_PROXY,
      watch,
    });
    answerNotModified(app);
    const binder = createBinder(app, createAuthenticate({ ...account, secrets }, urls.app), watch);
    mountHealth(app, platform);
    mountDescription(app);
    bindAccount(binder, platform, account);
    bindSignIn(binder, account);
    bindOwnAccount(binder, platform, account);
    bindAccountAccess(binder, account);
    bindClaim(binder, platform);
    mountPasskeys(app, { ...account, appOrigin: urls.app });
    const built = openBuiltPages({ folder: pagesFolder, log });
    closers.push(() => built.close());
    mountBuilt(app, built);
    mountPages(app, { sessions: account.sessions, appOrigin: urls.app, built }, [
      accountPages(account, urls),
      publicPages(platform, findSite),
      (scope) => mountDashboard(scope, platform),
      (scope) => mountOperator(scope, { previews: urls.previewOrigins }),
    ]);
    mountAssets(app);
    mountAgentGuide(app, urls);
    bindSpaces(binder, {
      ...listing,
      leaveVersionsBehind: (tx, spaceId) => leaveVersionsBehind(platform, tx, spaceId),
      // Beside workers of its own a server knows what they have; what others have it does not.
      canTakePictures: async () =>
        role === 'all' ? browsers.isAvailable().catch(() => false) : config.BROWSER !== 'none',
    });
    bindActivity(binder, platform);
    bindGallery(binder, platform);
    bindBoards(binder, platform);
    bindAchievements(binder, platform);
    bindSecrets(binder, secrets);
    bindPlayers(binder, platform, players);
    bindServerCalls(binder, platform, players);
    bindEntries(binder, platform);
    bindModeration(binder, platform);
    bindSandbox(binder, platform);
    bindPlays(binder, platform);
    bindReports(binder, platform);
    bindOperators(binder, listing);
    const uploads = createUploads(platform, liveSecrets);
    mountUploads(app, links, uploads);
    mountClips(app, platform);
    const statuses = createStatusReads(platform);
    closers.push(() => statuses.close());
    bindHosting(binder, platform, { uploads, statuses });
    mountNotFound(app, [
      ...operations,
      ...passkeyRoutes,
      { method: 'PUT', path: uploadRoute.replaceAll(/:(\w+)/gu, '{$1}') },
    ]);
    await app.ready();
    closers.push(() => app.close());

    const classify = createHostClassifier(hosts);
    listener.handle((request, response) => {
      const target = classify(request.headers.host);
      if (target.is === 'app') handle(request, response);
      else if (target.is === 'unknown') answerWrongHost(request, response, urls.app, handle);
      else content.handle(request, response, target);
    });
    closers.push(() => listener.drain(drainMs));
  }

  const sweep = async () => {
    await sweepUnlistedPages(platform);
    const versions = await sweepVersions(platform);
    await sweepRateHits(database, clock.now());
    await sweepIdempotentAnswers(database, clock.now());
    await sweepAccounts(platform);
    await players.keys.rotate();
    return { versions, ...(await collectBlobs(platform)) };
  };
  if (role !== 'serve') {
    worker.start();
    const quietly = (work: () => Promise<unknown>) => () =>
      void work().catch((error) => log.warn({ err: error }, 'sweep failed'));
    const timers = [
      setInterval(
        quietly(() => Promise.all([sweepUnlistedPages(platform), sweepVersions(platform)])),
        sweepEveryMs,
      ),
      setInterval(quietly(sweep), collectEveryMs),
    ];
    for (const timer of timers) timer.unref();
    closers.push(() => timers.forEach(clearInterval));
  }
  closers.push(() => closing.abort());

  return {
    config,
    platform,
    worker,
    sweep,
    async close() {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
}
