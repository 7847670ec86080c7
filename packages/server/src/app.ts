import { join } from 'node:path';
import type { Logger } from 'pino';
import { createAccountServices } from './accounts/account-services.ts';
import { createAuthenticate } from './accounts/authenticate.ts';
import { liveDeviceCodes } from './accounts/device/live-device-codes.ts';
import { createConfine } from './accounts/one-space.ts';
import type { PasswordCost } from './accounts/password-hash.ts';
import { createResetJob } from './accounts/sign-in/reset-job.ts';
import { createAdoptedScoresJob } from './adopting/adopted-scores.ts';
import { createBackupJob } from './backups/backup-job.ts';
import { createRerankJob } from './boards/rerank-board.ts';
import { createBoardSecrets } from './boards/secrets.ts';
import { createRecordJob } from './boards/tell-records.ts';
import { createCheckJob, createPreviewCheckJob } from './checks/check-job.ts';
import { createPageCheck } from './checks/page/page-check.ts';
import { allRules } from './checks/rules/all.ts';
import { clamdRule } from './checks/scanner/clamd.ts';
import { createClipJob } from './clips/clip-job.ts';
import { type Config, readConfig } from './config.ts';
import { openDomains } from './domains/open-domains.ts';
import type { DomainResolver } from './domains/resolver.ts';
import { mountFeatures } from './features.ts';
import { createPageSyncJob } from './listing/page-sync.ts';
import { createAccountStandingJob } from './moderation/account-standing.ts';
import { openContent } from './open-content.ts';
import { type Closer, databaseSettings, openBrowsers, patientlyOpen } from './open-platform.ts';
import { openBuiltPages } from './pages/built/built-pages.ts';
import { type Clock, systemClock } from './platform/clock/clock.ts';
import type { Platform } from './platform/context.ts';
import type { SpaceId } from './platform/db/ids.ts';
import type { AnswerWatch } from './platform/http/answer-watch.ts';
import { createBodyBudget } from './platform/http/body-budget.ts';
import { createClientAddress } from './platform/http/client-address.ts';
import { capConnections } from './platform/http/connection-cap.ts';
import { isEnding } from './platform/http/ending.ts';
import { type Listener, openListener } from './platform/http/listener.ts';
import { createBinder } from './platform/http/operations.ts';
import { answerNotModified } from './platform/http/public-cache.ts';
import { settleTarget } from './platform/http/request-target.ts';
import { createHttpApp } from './platform/http/server.ts';
import { cutSlowReaders } from './platform/http/slow-readers.ts';
import { answerSeveralHosts, answerWrongHost } from './platform/http/wrong-host.ts';
import { type JobKind, Worker } from './platform/jobs/queue.ts';
import { createLog } from './platform/log.ts';
import { openMailer } from './platform/mail/mailer.ts';
import { createMailJob } from './platform/mail/outbox.ts';
import { showCaches } from './platform/metrics/cache-metrics.ts';
import { createMetrics } from './platform/metrics/metrics.ts';
import { openInnerDoor } from './platform/processes/inner-door.ts';
import { alone, type Together } from './platform/processes/together.ts';
import { anyOf } from './platform/secrets/live-secrets.ts';
import { tracerFor } from './platform/tracing/tracer-for.ts';
import { createPlayers } from './players/players.ts';
import { ResponseCache } from './response-cache/response-cache.ts';
import { ofTheApp, openRooms } from './rooms/rooms.ts';
import { indexSpacesOf } from './search/fill.ts';
import { createHostClassifier } from './serving/hosts.ts';
import { ModuleTexts } from './serving/module/module-texts.ts';
import { createSiteVisitor } from './serving/visit-site.ts';
import { createSweeps, type Swept } from './sweeps.ts';
import { createErrorMailJob } from './telemetry/error-mail.ts';
import { createTelemetry } from './telemetry/telemetry.ts';
import { liveClaims } from './unlisted/live-claims.ts';
import { findCurrentPage } from './versions/current-page.ts';
import { createPackJob } from './versions/packing.ts';
import { createStatusReads } from './versions/read-version.ts';
import { createSiteFinder } from './versions/sites.ts';
import { createTakeDownJob } from './versions/take-down-job.ts';
import { createUploads } from './versions/uploads.ts';
import { createWebhookJob } from './webhooks/deliver-job.ts';

