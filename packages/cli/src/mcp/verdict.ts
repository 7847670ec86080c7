import { sleep } from '@spaceport/client/retry';
import { isBeingChecked } from '@spaceport/client/verdict';
import { readVersion } from '@spaceport/contract/hosting';
import type { publishedOf } from '@spaceport/contract/mcp/publish';
import type { ToolHost } from '@spaceport/contract/mcp/tool';
import { maxWaitSeconds } from '@spaceport/contract/versions';

/** What is known of a published version. */
export type Told = Parameters<typeof publishedOf>[0];

const shortestPollMs = 2_000;

interface Watch {
  readonly host: ToolHost;
  /** What reads the version, if it belongs to no account. */
  readonly claim: string | undefined;
  say(line: string): void;
  /** When the wait ends, as `performance.now` counts. */
  readonly untilMs: number;
}

/**
 * Waits for the verdict on a version. A failure is no error, because the version is published: `status` tells the rest.
 * @returns what is known in the end
 */
export async function withVerdict(told: Told, { host, claim, say, untilMs }: Watch): Promise<Told> {
  let known = told;
  while (isBeingChecked(known)) {
    const startedMs = performance.now();
    const restMs = untilMs - startedMs;
    if (restMs <= 0) break;
    say('The safety check runs…');
    const query = { wait: String(Math.min(maxWaitSeconds, Math.floor(restMs / 1_000))) };
    const reading = host.call(readVersion, { params: { id: told.version.id }, query, claim });
    const read = await within(restMs, reading);
    if (read === null) break;
    const { status, reason, stopped, report, previewUrl } = read;
    known = { ...told, status, reason, stopped, report, previewUrl };
    // A proxy may cut long answers.
    const pauseMs = Math.min(shortestPollMs + startedMs, untilMs) - performance.now();
    if (isBeingChecked(known) && pauseMs > 0) await sleep(pauseMs);
  }
  return known;
}

/** @returns null if the work fails or takes longer */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const stop = new AbortController();
  const late = sleep(ms, stop.signal).then(
    () => null,
    () => null,
  );
  try {
    return await Promise.race([work.catch(() => null), late]);
  } finally {
    stop.abort();
  }
}
