/** The number of connections that the kernel queues until they are accepted. */
const usualWays = 511;

export interface LoopTurnsOptions {
  /** The longest time that a turn spends on this work, in milliseconds. */
  readonly turnMs: number;
  /** How many turns in a row may let connections go first. */
  readonly ways?: number;
  /** The clock, in milliseconds. For tests. */
  readonly now?: () => number;
}

interface Waiting {
  readonly run: () => void;
  readonly laterMs: number;
}

const nothing: Waiting = { run() {}, laterMs: 0 };

/**
 * Work that is divided over turns of the event loop. Each turn spends only a limited time on it, so that
 * other events, such as requests for small files, wait no longer than that and one piece of work. Networks
 * are served round-robin: a network that asks for much delays only itself.
 *
 * libuv accepts one connection in each turn, so that a client behind two hundred others waits for as many
 * turns. So work lets connections go first while they come. If they never end, work gets every second turn.
 */
export class LoopTurns {
  readonly #turnMs: number;
  readonly #maxWays: number;
  readonly #now: () => number;
  /** The waiting work by network. The network whose turn it is comes first. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** When this turn's first work began. */
  #began: number | null = null;
  #laterMs = 0;
  #hasNext = false;
  #connected = false;
  #connectedBefore = false;
  #ways: number;
  // Made once, because they are used for each piece of work.
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
   * Runs the work at once if this turn has time, else in a later turn. `network` is called only if the work
   * has to wait. `run` must not throw. `laterMs` is the time of the work that `run` makes the loop do
   * afterwards.
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

  /** Call it when a connection was accepted: others may wait behind it. */
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
    // Kept for one turn: the bytes of a new connection are read one turn after it was accepted, perhaps
    // before the next connection is accepted.
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
    // A network that has more work goes to the end of the queue.
    this.#waiting.delete(network);
    if (own.length > 0) this.#waiting.set(network, own);
    this.#laterMs += laterMs;
    run();
    // Promises that are already resolved are part of its cost. They have run once no microtask is left.
    queueMicrotask(this.#afterMicrotasks);
  }
}

/**
 * The turns of the service's own requests. They are long enough that requests that arrive together are mostly
 * handled together, and written in one transaction.
 */
export const requestTurns = new LoopTurns({ turnMs: 2 });

/**
 * The turns of parts of large files, and of bodies that are dropped. With slow readers there are thousands of
 * them for seconds.
 */
export const partTurns = new LoopTurns({ turnMs: 0.5 });
