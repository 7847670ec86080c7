import type { Platform } from '../platform/context.ts';
import { type JobKind, LeaseLost } from '../platform/jobs/queue.ts';
import { checkJob } from '../versions/job-kinds.ts';
import {
  type Judgement,
  recordJudgement,
  type VersionUnderCheck,
  versionUnderCheck,
} from '../versions/judgement.ts';
import type { CheckedVersion, Rule } from './rule.ts';
import { runRules } from './verdict.ts';

export interface CheckOptions {
  readonly rules: readonly Rule[];
  readonly liveSecrets: CheckedVersion['liveSecrets'];
}

/** The safety check of one version: the rules over its files, then the verdict and the swap in one transaction. */
export function createCheckJob(platform: Platform, { rules, liveSecrets }: CheckOptions): JobKind {
  const { database, config } = platform;
  return {
    kind: checkJob,
    timeoutSeconds: config.CHECK_SECONDS + 30,
    maxAttempts: 3,
    concurrency: config.CHECK_WORKERS,
    async run(job) {
      const version = await versionUnderCheck(platform, job.ref);
      if (!version) return;
      const signal = AbortSignal.any([job.signal, AbortSignal.timeout(config.CHECK_SECONDS * 1000)]);
      const judgement = await judge(platform, version, { rules, liveSecrets }, signal);
      // Ended with the service: no verdict, the job runs again.
      job.signal.throwIfAborted();
      await database.transaction(async (tx) => {
        if (!(await job.holdsLease(tx))) throw new LeaseLost();
        await recordJudgement(platform, tx, version.id, judgement);
      });
    },
    async givenUp(versionId) {
      const reason = 'The safety check failed several times. Publish again, or request a review.';
      const judgement: Judgement = { verdict: 'unjudged', reason, report: { findings: [] } };
      await database.transaction((tx) => recordJudgement(platform, tx, versionId, judgement));
    },
  };
}

async function judge(
  { store, urls }: Platform,
  version: VersionUnderCheck,
  { rules, liveSecrets }: CheckOptions,
  signal: AbortSignal,
): Promise<Judgement> {
  const { verdict, reason, findings } = await runRules(rules, {
    files: version.files.map(({ path, hash, size, key }) => ({
      path,
      hash,
      size,
      open: () => store.open(key),
    })),
    entry: version.entry,
    origin: new URL(urls.live(version.slug)).origin,
    liveSecrets,
    signal,
  });
  return { verdict, ...(reason === undefined ? {} : { reason }), report: { findings } };
}
