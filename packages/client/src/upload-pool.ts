import type { UploadBatch, UploadEntry } from '@spaceport/contract/versions';
import { ApiError, ConnectionError } from './api-error.ts';
import { overLostLine, pause } from './lost-line.ts';
import type { ProgressMeter } from './progress.ts';
import { isPassing, type RetryPolicy, retryDelayMs } from './retry.ts';
import { FileChangedError, type SourceFile, type UploadTransport } from './source.ts';
import { inLanes, leastLanes, UploadLanes } from './upload-lanes.ts';

/** Batches are below the megabyte that some proxies take by default. */
const maxBatchBytes = 900_000;
/** So many bytes tell how fast a line is, and not only how long its way. */
const tellingBytes = 64 * 1024;

export interface UploadPoolOptions {
  readonly transport: UploadTransport;
  /** Where small files may be sent together; absent on older services. */
  readonly batch: UploadBatch | undefined;
  /** The most parallel uploads. On a slow line there are fewer. */
  readonly concurrency: number;
  readonly retry: RetryPolicy;
  readonly baseUrl: string;
  readonly meter: ProgressMeter;
  readonly signal: AbortSignal | undefined;
  /** Returns fresh links for the files that the version still lacks. */
  readonly freshUploads: () => Promise<UploadEntry[]>;
}

/**
 * Uploads every entry. Small files are sent in batches where the service and the transport can. A file that
 * fails for a temporary reason is tried again with back-off. An expired link, or a link that failed every
 * try, is replaced by a fresh one once. A lost line is waited for. The first final error stops all uploads.
 * @param files by hash, so two paths with the same bytes are one upload
 */
export async function uploadAll(
  entries: readonly UploadEntry[],
  files: ReadonlyMap<string, SourceFile>,
  options: UploadPoolOptions,
): Promise<void> {
  const uploads = entries.map((entry) => ({ entry, file: fileOf(entry, files) }));
  options.meter.startUploads(
    uploads.length,
    uploads.reduce((sum, { file }) => sum + file.size, 0),
  );
  // The largest first: if a big file began last, the other lanes would be idle until it ends.
  uploads.sort((a, b) => b.file.size - a.file.size);
  const jobs = inOrder(uploads, options);

  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const links = new Links(options.freshUploads);
  const own = { ...options, signal };
  const sendAlone = async ({ entry, file }: Upload) => {
    signal.throwIfAborted();
    await overLostLine(() => uploadOne(entry, file, links, own), own);
    options.meter.fileDone();
  };
  const send = inBatchOrAlone(batches(own), sendAlone);
  await inLanes(jobs, new UploadLanes(options.concurrency), send, (error) => stop.abort(error));
}

/** Uploads that are sent together, or one alone. */
interface Job {
  readonly uploads: readonly Upload[];
  readonly bytes: number;
}

interface Upload {
  readonly entry: UploadEntry;
  readonly file: SourceFile;
}

/**
 * Returns the jobs for uploads that are sorted by size. Only an upload that has ended opens more lanes, so a telling
 * file that is soon over is the first. It goes alone: a service stores one file sooner than a batch of tiny ones.
 */
function inOrder(uploads: readonly Upload[], options: UploadPoolOptions): Job[] {
  const jobs = inBatches(uploads, options);
  const first = uploads.filter(({ file }) => file.size >= tellingBytes).at(-1) ?? uploads[0];
  if (first === undefined || jobs.length <= leastLanes) return jobs;
  const others = uploads.filter((upload) => upload !== first);
  return [{ uploads: [first], bytes: first.file.size }, ...inBatches(others, options)];
}

/** Groups the small files that are sent together, without changing the order. */
function inBatches(
  uploads: readonly Upload[],
  { batch, transport }: Pick<UploadPoolOptions, 'batch' | 'transport'>,
): Job[] {
  const maxFileBytes = transport.batch && batch ? batch.maxFileBytes : -1;
  const jobs: Job[] = [];
  let together: Upload[] = [];
  let bytes = 0;
  for (const upload of uploads) {
    const { size } = upload.file;
    if (size > maxFileBytes) {
      jobs.push({ uploads: [upload], bytes: size });
      continue;
    }
    const more = upload.entry.url.length + size;
    if (together.length > 0 && bytes + more > maxBatchBytes) {
      jobs.push({ uploads: together, bytes });
      together = [];
      bytes = 0;
    }
    together.push(upload);
    bytes += more;
  }
  if (together.length > 0) jobs.push({ uploads: together, bytes });
  return jobs;
}

/** What became of a batch: `sent`, `lost` for a reason that may pass, or `refused`. */
type BatchEnd = 'sent' | 'lost' | 'refused';

interface Batches {
  send(uploads: readonly Upload[]): Promise<BatchEnd>;
  /** From now on every batch is refused without being sent. */
  giveUp(): void;
}

/**
 * Returns a function that sends the files of a job. When a batch was lost, one file alone waits until the line is
 * back; then the others are a batch again. If that one is lost as well, batches do not get through here, and all
 * files are sent alone from then on. So they are after a batch that was refused, whatever the reason: that
 * repeats, or reports, what went wrong.
 */
