import { isStale, type Outbox, type OutboxItem } from './outbox.ts';
import { isAway, OtherPlayer, toCallError } from './stage-error.ts';

/** Codes after which the waiting items stay and are tried again later, in order. */
const passing: ReadonlySet<string> = new Set(['offline', 'timeout', 'rate_limited', 'sign_in_required']);

/**
 * Returns whether a write that failed with this error may succeed later. A space that is offline or held may be
 * back, and so may the player of the lane.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof OtherPlayer || isAway(error)) return true;
  return passing.has(toCallError(error).code);
}

export interface SendOptions {
  readonly outbox: Outbox;
  readonly lane: string;
  /** Sends an item with its key. Rejects with the service's errors. */
  readonly send: (item: OutboxItem) => Promise<void>;
  /** Epoch ms. */
  readonly now: () => number;
}

/**
 * Sends the items of a lane one after the other, until the lane is empty or none can be sent for now.
 * Only one tab sends at a time. Items that the service refuses for good are dropped. Returns whether the lane
 * is empty.
 */
export function sendOutbox(options: SendOptions): Promise<boolean> {
  return whileNothingIsSent(options.lane, () => sendAll(options));
}

/** Does work while no other tab, and nothing else in this one, sends items of the lane. */
export function whileNothingIsSent<Value>(lane: string, work: () => Promise<Value>): Promise<Value> {
  return oneTabAtATime(`spaceport-outbox ${lane}`, work);
}

export async function sendAll({ outbox, lane, send, now }: SendOptions): Promise<boolean> {
  for (;;) {
    const [item] = await outbox.list(lane);
    if (!item) return true;
    if (isStale(item, now())) {
      await outbox.remove(item.id);
      continue;
    }
    try {
      await send(item);
    } catch (error) {
      if (isPassing(error)) return false;
      await outbox.refused(item);
      continue;
    }
    await outbox.remove(item.id);
  }
}

const running = new Map<string, Promise<unknown>>();

/**
 * Runs work under a browser lock. Over plain http there are no locks, so it is exclusive within this tab
 * only.
 */
export async function oneTabAtATime<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  const { locks } = navigator as { locks?: LockManager };
  if (locks) return locks.request(name, work);
  const before = running.get(name) ?? Promise.resolve();
  const mine = before.then(work, work);
  running.set(name, mine);
  return mine;
}
