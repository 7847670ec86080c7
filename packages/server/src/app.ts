import { createAccountServices } from './accounts/account-services.ts';
import { liveDeviceCodes } from './accounts/device/live-device-codes.ts';
import type { PasswordCost } from './accounts/password-hash.ts';
import { createBoardSecrets } from './boards/secrets.ts';
import { type Config, readConfig } from './config.ts';
import { openDomains } from './domains/open-domains.ts';
import type { DomainResolver } from './domains/resolver.ts';
import { openHttp } from './open-http.ts';
import { openJobs } from './open-jobs.ts';
import { type Closer, closeAll, openBrowsers, patientlyOpen } from './open-platform.ts';
import { openBuiltPages } from './pages/built/built-pages.ts';
import { type Clock, systemClock } from './platform/clock/clock.ts';
import type { Platform } from './platform/context.ts';
import { holdFolder, twoServicesSaid } from './platform/db/folder-holder.ts';
import { noteUse, olderThanUsed } from './platform/db/last-seen.ts';
import type { AnswerWatch } from './platform/http/answer-watch.ts';
import { hasUnnamedProxy } from './platform/http/client-address.ts';
import { type Listener, openListener } from './platform/http/listener.ts';
import type { Worker } from './platform/jobs/queue.ts';
import { createLog, type ServiceLog } from './platform/log.ts';
import { createMetrics } from './platform/metrics/metrics.ts';
import { alone, type Together } from './platform/processes/together.ts';
import { anyOf } from './platform/secrets/live-secrets.ts';
import { tracerFor } from './platform/tracing/tracer-for.ts';
import { createPlayers } from './players/players.ts';
import { indexSpacesOf } from './search/fill.ts';
import { ModuleTexts } from './serving/module/module-texts.ts';
import { createSweeps, type Swept } from './sweeps.ts';
import { liveClaims } from './unlisted/live-claims.ts';

/** The time for requests under way after the service is told to end. */
const drainMs = 25_000;

export interface ServiceOptions {
  /** The settings, as environment variables. */
  readonly environment: Record<string, string | undefined>;
  /** `serve` answers requests, `work` runs jobs, `all` does both. */
  readonly role: 'all' | 'serve' | 'work';
  readonly clock?: Clock;
  readonly log?: ServiceLog;
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
    await closeAll(closers).catch(() => {});
    await listener?.drain(0);
    throw error;
  }
}

async function build(
  { clock = systemClock, role, watch, passwordCost, pagesFolder, ...options }: ServiceOptions,
  config: Config,
  log: ServiceLog,
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
  const { database } = platform;
  if (listener && config.DATABASE_URL === null) {
    const held = holdFolder(config.DATA_DIR, { address: config.BASE_URL, now: clock.now() });
    closers.push(() => held.release());
    if (held.other !== null) log.warn(twoServicesSaid(config.DATA_DIR, held.other));
  }
  const older = await olderThanUsed(platform);
  if (older !== null) log.warn(older);
  // A service also starts on a full disk.
  await noteUse(platform).catch((error: unknown) =>
    log.warn({ err: error }, 'use of the database not noted'),
  );

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
  const browsers = openBrowsers(config, log);
  closers.push(() => browsers.close());
  const built = openBuiltPages({ folder: pagesFolder, log });
  closers.push(() => built.close());
  const modules = new ModuleTexts(built.module());
  const domains = openDomains(platform, options.resolver, closers);
  const worker = openJobs(
    platform,
    { browsers, modules, signIn: account.signIn, liveSecrets, domains, tracer },
    { runsJobs: role !== 'serve' },
    closers,
  );
  if (listener) {
    const services = { account, secrets, liveSecrets, players, built, modules, domains };
    await openHttp(listener, platform, services, { metrics, tracer, watch }, closers);
    together.tell({
      figures: () => metrics.registry.getMetricsAsJSON(),
      hear: (topics) => database.announcements.deliver(topics),
      browser: () => (role === 'all' ? browsers.state() : null),
      canTakePictures: () => browsers.isAvailable().catch(() => false),
    });
    await listener.listen();
    if (hasUnnamedProxy(config))
      log.warn(
        'BASE_URL is https and TRUST_PROXY names no proxy: all clients share the limits of one address',
      );
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
      await closeAll(closers);
    },
  };
}
