import type { Finding } from '@spaceport/contract/versions';
import type { ConsoleError, Visit } from '../../platform/browser/visit.ts';
import type { CheckedVersion } from '../rule.ts';
import { ruleFindings, shown } from '../rules/finding.ts';
import { inOneLine, PageErrors, withoutModule } from './page-errors.ts';
import { checkRendered } from './rendered-rules.ts';
import { windowsFix } from './windows-fix.ts';

const inFrame = 'In the frame in which players have it, ';
const finding = ruleFindings('page-frame');

/**
 * Returns findings about what a page did in the frame of its space's page, and not on its own.
 * @param told the findings about the page on its own, and those of the rules
 */
export async function frameFindings(
  alone: Visit,
  checked: CheckedVersion,
  told: readonly Finding[],
): Promise<Finding[]> {
  if (!alone.framed) return [];
  const framed = withoutModule(alone.framed, checked.moduleUrl);
  const { entry } = checked;
  switch (framed.end) {
    case 'left': {
      const host = shown(URL.parse(framed.detail ?? '')?.host ?? 'another site');
      return [
        ruleFindings('page-leaves')(
          'refuse',
          entry,
          `${inFrame}the page goes to ${host} on its own.`,
          'Remove that redirect, and put links to other sites on the page of the space (its links).',
        ),
      ];
    }
    case 'stuck': {
      const fix = 'Look for a loop that waits for the page around it (parent, top), which never answers.';
      return [finding('warn', entry, `${inFrame}the page stopped answering.`, fix)];
    }
    case 'seen': {
      const rendered = await checkRendered(framed.documents, checked);
      const isTold = (one: Finding) =>
        told.some(({ rule, message }) => rule === one.rule && message === one.message);
      return [
        ...rendered.filter((one) => !isTold(one)),
        ...errorFindings(alone, framed, checked, told),
        ...blankFindings(alone, framed, entry),
      ];
    }
    case 'crashed':
    case 'unreachable':
      return [];
  }
}

function blankFindings(alone: Visit, framed: Visit, entry: string): Finding[] {
  if (alone.picture === null || framed.picture !== null || !framed.loaded) return [];
  const message = `${inFrame}the page stayed blank: it showed a single colour. On its own it did not.`;
  const fix =
    'Look for what the page asks of the window around it (parent, top, document.referrer): a lock that lets it run on one site only has to know this one.';
  return [finding('warn', entry, message, fix)];
}

/** Messages of browsers that name what a frame may not do, and how to go on without it. */
const fixes: readonly (readonly [RegExp, string])[] = [
  [/allow-popups/u, windowsFix],
  [
    /allow-top-navigation|navigate the target frame|attempt to initiate navigation/iu,
    'A page cannot send the window around its frame elsewhere: leave out what moves it out of a frame.',
  ],
  [
    /Blocked a frame with origin|cross-origin (?:frame|object)/u,
    'A page cannot read the page around its frame (parent, top, frameElement): catch the error, or ask first whether window.parent === window.',
  ],
  [
    /permissions? policy|feature policy/iu,
    'The frame does not allow it: catch the error, and go on without it.',
  ],
];
const otherFix =
  'Try the page in a frame of another site, or on the page of its preview: there it is in one.';

function errorFindings(
  alone: Visit,
  framed: Visit,
  { origin, entry }: CheckedVersion,
  told: readonly Finding[],
): Finding[] {
  const known = new Set(alone.consoleErrors.flatMap(namesOf));
  const others = framed.consoleErrors.filter(
    (one) => !isOfFrames(one, alone) && !namesOf(one).some((name) => known.has(name)),
  );
  const errors = new PageErrors(origin, entry).report(others, framed.failedRequests);
  const findings = new Map<string, Finding>();
  for (const error of errors) {
    const path = error.file ?? entry;
    // A rule has said it from the script already.
    if (told.some((one) => one.path === path && one.message.startsWith('It uses top'))) continue;
    const fix = fixes.find(([pattern]) => pattern.test(error.message))?.[1] ?? otherFix;
    if (findings.has(fix)) continue;
    const message = `${inFrame}the page has an error that it has not on its own: ${inOneLine(error)}`;
    findings.set(fix, {
      ...finding('warn', path, message, fix),
      ...(error.line === undefined ? {} : { line: error.line }),
    });
  }
  return [...findings.values()];
}

/** Names by which an error is found again: its text, whose numbers may differ from load to load, and its place. */
function namesOf({ message, at }: ConsoleError): string[] {
  const text = message.replaceAll(/\d+/gu, '0');
  return at === null ? [text] : [text, `${at.url}:${at.line}:${at.column}`];
}

/** Browsers say in each frame that its fields get no focus by themselves. Windows are told of on their own. */
function isOfFrames({ message }: ConsoleError, { openedWindows }: Visit): boolean {
  return /autofocus/iu.test(message) || (openedWindows > 0 && message.includes('allow-popups'));
}
