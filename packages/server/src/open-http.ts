import type { AccountServices } from './accounts/account-services.ts';
import { createAuthenticate } from './accounts/authenticate.ts';
import { createConfine } from './accounts/one-space.ts';
import type { BoardSecrets } from './boards/secrets.ts';
import type { Domains } from './domains/open-domains.ts';
import { mountFeatures } from './features.ts';
import { openContent } from './open-content.ts';
import type { Closer } from './open-platform.ts';
import type { BuiltPages } from './pages/built/built-pages.ts';
import type { Platform } from './platform/context.ts';
import type { AnswerWatch } from './platform/http/answer-watch.ts';
import { createBodyBudget } from './platform/http/body-budget.ts';
import { createClientAddress } from './platform/http/client-address.ts';
import { capConnections } from './platform/http/connection-cap.ts';
import { isEnding } from './platform/http/ending.ts';
import type { Listener } from './platform/http/listener.ts';
import { createBinder } from './platform/http/operations.ts';
import { answerNotModified } from './platform/http/public-cache.ts';
import { answerBadTarget, settleTarget } from './platform/http/request-target.ts';
import { createHttpApp } from './platform/http/server.ts';
import { cutSlowReaders } from './platform/http/slow-readers.ts';
import { answerWrongHost } from './platform/http/wrong-host.ts';
import { showCaches } from './platform/metrics/cache-metrics.ts';
import type { Metrics } from './platform/metrics/metrics.ts';
import { openInnerDoor } from './platform/processes/inner-door.ts';
import type { LiveSecrets } from './platform/secrets/live-secrets.ts';
import type { Tracer } from './platform/tracing/tracer.ts';
import type { Players } from './players/players.ts';
import { ResponseCache } from './response-cache/response-cache.ts';
import { ofTheApp, openRooms } from './rooms/rooms.ts';
import { createHostClassifier } from './serving/hosts.ts';
import type { ModuleTexts } from './serving/module/module-texts.ts';
import { createNoSpacePage } from './serving/no-space-page.ts';
import { createTelemetry } from './telemetry/telemetry.ts';
import { createStatusReads } from './versions/read-version.ts';
import { createSiteFinder } from './versions/sites.ts';
import { createUploads } from './versions/uploads.ts';

/** The services that requests use besides the platform. */
export interface HttpServices {
  readonly account: AccountServices;
  readonly secrets: BoardSecrets;
  readonly liveSecrets: LiveSecrets;
  readonly players: Players;
  readonly built: BuiltPages;
  readonly modules: ModuleTexts;
  readonly domains: Domains;
}

/** What sees the requests. */
export interface HttpWatchers {
  readonly metrics: Metrics;
  readonly tracer: Tracer | null;
  readonly watch: AnswerWatch | undefined;
}

/**
 * Gives the listener its handlers: the app, the hosts of spaces, and custom host names. The caller lets it
 * listen. Adds closers to `closers`.
 */
export async function openHttp(
  listener: Listener,
  platform: Platform,
  { account, secrets, liveSecrets, players, built, modules, domains }: HttpServices,
  { metrics, tracer, watch }: HttpWatchers,
  closers: Closer[],
): Promise<void> {
  const { config, log, clock, together, database, urls } = platform;
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
  const { accountName } = players.sessions;
  const authenticate = createAuthenticate({ ...account, secrets, accountName }, urls.app);
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
  await app.ready();
  closers.push(() => app.close());

  const classify = createHostClassifier(hosts);
  const noSpace = config.CUSTOM_DOMAINS ? createNoSpacePage(urls.app) : null;
  const answerOther = domains.answer(content.handle, (request, response) =>
    answerWrongHost(request, response, urls.app, handle, noSpace),
  );
  listener.handle((request, response) => {
    // Data after a refused body is ignored.
    if (isEnding(request)) return void request.socket.destroy();
    const problem = settleTarget(request);
    if (problem !== null) return answerBadTarget(response, problem);
    const target = classify(request.headers.host);
    if (target.is === 'app') responses.handle(request, response, handle, handleAhead);
    else if (target.is === 'unknown') answerOther(request, response);
    else content.handle(request, response, target);
  });
  listener.upgrade(ofTheApp(rooms.upgrades, classify));
  closers.push(cutSlowReaders(listener.server));
}
