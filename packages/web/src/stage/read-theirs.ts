import type { Theirs } from './kept-rules.ts';
import type { KeptSlot } from './kept-slot.ts';

/** How long a frame waits for the account's storage before it begins with this browser's. */
const longestWaitMs = 1_500;
/**
 * A longer wait, with retries, for a browser without storage, where the space would begin without progress.
 */
const longestWaitWithNothingMs = 10_000;
const againAfterMs = [300, 1_000];

/** Reads the account's storage. Returns undefined if that fails or takes too long. */
export function readTheirs(
  slot: KeptSlot,
  { hasOwn }: { hasOwn: boolean },
): Promise<Theirs | null | undefined> {
  return hasOwn ? soon(slot.read(), longestWaitMs) : soon(readAgain(slot), longestWaitWithNothingMs);
}

async function readAgain(slot: KeptSlot): Promise<Theirs | null> {
  for (const ms of againAfterMs) {
    try {
      return await slot.read();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, ms));
    }
  }
  return slot.read();
}

function soon<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, ms, undefined));
  return Promise.race([promise.catch(() => undefined), late]);
}
