import type { Finding, PageReport } from '@spaceport/contract/versions';
import { keepCheckPicture } from '../clips/check-pictures.ts';
import { BlobGone } from '../platform/blobs/blob-store.ts';
import type { Platform } from '../platform/context.ts';
import { isOutage } from '../platform/outage.ts';
import type { Judgement, VersionUnderCheck } from '../versions/judgement.ts';
import { fitsVersionPaths } from '../versions/paths/inspect.ts';
import { findLost } from '../versions/scrub.ts';
import type { PageCheck } from './page/page-check.ts';
import type { CheckedVersion, Rule } from './rule.ts';
import { type RulesVerdict, runRules, sumUp } from './verdict.ts';

export interface CheckOptions {
  readonly rules: readonly Rule[];
  readonly liveSecrets: CheckedVersion['liveSecrets'];
  readonly checkPage: PageCheck;
}

/**
 * Looks at one version: the rules over its files, then its page in a browser. Nothing is written but the picture of
 * the page.
 * @throws what is no fault of the version: an outage of the store, of the browser
 */
export async function judge(
  platform: Platform,
  version: VersionUnderCheck,
  { rules, liveSecrets, checkPage }: CheckOptions,
  signal: AbortSignal,
): Promise<Judgement> {
  const { store, urls } = platform;
  let outage: unknown;
  const notice = (error: unknown) => {
    if (!signal.aborted && isOutage(error)) outage ??= error;
  };
  // A rule that cannot read a file says that it could not decide: what it met is noted here.
  const open = async (key: string) => {
    try {
      return (await store.open(key)).on('error', notice);
    } catch (error) {
      notice(error);
      throw error;
    }
  };
  const checked: CheckedVersion = {
    files: version.files.map(({ path, hash, size, key }) => ({
      path,
      hash,
      size,
      open: () => open(key),
    })),
    entry: version.entry,
    origin: new URL(urls.live(version.slug)).origin,
    liveSecrets,
    signal,
  };
  const lost = await findLost(platform, version.files);
  if (lost.length > 0) return judgement(sumUp(lost.map(lostFile)), undefined);
  const byRules = await runRules(rules, checked);
  // A store that is away says nothing about the version: the job runs again instead.
  if (outage) throw outage;
  // What is refused already, or cannot be decided, is not opened any more.
  if (byRules.verdict !== 'pass') return judgement(byRules, undefined);
  const half = await checkPage(version, checked, byRules.findings).catch((error: unknown) => {
    if (signal.aborted) return { findings: [overTime], page: undefined, picture: null, firstFiles: [] };
    throw error;
  });
  if (half === null) return judgement(byRules, undefined);
  const clipUrl = half.picture && (await keepCheckPicture(platform, version.id, half.picture));
  const page = half.page && { ...half.page, ...(clipUrl ? { clipUrl } : {}) };
  return { ...judgement(sumUp([...byRules.findings, ...half.findings]), page), firstFiles: half.firstFiles };
}

/** The same, and where the version can be served. What is refused is served nowhere. */
export async function judgeForLive(
  platform: Platform,
  version: VersionUnderCheck,
  options: CheckOptions,
  signal: AbortSignal,
): Promise<Judgement> {
  const judged = await judge(platform, version, options, signal);
  if (judged.verdict === 'refused' || !version.takesPaths) return judged;
  const fitsPaths = await fitsVersionPaths(platform.store, version.site, signal).catch((error: unknown) => {
    // The time of the check is over, or a file is lost: the verdict stands, and it is served as if it did not fit.
    if (signal.aborted || error instanceof BlobGone) return false;
    throw error;
  });
  return { ...judged, fitsPaths };
}

function lostFile(path: string): Finding {
  return {
    rule: 'stored',
    severity: 'unjudged',
    path,
    message: 'The service has lost this file since it was uploaded.',
    fix: 'Publish it again: the service asks for the file anew.',
  };
}

const overTime: Finding = {
  rule: 'page-time',
  severity: 'unjudged',
  message: 'The check took too long, so the page could not be looked at.',
  fix: 'Publish it again; if that does not help, request a review.',
};

function judgement({ verdict, reason, findings }: RulesVerdict, page: PageReport | undefined): Judgement {
  return {
    verdict,
    ...(reason === undefined ? {} : { reason }),
    report: { findings, ...(page === undefined ? {} : { page }) },
  };
}
