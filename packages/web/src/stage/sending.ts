import type { Outbox, OutboxItem, Unsent } from './outbox.ts';
import type { Play } from './play.ts';
import { sendOutbox } from './send-outbox.ts';

/** First retry while the service is unavailable and items wait; later retries come less and less often. */
const firstAgainMs = 1_000;
const longestAgainMs = 60_000;

export interface Sending {
  /**
   * Puts an unsent write of the lane's player into the outbox.
   * @returns its id
   * @throws `OtherPlayer`
   */
  keep(what: Unsent, lane: string, key?: string): Promise<number>;
  /**
   * Returns whether writes wait for the service. If they are being sent just now, it waits for that: the
   * answer to the next write counts them.
   */
  isWaiting(): Promise<boolean>;
  sendWaiting(): Promise<void>;
}

/**
 * Sends waiting writes. The outbox is opened at the first one, and nothing is sent once `signal` is aborted.
 */
export function createSending({
  outbox,
  play,
  send,
  signal,
}: {
  outbox: Outbox;
  play: Pick<Play, 'lane' | 'requirePlayerOf'>;
  send: (item: OutboxItem) => Promise<void>;
  signal: AbortSignal;
}): Sending {
  let again: ReturnType<typeof setTimeout> | undefined;
  let againMs = firstAgainMs;
  signal.addEventListener('abort', () => clearTimeout(again));

  async function sendWaiting(): Promise<void> {
    clearTimeout(again);
    again = undefined;
    if (signal.aborted) return;
    // Also when the browser says that it is offline: a service on the same machine or network may answer.
    const isDone = await sendOutbox({ outbox, lane: play.lane(), send, now: Date.now }).catch(() => true);
    againMs = isDone ? firstAgainMs : Math.min(againMs * 2, longestAgainMs);
    if (!isDone && !signal.aborted) again = setTimeout(sendWaiting, againMs);
  }

  const holdsSome = async () => (await outbox.list(play.lane()).catch(() => [])).length > 0;

  return {
    async keep(what, lane, key) {
      play.requirePlayerOf(lane);
      const id = await outbox.add(play.lane(), what, Date.now(), key);
      again ??= setTimeout(sendWaiting, againMs);
      return id;
    },
    async isWaiting() {
      if (!(await holdsSome())) return false;
      // A later try is planned if the service could not be reached.
      if (again !== undefined) return true;
      await sendWaiting();
      return holdsSome();
    },
    sendWaiting,
  };
}
