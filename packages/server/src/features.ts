import type { FastifyInstance } from 'fastify';
import { bindAccount } from './accounts/account.routes.ts';
import { bindAccountAccess } from './accounts/account-access.routes.ts';
import type { AccountServices } from './accounts/account-services.ts';
import { createConfine } from './accounts/one-space.ts';
import { bindOwnAccount } from './accounts/own-account.routes.ts';
import { mountPasskeys } from './accounts/passkeys.routes.ts';
import { bindSignIn } from './accounts/sign-in.routes.ts';
import { bindAchievements } from './achievements/achievements.routes.ts';
import { bindActivity } from './activity/activity.routes.ts';
import { bindAdopting } from './adopting/adopting.routes.ts';
import { showBackups } from './backups/backup-health.ts';
import { bindBoards } from './boards/boards.routes.ts';
import { bindEntries } from './boards/entries.routes.ts';
import { bindSecrets } from './boards/secrets.routes.ts';
import type { BoardSecrets } from './boards/secrets.ts';
import { bindCovers, mountClips } from './clips/clips.routes.ts';
import { bindContent } from './content/content.routes.ts';
import { bindDeleting } from './deleting/deleting.routes.ts';
import { bindDomains, mountDomainAsk } from './domains/domains.routes.ts';
import type { OwnHosts } from './domains/find-host.ts';
import { bindGallery } from './gallery/gallery.routes.ts';
import { bindHosting } from './hosting/hosting.routes.ts';
import { bindListing } from './listing/listing.routes.ts';
import { mountMcp } from './mcp/mcp.routes.ts';
import { bindModeration } from './moderation/moderation.routes.ts';
import { createAuthorizations } from './oauth/authorization.ts';
import { createClients } from './oauth/clients.ts';
import { mountOAuth } from './oauth/oauth.routes.ts';
import { bindOneCall } from './one-call/one-call.routes.ts';
import { bindOperators } from './operators/operators.routes.ts';
import { showQueue } from './operators/queue-metrics.ts';
import { readinessDetails } from './operators/readiness-details.ts';
import { bindReports } from './operators/report.routes.ts';
import { bindOwnPlay } from './own-play/own-play.routes.ts';
import { accountPages } from './pages/account-pages.ts';
import { mountAssets } from './pages/assets.ts';
import type { BuiltPages } from './pages/built/built-pages.ts';
import { mountBuilt } from './pages/built/mount-built.ts';
import { mountCli } from './pages/cli/mount-cli.ts';
import { mountDashboard } from './pages/dashboard.page.ts';
import { mountDocs, mountSchema, mountTypes, openDocPages } from './pages/docs/mount-docs.ts';
import { mountMe } from './pages/me.page.ts';
import { mountModule } from './pages/mount-module.ts';
import { mountOperator } from './pages/operator.page.ts';
import { mountPages } from './pages/page-scope.ts';
import { publicPages } from './pages/public-pages.ts';
import { createPageSender } from './pages/send-page.ts';
import { mountSitemap } from './pages/sitemap.ts';
import type { Platform } from './platform/context.ts';
import type { Authenticate } from './platform/http/admit.ts';
import type { BodyBudget } from './platform/http/body-budget.ts';
import { mountDescription } from './platform/http/description.ts';
import { mountHealth } from './platform/http/health.ts';
import { collectRoutes, mountNotFound } from './platform/http/known-routes.ts';
import type { Binder } from './platform/http/operations.ts';
import type { RequestMetrics } from './platform/http/request-metrics.ts';
import { bindPlayerCalls } from './player-calls/player-calls.routes.ts';
import { bindShownVersion } from './player-calls/shown-version.routes.ts';
import { bindPlayers } from './players/players.routes.ts';
import type { Players } from './players/players.ts';
import { createAccountPlays } from './plays/account-plays.ts';
import { bindPlays } from './plays/plays.routes.ts';
import { createPlays } from './plays/plays.ts';
import { showRooms } from './rooms/room-metrics.ts';
import { bindRooms } from './rooms/rooms.routes.ts';
import type { Rooms } from './rooms/rooms.ts';
import { bindSandbox } from './sandbox/sandbox.routes.ts';
import { bindSaves } from './saves/saves.routes.ts';
import { createSaves } from './saves/saves.ts';
import { bindServerCalls } from './server-calls/server-calls.routes.ts';
import type { ModuleTexts } from './serving/module/module-texts.ts';
import type { FindSite } from './serving/site.ts';
import { bindSpaces } from './spaces/spaces.routes.ts';
import { bindTelemetry } from './telemetry/telemetry.routes.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import { bindClaim } from './unlisted/claim.routes.ts';
import type { StatusReads } from './versions/read-version.ts';
import { mountUploads } from './versions/uploads.routes.ts';
import type { Uploads } from './versions/uploads.ts';
import { bindWebhooks } from './webhooks/webhooks.routes.ts';

