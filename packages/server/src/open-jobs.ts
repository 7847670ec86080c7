import { join } from 'node:path';
import { createResetJob } from './accounts/sign-in/reset-job.ts';
import type { SignIn } from './accounts/sign-in/sign-in.ts';
import { createDropEarnedJob } from './achievements/drop-earned.ts';
import { createAdoptedScoresJob } from './adopting/adopted-scores.ts';
import { createBackupJob } from './backups/backup-job.ts';
import { createDropBoardJob } from './boards/drop-boards.ts';
import { createRerankJob } from './boards/rerank-board.ts';
import { createRecordJob } from './boards/tell-records.ts';
import { createCheckJob, createPreviewCheckJob } from './checks/check-job.ts';
import { createPageCheck } from './checks/page/page-check.ts';
import { allRules } from './checks/rules/all.ts';
import { clamdRule } from './checks/scanner/clamd.ts';
import { createClipJob } from './clips/clip-job.ts';
import type { Domains } from './domains/open-domains.ts';
import { createPageSyncJob } from './listing/page-sync.ts';
import { createAccountStandingJobs } from './moderation/account-standing.ts';
import { type Closer, databaseSettings } from './open-platform.ts';
import { PackingProcess } from './platform/blobs/packing-process.ts';
import type { BrowserPool } from './platform/browser/pool.ts';
import type { Platform } from './platform/context.ts';
import type { SpaceId } from './platform/db/ids.ts';
import { type JobKind, Worker } from './platform/jobs/queue.ts';
import { mailAddressOf } from './platform/mail/contact.ts';
import { openMailer } from './platform/mail/mailer.ts';
import { createMailJob } from './platform/mail/outbox.ts';
import type { LiveSecrets } from './platform/secrets/live-secrets.ts';
import { temporaryFolder } from './platform/temporary-folder.ts';
import type { Tracer } from './platform/tracing/tracer.ts';
import { createFillJob } from './search/fill.ts';
import { createIndexAccountJob } from './search/index-many.ts';
import type { ModuleTexts } from './serving/module/module-texts.ts';
import { createSiteVisitor } from './serving/visit-site.ts';
import { createErrorMailJob } from './telemetry/error-mail.ts';
import { findCurrentPage } from './versions/current-page.ts';
import { createPackJob } from './versions/packing.ts';
import { createTakeDownJob } from './versions/take-down-job.ts';
import { createWebhookJob } from './webhooks/deliver-job.ts';

/** The services that jobs use besides the platform. */
export interface JobServices {
  readonly browsers: BrowserPool;
  readonly modules: ModuleTexts;
  readonly signIn: SignIn;
  readonly liveSecrets: LiveSecrets;
  readonly domains: Domains;
  readonly tracer: Tracer | null;
}

/**
 * Opens the worker with every kind of job; without `runsJobs` it only adds jobs to the queue. Adds its closer
 * to `closers`.
 */
export function openJobs(
  platform: Platform,
  { browsers, modules, signIn, liveSecrets, domains, tracer }: JobServices,
  { runsJobs }: { runsJobs: boolean },
  closers: Closer[],
): Worker {
  const { config, database, clock, log } = platform;
  const mailer = openMailer(
    {
      smtpUrl: config.SMTP_URL,
      from: config.MAIL_FROM,
      replyTo: mailAddressOf(config.CONTACT),
      folder: join(config.DATA_DIR, 'mail'),
    },
    log,
  );
  const rules = config.CLAMD === null ? allRules : [...allRules, clamdRule({ address: config.CLAMD })];
  const visitSite = createSiteVisitor(platform, browsers, modules);
  const checkPage = createPageCheck(browsers, visitSite, { checkSeconds: config.CHECK_SECONDS });
  const findPage = (spaceId: SpaceId) => findCurrentPage(platform, spaceId);
  const checks = { rules, liveSecrets, checkPage };
  const packing = new PackingProcess();
  closers.push(() => packing.close());
  const kinds: JobKind[] = [
    createCheckJob(platform, checks),
    createPreviewCheckJob(platform, checks),
    createClipJob(platform, { browsers, visitSite, findPage }),
    createPackJob(platform, { packing, temporaryFolder: temporaryFolder(config) }),
    createMailJob(platform, mailer),
    createResetJob(signIn),
    createPageSyncJob(platform),
    ...createAccountStandingJobs(platform),
    createAdoptedScoresJob(platform),
    createRerankJob(platform),
    createDropBoardJob(platform),
    createDropEarnedJob(platform),
    createFillJob(platform),
    createIndexAccountJob(platform),
    createErrorMailJob(platform),
    createRecordJob(platform),
    createWebhookJob(platform),
    domains.job,
    createTakeDownJob(platform),
    createBackupJob(platform, databaseSettings(config)),
  ].map((kind) => tracer?.job(kind) ?? kind);
  const worker = new Worker(database, clock, log, runsJobs ? kinds : [], config.JOB_LEASE_SECONDS);
  closers.push(() => worker.stop());
  return worker;
}