/** The time for requests under way after the service is told to end. */
const drainMs = 25_000;

export interface ServiceOptions {
  /** The settings, as environment variables. */
  readonly environment: Record<string, string | undefined>;
  /** `serve` answers requests, `work` runs jobs, `all` does both. */
  readonly role: 'all' | 'serve' | 'work';
  readonly clock?: Clock;
  readonly log?: Logger;
  /** The other processes of this server; absent if there are none. */
  readonly together?: Together;
  /** Takes connections only when it can answer: other processes of its server answer meanwhile. */
  readonly listensLast?: boolean;
  /** Looks up the records of host names; the machine's own resolver if absent. */
  readonly resolver?: DomainResolver;
  /** Sees every response of an operation. For tests. */
  readonly watch?: AnswerWatch;
  /** The hashing cost of new passwords. Only tests set it, whose passwords need no protection. */
  readonly passwordCost?: PasswordCost;
  /** The folder of built pages to serve; if absent, the one in the sources, built if it is missing. */
  readonly pagesFolder?: string | undefined;
}

/** A running service. Several may run in one process. */
export interface Service {
  readonly config: Config;
  readonly platform: Platform;
  readonly worker: Worker;
  /** Runs all sweeps at once, which timers run otherwise: they repair and delete leftovers. */
  sweep(): Promise<Swept>;
  /** `drainSeconds`: how long to wait for kept-alive connections, which end with their next answer. */
  close(options?: { drainSeconds: number }): Promise<void>;
}

