import { BlobGone, type BlobStore } from '../platform/blobs/blob-store.ts';
import { isOutage } from '../platform/outage.ts';
import type { VersionUnderCheck } from '../versions/judgement.ts';
import type { PathsInspection } from '../versions/paths/inspect.ts';
import type { CheckedFile } from './rule.ts';

/**
 * The files of a version as rules read them. A rule that cannot read a file reports that it could not decide.
 * The error is noted here, so files need not be looked up before they are read.
 */
export class FilesUnderCheck {
  readonly files: readonly CheckedFile[];
  readonly #store: Pick<BlobStore, 'open'>;
  readonly #inspection: PathsInspection | null;
  readonly #signal: AbortSignal;
  #outage: unknown;
  #isOneLost = false;

  constructor(
    store: Pick<BlobStore, 'open'>,
    { files }: Pick<VersionUnderCheck, 'files'>,
    { inspection, signal }: { inspection: PathsInspection | null; signal: AbortSignal },
  ) {
    this.#store = store;
    this.#inspection = inspection;
    this.#signal = signal;
    this.files = files.map(({ path, hash, size, key }) => ({
      path,
      hash,
      size,
      open: async () => {
        const bytes = this.#read(key, size, await this.#open(key));
        return this.#inspection?.watch(path, bytes) ?? bytes;
      },
    }));
  }

  /**
   * The outage that was met while a file was read; undefined if there was none. It
   * says nothing about the version.
   */
  get outage(): unknown {
    return this.#outage;
  }

  /** Whether a file was missing or had another size. */
  get isOneLost(): boolean {
    return this.#isOneLost;
  }

  async #open(key: string) {
    try {
      return (await this.#store.open(key)).on('error', (error) => this.#notice(error));
    } catch (error) {
      this.#notice(error);
      throw error;
    }
  }

  async *#read(key: string, size: number, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let count = 0;
    for await (const chunk of bytes) {
      count += chunk.length;
      yield chunk;
    }
    if (count === size) return;
    this.#isOneLost = true;
    throw new BlobGone(`${key} has ${count} bytes in the place of ${size}`);
  }

  #notice(error: unknown): void {
    if (error instanceof BlobGone) this.#isOneLost = true;
    else if (!this.#signal.aborted && isOutage(error)) this.#outage ??= error;
  }
}
