import type { Finding, PageReport } from '@spaceport/contract/hosting';
import type { Visit } from '../../platform/browser/visit.ts';
import type { VersionUnderCheck } from '../../versions/judgement.ts';
import { ruleFindings, shown } from '../rules/finding.ts';

const again = 'Publish it again; if that does not help, request a review.';

/** What a visit says about the page as a whole: how it ended, and what a player would miss. */
export function visitFindings(
  visit: Visit,
  page: PageReport,
  version: Pick<VersionUnderCheck, 'entry' | 'startsByClick'>,
): Finding[] {
  return [...endFindings(visit, version.entry), ...qualityFindings(visit, page, version)];
}

function endFindings({ end, detail, documentsCut }: Visit, path: string): Finding[] {
  switch (end) {
    case 'left':
      return [
        ruleFindings('page-leaves')(
          'refuse',
          path,
          `Opened in a browser, the page goes to ${shown(URL.parse(detail ?? '')?.host ?? 'another site')} by itself.`,
          'Take that out; a link that the player clicks (<a href target="_blank">) may lead there.',
        ),
      ];
    case 'crashed':
      return [
        ruleFindings('page-crash')(
          'unjudged',
          path,
          `The page could not be looked at: ${detail ?? 'the tab crashed'}.`,
          'Open it in a browser without a graphics card and watch its memory; then publish again, or request a review.',
        ),
      ];
    case 'stuck':
      return [
        ruleFindings('page-stuck')(
          'unjudged',
          path,
          'The page could not be looked at: it stopped answering.',
          'Look for a loop that never ends, or work that should be split up; then publish again, or request a review.',
        ),
      ];
    case 'unreachable':
      return [
        ruleFindings('page-unreachable')(
          'unjudged',
          path,
          `The entry page did not open in a browser (${shown(detail ?? 'no answer')}).`,
          again,
        ),
      ];
    case 'seen':
      if (!documentsCut) return [];
      return [
        ruleFindings('page-size')(
          'unjudged',
          path,
          'Opened in a browser, the page has more elements than are looked through.',
          'Draw less into the page at once; then publish again, or request a review.',
        ),
      ];
  }
}

function qualityFindings(
  { end }: Visit,
  page: PageReport,
  { entry: path, startsByClick }: Pick<VersionUnderCheck, 'entry' | 'startsByClick'>,
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
      'The page stayed blank: one colour was all that was to be seen.',
      'See the console errors and failed requests in the report; a page that begins with a click says so by start: click.',
    );
  }
  const [error] = page.consoleErrors;
  if (error !== undefined) {
    warn(
      'page-errors',
      `The browser's console has ${counted(page.consoleErrors.length, 'error')}: ${shown(error)}`,
      'Mend what they name; the report lists them.',
    );
  }
  const [failed] = page.failedRequests;
  if (failed !== undefined) {
    const { url, reason, hint } = failed;
    const count = counted(page.failedRequests.length, 'request');
    warn('page-requests', `${count} failed: ${shown(url)} (${reason}).`, hint ?? 'The report lists them.');
  }
  return findings;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
