import type { Readable } from 'node:stream';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { ClientAddress } from '../platform/http/client-address.ts';
import { partTurns } from '../platform/http/loop-turns.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import type { CacheCounts } from '../platform/metrics/cache-metrics.ts';
import { type Body, BodyCache } from './body-cache.ts';
import type { ByteRange } from './byte-range.ts';
import { type Exchange, writeHead, writeKeptHead } from './exchange.ts';
import type { Variant } from './file-answer.ts';
import { grownBy, openSpliced } from './module/open-spliced.ts';
import type { FlatHeaders } from './policy-headers.ts';
import { sendStream } from './send-stream.ts';
import { UnpackedFiles } from './unpacked-files.ts';
import { within } from './within.ts';

/** A response whose head is decided. Its body may still be in the store. */
export interface Delivery {
  readonly exchange: Exchange;
  readonly status: number;
  readonly headers: FlatHeaders;
  readonly variant: Variant;
  readonly range?: ByteRange;
  /** Called when no byte was sent and none will be: the caller sends another response. */
  readonly fail: (error: unknown) => void;
}

export interface DeliveryOptions {
  readonly cacheBytes: number;
  readonly accelPrefix: string | undefined;
  readonly waitMilliseconds: number;
  readonly unpackFolder: string;
  readonly unpackedBytes?: number;
  readonly clientAddress: ClientAddress;
}

/** How long a reader waits for a file to be unpacked before it is told to retry. */
const turnMilliseconds = 20_000;

/** Bodies up to this size are sent at once; larger ones take turns. */
const smallBytes = 64 * 1024;

/** Sends bodies to clients: small ones out of memory, large ones streamed from the store. */
export class Deliverer {
  readonly #store: BlobStore;
  readonly #bodies: BodyCache;
  readonly #options: DeliveryOptions;
  readonly #unpackedFiles: UnpackedFiles;

  constructor(store: BlobStore, options: DeliveryOptions) {
    this.#store = store;
    this.#bodies = new BodyCache(store, options.cacheBytes);
    this.#options = options;
    const { unpackFolder: folder, unpackedBytes, waitMilliseconds } = options;
    this.#unpackedFiles = new UnpackedFiles(store, {
      folder,
      waitMilliseconds,
      ...(unpackedBytes !== undefined && { maxBytes: unpackedBytes }),
    });
  }

  /** The counts of the cache of small bodies. */
  get counts(): CacheCounts {
    return this.#bodies.counts;
  }

  deliver(delivery: Delivery): void {
    const { exchange, variant, range } = delivery;
    const { size, unpack, splice } = variant;
    const body = variant.body ?? (unpack || splice ? undefined : this.#bodies.peek(variant.key, size));
    if (exchange.request.method === 'HEAD' || size === 0) sendHead(delivery);
    else if (body !== undefined) this.#sendBody(delivery, body);
    else if (unpack !== undefined) void this.#unpack(delivery, unpack);
    else if (!splice && this.#bodies.holds(size)) void this.#load(delivery, size);
    else if (this.#options.accelPrefix !== undefined && !range && !splice)
      redirectInside(delivery, this.#options.accelPrefix + variant.key);
    else this.#inTurn(delivery, () => void this.#stream(delivery));
  }

  async #load(delivery: Delivery, size: number): Promise<void> {
    const { key } = delivery.variant;
    try {
      const body = await within(this.#bodies.load(key, size), this.#options.waitMilliseconds);
      if (!delivery.exchange.response.destroyed) this.#sendBody(delivery, body);
    } catch (error) {
      this.#bodies.abandon(key);
      delivery.fail(error);
    }
  }

  #sendBody(delivery: Delivery, body: Body): void {
    if (body.length <= smallBytes) sendBody(delivery, body);
    else this.#inTurn(delivery, () => sendBody(delivery, body));
  }

  #inTurn(delivery: Delivery, run: () => void): void {
    const networkOfReader = () => this.#networkOf(delivery);
    partTurns.take(networkOfReader, () => {
      if (!delivery.exchange.response.destroyed) run();
    });
  }

  async #stream(delivery: Delivery): Promise<void> {
    const { range, variant } = delivery;
    try {
      const size = range ? range.end - range.start + 1 : variant.size;
      this.#sendFrom(delivery, await this.#open(delivery), size);
    } catch (error) {
      delivery.fail(error);
    }
  }

  async #unpack(delivery: Delivery, coding: 'br' | 'gzip'): Promise<void> {
    const { response, target } = delivery.exchange;
    const { key, size } = delivery.variant;
    const by = { site: `${target.is}/${target.label}`, network: this.#networkOf(delivery) };
    try {
      const opened = this.#unpackedFiles.open({ key, size, coding }, by, () => response.destroyed);
      const source = await within(opened, turnMilliseconds, (late) => late.destroy());
      this.#sendFrom(delivery, source, undefined);
    } catch (error) {
      delivery.fail(error);
    }
  }

  #open({ variant, range }: Delivery): Promise<Readable> {
    const { key, size, splice } = variant;
    if (splice === undefined) return this.#openStored(key, range);
    const last = size - grownBy(splice) - 1;
    return openSpliced(splice, last, (part) => this.#openStored(key, part));
  }

  #openStored(key: string, range: ByteRange | undefined): Promise<Readable> {
    const closeLate = (source: Readable) => source.destroy();
    return within(this.#store.open(key, range), this.#options.waitMilliseconds, closeLate);
  }

  #sendFrom(delivery: Delivery, source: Readable, size: number | undefined): void {
    const { exchange, status, headers, fail } = delivery;
    sendStream(source, exchange.response, {
      size,
      begin: () => writeHead(exchange, status, headers),
      fail,
      network: this.#networkOf(delivery),
    });
  }

  #networkOf({ exchange }: Delivery): string {
    return networkOf(this.#options.clientAddress(exchange.request));
  }

  close(): void {
    this.#bodies.clear();
    this.#unpackedFiles.close();
  }
}

function sendHead({ exchange, status, headers }: Delivery): void {
  writeHead(exchange, status, headers);
  exchange.response.end();
}

function sendBody({ exchange, status, headers, variant, range }: Delivery, body: Body): void {
  if (status === 200) writeKeptHead(exchange, variant.head);
  else writeHead(exchange, status, headers);
  if (typeof body === 'string')
    exchange.response.end(range ? body.slice(range.start, range.end + 1) : body, 'latin1');
  else exchange.response.end(range ? body.subarray(range.start, range.end + 1) : body);
}

/** Headers that nginx adds to files that it sends itself. If we sent them too, they would appear twice. */
const nginxOwn = new Set(['Content-Length', 'Accept-Ranges']);

/** Makes nginx send the file. `headers` are names and values, alternating. */
function redirectInside({ exchange, status, headers }: Delivery, location: string): void {
  const kept = headers.filter((_, index) => !nginxOwn.has(headers[index - (index % 2)] ?? ''));
  writeHead(exchange, status, ['X-Accel-Redirect', location, ...kept]);
  exchange.response.end();
}