/** The composition root: starts a service from its settings. Closes everything in reverse order. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const wanted = readConfig(options.environment);
  const log = options.log ?? createLog(wanted);
  const { role, listensLast: later } = options;
  const listener = role === 'work' ? null : await openListener(wanted.HOST, wanted.PORT, { later });
  // With PORT=0 the addresses depend on the port that the system chose.
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

async function build(
  { clock = systemClock, role, watch, passwordCost, pagesFolder, ...options }: ServiceOptions,
  config: Config,
  log: Logger,
  listener: Listener | null,
  closers: Closer[],
): Promise<Service> {
  const closing = new AbortController();
  const tracer = await tracerFor(config, log);
  const metrics = createMetrics(tracer);
  const together = options.together ?? alone(clock, { runsJobs: role !== 'serve' });
  const running = { clock, log, together, closing: closing.signal, metrics: metrics.backing };
  const platform = await patientlyOpen(config, running, listener, closers);
  // The tracer is closed last, because the other closers still write spans.
  closers.unshift(() => tracer?.close());
  const { database, urls } = platform;

  const account = createAccountServices(platform, indexSpacesOf, passwordCost);
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

  const rules = config.CLAMD === null ? allRules : [...allRules, clamdRule({ address: config.CLAMD })];
  const browsers = openBrowsers(config, log);
  closers.push(() => browsers.close());
  const built = openBuiltPages({ folder: pagesFolder, log });
  closers.push(() => built.close());
  const modules = new ModuleTexts(built.module());
  const visitSite = createSiteVisitor(platform, browsers, modules);
  const checkPage = createPageCheck(browsers, visitSite, { checkSeconds: config.CHECK_SECONDS });
  const findPage = (spaceId: SpaceId) => findCurrentPage(platform, spaceId);
  const checks = { rules, liveSecrets, checkPage };
  const domains = openDomains(platform, options.resolver, closers);
  const kinds: JobKind[] = [
    createCheckJob(platform, checks),
    createPreviewCheckJob(platform, checks),
    createClipJob(platform, { browsers, visitSite, findPage }),
    createPackJob(platform, join(config.DATA_DIR, 'tmp')),
    createMailJob(platform, mailer),
    createResetJob(account.signIn),
    createPageSyncJob(platform),
    createAccountStandingJob(platform),
    createAdoptedScoresJob(platform),
    createRerankJob(platform),
    createErrorMailJob(platform),
    createRecordJob(platform),
    createWebhookJob(platform),
    domains.job,
    createTakeDownJob(platform),
    createBackupJob(platform, databaseSettings(config)),
  ].map((kind) => tracer?.job(kind) ?? kind);
  const worker = new Worker(database, clock, log, role === 'serve' ? [] : kinds, config.JOB_LEASE_SECONDS);
  closers.push(() => worker.stop());

  if (listener) {
    capConnections(listener.server, {
      perAddress: config.CONNECTIONS_PER_ADDRESS,
      proxies: config.TRUST_PROXY,
      together,
      onRefused: (network) => log.warn({ network }, 'one address holds too many connections'),
    });
    const { BASE_URL, PLAY_HOST: play, PREVIEW_HOST: preview } = config;
    const hosts = { app: new URL(BASE_URL).host, play, preview };
    const findSite = createSiteFinder(platform);
    const watched = { hosts, findSite, modules, together, watch: metrics.content };
    const content = openContent(platform, watched, closers);
    const bodies = createBodyBudget(config.BODY_MEMORY_BYTES, together);
    const { app, handle, ahead, handleAhead } = createHttpApp({
      server: listener.server,
      log,
      appOrigin: urls.app,
      clientAddress: createClientAddress(config.TRUST_PROXY),
      bodies,
      metrics: metrics.requests,
      tracer,
      watch,
    });
    const responses = new ResponseCache({
      maxBytes: config.RESPONSE_CACHE_BYTES,
      clock,
      log,
      announcements: database.announcements,
      metrics: metrics.requests,
      isPersonal: (headers) => account.sessions.hasCookie(headers),
    });
    closers.push(() => responses.close());
    showCaches(metrics.registry, { ...content.caches, responses: () => responses.counts });
    responses.mount(app);
    answerNotModified(app);
    const telemetry = createTelemetry(platform);
    closers.push(() => telemetry.close());
    const rooms = openRooms(platform, await openInnerDoor(platform), closers);
    const statuses = createStatusReads(platform);
    closers.push(() => statuses.close());
    const authenticate = createAuthenticate({ ...account, secrets }, urls.app);
    const confine = createConfine(platform);
    mountFeatures(app, createBinder(app, { authenticate, confine, together, ahead, watch }), {
      platform,
      metrics: metrics.requests,
      account,
      authenticate,
      secrets,
      players,
      rooms,
      built,
      modules,
      telemetry,
      statuses,
      uploads: createUploads(platform, liveSecrets),
      bodies,
      findSite,
      ownHosts: domains.hosts,
    });
    together.tell({
      figures: () => metrics.registry.getMetricsAsJSON(),
      hear: (topics) => database.announcements.deliver(topics),
      browser: () => (role === 'all' ? browsers.state() : null),
      canTakePictures: () => browsers.isAvailable().catch(() => false),
    });
    await app.ready();
    closers.push(() => app.close());

    const classify = createHostClassifier(hosts);
    const answerOther = domains.answer(content.handle, (request, response) =>
      answerWrongHost(request, response, urls.app, handle),
    );
    listener.handle((request, response) => {
      // Data after a refused body is ignored.
      if (isEnding(request)) return void request.socket.destroy();
      if (!settleTarget(request)) return answerSeveralHosts(response);
      const target = classify(request.headers.host);
      if (target.is === 'app') responses.handle(request, response, handle, handleAhead);
      else if (target.is === 'unknown') answerOther(request, response);
      else content.handle(request, response, target);
    });
    listener.upgrade(ofTheApp(rooms.upgrades, classify));
    closers.push(cutSlowReaders(listener.server));
    await listener.listen();
    closers.push(() => listener.drain(drainMs));
  }

  const sweeps = createSweeps(platform, players);
  if (role !== 'serve') {
    worker.start();
    closers.push(sweeps.start());
  }
  closers.push(() => closing.abort());

  return {
    config,
    platform,
    worker,
    sweep: sweeps.all,
    async close({ drainSeconds } = { drainSeconds: 0 }) {
      // Readiness checks must see first that this node is not ready.
      closing.abort();
      await listener?.sendAway(drainSeconds * 1000);
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
}
