/** How long a process keeps its rooms without extending its lease. Then another process takes them. */
export const leaseMs = 3_000;

/**
 * The lease of a process, which it extends in the database again and again. The process counts from the moment at
 * which it asked, the database from the moment at which it wrote: so the process is the first for which the lease ends,
 * however long the write takes.
 */
export class RoomLease {
  readonly #write: (forMs: number) => Promise<void>;
  readonly #onEnd: () => void;
  /** When the lease was last extended, by `performance.now()`. */
  #sureAt = Number.NEGATIVE_INFINITY;
  /** The last write of the lease; null before the first. */
  #writing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  /**
   * @param write writes a lease that begins now
   * @param onEnd is called when the lease is over and was not extended
   */
  constructor(write: (forMs: number) => Promise<void>, onEnd: () => void) {
    this.#write = write;
    this.#onEnd = onEnd;
  }

  get isHeld(): boolean {
    return this.#heldMs < leaseMs;
  }

  get #heldMs(): number {
    return performance.now() - this.#sureAt;
  }

  /** Makes sure that the lease has begun, and does not end in a moment. */
  async claim(): Promise<void> {
    if (this.#heldMs >= leaseMs / 2) await this.extend();
  }

  async extend(): Promise<void> {
    const sureAt = performance.now();
    await this.#inTurn(leaseMs);
    this.#sureAt = sureAt;
    this.#stopTimer();
    this.#timer = setTimeout(() => this.#isOver(), Math.max(0, leaseMs - this.#heldMs));
  }

  /** Ends the lease in the database, if it was ever begun. */
  async end(): Promise<void> {
    if (this.#writing) await this.#inTurn(0);
    this.#stopTimer();
  }

  /** A timer may fire a moment early: the lease is over all the same. */
  #isOver(): void {
    this.#sureAt = Number.NEGATIVE_INFINITY;
    this.#onEnd();
  }

  #stopTimer(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** Writes the lease after the write before it, which must not undo this one. */
  #inTurn(forMs: number): Promise<void> {
    const write = () => this.#write(forMs);
    this.#writing = this.#writing?.then(write, write) ?? write();
    return this.#writing;
  }
}
