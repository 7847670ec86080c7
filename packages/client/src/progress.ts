export type PublishPhase =
  /** The manifest is sent; the service answers which files it lacks. */
  | 'creating'
  | 'uploading'
  /** Every file is uploaded; the version is being finished. */
  | 'finishing'
  /** Too many of the caller's versions wait for their check; finish is tried again after `retryInSeconds`. */
  | 'queued'
  /** The safety check runs. */
  | 'checking'
  | 'done';

export interface PublishProgress {
  readonly phase: PublishPhase;
  /** Counts the files to upload, not the version's files: files that the service has are not sent. */
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
  /** The rate over the last seconds; 0 until it can be measured. */
  readonly bytesPerSecond: number;
  /** Only while uploading, once there is a rate. */
  readonly secondsLeft?: number;
  /** Only with phase `queued`. */
  readonly retryInSeconds?: number;
  /** No answer has come for some tries; they go on for a minute. */
  readonly isLineLost?: boolean;
}

const windowMs = 5_000;

/** Adds up the uploads' progress. A failed upload subtracts its bytes, so the sum never exceeds the total. */
export class ProgressMeter {
  #phase: PublishPhase = 'creating';
  #filesDone = 0;
  #filesTotal = 0;
  #bytesDone = 0;
  #bytesTotal = 0;
  /** Number of calls that wait for the line. */
  #waiting = 0;
  /** [ms, bytes done by then], oldest first, within the window. */
  #samples: [number, number][] = [];
  readonly #listener: ((progress: PublishProgress) => void) | undefined;
  readonly #nowMs: () => number;

  constructor(listener?: (progress: PublishProgress) => void, nowMs: () => number = () => performance.now()) {
    this.#listener = listener;
    this.#nowMs = nowMs;
  }

  enter(phase: PublishPhase, retryInSeconds?: number): void {
    this.#phase = phase;
    this.#tell(retryInSeconds);
  }

  startUploads(files: number, bytes: number): void {
    this.#filesTotal = this.#filesDone + files;
    this.#bytesTotal = this.#bytesDone + bytes;
    this.#samples = [[this.#nowMs(), this.#bytesDone]];
    this.enter('uploading');
  }

  addBytes(bytes: number): void {
    this.#bytesDone += bytes;
    const now = this.#nowMs();
    const last = this.#samples.at(-1);
    // One sample per 100 ms is enough: thousands of small files must not make thousands of samples.
    if (last === undefined || now - last[0] >= 100) this.#samples.push([now, this.#bytesDone]);
    while (this.#samples.length > 1 && now - (this.#samples[0]?.[0] ?? now) > windowMs) this.#samples.shift();
    this.#tell();
  }

  fileDone(): void {
    this.#filesDone++;
    this.#tell();
  }

  lineLost(): void {
    this.#waiting++;
    this.#tell();
  }

  /** Ends what one `lineLost` began. */
  lineFound(): void {
    this.#waiting--;
    this.#tell();
  }

  get uploaded(): { files: number; bytes: number } {
    return { files: this.#filesDone, bytes: this.#bytesDone };
  }

  #rate(): number {
    const first = this.#samples[0];
    if (first === undefined) return 0;
    const elapsedMs = this.#nowMs() - first[0];
    return elapsedMs < 200 ? 0 : Math.max(0, ((this.#bytesDone - first[1]) * 1_000) / elapsedMs);
  }

  #tell(retryInSeconds?: number): void {
    if (this.#listener === undefined) return;
    const bytesPerSecond = this.#rate();
    const bytesLeft = this.#bytesTotal - this.#bytesDone;
    this.#listener({
      phase: this.#phase,
      filesDone: this.#filesDone,
      filesTotal: this.#filesTotal,
      bytesDone: this.#bytesDone,
      bytesTotal: this.#bytesTotal,
      bytesPerSecond,
      ...(this.#phase === 'uploading' && bytesPerSecond > 0 && { secondsLeft: bytesLeft / bytesPerSecond }),
      ...(retryInSeconds !== undefined && { retryInSeconds }),
      ...(this.#waiting > 0 && { isLineLost: true }),
    });
  }
}
