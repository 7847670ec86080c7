import { setMaxListeners } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { ConnectionError, readApiError } from '../api-error.ts';
import { meaningOf } from '../error-meanings.ts';
import {
  type BatchPart,
  type BatchRequest,
  type BatchTransport,
  type FileBody,
  FileChangedError,
  type SourceFile,
  type UploadRequest,
  type UploadTransport,
} from '../source.ts';
import { openConnections } from './connections.ts';
import { release } from './release.ts';

/** An answer to an upload is a line of JSON; anything longer is not read. */
const maxAnswerBytes = 64 * 1024;
/** An upload without progress for this long is aborted; the pool tries again. */
export const usualIdleMs = 60_000;

export interface HttpUploadOptions {
  readonly maxSockets?: number;
  /**
   * True if `open` reads the file each time, as a folder's files do. Then the bytes are freed once they are
   * sent.
   */
  readonly ownsBodies?: boolean;
  readonly idleMs?: number;
}

/**
 * Returns an upload transport over node:http with kept-alive connections. Node's `fetch` takes about three
 * times as much CPU time for a small request, and that time is most of the cost of publishing thousands of
 * files.
 */
export function httpUploads(
  options: HttpUploadOptions = {},
): UploadTransport & { readonly batch: BatchTransport; close(): void } {
  const { maxSockets = 16, idleMs = usualIdleMs } = options;
  const connections = openConnections({ keepAlive: true, maxSockets, timeout: idleMs });
  const begin = (
    address: string,
    method: string,
    bytes: number,
    signal: AbortSignal | undefined,
  ): Exchange => {
    signal?.throwIfAborted();
    // All uploads under way listen to one signal, and Node would warn of so many listeners.
    if (signal) setMaxListeners(0, signal);
    const url = new URL(address);
    const headers = { 'content-type': 'application/octet-stream', 'content-length': bytes };
    const outgoing = connections.request(url, { method, headers, ...(signal && { signal }) });
    const late = new Error(`nothing moved for ${idleMs / 1_000} seconds`);
    outgoing.on('timeout', () => outgoing.destroy(late));
    const lost = (error: unknown) => new ConnectionError(url.host, connections.explain(url, error));
    return { outgoing, signal, lost };
  };
  const free = (bytes: Uint8Array) => {
    if (options.ownsBodies) release(bytes);
  };
  const upload = async ({ url, file, signal, onBytes }: UploadRequest) => {
    const body = await file.open();
    if (!(body instanceof Uint8Array)) {
      const sending = begin(url, 'PUT', file.size, signal);
      return exchange(sending, (outgoing) => sendStream(outgoing, body, file, onBytes));
    }
    requireSize(body, file);
    await exchange(begin(url, 'PUT', file.size, signal), (outgoing) => outgoing.end(body));
    onBytes(file.size);
    free(body);
  };
  const batch = async ({ url, parts, signal }: BatchRequest) => {
    const pieces = (await Promise.all(parts.map(piecesOf))).flat();
    const bytes = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
    await exchange(begin(url, 'POST', bytes, signal), (outgoing) => {
      // Corked, all pieces are one call to the system, and none is copied.
      outgoing.cork();
      for (const piece of pieces) outgoing.write(piece);
      outgoing.end();
    });
    for (const piece of pieces) free(piece);
  };
  return Object.assign(upload, {
    batch,
    close: () => connections.close(),
  });
}

/** Returns the line and the bytes of a file in a batch. */
async function piecesOf({ url, file }: BatchPart): Promise<Uint8Array[]> {
  const body = await file.open();
  const bytes = body instanceof Uint8Array ? body : await wholeOf(chunksOf(body));
  requireSize(bytes, file);
  return [Buffer.from(`${url}\n`), bytes];
}

function requireSize({ byteLength }: Uint8Array, { path, size }: SourceFile): void {
  if (byteLength !== size) throw new FileChangedError(path);
}

/** A request that was begun. */
interface Exchange {
  readonly outgoing: ClientRequest;
  readonly signal: AbortSignal | undefined;
  /** Returns what is told of an error of its line. */
  lost(error: unknown): ConnectionError;
}

/** Sends a request and resolves once it is answered with 200. */
function exchange(
  { outgoing, signal, lost }: Exchange,
  send: (outgoing: ClientRequest) => unknown,
): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const fail = (error: unknown) => {
      outgoing.destroy();
      reject(signal?.aborted ? signal.reason : error);
    };
    const lose = (error: unknown) => fail(lost(error));
    let answered = false;
    outgoing.on('error', (error) => {
      // A service that refuses an upload answers and closes before it has read the body. Then the answer
      // counts, not the error.
      if (!answered) lose(error);
    });
    outgoing.on('response', (answer) => {
      answered = true;
      readText(answer).then((text) => {
        if (answer.statusCode === 200) return resolve();
        const header = (name: string) => String(answer.headers[name] ?? '') || null;
        fail(readApiError({ status: answer.statusCode ?? 0, header, text }, meaningOf));
      }, lose);
    });
    Promise.resolve(send(outgoing)).catch((error: unknown) => !answered && fail(error));
  });
}

/**
 * Writes with back-pressure. A body of another length than declared would corrupt the connection, so it
 * fails.
 */
async function sendStream(
  outgoing: ClientRequest,
  body: Exclude<FileBody, Uint8Array>,
  file: SourceFile,
  onBytes: (bytes: number) => void,
): Promise<void> {
  let sent = 0;
  for await (const chunk of chunksOf(body)) {
    if (outgoing.destroyed) return;
    sent += chunk.byteLength;
    if (sent > file.size) break;
    if (!outgoing.write(chunk)) await drained(outgoing);
    onBytes(chunk.byteLength);
  }
  if (sent !== file.size) throw new FileChangedError(file.path);
  outgoing.end();
}

function chunksOf(body: Exclude<FileBody, Uint8Array>): AsyncIterable<Uint8Array> {
  // Node's web streams are async iterable, as the type of `Blob.stream` says.
  return body instanceof Blob ? Readable.from(body.stream()) : body;
}

async function wholeOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

function drained(outgoing: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
  });
}

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    // A response without an encoding has Buffers as chunks.
    const buffer = chunk as Buffer;
    bytes += buffer.byteLength;
    if (bytes <= maxAnswerBytes) chunks.push(buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
