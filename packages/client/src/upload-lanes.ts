/** Lanes that are always used: one for the largest upload and one for the smallest. */
export const leastLanes = 2;
/** A service ends uploads that are a fourth as fast (docs/api-design.md), and lanes are never equally fast. */
const bytesPerSecondEach = 64 * 1024;
/** Uploads that are over so soon may share a slow line: services measure for longer. */
const soonSeconds = 10;

/**
 * Decides how many uploads share the line. As many as are allowed use a fast line well. On a slow one each would be
 * slower than a service accepts, and all of them would be cut off.
 */
export class UploadLanes {
  readonly #most: number;
  readonly #now: () => number;
  #begunAt = Number.NaN;
  #count = 0;
  #bytesUnderWay = 0;
  #bytesDone = 0;

  /** `now` returns milliseconds. */
  constructor(most: number, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#now = now;
  }

  /** Returns whether another upload of this many bytes may begin now. */
  hasRoom(bytes: number): boolean {
    if (this.#count >= this.#most) return false;
    if (this.#count < leastLanes) return true;
    const bytesPerSecond = (this.#bytesDone * 1_000) / (this.#now() - this.#begunAt);
    return (
      bytesPerSecond >= bytesPerSecondEach * (this.#count + 1) ||
      this.#bytesUnderWay + bytes <= bytesPerSecond * soonSeconds
    );
  }

  begin(bytes: number): void {
    if (Number.isNaN(this.#begunAt)) this.#begunAt = this.#now();
    this.#count += 1;
    this.#bytesUnderWay += bytes;
  }

  end(bytes: number): void {
    this.#count -= 1;
    this.#bytesUnderWay -= bytes;
    this.#bytesDone += bytes;
  }
}

/** Does the work of each job, in order, as the lanes have room. Ends with the first error, which `onError` gets at once. */
export async function inLanes<Job extends { readonly bytes: number }>(
  jobs: readonly Job[],
  lanes: UploadLanes,
  work: (job: Job) => Promise<void>,
  onError: (error: unknown) => void,
): Promise<void> {
  const left = [...jobs];
  let underWay = 0;
  let failed = false;
  let firstError: unknown;
  await new Promise<void>((resolve, reject) => {
    const run = async (job: Job) => {
      lanes.begin(job.bytes);
      underWay += 1;
      try {
        await work(job);
      } catch (error) {
        if (!failed) firstError = error;
        failed = true;
        onError(error);
      }
      lanes.end(job.bytes);
      underWay -= 1;
      go();
    };
    const go = () => {
      for (let [job] = left; job && !failed && lanes.hasRoom(job.bytes); [job] = left) {
        left.shift();
        void run(job);
      }
      if (underWay > 0) return;
      if (failed) reject(firstError);
      else resolve();
    };
    go();
  });
}
