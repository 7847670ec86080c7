import type { Finding } from '@spaceport/contract/versions';
import { attemptsWithBrowser } from '../platform/browser/attempts.ts';
import { BrowserUnusable } from '../platform/browser/running-browser.ts';
import type { Platform } from '../platform/context.ts';
import { givenId, type VersionId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { GivenUpJob, JobKind, LeasedJob } from '../platform/jobs/queue.ts';
import { checkJob, previewCheckJob } from '../versions/job-kinds.ts';
import {
  type Judgement,
  recordJudgement,
  recordPreviewJudgement,
  type VersionUnderCheck,
  versionUnderCheck,
} from '../versions/judgement.ts';
import { lockVersion, lockVersionById, type OwnVersion } from '../versions/own-version.ts';
import { type CheckOptions, judge, judgeForLive } from './judge.ts';

/** A preview waits behind the versions that are to go live, but at most this long: it is shown meanwhile. */
const previewWaitSeconds = 600;

type Record = (tx: Tx, versionId: VersionId, judgement: Judgement, locked: OwnVersion) => Promise<void>;

/** Creates the job that checks a version which waits for its verdict, and makes it live if it passes. */
export function createCheckJob(platform: Platform, options: CheckOptions): JobKind {
  const { database, config } = platform;
  return {
    kind: checkJob,
    timeoutSeconds: config.CHECK_SECONDS + 30,
    maxAttempts: attemptsWithBrowser,
    concurrency: config.CHECK_WORKERS,
    async run(job) {
      const version = await versionUnderCheck(platform, givenId('ver', job.ref), 'checking');
      if (version)
        await check(platform, options, { job, version, judge: judgeForLive, record: recordJudgement });
    },
    async givenUp(job, error) {
      const reason = 'The safety check failed several times. Publish again, or request a review.';
      const judgement: Judgement =
        error instanceof BrowserUnusable
          ? {
              verdict: 'unjudged',
              reason: `${notOpened.message} ${notOpened.fix}`,
              report: { findings: [notOpened] },
            }
          : { verdict: 'unjudged', reason, report: { findings: [] } };
      await database.transaction((tx) => recordUnjudged(tx, job, judgement, recordJudgement));
    },
  };
}

/**
 * Creates the job that checks a preview, one at a time. The findings become its report; harm ends its links.
 */
export function createPreviewCheckJob(platform: Platform, options: CheckOptions): JobKind {
  const { database, config } = platform;
  return {
    kind: previewCheckJob,
    timeoutSeconds: config.CHECK_SECONDS + 30,
    maxAttempts: attemptsWithBrowser,
    concurrency: 1,
    behind: { kind: checkJob, atMostSeconds: previewWaitSeconds },
    async run(job) {
      const version = await versionUnderCheck(platform, givenId('ver', job.ref), 'preview');
      if (version) await check(platform, options, { job, version, judge, record: recordPreviewJudgement });
    },
    async givenUp(job, error) {
      const finding = error instanceof BrowserUnusable ? notOpened : notChecked;
      const judgement: Judgement = { verdict: 'unjudged', report: { findings: [finding] } };
      await database.transaction((tx) => recordUnjudged(tx, job, judgement, recordPreviewJudgement));
    },
  };
}

/** Records that a version could not be checked, if nobody asked for another check meanwhile. */
async function recordUnjudged(
  tx: Tx,
  { ref, confirm }: GivenUpJob,
  judgement: Judgement,
  record: Record,
): Promise<void> {
  const versionId = givenId('ver', ref);
  // The space is locked before the job, as in `check`.
  const locked = await lockVersionById(tx, versionId);
  await confirm(tx);
  if (locked) await record(tx, versionId, judgement, locked);
}

/** The files have passed the rules: a version that they refuse, or cannot decide, is not opened. */
const notOpened: Finding = {
  rule: 'page-browser',
  severity: 'unjudged',
  message:
    'The page was not opened, because the browser of the safety check does not start on this server. Only the files were checked, and nothing harmful was found in them.',
  fix: 'It is not the fault of what was published. Request a review, or publish again later.',
};

const notChecked: Finding = {
  rule: 'check',
  severity: 'unjudged',
  message: 'The safety check failed several times.',
  fix: 'Publish it again.',
};

/** Judges a version and records the result, if the job still holds its lease. */
async function check(
  platform: Platform,
  options: CheckOptions,
  {
    job,
    version,
    judge: look,
    record,
  }: { job: LeasedJob; version: VersionUnderCheck; judge: typeof judge; record: Record },
): Promise<void> {
  const { database, config } = platform;
  const signal = AbortSignal.any([job.signal, AbortSignal.timeout(config.CHECK_SECONDS * 1000)]);
  const judgement = await look(platform, version, options, signal);
  // If the check was aborted because the service stops, there is no verdict and the job runs again.
  job.signal.throwIfAborted();
  await database.transaction(async (tx) => {
    // The space is locked before the job, as everywhere: code that takes a space off the service
    // locks it, then withdraws its jobs.
    const [locked] = await Promise.all([lockVersion(tx, version.spaceId, version.id), job.confirmLease(tx)]);
    // The versions of a deleted space are no longer judged.
    if (locked) await record(tx, version.id, judgement, locked);
  });
}
