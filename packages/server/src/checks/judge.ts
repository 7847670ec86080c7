import type { Finding, PageReport } from '@spaceport/contract/versions';
import { keepCheckPicture } from '../clips/check-pictures.ts';
import { BlobGone } from '../platform/blobs/blob-store.ts';
import type { Platform } from '../platform/context.ts';
import { packJob } from '../versions/job-kinds.ts';
import type { Judgement, VersionUnderCheck } from '../versions/judgement.ts';
import { PathsInspection } from '../versions/paths/inspect.ts';
import { findLost } from '../versions/scrub.ts';
import { FilesUnderCheck } from './files-under-check.ts';
import type { PageCheck } from './page/page-check.ts';
import type { CheckedVersion, Rule } from './rule.ts';
import { publishAgain } from './rules/finding.ts';
import { type RulesVerdict, requireDecided, runRules, sumUp } from './verdict.ts';

export interface CheckOptions {
  readonly rules: readonly Rule[];
  readonly liveSecrets: CheckedVersion['liveSecrets'];
  readonly checkPage: PageCheck;
}

/** Work that is done while a version is judged. */
interface Besides {
  /** Sees the texts that the rules read. */
  readonly inspection: PathsInspection;
  /** Runs after the rules let the version pass, before a browser opens it. */
  readonly beforePage: () => Promise<void>;
}

/**
 * Judges one version: first the rules over its files, each of which is read once, then its page in a browser.
 * Stores nothing but the picture of the page.
 * @throws errors that are not the version's fault: an outage of the store, the database or the browser, a rule that threw
 */
export async function judge(
  platform: Platform,
  version: VersionUnderCheck,
  { rules, liveSecrets, checkPage }: CheckOptions,
  signal: AbortSignal,
  besides: Besides | null = null,
): Promise<Judgement> {
  const { store, urls, config } = platform;
  const reading = new FilesUnderCheck(store, version, { inspection: besides?.inspection ?? null, signal });
  const checked: CheckedVersion = {
    files: reading.files,
    entry: version.entry,
    origin: new URL(urls.live(version.slug)).origin,
    moduleUrl: new URL('/sdk.js', config.BASE_URL).href,
    hasModule: version.site.sdk,
    liveSecrets,
    signal,
  };
  const byRules = await runRules(rules, checked);
  // An outage of the store says nothing about the version: the job runs again.
  if (reading.outage) throw reading.outage;
  if (reading.isOneLost) {
    const lost = await findLost(platform, version.files);
    if (lost.length > 0) return judgement(sumUp(lost.map(lostFile)), undefined);
  }
  requireDecided(byRules);
  // A version that is refused already, or cannot be decided, is not opened.
  if (byRules.verdict !== 'pass') return judgement(byRules, undefined);
  if (config.BROWSER !== 'none') await besides?.beforePage();
  const half = await checkPage(version, checked, byRules.findings).catch((error: unknown) => {
    if (signal.aborted) return { findings: [overTime], page: undefined, picture: null, firstFiles: [] };
    throw error;
  });
  if (half === null) return judgement(byRules, undefined);
  const clipUrl = half.picture && (await keepCheckPicture(platform, version.id, half.picture));
  const page = half.page && { ...half.page, ...(clipUrl ? { clipUrl } : {}) };
  return { ...judgement(sumUp([...byRules.findings, ...half.findings]), page), firstFiles: half.firstFiles };
}

/**
 * Judges a version as `judge` does, and finds out whether it can be served at a numbered path. A refused
 * version is not served at all. A version that passes the rules is compressed while the browser looks at it,
 * and not before: that would take the processor from the rules.
 */
export async function judgeForLive(
  platform: Platform,
  version: VersionUnderCheck,
  options: CheckOptions,
  signal: AbortSignal,
): Promise<Judgement> {
  const { database, store } = platform;
  const inspection = new PathsInspection(version.site);
  const judged = await judge(platform, version, options, signal, {
    inspection,
    beforePage: () => database.transaction((tx) => tx.enqueue(packJob, version.id)),
  });
  if (judged.verdict === 'refused' || !version.takesPaths) return judged;
  const fitsPaths = await inspection.fits(store, signal).catch((error: unknown) => {
    // The time of the check is over, or a file is lost. The verdict stands, and the version
    // is served as if it did not fit.
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
    fix: 'Publish it again: the service then asks for the file again.',
  };
}

const overTime: Finding = {
  rule: 'page-time',
  severity: 'unjudged',
  message: 'The check took too long, so the page was not opened.',
  fix: publishAgain,
};

function judgement({ verdict, reason, findings }: RulesVerdict, page: PageReport | undefined): Judgement {
  return {
    verdict,
    ...(reason === undefined ? {} : { reason }),
    report: { findings, ...(page === undefined ? {} : { page }) },
  };
}