/** The services that the features' routes use, built by `open-http.ts`. */
export interface Foundation {
  readonly platform: Platform;
  readonly metrics: RequestMetrics;
  readonly account: AccountServices;
  readonly authenticate: Authenticate;
  readonly secrets: BoardSecrets;
  readonly players: Players;
  readonly rooms: Rooms;
  readonly built: BuiltPages;
  readonly modules: ModuleTexts;
  readonly telemetry: Telemetry;
  readonly statuses: StatusReads;
  readonly uploads: Uploads;
  readonly bodies: BodyBudget;
  readonly findSite: FindSite;
  readonly ownHosts: OwnHosts;
}

/** Mounts everything that the features show over HTTP: operations, pages and other routes. */
export function mountFeatures(app: FastifyInstance, binder: Binder, foundation: Foundation): void {
  const { platform, account, secrets, players, built, statuses, uploads, telemetry } = foundation;
  const { urls, links } = platform;

  const known = collectRoutes(app);
  mountHealth(app, platform, foundation.metrics, () => readinessDetails(platform));
  showQueue(foundation.metrics.registry, platform);
  showBackups(foundation.metrics.registry, platform);
  showRooms(foundation.metrics.registry, foundation.rooms);
  mountDescription(app);

  bindAccount(binder, platform, account);
  bindSignIn(binder, account);
  bindOwnAccount(binder, platform, account);
  bindAccountAccess(binder, account);
  mountPasskeys(app, { ...account, appOrigin: urls.app });

  const accountPlays = createAccountPlays(platform);
  const saves = createSaves(platform, accountPlays);

  const clients = createClients(platform);
  mountOAuth(app, platform, { tokens: account.tokens, clients });

  mountBuilt(app, built);
  const pageOptions = {
    sessions: account.sessions,
    appOrigin: urls.app,
    links: platform.config.FOOTER_LINKS,
    site: {
      contact: platform.config.CONTACT,
      asksForCode: platform.config.SIGN_UP_CODE !== null,
      needsAccount: platform.config.ANONYMOUS_PUBLISHES_PER_HOUR === 0,
    },
    built,
    now: () => platform.clock.now(),
  };
  const sender = createPageSender(pageOptions);
  const docs = openDocPages(urls.app, pageOptions.site.needsAccount);
  mountPages(app, pageOptions, sender, [
    accountPages({ ...account, authorizations: createAuthorizations(platform, clients) }, platform),
    publicPages(platform, foundation.findSite, players, docs),
    (scope) => mountDashboard(scope, platform),
    (scope) => mountMe(scope, platform, { ...account, saves }),
    (scope) => mountOperator(scope, { previews: urls.previewOrigins }),
  ]);
  mountAssets(app, platform.urls);
  mountSitemap(app, platform);
  mountCli(app, built, urls.app);
  mountModule(app, foundation.modules, urls.app);
  mountDocs(app, docs);
  mountSchema(app, urls.app);
  mountTypes(app);
  mountClips(app, platform);
  bindCovers(binder, platform);

  bindSpaces(binder, platform);
  // Workers in other processes are asked when a request needs the answer.
  bindListing(
    binder,
    platform,
    async () => (await platform.together.canTakePictures()) ?? platform.config.BROWSER !== 'none',
  );
  bindDomains(binder, platform);
  mountDomainAsk(app, platform, foundation.ownHosts);
  bindGallery(binder, platform);
  const plays = createPlays(platform);
  bindPlays(binder, platform, plays);
  bindActivity(binder, platform);
  bindReports(binder, platform);
  bindOperators(binder, platform);

  mountUploads(app, { links, uploads, bodies: foundation.bodies });
  bindHosting(binder, platform, { uploads, statuses });
  bindOneCall(binder, {
    platform,
    uploads,
    statuses,
    bodies: foundation.bodies,
    confine: createConfine(platform),
  });
  bindClaim(binder, platform);
  bindDeleting(binder, platform, account);

  bindBoards(binder, platform);
  bindEntries(binder, platform);
  bindAchievements(binder, platform);
  bindSecrets(binder, secrets);
  bindPlayers(binder, platform, players);
  bindServerCalls(binder, platform, players);
  bindPlayerCalls(binder, platform, { players, plays, accountPlays, telemetry });
  bindTelemetry(binder, platform, { players, telemetry });
  bindWebhooks(binder, platform);
  bindRooms(binder, platform, foundation);
  bindSaves(binder, platform, saves);
  bindContent(binder, platform);
  bindAdopting(binder, platform, players.sessions);
  bindShownVersion(binder, platform);
  bindModeration(binder, platform, players);
  bindOwnPlay(binder, platform, account);
  bindSandbox(binder, platform);

  mountMcp(app, { platform, binder, docs, authenticate: foundation.authenticate });

  mountNotFound(app, known, sender.sendError);
}
