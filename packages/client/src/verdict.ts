import { maxWaitSeconds, type VersionRead } from '@spaceport/contract/versions';
import type { Client } from './client.ts';
import { sleep } from './retry.ts';

const shortestPollMs = 2_000;
const usualPreviewSeconds = 60;

/**
 * Returns whether the safety check waits or runs: of a version that is to go live, or of a preview without a
 * report.
 */
export function isBeingChecked({
  status,
  stopped,
  report,
}: Pick<VersionRead, 'status' | 'stopped' | 'report'>): boolean {
  return status === 'preview' ? report === undefined : status === 'checking' && !stopped;
}

/**
 * Waits until a version is checked: live, refused, unjudged or stopped, or a preview with its report. For a
 * preview, which can be opened meanwhile, it waits a minute or `previewSeconds` at most, and then returns the
 * current state. Each read waits at the service. A read that comes back early and unchanged (a proxy cuts
 * long answers) is followed by a pause.
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
