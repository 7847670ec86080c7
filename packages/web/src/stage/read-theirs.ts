import type { Theirs } from './kept-rules.ts';
import type { KeptSlot } from './kept-slot.ts';

/** A frame waits so long for the account's; then it begins with what this browser has. */
const longestWaitMs = 1_500;
/** Where this browser has nothing it would begin without the player's progress: it waits for longer, and asks again. */
const longestWaitWithNothingMs = 10_000;
const againAfterMs = [300, 1_000];

/** Undefined where it takes too long, or fails. */
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
