import { type Context, signedIn } from '../context.ts';
import { formatReport } from '../report.ts';
import { resolveVersion, spaceOf } from '../versions.ts';

/** How a version stands; without a name, the newest one. */
export async function status(
  context: Context,
  name: string | undefined,
  options: { space?: string },
): Promise<void> {
  const { signal, cwd, output } = context;
  const client = signedIn(context);
  const id = await resolveVersion(client, name, () => spaceOf(cwd, options.space), signal);
  const read = await client.readVersion({ params: { id } }, { signal });
  const state = read.stopped ? 'checking, stopped without a verdict' : read.status;
  const lines = [
    `Version ${read.number}: ${output.heading(state, read.status === 'live' ? 'green' : 'yellow')}`,
  ];
  if (read.reason) lines.push(`  ${read.reason}`);
  lines.push(`  Page     ${read.pageUrl}`);
  if (read.previewUrl) lines.push(`  Preview  ${read.previewUrl}`);
  if (read.liveAt) lines.push(`  Live     since ${read.liveAt}`);
  if (read.missing?.length) lines.push(`  Missing  ${read.missing.length} files`);
  if (read.reviewRequested) lines.push('  A review was asked for.');
  output.result(read, [...lines, ...formatReport(read.report)].join('\n'));
}
