import { maxWaitSeconds, type VersionRead } from '@spaceport/contract/versions';
import type { Client } from './client.ts';
import { sleep } from './retry.ts';

const shortestPollMs = 2_000;
const usualPreviewSeconds = 60;

/** Its safety check waits or runs: a version on its way to be live, or a preview without a report. */
export function isBeingChecked({ status, stopped, report }: VersionRead): boolean {
  return status === 'preview' ? report === undefined : status === 'checking' && !stopped;
}

/**
 * Waits until a version is checked: live, refused, unjudged or stopped, or a preview with its report. For a preview,
 * which is there meanwhile, it waits a minute at most, or `previewSeconds`, and then answers how it stands. Each read
 * waits at the service; one that came back early and unchanged (a proxy that cuts long answers) is followed by a pause.
 */
export async function waitForVerdict(
  client: Client,
  id: string,
  {
    signal,
    previewSeconds = usualPreviewSeconds,
  }: { signal?: AbortSignal | undefined; previewSeconds?: number } = {},
): Promise<VersionRead> {
  const patienceEndsMs = performance.now() + previewSeconds * 1_000;
  for (;;) {
    const startedMs = performance.now();
    const read = await client.readVersion({ params: { id }, query: { wait: maxWaitSeconds } }, { signal });
    if (!isBeingChecked(read)) return read;
    if (read.status === 'preview' && performance.now() >= patienceEndsMs) return read;
    const restMs = shortestPollMs - (performance.now() - startedMs);
    if (restMs > 0) await sleep(restMs, signal);
  }
}
