import { LRUCache } from 'lru-cache';

/** Announcements drop entries at once. This limits the effect of a lost one. */
const freshMs = 30_000;
/** For how long a look-up that failed is not tried again, if the result before is known. */
const restMs = 1_000;
/**
 * How long a result is used while no look-up succeeds and announcements may be missed. A take-down must reach every
 * node within a minute, also a node that is cut off from the database, which notices that within ten seconds.
 */
export const lastKnownMs = 50_000;

/**
 * Results of look-ups in the database, kept until an announcement drops them, and for half a minute at most. While the
 * database is away, the last known results stand in for a while: games go on. All times are epoch milliseconds.
 */
export class KeptLookups<Value extends object> {
  readonly #entries: LRUCache<string, Entry<Value>>;

  /** @param limits at most so many entries, or so much of what `sizeOf` says */
  constructor(limits: { readonly most: number } | { readonly size: number; sizeOf(value: Value): number }) {
    this.#entries =
      'most' in limits
        ? new LRUCache({ max: limits.most })
        : new LRUCache({ maxSize: limits.size, sizeCalculation: ({ value }) => limits.sizeOf(value) });
  }

  /** Returns the result for a key if it needs no look-up now. If the clock went back, it counts as old. */
  get(key: string, now: number): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const { value, lookedUpAt, doubtedAt, failedAt } = entry;
    if (doubtedAt === null && isWithin(freshMs, lookedUpAt, now)) return value;
    return failedAt !== null && isWithin(restMs, failedAt, now) ? lastKnown(entry, now) : undefined;
  }

  /** Returns the result that is kept, however old. */
  peek(key: string): Value | undefined {
    return this.#entries.peek(key)?.value;
  }

  /** @param lookedUpAt the start of the look-up, because its result may lack what changed meanwhile */
  set(key: string, value: Value, lookedUpAt: number): void {
    this.#entries.set(key, { value, lookedUpAt, doubtedAt: null, failedAt: null });
  }

  /**
   * Call it when a look-up failed. Returns the result to use instead. `get` returns it too for a moment, so that not
   * every file of a game waits for a look-up of its own.
   */
  failed(key: string, now: number): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.failedAt = now;
    return lastKnown(entry, now);
  }

  drop(key: string): void {
    this.#entries.delete(key);
  }

  /** Call it when announcements may have been missed. All results count as old from now on. */
  doubt(now: number): void {
    for (const entry of this.#entries.values()) {
      entry.doubtedAt ??= now;
      entry.failedAt = null;
    }
  }
}

interface Entry<Value> {
  readonly value: Value;
  readonly lookedUpAt: number;
  /** When an announcement about it may first have been missed; null if none may. */
  doubtedAt: number | null;
  failedAt: number | null;
}

function lastKnown<Value>({ value, doubtedAt }: Entry<Value>, now: number): Value | undefined {
  return doubtedAt === null || isWithin(lastKnownMs, doubtedAt, now) ? value : undefined;
}

function isWithin(milliseconds: number, since: number, now: number): boolean {
  return now >= since && now - since < milliseconds;
}
