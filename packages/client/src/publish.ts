import type { createVersion } from '@spaceport/contract/hosting';
import type { BodyInputOf } from '@spaceport/contract/operation';
import { idempotencyHeader } from '@spaceport/contract/server-calls';
import type {
  CheckReport,
  UploadBatch,
  UploadEntry,
  VersionLimits,
  VersionRead,
} from '@spaceport/contract/versions';
import { ApiError } from './api-error.ts';
import type { Client } from './client.ts';
import { newCreateKey } from './create-key.ts';
import { fetchUploads } from './fetch-upload.ts';
import { overLostLine } from './lost-line.ts';
import { ProgressMeter, type PublishProgress } from './progress.ts';
import { sleep } from './retry.ts';
import type { PublishSource, SourceFile, UploadTransport } from './source.ts';
import { uploadAll } from './upload-pool.ts';
import { isBeingChecked, waitForVerdict } from './verdict.ts';

/** The create body without the files: `space`, `fields`, the declarations. */
export type VersionDetails = Omit<BodyInputOf<typeof createVersion>, 'files' | 'dryRun' | 'claim'>;

/** The facts to store in order to resume a version after an interruption. */
export interface CreatedVersion {
  readonly version: { readonly id: string; readonly number: number };
  readonly space: { readonly slug: string; readonly url: string };
}

/** The answer of a create. It is the only answer with the claim token of a publish without an account. */
export interface CreatedAnswer extends CreatedVersion {
  readonly limits: VersionLimits;
  readonly pageUrl?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly claimToken?: string | undefined;
}

