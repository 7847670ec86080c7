import type { PlayedVersion, Quantiles } from '@spaceport/contract/telemetry';
import { type Context, signedIn } from '../context.ts';
import { formatBytes, formatCount, formatDuration, formatTable } from '../format.ts';
import { spaceOf } from '../versions.ts';

export interface PlaysFlags {
  space?: string;
  sandbox?: boolean;
}

/** Shows how a space was loaded and played, by version. */
export async function showPlays(context: Context, flags: PlaysFlags): Promise<void> {
  const slug = spaceOf(context.cwd, flags.space);
  const env = flags.sandbox ? 'sandbox' : 'live';
  const { versions } = await signedIn(context).readTelemetry(
    { params: { slug }, query: { env } },
    { signal: context.signal },
  );
  const header = ['Version', 'Loads', 'Never played', 'Played', 'Time to play', 'Size to play', 'Errors'];
  context.output.result(
    { space: slug, env, versions },
    versions.length === 0
      ? `Nobody but you has loaded ${slug} in the last 90 days${env === 'live' ? '' : ', in a preview'}.`
      : `${formatTable([header, ...versions.map(rowOf)])}\nTime and size: the median, then the value that nine of ten loads stay below.`,
  );
}

function rowOf(version: PlayedVersion): string[] {
  return [
    version.version === null ? '-' : String(version.version),
    formatCount(version.sessions),
    formatCount(version.never_played),
    version.seconds === 0 ? '0 s' : formatDuration(version.seconds),
    both(version.ms_to_play, (ms) => `${(ms / 1_000).toFixed(1)} s`),
    both(version.bytes_to_play, formatBytes),
    formatCount(version.errors),
  ];
}

function both(quantiles: Quantiles, format: (value: number) => string): string {
  return quantiles === null ? '-' : `${format(quantiles.median)} / ${format(quantiles.p90)}`;
}
