import { isStale, type Outbox, type OutboxItem } from './outbox.ts';
import { toCallError } from './stage-error.ts';

/** What may be tried again later: what waits stays, in its order. */
const passing: ReadonlySet<string> = new Set(['offline', 'timeout', 'rate_limited', 'sign_in_required']);

export interface SendOptions {
  readonly outbox: Outbox;
  readonly lane: string;
  /** Sends one, with its key. Failures are those of the service. */
  readonly send: (item: OutboxItem) => Promise<void>;
  /** Epoch ms. */
  readonly now: () => number;
}

/**
 * Sends what waits in a lane, one after the other, until it is empty or the service cannot be reached; one tab at a time.
 * What the service refuses for good is dropped. Returns whether nothing waits any more.
 */
export function sendOutbox(options: SendOptions): Promise<boolean> {
  return oneTabAtATime(`spaceport-outbox ${options.lane}`, () => sendAll(options));
}

export async function sendAll({ outbox, lane, send, now }: SendOptions): Promise<boolean> {
  for (;;) {
    const [item] = await outbox.list(lane);
    if (!item) return true;
    if (!isStale(item, now())) {
      try {
        await send(item);
      } catch (error) {
        if (passing.has(toCallError(error).code)) return false;
      }
    }
    await outbox.remove(item.id);
  }
}

const running = new Map<string, Promise<unknown>>();

/** By the browser's locks; over plain http, where there are none, within this tab. */
export async function oneTabAtATime<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  const { locks } = navigator as { locks?: LockManager };
  if (locks) return locks.request(name, work);
  const before = running.get(name) ?? Promise.resolve();
  const mine = before.then(work, work);
  running.set(name, mine);
  return mine;
}
