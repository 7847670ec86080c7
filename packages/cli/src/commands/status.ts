import type { ReviewRead } from '@spaceport/contract/versions';
import { withList } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { formatReport } from '../report.ts';
import { ownVersion, unclaimedVersion } from '../versions.ts';

/** Shows the status of a version; without a name, of the newest one. */
export async function status(
  context: Context,
  name: string | undefined,
  options: { space?: string },
): Promise<void> {
  const { signal, output } = context;
  const unclaimed = unclaimedVersion(context, name, options);
  const { client, id } = unclaimed ?? (await ownVersion(context, name, options));
  const reading = client.readVersion({ params: { id } }, { signal });
  const read = await (unclaimed ? reading : withList(reading, 'versions'));
  const state = read.stopped ? 'checking, stopped without a verdict' : read.status;
  const lines = [
    `Version ${read.number}: ${output.heading(state, read.status === 'live' ? 'green' : 'yellow')}`,
  ];
  if (read.reason) lines.push(`  ${read.reason}`);
  lines.push(`  Page     ${read.pageUrl}`);
  if (read.previewUrl) lines.push(`  Preview  ${read.previewUrl}`, `  Framed   ${read.previewPageUrl}`);
  if (read.liveAt) lines.push(`  Live     since ${read.liveAt}`);
  if (read.missing?.length) lines.push(`  Missing  ${read.missing.length} files`);
  if (read.review) lines.push(`  ${reviewLine(read.review)}`);
  output.result(read, [...lines, ...formatReport(read.report)].join('\n'));
}

/** Returns a line about a review: the decision and its time. The reason is printed above it. */
function reviewLine({ requestedAt, decidedAt, outcome }: ReviewRead): string {
  switch (outcome) {
    case undefined:
      return `Review   asked for ${requestedAt}; an operator of the service has not decided yet`;
    case 'declined':
      return `Review   declined by an operator ${decidedAt}; fix it and publish a new version`;
    case 'superseded':
      return `Review   approved by an operator ${decidedAt}; a newer version was live and stays`;
    case 'preview':
      return `Review   approved by an operator ${decidedAt}; its links show it again`;
    case 'live':
      return `Review   approved by an operator ${decidedAt}`;
    default:
      // A newer service may have more outcomes.
      return `Review   ${outcome} ${decidedAt}`;
  }
}
