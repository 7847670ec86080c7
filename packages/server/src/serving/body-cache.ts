import { LRUCache } from 'lru-cache';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import { BlobGone } from '../platform/blobs/blob-store.ts';
import type { CacheCounts } from '../platform/metrics/cache-metrics.ts';

/** Files up to this size are kept whole and sent in one write. Larger ones are streamed. */
const maxBodyBytes = 1024 * 1024;
/**
 * Bodies up to this size are kept as one-byte strings: node:http joins those with the head and sends both in
 * one write, which is cheaper than gathering two buffers. For larger bodies the copy costs more than it
 * saves.
 */
export const maxTextBytes = 15 * 1024;
/** The memory of an entry besides its bytes: many tiny files must not exceed the limit. */
const entryBytes = 300;

/** A whole body: its bytes, or a string with one character for each byte. */
export type Body = Buffer | string;

/**
 * A cache of small bodies, by blob key. The bytes of a key never change, so no entry becomes stale. The least
 * recently used bodies are dropped when room is needed.
 */
export class BodyCache {
  readonly #store: Pick<BlobStore, 'read'>;
  readonly #bodies: LRUCache<string, Body> | undefined;
  readonly #pending = new Map<string, Promise<Body>>();
  readonly #maxBodyBytes: number;
  #hits = 0;
  #misses = 0;

  /** With `cacheBytes` 0 nothing is kept. */
  constructor(store: Pick<BlobStore, 'read'>, cacheBytes: number) {
    this.#store = store;
    this.#maxBodyBytes = Math.min(maxBodyBytes, Math.floor(cacheBytes / 4));
    if (this.#maxBodyBytes > 0) {
      this.#bodies = new LRUCache({
        maxSize: cacheBytes,
        sizeCalculation: (body) => Math.min(body.length + entryBytes, cacheBytes),
      });
    }
  }

  get counts(): CacheCounts {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#bodies?.calculatedSize ?? 0 };
  }

  holds(size: number): boolean {
    return size <= this.#maxBodyBytes;
  }

  peek(key: string, size: number): Body | undefined {
    const body = this.#bodies?.get(key);
    if (body?.length !== size) return undefined;
    this.#hits++;
    return body;
  }

  /**
   * Returns the body, which is read once for all who wait.
   * @throws the store's errors, and `BlobGone` if the body does not have the `size` that this caller's head
   * promises. Each caller's size is compared for that caller alone.
   */
  async load(key: string, size: number): Promise<Body> {
    this.#misses++;
    const body = await this.#readOnce(key);
    if (body.length !== size) throw new BlobGone(`${key} has ${body.length} bytes instead of ${size}`);
    return body;
  }

  #readOnce(key: string): Promise<Body> {
    const running = this.#pending.get(key);
    if (running) return running;
    const reading = this.#read(key).finally(() => {
      if (this.#pending.get(key) === reading) this.#pending.delete(key);
    });
    this.#pending.set(key, reading);
    return reading;
  }

  /** Gives up a read that takes too long, so that the next request begins a new one. */
  abandon(key: string): void {
    this.#pending.delete(key);
  }

  async #read(key: string): Promise<Body> {
    const bytes = await this.#store.read(key);
    const body = bytes.length <= maxTextBytes ? bytes.toString('latin1') : bytes;
    this.#bodies?.set(key, body);
    return body;
  }

  clear(): void {
    this.#bodies?.clear();
  }
}
