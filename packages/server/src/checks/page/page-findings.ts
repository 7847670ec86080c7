import type { Finding, PageReport } from '@spaceport/contract/versions';
import type { Visit } from '../../platform/browser/visit.ts';
import type { VersionUnderCheck } from '../../versions/judgement.ts';
import { publishAgain, ruleFindings, shown } from '../rules/finding.ts';
import { isOutOfReach, requestedPath } from './hints.ts';
import { errorFindings } from './page-errors.ts';
import { unansweredFindings } from './portal-sdks.ts';
import { windowsFix } from './windows-fix.ts';

interface VisitedVersion extends Pick<VersionUnderCheck, 'entry' | 'startsByClick'> {
  readonly origin: string;
  /** The findings of the rules. */
  readonly told: readonly Finding[];
}

/** Returns findings about the page as a whole: how the visit ended, and what a player would miss. */
export function visitFindings(visit: Visit, page: PageReport, version: VisitedVersion): Finding[] {
  return [...endFindings(visit, version.entry), ...qualityFindings(visit, page, version)];
}

function endFindings({ end, detail, documentsCut }: Visit, path: string): Finding[] {
  switch (end) {
    case 'left':
      return [
        ruleFindings('page-leaves')(
          'refuse',
          path,
          `Opened in a browser, the page goes to ${shown(URL.parse(detail ?? '')?.host ?? 'another site')} on its own.`,
          'Remove that redirect, and put links to other sites on the page of the space (its links).',
        ),
      ];
    case 'crashed':
      return [
        ruleFindings('page-crash')(
          'unjudged',
          path,
          `The page could not be checked: ${detail ?? 'the tab crashed'}.`,
          'Open it in a browser without a graphics card and watch its memory; then publish again, or request a review.',
        ),
      ];
    case 'stuck':
      return [
        ruleFindings('page-stuck')(
          'unjudged',
          path,
          'The page could not be checked: it stopped answering.',
          'Look for a loop that never ends, or work that should be split up; then publish again, or request a review.',
        ),
      ];
    case 'unreachable':
      return [
        ruleFindings('page-unreachable')(
          'unjudged',
          path,
          `The entry page did not open in a browser (${shown(detail ?? 'no answer')}).`,
          publishAgain,
        ),
      ];
    case 'seen':
      if (!documentsCut) return [];
      return [
        ruleFindings('page-size')(
          'unjudged',
          path,
          'Opened in a browser, the page has more elements than the check reads.',
          'Put fewer elements into the page at once; then publish again, or request a review.',
        ),
      ];
  }
}

const databaseFix =
  'In a frame most browsers refuse IndexedDB or delete it, and it does not follow a player to another device. Keep progress in localStorage, which the page around the game keeps, or in Spaceport.saves.';
/** The database of games that love.js runs. It waits for it for ever where the browser refuses it. */
const loveFolder = '/home/web_user/love';
const loveFix =
  'In a frame most browsers refuse IndexedDB, and love.js then never starts the game. In love.js, replace if(err){Module["printErr"](err)}else{Module.removeRunDependency("IDBFS_sync")} by Module.removeRunDependency("IDBFS_sync").';

function qualityFindings(
  { end, openedWindows, failedRequests, asked, databases }: Visit,
  page: PageReport,
  { entry: path, startsByClick, origin, told }: VisitedVersion,
): Finding[] {
  if (end !== 'seen') return [];
  const findings: Finding[] = [];
  const warn = (rule: string, message: string, fix: string) =>
    findings.push(ruleFindings(rule)('warn', path, message, fix));
  if (!page.loaded) {
    warn(
      'page-load',
      'The page was still loading when the check ended.',
      'Load less before the first frame.',
    );
  }
  if (page.blank && !startsByClick) {
    warn(
      'page-blank',
      'The page stayed blank: it showed a single colour.',
      'See the console errors and failed requests in the report; if the page begins with a click, publish with start: click.',
    );
  }
  findings.push(...errorFindings(page.errors ?? [], path), ...unansweredFindings(asked, path));
  if (openedWindows > 0) warn('page-windows', 'The page opens a window on its own.', windowsFix);
  if (databases.length > 0) {
    warn(
      'page-databases',
      `The page keeps ${counted(databases.length, 'database')} in IndexedDB: ${databases.map(shown).join(', ')}.`,
      databases.includes(loveFolder) ? loveFix : databaseFix,
    );
  }
  // A public host that this server cannot reach is not the page's fault. The report lists it and says so.
  const faults = page.failedRequests.filter((_, index) => {
    const request = failedRequests[index];
    return request && !isOutOfReach(request, origin) && !isTold(request.url, told, origin);
  });
  const [failed] = faults;
  if (failed !== undefined) {
    const { url, reason, hint } = failed;
    const count = counted(faults.length, 'request');
    warn('page-requests', `${count} failed: ${shown(url)} (${reason}).`, hint ?? 'The report lists them.');
  }
  return findings;
}

/** Returns whether a rule has named the address already: a file of the version by its path, others with their host. */
function isTold(url: string, told: readonly Finding[], origin: string): boolean {
  const target = URL.parse(url);
  if (!target) return false;
  const isOwn = target.host === new URL(origin).host;
  const named = isOwn ? requestedPath(target) : target.host + target.pathname;
  return told.some(
    ({ rule, message }) => rule === 'entry-problems' && named !== '' && message.includes(named),
  );
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
