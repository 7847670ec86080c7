import type { FolderSource } from '@spaceport/client/node/folder-source';
import type { PublishResult } from '@spaceport/client/publish';
import { claimUrl, type StoredClaim } from './claim-file.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { formatMinute } from './format.ts';
import type { NamesAgain } from './names-again.ts';
import { commandLine } from './origin.ts';
import type { Output } from './output.ts';
import { formatReport } from './report.ts';

/** The end of a publish, for the output to scripts and people. */
export interface PublishEnd {
  readonly result: PublishResult;
  /** Undefined if no folder was read. */
  readonly source: FolderSource | undefined;
  /** False when the verdict was not waited for. */
  readonly waited: boolean;
  /** For a publish without an account. */
  readonly claim: StoredClaim | undefined;
}

const done: ReadonlySet<PublishResult['outcome']> = new Set(['live', 'preview', 'checking']);

export function exitCodeOf({ result: { outcome } }: PublishEnd): ExitCode {
  if (outcome === 'refused') return exitCodes.refused;
  return done.has(outcome) ? exitCodes.ok : exitCodes.undecided;
}

/** Returns the document of `--json`. `status` and `stopped` are as in a status read of the version. */
export function documentOf({ result, source, claim }: PublishEnd) {
  const isStopped = result.outcome === 'stopped';
  const status = isStopped ? 'checking' : result.outcome;
  const document = {
    ...result,
    status,
    ...(isStopped && { stopped: true }),
    ...(source && { files: source.files.length, bytes: source.bytes, skipped: source.skipped }),
  };
  if (claim === undefined) return document;
  const { claimToken, expiresAt } = claim;
  return { ...document, claimUrl: claimUrl(claim), claimToken, expiresAt };
}

/** @param again what the commands in the text have to name */
export function textOf(output: Output, end: PublishEnd, again: NamesAgain): string {
  if (end.claim !== undefined) return textWithoutAccount(output, end, end.claim);
  return textOfAccount(output, end, again);
}

function textWithoutAccount(output: Output, end: PublishEnd, claim: StoredClaim): string {
  const { version, pageUrl, previewUrl, previewPageUrl, outcome, reason, report } = end.result;
  if (outcome === 'refused')
    return [
      `${output.heading('Refused:', 'red')} version ${version.number}, without an account: nobody is shown it`,
      `  ${reason}`,
      ...formatReport(report),
      'Fix what is named above and publish again.',
    ].join('\n');
  return [
    `${output.heading('Published:', 'cyan')} version ${version.number}, without an account`,
    `  Page     ${pageUrl}`,
    `  Preview  ${previewUrl}`,
    `  Framed   ${previewPageUrl}`,
    `  Claim    ${claimUrl(claim)}`,
    ...formatReport(report),
    ...notYetChecked(end),
    ...(end.waited ? [] : [`See how the check went, in the page's folder: ${commandLine('status')}`]),
    `The page ends on ${formatMinute(claim.expiresAt)}. To keep it, open the claim link and sign in, or sign in (${commandLine('login')}) and publish again without --anonymous.`,
    'Anyone with the claim link can take the page: share the page instead.',
  ].join('\n');
}

/** Returns a note that a preview is not checked yet, if the wait for its report was in vain. */
function notYetChecked({ result: { outcome, report }, waited }: PublishEnd): string[] {
  const isOpen = outcome === 'preview' && report === undefined && waited;
  return isOpen ? ['The safety check has not run yet.'] : [];
}

function textOfAccount(output: Output, end: PublishEnd, again: NamesAgain): string {
  const { result, waited } = end;
  const { outcome, version, space, pageUrl, previewUrl, previewPageUrl, reason, report } = result;
  const ofVersion = (command: string) => commandLine(`${command} ${version.number}${again.space}`);
  const what = `version ${version.number} of ${space.slug}`;
  const lines: string[] = [];
  switch (outcome) {
    case 'live':
      lines.push(
        `${output.heading('Live:', 'green')} ${what}`,
        `  Page     ${pageUrl}`,
        `  Address  ${space.url}`,
      );
      break;
    case 'preview':
      lines.push(
        `${output.heading('Preview:', 'cyan')} ${what}, for 24 hours`,
        `  Preview  ${previewUrl}`,
        `  Framed   ${previewPageUrl}`,
        `  Page     ${pageUrl}`,
        ...notYetChecked(end).map((line) => `${line} Its report: ${ofVersion('status')}`),
        `To make it live: ${commandLine(`publish${again.folder} --live`)}`,
      );
      break;
    case 'checking':
      lines.push(`${output.heading('Checking:', 'cyan')} ${what}`, `  Page     ${pageUrl}`);
      if (!waited) lines.push(`See how it went with: ${ofVersion('status')}`);
      break;
    case 'refused':
      lines.push(`${output.heading('Refused:', 'red')} ${what}`);
      break;
    case 'unjudged':
      lines.push(`${output.heading('Not judged:', 'yellow')} ${what}; the safety check could not decide.`);
      break;
    case 'stopped':
      lines.push(`${output.heading('Stopped:', 'yellow')} the check of ${what} ended without a verdict.`);
      break;
    default:
      // A newer service may have more statuses.
      lines.push(`${output.heading(`${outcome}:`, 'yellow')} ${what}`, `  Page     ${pageUrl}`);
  }
  if (reason) lines.push(`  ${reason}`);
  lines.push(...formatReport(report));
  if (outcome === 'refused') {
    lines.push(
      `Fix what is named above and publish again; if it is wrong, ask a person: ${ofVersion('review')}`,
    );
  } else if (outcome === 'unjudged') {
    lines.push(`Publish again, or ask a person to look: ${ofVersion('review')}`);
  } else if (outcome === 'stopped') lines.push('Nothing is queued: publish again later.');
  return lines.join('\n');
}