export interface PublishOptions {
  readonly source: PublishSource;
  readonly details: VersionDetails;
  /**
   * True publishes for production: the version goes live when the safety check passes. Else it is a preview.
   */
  readonly live?: boolean | undefined;
  /**
   * False returns as soon as the version is finished, without waiting for the verdict or a preview's report.
   */
  readonly wait?: boolean | undefined;
  /** Resumes a version made earlier from the same files. If that version is gone, a new one is made. */
  readonly resume?: CreatedVersion | undefined;
  /**
   * The key of the create, by which the service recognises it when it is sent again: in this call, or in a later one for
   * the same files that is given the same key, because the answer of this one was lost. Default: a new one. Keep it
   * like a claim token: without an account, whoever has it can get the page's.
   */
  readonly createKey?: string | undefined;
  /** Parallel uploads. Default 8: browsers open six connections to a host anyway; Node gains from more. */
  readonly concurrency?: number | undefined;
  readonly upload?: UploadTransport | undefined;
  readonly onProgress?: ((progress: PublishProgress) => void) | undefined;
  /** Called before the first upload. Store its argument to be able to resume an interrupted publish. */
  readonly onCreated?: ((created: CreatedAnswer) => void | Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PublishResult extends CreatedVersion {
  /** `stopped`: the check ended without a verdict and nothing is queued. `checking`: `wait` was false. */
  readonly outcome: 'preview' | 'checking' | 'live' | 'refused' | 'unjudged' | 'stopped';
  readonly pageUrl: string;
  readonly previewUrl?: string | undefined;
  /** The service's page that frames the preview, with its boards and saves. */
  readonly previewPageUrl?: string | undefined;
  readonly reason?: string | undefined;
  /** Absent if the check was not waited for, or has not reached a preview yet. */
  readonly report?: CheckReport | undefined;
  readonly resumed: boolean;
  /** The files sent by this call, without files that the service had. */
  readonly uploaded: { readonly files: number; readonly bytes: number };
}

/**
 * Publishes a version: creates it, uploads the files that the service lacks, finishes it, and waits for the
 * verdict (a preview's for a minute at most). Aborting loses nothing: call it again with the argument of
 * `onCreated` as `resume` (and, without an account, with a client that has the claim token from there), or before that
 * with the same `createKey`.
 * @throws ApiError, ConnectionError, or the signal's reason.
 */
export async function publish(caller: Client, options: PublishOptions): Promise<PublishResult> {
  const { signal } = options;
  const meter = new ProgressMeter(options.onProgress);
  const begun = await begin(caller, options, meter);
  // Without an account, the create answers with the claim token that every later call needs.
  const client = begun.claimToken === undefined ? caller : caller.withClaim(begun.claimToken);
  const { version, space } = begun.created;
  const line = { retry: client.retry, meter, signal };
  let read = begun.read;
  if (read === null || read.status === 'uploading') {
    await uploadMissing(client, version.id, begun.missing, options, meter);
    await finish(client, version.id, options, meter);
    read = await overLostLine(() => client.readVersion({ params: { id: version.id } }, { signal }), line);
  }
  if (isBeingChecked(read) && options.wait !== false) {
    meter.enter('checking');
    read = await overLostLine(() => waitForVerdict(client, version.id, { signal }), line);
  }
  meter.enter('done');
  return {
    version,
    space,
    outcome: outcomeOf(read),
    pageUrl: read.pageUrl,
    previewUrl: read.previewUrl,
    previewPageUrl: read.previewPageUrl,
    reason: read.reason,
    report: read.report,
    resumed: begun.resumed,
    uploaded: meter.uploaded,
  };
}

/** Asks the service what publishing would do. The service stores nothing. */
export async function dryRun(client: Client, options: Pick<PublishOptions, 'source' | 'details' | 'signal'>) {
  const body = { ...options.details, files: manifestOf(options.source), dryRun: true };
  const answer = await client.createVersion({ body }, { signal: options.signal });
  if (!('dryRun' in answer)) throw new Error('The service made a version where a dry run was asked for.');
  return answer;
}

/** The files that the service lacks, as it answers. */
interface Missing {
  readonly uploads: readonly UploadEntry[];
  readonly batch?: UploadBatch | undefined;
}

interface Begun {
  created: CreatedVersion;
  missing: Missing;
  /** The state of a version that was resumed, null for a new one. */
  read: VersionRead | null;
  resumed: boolean;
  claimToken?: string | undefined;
}

async function begin(client: Client, options: PublishOptions, meter: ProgressMeter): Promise<Begun> {
  meter.enter('creating');
  const resumed = options.resume ? await resume(client, options.resume, options.signal) : null;
  if (resumed !== null) return resumed;
  const answer = await create(client, options);
  if ('dryRun' in answer) throw new Error('The service answered a publish as a dry run.');
  const { uploads, batch, ...created } = answer;
  await options.onCreated?.(created);
  return { created, missing: { uploads, batch }, read: null, resumed: false, claimToken: created.claimToken };
}

/** Creates the version, which an earlier try with the same key may have done already. */
async function create(client: Client, { details, source, signal, createKey }: PublishOptions) {
  const body = { ...details, files: manifestOf(source) };
  const send = (key: string) =>
    client.createVersion({ body }, { signal, headers: { [idempotencyHeader]: key } });
  if (createKey === undefined) return send(newCreateKey());
  try {
    return await send(createKey);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'conflict') throw error;
    // The earlier try was for something else, and has arrived.
    return send(newCreateKey());
  }
}

async function resume(client: Client, created: CreatedVersion, signal?: AbortSignal): Promise<Begun | null> {
  const params = { id: created.version.id };
  try {
    const read = await client.readVersion({ params }, { signal });
    const missing =
      read.status === 'uploading' ? await client.freshUploads({ params }, { signal }) : { uploads: [] };
    return { created, missing, read, resumed: true };
  } catch (error) {
    // The service deletes an unfinished version a day after its links expire.
    if (error instanceof ApiError && error.code === 'not_found') return null;
    throw error;
  }
}

function manifestOf(source: PublishSource) {
  return source.files.map(({ path, size, sha256 }) => ({ path, size, sha256 }));
}

async function uploadMissing(
  client: Client,
  id: string,
  { uploads, batch }: Missing,
  options: PublishOptions,
  meter: ProgressMeter,
): Promise<void> {
  const files = new Map<string, SourceFile>(options.source.files.map((file) => [file.sha256, file]));
  await uploadAll(uploads, files, {
    transport: options.upload ?? fetchUploads(),
    batch,
    concurrency: options.concurrency ?? 8,
    retry: client.retry,
    baseUrl: client.baseUrl,
    meter,
    signal: options.signal,
    freshUploads: async () =>
      (await client.freshUploads({ params: { id } }, { signal: options.signal })).uploads,
  });
}

async function finish(
  client: Client,
  id: string,
  options: PublishOptions,
  meter: ProgressMeter,
): Promise<void> {
  const { signal } = options;
  const line = { retry: client.retry, meter, signal };
  let uploadsRepeated = 0;
  for (;;) {
    meter.enter('finishing');
    try {
      const body = { preview: !options.live };
      await overLostLine(() => client.finishVersion({ params: { id }, body }, { signal }), line);
      return;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'checks_busy') {
        const seconds = error.retryAfterSeconds ?? 10;
        meter.enter('queued', seconds);
        await sleep(seconds * 1_000, signal);
      } else if (error.code === 'missing_uploads' && uploadsRepeated++ < 2) {
        const missing = await client.freshUploads({ params: { id } }, { signal });
        await uploadMissing(client, id, missing, options, meter);
      } else throw error;
    }
  }
}

function outcomeOf(read: VersionRead): PublishResult['outcome'] {
  if (read.stopped) return 'stopped';
  if (read.status === 'uploading') throw new Error('The version reads as not finished after it was.');
  return read.status;
}
