/** As many connections as the kernel holds until they are accepted. */
const usualWays = 511;

export interface LoopTurnsOptions {
  /** What a turn spends on this work. */
  readonly turnMs: number;
  /** So many turns in a row make way for connections. */
  readonly ways?: number;
  /** Milliseconds, for tests. */
  readonly now?: () => number;
}

interface Waiting {
  readonly run: () => void;
  readonly laterMs: number;
}

const nothing: Waiting = { run() {}, laterMs: 0 };

/**
 * Work that is done in turns of the event loop: each turn spends only so much time on it, so that whatever else is ready, a
 * small file above all, never waits for longer than that and one piece of work. Networks come round-robin: how much one
 * of them asks for is its own delay.
 *
 * A turn accepts one connection (libuv), so that whoever comes behind two hundred waits for as many turns. While connections
 * come, work therefore makes way for them; where they never end, it has every second turn.
 */
export class LoopTurns {
  readonly #turnMs: number;
  readonly #maxWays: number;
  readonly #now: () => number;
  /** What waits, by network; the one whose turn it is comes first. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** When this turn's first work began. */
  #began: number | null = null;
  #laterMs = 0;
  #hasNext = false;
  #connected = false;
  #connectedBefore = false;
  #ways: number;
  // Made once: they are called for each piece of work.
  readonly #turn = () => this.#begin();
  readonly #next = () => this.#doNext();
  readonly #afterMicrotasks = () => process.nextTick(this.#next);

  constructor({ turnMs, ways = usualWays, now = () => performance.now() }: LoopTurnsOptions) {
    this.#turnMs = turnMs;
    this.#maxWays = ways;
    this.#ways = ways;
    this.#now = now;
  }

  /**
   * Does the work at once where this turn has time, else in one of the next; `network` is asked where it waits. `run` never
   * throws. `laterMs` is what it brings about that the loop does after it.
   */
  take(network: () => string, run: () => void, laterMs = 0): void {
    if (this.#waiting.size === 0 && !this.#makesWay() && this.#hasTime()) {
      this.#continue();
      this.#laterMs += laterMs;
      run();
      return;
    }
    const name = network();
    const own = this.#waiting.get(name);
    if (own) own.push({ run, laterMs });
    else this.#waiting.set(name, [{ run, laterMs }]);
    this.#continue();
  }

  /** A connection was accepted: others may wait behind it. */
  connected(): void {
    this.#connected = true;
    this.#continue();
  }

  #hasTime(): boolean {
    if (this.#began !== null) return this.#now() - this.#began + this.#laterMs < this.#turnMs;
    this.#began = this.#now();
    return true;
  }

  #makesWay(): boolean {
    return (this.#connected || this.#connectedBefore) && this.#ways > 0;
  }

  #continue(): void {
    if (this.#hasNext) return;
    this.#hasNext = true;
    setImmediate(this.#turn);
  }

  #begin(): void {
    this.#hasNext = false;
    this.#began = null;
    this.#laterMs = 0;
    // Kept for a turn: what a new connection says is read one turn after it was accepted, perhaps before the next is.
    this.#connectedBefore = this.#connected;
    this.#connected = false;
    if (this.#connectedBefore) this.#continue();
    if (this.#waiting.size === 0) return;
    this.#continue();
    if (this.#connectedBefore && this.#ways > 0) this.#ways--;
    else {
      this.#ways = Math.min(this.#maxWays, this.#ways + 1);
      this.#doNext();
    }
  }

  #doNext(): void {
    const [next] = this.#waiting;
    if (!next || !this.#hasTime()) return;
    const [network, own] = next;
    const { run, laterMs } = own.shift() ?? nothing;
    // To the end of the line, where the network has more.
    this.#waiting.delete(network);
    if (own.length > 0) this.#waiting.set(network, own);
    this.#laterMs += laterMs;
    run();
    // What it awaits and is there already is of its cost: that has happened once no microtask is left.
    queueMicrotask(this.#afterMicrotasks);
  }
}

/**
 * Requests of the service itself. As long as this, so that what comes together is mostly done together, and written in one
 * transaction.
 */
export const requestTurns = new LoopTurns({ turnMs: 2 });

/** Parts of large files, and of bodies that are dropped: there are thousands of them for seconds, where readers are slow. */
export const partTurns = new LoopTurns({ turnMs: 0.5 });
