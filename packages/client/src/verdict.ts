import { maxWaitSeconds, type VersionRead } from '@spaceport/contract/hosting';
import type { Client } from './client.ts';
import { sleep } from './retry.ts';

const shortestPollMs = 2_000;

/**
 * Waits until a version that is being checked is live, refused, unjudged or stopped. Each read waits at the
 * service; a read that came back early and unchanged (a proxy that cuts long answers) is followed by a pause.
 */
export async function waitForVerdict(client: Client, id: string, signal?: AbortSignal): Promise<VersionRead> {
  for (;;) {
    const startedMs = performance.now();
    const read = await client.readVersion({ params: { id }, query: { wait: maxWaitSeconds } }, { signal });
    if (read.status !== 'checking' || read.stopped) return read;
    const restMs = shortestPollMs - (performance.now() - startedMs);
    if (restMs > 0) await sleep(restMs, signal);
  }
}
