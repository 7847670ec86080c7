import { ApiError } from '@spaceport/client/api-error';
import type { ClientOptions } from '@spaceport/client/caller';
import { defaultRetryPolicy } from '@spaceport/client/retry';
import { formatDuration } from './format.ts';
import type { Output } from './output.ts';

/** A wait of so long needs no word. */
const quietMs = 4_000;
/** After a try has failed, and that was told, the next one is mentioned if it has not ended by then. */
const longMs = 20_000;

/**
 * Returns what tells on stderr what a call waits for, and for how long: a service that is down or busy is tried for up
 * to a minute, which looks like a command that hangs.
 */
export function tellWaits(
  output: Pick<Output, 'note'>,
  server: string,
  attempts: number = defaultRetryPolicy.attempts,
  nowMs: () => number = () => performance.now(),
): NonNullable<ClientOptions['watch']> {
  return (usualMs, limitMs) => {
    const beganMs = nowMs();
    const sayLater = (ms: number) =>
      setTimeout(() => {
        output.note(
          `No answer from ${server} yet. Waiting up to ${formatDuration(Math.round(limitMs / 1_000))} for it…`,
        );
      }, ms);
    let timer = sayLater(usualMs + quietMs);
    return {
      retrying(error, tries, delayMs) {
        clearTimeout(timer);
        if (nowMs() + delayMs - beganMs >= quietMs) output.note(told(error, tries, delayMs));
        timer = sayLater(delayMs + usualMs + longMs);
      },
      ended: () => clearTimeout(timer),
    };
  };

  function told(error: unknown, tries: number, delayMs: number): string {
    // A connection that has failed is tried again soon; what is busy says when to come back.
    const when = error instanceof ApiError ? ` in ${formatDuration(delayMs / 1_000)}` : '';
    return `${sentenceOf(error)} Trying again${when} (${tries + 1} of ${attempts})…`;
  }
}

/** Returns what an error says, with a full stop, for another sentence after it. */
export function sentenceOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return said.replace(/\.?$/u, '.');
}