function inBatchOrAlone(batches: Batches, sendAlone: (upload: Upload) => Promise<void>) {
  return async ({ uploads }: Job): Promise<void> => {
    let left = uploads;
    for (let tries = 1; left.length > 1; tries++) {
      const end = await batches.send(left);
      if (end === 'sent') return;
      if (end === 'refused' || tries > 1) batches.giveUp();
      const [first, ...others] = left;
      if (first) await sendAlone(first);
      left = others;
    }
    for (const upload of left) await sendAlone(upload);
  };
}

function batches({ transport, batch, baseUrl, signal, meter }: UploadPoolOptions): Batches {
  let works = true;
  return {
    giveUp() {
      works = false;
    },
    async send(uploads) {
      signal?.throwIfAborted();
      if (!works || !transport.batch || !batch) return 'refused';
      const absolute = (url: string) => new URL(url, baseUrl).href;
      const parts = uploads.map(({ entry, file }) => ({ url: absolute(entry.url), file }));
      try {
        await transport.batch({ url: absolute(batch.url), parts, signal });
      } catch (error) {
        signal?.throwIfAborted();
        return isPassing(error) ? 'lost' : 'refused';
      }
      for (const { file } of uploads) {
        meter.addBytes(file.size);
        meter.fileDone();
      }
      return 'sent';
    },
  };
}

function fileOf(entry: UploadEntry, files: ReadonlyMap<string, SourceFile>): SourceFile {
  const file = files.get(entry.sha256);
  if (file === undefined)
    throw new Error(`The service asks for ${entry.sha256}, which is not in this version.`);
  return file;
}

async function uploadOne(
  entry: UploadEntry,
  file: SourceFile,
  links: Links,
  options: UploadPoolOptions,
): Promise<void> {
  let url = entry.url;
  let replaced = false;
  for (let tries = 1; ; tries++) {
    let sentBytes = 0;
    let isOver = false;
    const begunMs = performance.now();
    const onBytes = (bytes: number) => {
      // A transport that has failed may still hand on what it has read.
      if (isOver) return;
      sentBytes += bytes;
      options.meter.addBytes(bytes);
    };
    try {
      const absolute = new URL(url, options.baseUrl).href;
      return await options.transport({ url: absolute, file, signal: options.signal, onBytes });
    } catch (error) {
      isOver = true;
      options.signal?.throwIfAborted();
      if (sentBytes > 0) options.meter.addBytes(-sentBytes);
      // Five tries of a minute each would be told to nobody. Whoever waits for the line tells, and sends it again.
      const isLong = performance.now() - begunMs >= options.retry.longTryMs;
      if (error instanceof ConnectionError && isLong) throw error;
      const delayMs = retryDelayMs(error, tries, options.retry);
      if (delayMs !== null) {
        await pause(delayMs, options.signal);
        continue;
      }
      const linkMayBeBad =
        (error instanceof ApiError && error.code === 'link_expired') || (isPassing(error) && tries > 1);
      if (!linkMayBeBad || replaced) throw explain(error, file);
      const fresh = await links.replace(entry.sha256, url);
      if (fresh === null) {
        // The file is no longer missing: the upload had arrived, and only its answer was lost.
        options.meter.addBytes(file.size);
        return;
      }
      url = fresh;
      replaced = true;
      tries = 0;
    }
  }
}

/**
 * Adds the file's path to an error. A hash or size that does not match means that the file was changed
 * meanwhile. A file that is refused for what is in it is named by the service.
 */
function explain(error: unknown, file: SourceFile): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.code === 'invalid_files')
    return Array.isArray(error.details.paths) ? error : new FileChangedError(file.path);
  const { status, code, details, retryAfterSeconds, requestId } = error;
  const message = `${file.path}: ${error.message}`;
  return new ApiError({ status, code, message, details, retryAfterSeconds, requestId });
}

/** The upload links. They expire together, so lanes that need fresh ones share one request. */
class Links {
  readonly #fetch: () => Promise<UploadEntry[]>;
  #current: Promise<Map<string, string>> | null = null;

  constructor(fetch: () => Promise<UploadEntry[]>) {
    this.#fetch = fetch;
  }

  /** Returns a link newer than `old`, or null if the file is no longer missing. */
  async replace(sha256: string, old: string): Promise<string | null> {
    if (this.#current !== null) {
      const known = (await this.#current).get(sha256);
      if (known !== undefined && known !== old) return known;
    }
    return (await this.#ask()).get(sha256) ?? null;
  }

  /** Asks for fresh links. A failure is not kept: the next upload that needs one asks again. */
  #ask(): Promise<Map<string, string>> {
    const asked = this.#fetch().then(
      (entries) => new Map(entries.map((entry) => [entry.sha256, entry.url])),
      (error: unknown) => {
        if (this.#current === asked) this.#current = null;
        throw error;
      },
    );
    this.#current = asked;
    return asked;
  }
}
