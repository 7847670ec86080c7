import type { Finding, PageReport } from '@spaceport/contract/versions';
import type { BrowserPool } from '../../platform/browser/pool.ts';
import type { FailedRequest, Visit } from '../../platform/browser/visit.ts';
import type { FirstFile } from '../../serving/first-files.ts';
import type { VisitSite } from '../../serving/visit-site.ts';
import type { VersionUnderCheck } from '../../versions/judgement.ts';
import type { CheckedVersion } from '../rule.ts';
import { shown } from '../rules/finding.ts';
import { frameFindings } from './frame-findings.ts';
import { Hints } from './hints.ts';
import { inOneLine, PageErrors, withoutModule } from './page-errors.ts';
import { visitFindings } from './page-findings.ts';
import { answeredPortals } from './portal-sdks.ts';
import { checkRendered } from './rendered-rules.ts';

/** The result of opening a version in a browser. */
export interface PageHalf {
  readonly findings: Finding[];
  readonly page: PageReport;
  /** WebP, for the creator; null if nothing was visible. */
  readonly picture: Uint8Array<ArrayBuffer> | null;
  readonly firstFiles: readonly FirstFile[];
}

/**
 * The second half of the safety check. It returns null if there is no browser.
 * @throws errors that are not the page's fault
 */
export type PageCheck = (
  version: VersionUnderCheck,
  checked: CheckedVersion,
  /** The findings of the rules, which are not repeated. */
  told: readonly Finding[],
) => Promise<PageHalf | null>;

/** How long the page is watched after it loaded: a redirect may be delayed to escape the check. */
const watchMs = 3_000;
const pictureMs = 8_000;
const maxLoadMs = 20_000;
/** In the frame, where mostly the same happens again, it is looked at for less time. */
const framedLoadMs = 10_000;
const framedWatchMs = 1_500;

export function createPageCheck(
  browsers: BrowserPool,
  visitSite: VisitSite,
  { checkSeconds }: { checkSeconds: number },
): PageCheck {
  // Loading, and waiting for a page that hangs, must both fit into the check and
  // leave time for the rules before.
  const loadMs = Math.min(maxLoadMs, (checkSeconds * 1000) / 5);
  return async (version, checked, told) => {
    if (!(await browsers.isAvailable())) return null;
    const seen = await visitSite(
      version,
      {
        staysOnHost: true,
        loadMs,
        afterMs: 0,
        pictureMs: Math.min(pictureMs, loadMs),
        watchMs: Math.min(watchMs, loadMs),
        // No click is made: the page is not responsible for what a player's click leads to.
        clicksWhenBlank: false,
        readsDocuments: true,
        framed: { loadMs: Math.min(framedLoadMs, loadMs), watchMs: Math.min(framedWatchMs, loadMs) },
      },
      checked.signal,
    );
    const visit = withoutModule(seen, checked.moduleUrl);
    const page = pageReport(visit, version, checked.origin);
    const findings = visitFindings(visit, page, { ...version, origin: checked.origin, told });
    if (visit.end === 'seen') findings.push(...(await checkRendered(visit.documents, checked)));
    findings.push(...(await frameFindings(visit, checked, [...told, ...findings])));
    return { findings, page, picture: visit.picture?.large ?? null, firstFiles: visit.firstFiles };
  };
}

function pageReport(visit: Visit, { files, entry }: VersionUnderCheck, origin: string): PageReport {
  const hints = new Hints(
    origin,
    files.map(({ path }) => path),
  );
  const portals = answeredPortals(visit.asked, origin);
  const errors = new PageErrors(origin, entry).report(visit.consoleErrors, visit.failedRequests);
  return {
    loaded: visit.loaded,
    consoleErrors: errors.map(inOneLine),
    ...(errors.length === 0 ? {} : { errors }),
    failedRequests: visit.failedRequests.map((request) => {
      const hint = hints.hint(request);
      return {
        url: shown(request.url),
        reason: reasonOf(request),
        ...(hint === undefined ? {} : { hint }),
      };
    }),
    ...(portals.length === 0 ? {} : { portals }),
    blank: visit.end === 'seen' && visit.picture === null,
    loadMs: visit.loadMs,
    bytes: visit.bytes,
  };
}

function reasonOf({ status, reason }: FailedRequest): string {
  return status === null ? shown(reason.replace(/^net::/u, '')) : `${status} ${shown(reason)}`.trim();
}
